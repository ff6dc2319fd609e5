"""The user's text is shown letter by letter, also with colour, and columns line up."""

import json
import re
from pathlib import Path

import pytest

from memhub.text.clean import display_width

RAW = (Path(__file__).parent / "data/brackets/items.jsonl").read_bytes()
RECORDS = [json.loads(line) for line in RAW.splitlines()]


@pytest.fixture
def stored(mh, monkeypatch):
    monkeypatch.setenv("MH_COLOR", "always")
    out = mh("add", "-", "--split", "jsonl", "-q", stdin=RAW).out
    return dict(zip(out.split(), RECORDS, strict=True))


def plain(text):
    return re.sub(r"\x1b\[[0-9;]*m", "", text)


def test_every_title_appears_in_the_list(mh, stored):
    lines = plain(mh("list").out).splitlines()
    assert len(lines) == len(RECORDS)
    for record in stored.values():
        assert [line for line in lines if line[20:].startswith(record["title"] + " #")], record["title"]
    assert all(re.match(r"[0-9a-z]{6}  2026-02-10  ", line) for line in lines)


def test_every_item_is_shown_as_it_is(mh, stored):
    for key, record in stored.items():
        out = plain(mh("show", key).out)
        assert f"\n{record['title']}\n" in out
        assert out.endswith(f"\n\n{record['content']}\n")
        assert plain(mh("rm", key).out).startswith("dropped ")
        assert record["title"] in plain(mh("restore", key).out)


def test_brackets_are_found_and_named(mh, stored):
    assert "[/" in plain(mh("search", "[/", "--mode", "words").out)
    assert mh("show", "[/").err.splitlines()[0].endswith("no item `[/`")


def test_columns_line_up_on_a_row_with_wide_letters(stored, mh, monkeypatch):
    from memhub.cli.output import Output

    monkeypatch.setattr(Output, "columns", 40)
    for line in plain(mh("list").out).splitlines():
        assert display_width(line) <= 40


def test_nothing_stored_reaches_the_terminal_as_a_command(mh):
    key = mh("add", "-", "-q", stdin="a\x1b[2Jb\x07c\u202ed").out.strip()
    for argv in (["list"], ["show", key], ["search", "a", "--mode", "words"]):
        out = mh(*argv).out
        assert "\x1b" not in out
        assert "\x07" not in out
        assert "\u202e" not in out


def test_a_match_is_painted_in_the_line_that_shows_the_whole_text(mh, monkeypatch):
    from memhub.cli.output import Output

    mh("add", "The ferry to Naxos #travel", "-l", "sea")
    mh("add", "One line of ferry\n\nand more below", "--title", "Timetable")
    for columns in (None, 80):
        monkeypatch.setattr(Output, "columns", columns)
        monkeypatch.setenv("MH_COLOR", "always")
        painted = mh("search", "ferry", "--mode", "words").out
        assert painted.count("\x1b[1;32mferry\x1b[0m") == 2
        monkeypatch.setenv("MH_COLOR", "never")
        lines = mh("search", "ferry", "--mode", "words").out.splitlines()
        assert plain(painted).splitlines() == lines
        assert [line[20:] if line[0] != " " else line.strip() for line in lines] in (
            ["The ferry to Naxos #travel #sea", "Timetable", "One line of ferry and more below"],
            ["Timetable", "One line of ferry and more below", "The ferry to Naxos #travel #sea"],
        )
    monkeypatch.setattr(Output, "columns", 40)
    cut = mh("search", "ferry", "--mode", "words", "-l", "sea").out.splitlines()
    assert len(cut) == 2, "what the window cuts off is in the snippet below"
    assert cut[1].strip() == "The ferry to Naxos #travel"


@pytest.mark.parametrize("colour", ["never", "always"])
def test_a_long_hit_goes_on_below_where_its_line_was_cut(mh, monkeypatch, colour):
    from memhub.cli.output import Output

    mh("add", "Every test starts its own server, which takes three seconds, and there are eighty of them")
    mh("add", "金额用浮点数相加，误差累积起来，四舍五入后就少了一分。改成以分为单位的整数，最后再换算。")
    monkeypatch.setattr(Output, "columns", 60)
    monkeypatch.setenv("MH_COLOR", colour)
    first, second = mh("search", "server", "seconds", "--mode", "words").out.splitlines()
    assert plain(first)[20:] == "Every test starts its own server, which…"
    assert plain(second).strip() == "…takes three seconds, and there are eighty of them"
    assert ("\x1b[1;32mseconds\x1b[0m" in second) == (colour == "always")
    first, second = mh("search", "整数", "--mode", "words").out.splitlines()
    assert plain(first)[20:] == "金额用浮点数相加，误差累积起来，四舍五…"
    assert plain(second).strip() == "…入后就少了一分。改成以分为单位的整数，最后再换算。"
