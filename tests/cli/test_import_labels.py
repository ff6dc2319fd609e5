"""`mh import --label` with conversations: every turn has it, those of an earlier import too."""

from pathlib import Path

SESSIONS = str(Path(__file__).resolve().parents[2] / "docs" / "samples" / "codex")


def labelled(mh, label):
    return mh("list", "-q", "--layer", "L0", "--label", label).out.split()


def test_turns_get_the_label_of_their_import(mh):
    assert mh("import", SESSIONS, "-l", "旧会话", "-l", "work").code == 0
    turns = mh("list", "-q", "--layer", "L0").out.split()
    assert len(turns) == 4
    assert labelled(mh, "旧会话") == labelled(mh, "work") == turns


def test_turns_that_are_there_get_it_later(mh):
    mh("import", SESSIONS)
    turns = mh("list", "-q", "--layer", "L0").out.split()
    mh("rm", turns[0])
    assert mh("import", SESSIONS, "-l", "Work").out == "imported codex: 1 unchanged\n"
    assert labelled(mh, "work") == turns[1:]
    operations = mh("log", "-q").out.split()
    assert mh("import", SESSIONS, "-l", "work").out == "imported codex: 1 unchanged\n"
    assert mh("log", "-q").out.split() == operations, "they have it already"
    mh("undo")
    assert labelled(mh, "work") == []
