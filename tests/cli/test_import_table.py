"""What `mh import` alone shows: a table that fits the window, and the next step."""

import json
import shutil
from pathlib import Path

import pytest

SAMPLES = Path(__file__).resolve().parents[2] / "docs" / "samples"


@pytest.fixture
def home(tmp_path, monkeypatch):
    """A home with the stores of two tools."""
    for variable in ("HOME", "USERPROFILE"):
        monkeypatch.setenv(variable, str(tmp_path))
    for variable in ("CLAUDE_CONFIG_DIR", "CODEX_HOME", "XDG_CONFIG_HOME"):
        monkeypatch.delenv(variable, raising=False)
    shutil.copytree(SAMPLES / "claude-code", tmp_path / ".claude")
    shutil.copytree(SAMPLES / "codex", tmp_path / ".codex")
    return tmp_path


def test_what_lies_in_the_usual_places(mh, home):
    code, out, err = mh("import")
    assert code == 0
    assert out == (
        "claude-code          2  sessions       ~/.claude/projects\ncodex                1  session        ~/.codex\n"
    )
    assert err == "hint: `mh import --all` brings all of it in, `mh import NAME` what one tool has\n"
    assert [row["path"] for row in json.loads(mh("import", "--json").out)] == [
        str(home / ".claude" / "projects"), str(home / ".codex"),
    ]  # fmt: skip


def test_a_long_path_is_cut_to_the_window(mh, home, monkeypatch):
    from memhub.cli.output import Output

    (home / ".claude").rename(home / "a-folder-with-a-long-name")
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(home / "a-folder-with-a-long-name"))
    monkeypatch.setattr(Output, "columns", 60)
    assert mh("import").out.splitlines()[0] == "claude-code          2  sessions       ~/a-folder-with-a-lo…"


def test_importing_again_says_that_nothing_is_new(mh, home):
    assert mh("import", "--all").out == (
        "imported claude-code: 2 new (10 new turns)\nimported codex: 1 new (4 new turns)\n"
    )
    assert mh("import", "--all").out == "imported claude-code: nothing new\nimported codex: nothing new\n"


def test_an_empty_home_is_told_what_to_do(mh, tmp_path, monkeypatch):
    for variable in ("HOME", "USERPROFILE"):
        monkeypatch.setenv(variable, str(tmp_path))
    assert mh("import") == (
        0, "", "mh: nothing lies in the usual places\nhint: `mh import FOLDER` brings in a folder of notes\n",
    )  # fmt: skip


def test_all_of_it_is_one_operation(mh, home):
    (home / "Vault" / ".obsidian").mkdir(parents=True)
    (home / "Vault" / "ferry.md").write_text("# Ferry\n")
    assert "vault note " in mh("import").out
    assert mh("import", "--all").code == 0
    log = mh("log").out.splitlines()
    assert len(log) == 1
    assert "sources" in log[0]
    mh("undo")
    assert mh("list", "--limit", "0", "--layer", "L0").out == mh("list", "--limit", "0").out == ""
    done = mh("import", "--all", "-q").out.split()  # what was undone comes again
    assert done == [json.loads(mh("log", "--json").out)[0]["id"]] * 3


def test_what_else_lies_in_a_folder_is_named(mh, home, tmp_path):
    exports = tmp_path / "exports"
    exports.mkdir()
    shutil.copy(SAMPLES / "chatgpt" / "conversations.json", exports)
    (exports / "note.md").write_text("# Ferry\n")
    done = mh("import", str(exports))
    assert "is read as chatgpt; left out: note.md" in done.err
    assert mh("import", str(exports / "note.md"), "-q").out.strip() == json.loads(mh("log", "--json").out)[0]["id"]
