"""Changing, organising and taking back, as a user sees it."""

import json

import pytest


@pytest.fixture
def note(mh):
    return mh("add", "-q", "the first text").out.strip()


def shown(mh, key):
    return json.loads(mh("show", key, "--json").out)


def test_rm_restore_undo_redo(mh, note):
    assert mh("rm", note[-6:]) == (0, f"dropped {note[-6:]}  2026-02-10  the first text [dropped]\n", "")
    assert mh("list").out == ""
    assert mh("list", "--state", "dropped", "-q").out == note + "\n"
    mh("restore", note)
    assert mh("list", "-q").out == note + "\n"
    assert mh("undo").out.startswith("undone: ")
    assert mh("list", "-q").out == ""
    assert mh("redo").out.startswith("redone: ")
    assert mh("list", "-q").out == note + "\n"


def test_ids_come_from_a_pipe(mh, note):
    other = mh("add", "-q", "another").out.strip()
    out = mh("label", "add", "-", "tidy", stdin=mh("list", "-q").out).out
    assert out.count("#tidy") == 2
    assert mh("rm", "-", stdin=f"{note}\n{other[-6:]}  with words behind\n\n").code == 0
    assert mh("list").err == "mh: nothing to list\n"


def test_edit_by_options_and_from_a_pipe(mh, note):
    assert mh("edit", note, "--title", "T", "--content", "the second text").code == 0
    assert mh("edit", note, "--content", "-", stdin="the third text\n").code == 0
    item = shown(mh, note)
    assert (item["title"], item["content"]) == ("T", "the third text")
    out = mh("history", note).out
    assert "the [-second-]{+third+} text" in out
    assert out.split("\n\n")[1].split("\n")[1:] == ["    title: {+T+}", "    the [-first-]{+second+} text"]
    assert out.split("\n\n")[2].split("\n")[1:] == ["    the first text"]
    history = json.loads(mh("history", note, "--json").out)
    assert [version["content"] for version in history] == ["the third text", "the second text", "the first text"]
    mh("undo")
    assert shown(mh, note)["content"] == "the second text"


def test_an_edit_that_expects_an_older_version_conflicts(mh, note):
    seen = shown(mh, note)["version"]
    mh("edit", note, "--content", "newer")
    code, out, err = mh("edit", note, "--content", "mine", "--expect", seen, "--json")
    assert code == 4
    assert json.loads(out)["error"] == "conflict"
    assert "changed meanwhile" in err
    assert shown(mh, note)["content"] == "newer"


def test_an_editor_needs_a_terminal(mh, note):
    code, out, err = mh("edit", note)
    assert (code, out) == (2, "")
    assert err.startswith("mh: error: an editor needs a terminal\nhint: `--content -` ")


def test_set_and_its_words(mh, note):
    item = json.loads(mh("set", note, "--importance", "0.8", "--pin", "--json").out)[0]
    assert (item["importance"], item["pinned"]) == (0.8, True)
    assert mh("list", "--pinned", "-q").out == note + "\n"
    assert json.loads(mh("set", note, "--importance", "none", "--unpin", "--json").out)[0]["importance"] is None
    assert mh("set", note, "--archive").code == 0
    assert mh("list").out == ""
    assert mh("set", note).err.startswith("mh: error: nothing to set")
    assert mh("set", note, "--importance", "high").code == 2


def test_labels(mh, note):
    mh("label", "add", note, "Work", "home")
    assert mh("label", "list").out.split() == ["1", "home", "1", "Work"]
    assert mh("label", "rename", "work", "office").out == "renamed #work to #office on 1 item\n"
    mh("label", "rm", note, "home")
    assert json.loads(mh("label", "list", "--json").out) == [{"name": "office", "count": 1}]
    assert mh("label", "add", note, "@2", "x").code == 2
    assert mh("label", "rename", "nosuch", "x").code == 3


def test_spaces(mh, note):
    assert mh("space", "new", "work", "--description", "the job").out == "work  0 items  the job\n"
    mh("mv", note, "work")
    assert shown(mh, note)["space"] == "work"
    assert mh("list").out == ""
    assert mh("list", "--space", "work", "-q").out == note + "\n"
    mh("space", "read", "default", "--add", "work")
    assert mh("list", "-q").out == note + "\n"
    mh("space", "read", "default", "--rm", "work")
    mh("space", "rename", "work", "office")
    assert mh("list", "-q", "--space", "office").out == note + "\n"
    mh("space", "merge", "office", "default")
    assert mh("list", "-q").out == note + "\n"
    assert mh("list", "--space", "nosuch").code == 3


def test_links(mh, note):
    other = mh("add", "-q", "the other text").out.strip()
    line = mh("link", note, other, "--type", "answers").out
    assert line == f"{note[-6:]} the first text  --answers-->  {other[-6:]} the other text\n"
    assert mh("links", other).out == line
    edge = json.loads(mh("links", note, "--json").out)[0]
    assert (edge["src"], edge["relation"], edge["dst"]) == (note, "answers", other)
    assert mh("unlink", note, other).out == "removed 1 link\n"
    assert mh("links", note).out == ""


def test_the_log_names_commands_and_no_text(mh, note):
    mh("edit", note, "--content", "very private")
    mh("undo")
    operations = json.loads(mh("log", "--json").out)
    assert [operation["command"] for operation in operations] == ["undo", "edit", "add"]
    assert operations[0]["undoes"] == operations[1]["id"]
    assert "private" not in mh("log").out
    assert len(mh("log", "--limit", "1").out.splitlines()) == 1


def test_an_erase_asks_and_cannot_be_undone(mh, note):
    code, out, err = mh("erase", note)
    assert (code, out) == (2, "")
    assert "`--yes` means it" in err
    assert mh("erase", note, "--yes").out == "erased 1 item, 1 version\n"
    assert mh("undo").code == 4
    assert mh("search", "first", "--mode", "words", "--json").out == "[]\n"


def test_an_erase_takes_the_drafts_along(mh, note):
    from memhub.editor import item_draft
    from memhub.paths import make_folder

    draft = item_draft(note, "0" * 64)
    make_folder(draft.parent)
    draft.write_text("secret")
    mh("erase", note, "--yes")
    assert not draft.exists()


def test_an_id_that_fits_several_is_refused(mh):
    keys = [mh("add", "-q", f"text {number}").out.strip() for number in range(40)]
    ends = {}
    for key in keys:
        ends.setdefault(key[-1], []).append(key)
    end = next(end for end, of in ends.items() if len(of) > 1)
    assert mh("show", end).code in (2, 3)


def test_an_operation_on_very_many_items_does_not_claim_to_count_them(mh):
    mh("add", "-", "--split", "line", "-q", stdin="\n".join(f"note {number}" for number in range(1200)))
    assert mh("log").out.rstrip().endswith("1,000+ items")


def test_numbers_stand_below_each_other_in_every_script(mh):
    mh("add", "Rent", "--project", "家庭账本")
    mh("add", "Timetable", "--project", "ferry")
    lines = mh("stats").out.splitlines()
    assert f"projects 家庭账本{' ' * 8}1" in lines
    assert f"projects ferry{' ' * 11}1" in lines


def test_stats_index_and_doctor(mh, note):
    assert "items" in mh("stats").out
    assert json.loads(mh("stats", "--json").out)
    assert mh("doctor").code == 0
    report = json.loads(mh("doctor", "--rebuild", "--json").out)
    assert report["ok"] is True
    assert mh("list", "-q").out == note + "\n"


def test_the_log_says_which_item_it_was(mh):
    key = mh("add", "-q", "The ferry to Naxos\nleaves at 7:30").out.strip()
    mh("add", "-", "--split", "line", stdin="one\ntwo\n")
    mh("undo")
    lines = [line[28:] for line in mh("log").out.splitlines()]
    assert lines == ["undo  add  2 items", "add  2 items (undone)", "add  1 item: The ferry to Naxos leaves at 7:30"]
    mh("erase", "--yes", key)
    assert [line[28:] for line in mh("log").out.splitlines()][::3] == ["erase  1 item", "add  1 item"]


def test_the_history_of_a_long_text_shows_what_changed_and_little_else(mh):
    long = "".join(f"sentence {n} of many. " for n in range(5_000))
    key = mh("add", "-q", "-", stdin=long).out.strip()
    mh("edit", key, "--title", "Long")
    mh("edit", key, "--content", "-", stdin=long.replace("sentence 2500 of", "word 2500 of"))
    newest, titled, _ = mh("history", key).out.split("\n\n")[:3]
    assert "[-sentence-]{+word+} 2500 of many." in newest
    assert "sentence 2499 of many. [-" in newest
    assert len(newest) < 600
    assert titled.endswith("title: {+Long+}\n    (the same text)")


def test_a_line_that_is_no_terminal_says_when_it_is_cut(mh):
    mh("add", "word " * 100)
    mh("add", "x" * 5_000, "--title", "short title")
    titled, cut = mh("list").out.splitlines()
    assert titled.endswith("  short title")
    assert cut.endswith(" word…")
    assert len(cut) < 230


def test_pinned_ones_are_listed_and_found_alone(mh, note):
    mh("add", "the second text")
    mh("set", note, "--pin")
    for command in (["list"], ["search", "text", "--mode", "words"], ["search", "text", "--exact"]):
        assert mh(*command, "-q").out.count("\n") == 2
        assert mh(*command, "--pinned", "-q").out == f"{note}\n"
    mh("set", note, "--unpin")
    assert mh("list", "--pinned", "-q").out == ""
