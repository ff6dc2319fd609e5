"""A chat export in which times and titles are missing: the odd ones come in with what is known."""

import json

import pytest


def chat(name, prompt, answer, times, **about):
    """One conversation of an export; `times` are those of its two messages."""
    messages = [
        {"id": f"{name}-{role}", "author": {"role": role}, "create_time": time, "recipient": "all",
         "content": {"content_type": "text", "parts": [text]}}
        for role, text, time in zip(("user", "assistant"), (prompt, answer), times, strict=True)
    ]  # fmt: skip
    mapping = {"r": {"id": "r", "parent": None, "children": ["u"], "message": None}}
    mapping["u"] = {"id": "u", "parent": "r", "children": ["a"], "message": messages[0]}
    mapping["a"] = {"id": "a", "parent": "u", "children": [], "message": messages[1]}
    return {"id": name, "conversation_id": name, "mapping": mapping, "current_node": "a", **about}


@pytest.fixture
def export(tmp_path):
    never_used = {"r": {"id": "r", "parent": None, "children": [], "message": None}}
    chats = [
        chat("c1", "Which glue holds oily wood?", "Epoxy.", (1771000001.0, 1771000009.0), title="Glue for teak",
             create_time=1771000000.0, update_time=1771000010.0),
        chat("c2", "How long does hide glue stay open?", "A few minutes.", (1771100001.0, 1771100011.0),
             title="Open time", update_time=1771100012.0),
        chat("c3", "刨刃磨到多少度合适？\n软木和硬木要分开吗？", "常用 25 到 30 度。", (None, None),
             title=None, create_time=None, update_time=None),
        {"id": "c4", "conversation_id": "c4", "mapping": never_used, "current_node": "r", "title": "New chat",
         "create_time": 1771200000.0, "update_time": 1771200000.0},
        {**chat("c5", "Is shellac food safe?", "Yes, once it is dry.", (0, 0), title="", update_time=0,
                create_time="2026-02-17T09:00:00Z"), "current_node": "gone"},
    ]  # fmt: skip
    file = tmp_path / "conversations.json"
    file.write_text(json.dumps(chats, ensure_ascii=False))
    return str(file)


def titles(mh, *argv):
    code, out, err = mh("thread", "list", "--json", *argv)
    assert code == 0, err
    return [thread["title"] for thread in json.loads(out)], err


def test_four_come_in_with_what_is_known(mh, export):
    counts = "chatgpt: 4 new, 1 skipped (8 new turns)\n"
    assert mh("import", export, "--dry-run")[:2] == (0, f"would import {counts}")
    assert mh("import", export)[:2] == (0, f"imported {counts}")
    code, out, _ = mh("thread", "list", "--json")
    assert code == 0
    found = {thread["title"]: (thread["started_at"], thread["length"]) for thread in json.loads(out)}
    assert found == {
        "Glue for teak": ("2026-02-13T16:26:41Z", 2),
        "Open time": ("2026-02-14T20:13:21Z", 2),
        "刨刃磨到多少度合适？": (None, 2),
        "Is shellac food safe?": ("2026-02-17T09:00:00Z", 2),
    }
    assert "1970" not in mh("export").out
    assert mh("import", export)[:2] == (0, "imported chatgpt: nothing new\n")


def test_an_import_since_a_day_leaves_out_what_has_no_date_and_says_so(mh, export):
    code, out, err = mh("import", export, "--since", "2026-02-14")
    assert (code, out) == (0, "imported chatgpt: 2 new, 1 skipped, 2 left out (4 new turns)\n")
    assert err == "mh: 1 conversation without a date left out\n"
    assert sorted(titles(mh)[0]) == ["Is shellac food safe?", "Open time"]
    assert mh("import", export)[1:] == ("imported chatgpt: 2 new, 2 unchanged, 1 skipped (4 new turns)\n", "")


@pytest.mark.parametrize("word", ["刨刃", "shellac"])
def test_a_turn_without_a_time_is_found(mh, export, word):
    mh("import", export)
    assert word in mh("search", word, "--mode", "words").out


def test_what_has_no_date_is_in_no_range_and_each_command_says_so(mh, export):
    """One rule: an unknown time is neither the time of the import nor 1970."""
    mh("import", export)
    assert titles(mh)[1] == ""
    dated = ["Is shellac food safe?", "Open time", "Glue for teak"]
    assert titles(mh, "--since", "2026-01-01") == (dated, "mh: 1 conversation without a date left out\n")
    assert titles(mh, "--until", "2026-02-14")[0] == dated[1:]
    assert sorted(titles(mh)[0]) == sorted([*dated, "刨刃磨到多少度合适？"])
    for argv in (
        ("list",), ("search", "glue", "--mode", "words"), ("thread", "search", "glue", "--exact"), ("export",)
    ):  # fmt: skip
        code, out, err = mh(*argv, "--since", "2026-01-01")
        assert (code, err) == (0, "mh: 4 items without a date left out\n"), argv
        assert "shellac" not in out
        assert "刨刃" not in out
    code, _, err = mh("distill", "--since", "2026-01-01", "--dry-run")
    assert (code, err.splitlines()[0]) == (0, "mh: 1 conversation without a date left out")
    assert mh("list", "-q", "--since", "2026-01-01").err == ""
    assert mh("list", "--since", "2026-02-13", "--label", "none").err == "mh: nothing to list\n"
