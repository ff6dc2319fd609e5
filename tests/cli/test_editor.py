"""The editor: flags and quotes, editors that come back at once, that die, that are not there."""

import json
import os
import pty
import re
import select
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

EDITORS = Path(__file__).parent / "data/editors"


@pytest.fixture
def terminal(tmp_path):
    """Runs a command on a pseudo terminal in a folder with the editors; answers with exit code and screen."""
    shutil.copytree(EDITORS, tmp_path, dirs_exist_ok=True)

    def start(*argv, typed="", **env):
        master, slave = pty.openpty()
        process = subprocess.Popen(
            [sys.executable, "-m", "memhub", *argv],
            stdin=slave,
            stdout=slave,
            stderr=slave,
            cwd=tmp_path,
            env={**os.environ, "NO_COLOR": "1", **env},
            start_new_session=True,
        )
        os.close(slave)
        os.write(master, typed.encode())
        screen = b""
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline:
            if select.select([master], [], [], 0.05)[0]:
                try:
                    more = os.read(master, 65536)
                except OSError:
                    break
                if not more:
                    break
                screen += more
            elif process.poll() is not None:
                break
        code = process.wait(30)
        os.close(master)
        return code, screen.decode().replace("\r\n", "\n")

    return start


@pytest.fixture
def note(mh):
    return mh("add", "-q", "the note").out.strip()


def content(mh, key):
    return json.loads(mh("show", key, "--json").out)["content"]


def versions(mh, key):
    return len(json.loads(mh("history", key, "--json").out))


def drafts():
    folder = Path(os.environ["MH_HOME"]) / "state/drafts"
    return sorted(folder.iterdir()) if folder.exists() else []


@pytest.mark.parametrize(
    ("env", "added"),
    [
        ({"EDITOR": '"./my editors/append.sh" --wait'}, "added in the editor"),
        ({"EDITOR": "./renames.sh"}, "saved by rename"),
        ({"VISUAL": "./renames.sh", "EDITOR": "./nosuch"}, "saved by rename"),
        ({"MH_EDITOR": "./renames.sh", "VISUAL": "./nosuch"}, "saved by rename"),
    ],
)
def test_an_edit_is_one_new_version_and_leaves_no_draft(mh, terminal, note, env, added):
    code, screen = terminal("edit", note, **env)
    assert code == 0, screen
    assert screen.startswith("edited ")
    assert content(mh, note) == f"the note\n\n{added}"
    assert versions(mh, note) == 2
    assert drafts() == []


def test_an_editor_that_comes_back_at_once_changes_nothing_and_is_explained(mh, terminal, note):
    code, screen = terminal("edit", note, EDITOR="./later.sh")
    assert code == 0
    assert "mh: nothing was changed\n" in screen
    assert "wait flag" in screen
    assert "`code --wait`" in screen
    (draft,) = drafts()
    assert str(draft) in screen
    deadline = time.monotonic() + 60
    while "added later" not in draft.read_text() and time.monotonic() < deadline:
        time.sleep(0.1)
    assert versions(mh, note) == 1
    code, screen = terminal("edit", note, EDITOR="./renames.sh")
    assert "continuing the draft that was kept" in screen
    assert content(mh, note) == "the note\n\nadded later\n\nsaved by rename"
    assert drafts() == []


def test_an_add_that_comes_back_at_once_stores_nothing(mh, terminal):
    code, screen = terminal("add", EDITOR="./later.sh")
    assert code == 0
    assert "nothing was written, so nothing was added" in screen
    assert mh("list", "--json").out == "[]\n"


def test_an_add_in_the_editor(mh, terminal):
    code, screen = terminal("add", "-l", "x", EDITOR="./renames.sh")
    assert (code, screen.startswith("added ")) == (0, True)
    assert json.loads(mh("list", "--json").out)[0]["content"] == "saved by rename"
    assert drafts() == []


def test_an_editor_that_dies_keeps_what_was_typed(mh, terminal, note):
    code, screen = terminal("edit", note, EDITOR="./dies.sh")
    assert code == 1
    assert versions(mh, note) == 1
    (draft,) = drafts()
    assert f"what was typed is kept in {draft}" in screen
    assert "half a thought" in draft.read_text()
    assert draft.stat().st_mode & 0o777 == 0o600


def test_an_editor_that_is_not_there_is_named(terminal, note, tmp_path):
    code, screen = terminal("edit", note, EDITOR="./nosuch")
    assert code == 2
    assert screen.startswith("mh: error: cannot run the editor `./nosuch` from EDITOR: No such file or directory\n")
    code, screen = terminal("edit", note, EDITOR="", VISUAL="", PATH=str(tmp_path))
    assert code == 2
    assert screen.startswith("mh: error: no editor found\nhint: set EDITOR")
    code, screen = terminal("edit", note, EDITOR="'unbalanced")
    assert (code, "from EDITOR" in screen) == (2, True)
    assert drafts() == []


def test_a_conflict_keeps_the_draft(mh, terminal, note, tmp_path):
    script = tmp_path / "meanwhile.sh"
    script.write_text(
        f'#!/bin/sh\n{sys.executable} -m memhub edit {note} --content "from elsewhere" >/dev/null\necho mine >> "$1"\n'
    )
    script.chmod(0o755)
    code, screen = terminal("edit", note, EDITOR="./meanwhile.sh")
    assert code == 4, screen
    (draft,) = drafts()
    assert f"what was typed is kept in {draft}" in screen
    assert "mine" in draft.read_text()
    assert content(mh, note) == "from elsewhere"


def test_front_matter_changes_title_kind_and_date(mh, terminal, note, tmp_path):
    script = tmp_path / "fields.sh"
    script.write_text(
        "#!/bin/sh\nsed -i 's/^title:.*/title: [T]: x/; s/^kind:.*/kind: event/; s/^date:.*/date: 2026-01/' \"$1\"\n"
    )
    script.chmod(0o755)
    assert terminal("edit", note, EDITOR="./fields.sh")[0] == 0
    item = json.loads(mh("show", note, "--json").out)
    assert (item["title"], item["kind"], item["created_at"], item["content"]) == (
        "[T]: x",
        "event",
        "2026-01",
        "the note",
    )


def test_lines_of_the_last_listing_have_numbers(mh, terminal, note, tmp_path):
    code, screen = terminal("list")
    assert (code, "the note" in screen) == (0, True)
    assert terminal("show", "@1")[1].startswith("mh: error: nothing was listed in this terminal yet")
    script = "import os; os.system('{0} -m memhub list -q; {0} -m memhub show @1; {0} -m memhub show @2')"
    done = subprocess.run(
        ["script", "-qec", f'{sys.executable} -c "{script.format(sys.executable)}"', "/dev/null"],
        capture_output=True,
        encoding="utf-8",
        check=False,
        cwd=tmp_path,
        stdin=subprocess.DEVNULL,
    )
    assert done.stdout.count(note[-6:]) == 2, done.stdout
    assert "the last listing in this terminal had 1 lines, no `@2`" in done.stdout


def test_lines_are_cut_to_the_window(mh, terminal):
    mh("add", "wide 宽字 " * 40, "-l", "a-label")
    code, screen = terminal("list", COLUMNS="60")
    line = screen.splitlines()[0]
    assert code == 0
    assert "…" in line
    assert line.endswith(" #a-label")


def test_an_erase_asks_on_a_terminal(mh, terminal, note):
    code, screen = terminal("erase", note, typed="n\n")
    assert (code, "nothing was erased" in screen) == (1, True)
    code, screen = terminal("erase", note, typed="y\n")
    assert code == 0
    assert re.search(r"erased 1 item, 1 version", screen)


def test_colour_marks_ids_and_matches_on_a_terminal(mh, terminal, note):
    code, screen = terminal("search", "note", "--mode", "words", NO_COLOR="")
    assert code == 0
    assert "\x1b[33m" in screen
    assert "\x1b" not in terminal("list", NO_COLOR="", TERM="dumb")[1]
