"""`mh undo` and `mh redo` of an import of conversations: a thread comes back with all its turns."""

from pathlib import Path

SESSIONS = str(Path(__file__).resolve().parents[2] / "docs" / "samples" / "codex")
LISTED = "The tests take four minutes. What makes them so slow? (codex, ferry-times)  4 turns\n"


def threads(mh):
    return mh("thread", "list").out[20:]


def test_an_undone_import_comes_again_whole(mh):
    mh("import", SESSIONS)
    assert threads(mh) == LISTED
    thread = mh("thread", "list", "-q").out.strip()
    shown = mh("thread", "show", thread).out
    assert mh("undo").out == "undone: import codex\n"
    assert threads(mh) == ""
    assert mh("import", SESSIONS).out == "imported codex: 1 new (4 new turns)\n"
    assert threads(mh) == LISTED
    assert mh("thread", "show", thread).out == shown
    mh("undo")
    assert threads(mh) == ""
    mh("redo")
    assert threads(mh) == LISTED
    assert mh("import", SESSIONS).out == "imported codex: 1 unchanged\n"
