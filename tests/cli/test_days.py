"""This evening belongs to today: a day is the user's day, in every command."""

import json
from pathlib import Path

import pytest

NOTES = (Path(__file__).parent / "data/days/notes.jsonl").read_bytes()


@pytest.fixture
def stored(mh):
    assert mh("add", "-", "--split", "jsonl", stdin=NOTES).code == 0


def texts(result):
    assert result.code == 0, result.err
    return {item["content"] for item in json.loads(result.out)}


ON_THE_TENTH = {
    "America/Los_Angeles": {
        "noon of the 10th in Los Angeles",
        "evening of the 10th in Los Angeles",
        "last minute of the 10th in Los Angeles",
        "上海的十一日清晨",
        "date only, the 10th",
    },
    "Asia/Shanghai": {"date only, the 10th"},
    "UTC": {"noon of the 10th in Los Angeles", "上海的十一日清晨", "date only, the 10th"},
}


@pytest.mark.usefixtures("stored")
@pytest.mark.parametrize("name", ON_THE_TENTH)
@pytest.mark.parametrize("by", ["TZ", "MH_TIMEZONE", "setting"])
def test_both_ends_of_a_range_are_the_users_days(mh, zone, monkeypatch, name, by):
    if by == "TZ":
        zone(name)
    elif by == "MH_TIMEZONE":
        monkeypatch.setenv("MH_TIMEZONE", name)
    else:
        mh("config", "set", "timezone", name)
    span = ("--since", "2026-02-10", "--until", "2026-02-10", "--json")
    assert texts(mh("list", *span)) == ON_THE_TENTH[name]
    assert texts(mh("search", "the", "--mode", "words", *span)) == {
        text for text in ON_THE_TENTH[name] if "the" in text
    }


@pytest.mark.usefixtures("stored")
def test_a_day_of_23_hours_has_everything(mh, zone):
    zone("America/Los_Angeles")
    found = texts(mh("list", "--since", "2026-03-08", "--until", "2026-03-08", "--json"))
    assert found == {"half an hour after the clock has jumped", "23:30 on the short day"}
    later = texts(mh("search", "evening", "--since", "2026-02-11", "--mode", "words", "--json"))
    assert "evening of the 10th in Los Angeles" not in later


@pytest.mark.usefixtures("stored")
def test_json_is_the_same_in_every_zone_and_text_is_local(mh, zone):
    answers = set()
    for name in ON_THE_TENTH:
        zone(name)
        answers.add(mh("list", "--json").out)
    assert len(answers) == 1
    dates = {item["content"]: item["created_at"] for item in json.loads(answers.pop())}
    assert dates["date only, the 10th"] == "2026-02-10"
    assert dates["noon of the 10th in Los Angeles"] == "2026-02-10T20:00:00Z"
    zone("Asia/Shanghai")
    lines = mh("list", "--until", "2026-02-20").out.splitlines()
    shown = {line[20:].strip(): line[8:18] for line in lines}
    assert shown["noon of the 10th in Los Angeles"] == "2026-02-11"
    assert shown["date only, the 10th"] == "2026-02-10"


@pytest.mark.parametrize("wrong", ["2026-02-30", "02-10", "yesteryear"])
def test_a_wrong_date_is_refused(mh, wrong):
    for argv in (["list", "--since", wrong], ["search", "x", "--until", wrong], ["add", "x", "--date", wrong]):
        code, out, err = mh(*argv)
        assert (code, out) == (2, "")
        assert wrong in err
