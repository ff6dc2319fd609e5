"""A source stays itself: a folder that gets notes of another kind, and a folder in which several tools keep chats."""

import json
import shutil
from pathlib import Path

import pytest

DATA = Path(__file__).parents[1] / "importers" / "data"


def items(mh):
    return {item["title"]: item["id"] for item in json.loads(mh("list", "--json", "--limit", "0").out)}


@pytest.mark.parametrize("second", ["b.md", "b.org", ".obsidian/app.json"])
def test_a_folder_of_texts_that_gets_another_kind_of_note_is_the_same_source(mh, tmp_path, second):
    """Importers of all these kinds know a file by its path, so the texts are the items they were."""
    folder = tmp_path / "notes"
    folder.mkdir()
    (folder / "a.txt").write_text("The ferry\n\nIt leaves at eight.\n")
    assert mh("import", "notes").out == "imported notes: 1 new\n"
    before = items(mh)
    (folder / second).parent.mkdir(exist_ok=True)
    (folder / second).write_text("# Second\n\nAnother note.\n" if second.startswith("b") else "{}")
    out = mh("import", "notes").out
    assert out.startswith(
        "imported notes: 1 new, 1 unchanged" if second.startswith("b") else "imported notes: 1 unchanged"
    )
    after = items(mh)
    assert after.items() >= before.items()
    assert len(after) == 1 + second.startswith("b")
    assert "1 new" not in mh("import", "notes").out
    (folder / "a.txt").write_text("The ferry\n\nIt leaves at nine.\n")
    assert "1 changed" in mh("import", "notes").out
    (folder / second).unlink()
    assert "1 unchanged" in mh("import", "notes").out
    assert items(mh).items() >= before.items()


def test_the_folder_of_an_editor_gives_the_chats_of_all_tools_in_it(mh, tmp_path):
    code = tmp_path / "Code"
    for tool in ("cline", "roo-code"):
        (found,) = (DATA / tool).glob("**/User")
        shutil.copytree(found, code / "User", dirs_exist_ok=True)
    done = mh("import", str(code))
    assert done.code == 0, done.err
    assert [line.split()[1] for line in done.out.splitlines()] == ["cline:", "roo-code:"]
    assert {thread["platform"] for thread in json.loads(mh("thread", "list", "--json").out)} == {"cline", "roo-code"}
    assert mh("import", str(code)).out == "imported cline: nothing new\nimported roo-code: nothing new\n"
    assert mh("import", str(code), "--importer", "cline").out == "imported cline: nothing new\n"


def test_standard_input_is_not_watched(mh):
    assert mh("import", "-", "--importer", "mcp-memory", "--watch").code == 2
