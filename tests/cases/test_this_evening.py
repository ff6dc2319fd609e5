"""This evening belongs to today: a day is the user's day, in every command, wherever the day was cut elsewhere."""

import hashlib
import json

import pytest

NOTES = {
    "evening": "2026-02-11T03:40:00Z",
    "noon": "2026-02-10T20:00:00Z",
    "last minute": "2026-02-11T07:59:59Z",
    "first second of the 11th": "2026-02-11T08:00:00Z",
    "date only": "2026-02-10",
    "half an hour after the clock has jumped": "2026-03-08T10:30:00Z",
    "half past eleven on the short day": "2026-03-09T06:30:00Z",
    "上海的十一日清晨": "2026-02-10T23:10:00Z",
}
TURNS = {"asked in the evening": "2026-02-11T03:40:10.000Z", "answered a minute later": "2026-02-11T03:41:10.000Z"}
SESSION = "0d0d0d0d-0000-4000-8000-000000000001"
ZONES = {
    "America/Los_Angeles": ({"evening", "noon", "last minute", "上海的十一日清晨", "date only", *TURNS}, 2),
    "Asia/Shanghai": ({"date only"}, 1),
    "UTC": ({"noon", "上海的十一日清晨", "date only"}, 1),
}


@pytest.fixture
def filled(mh, tmp_path, monkeypatch):
    """The notes, and a session of Claude Code with one prompt and one answer."""
    records = []
    for number, ((role, text), at) in enumerate(
        zip(zip(("user", "assistant"), TURNS, strict=True), TURNS.values(), strict=True)
    ):
        content = text if role == "user" else [{"type": "text", "text": text}]
        message = {"role": role, "content": content} | ({"id": "m1", "model": "m"} if number else {})
        records.append(
            {"parentUuid": "e1" if number else None, "isSidechain": False, "type": role, "cwd": "/srv/demo/lamp",
             "sessionId": SESSION, "uuid": f"e{number + 1}", "timestamp": at, "message": message}
        )  # fmt: skip
    file = tmp_path / f"claude/projects/-srv-demo-lamp/{SESSION}.jsonl"
    file.parent.mkdir(parents=True)
    file.write_text("".join(json.dumps(record) + "\n" for record in records))
    lines = "".join(json.dumps({"content": text, "date": date}) + "\n" for text, date in NOTES.items())
    assert mh("add", "-", "--split", "jsonl", stdin=lines).code == 0
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(tmp_path / "claude"))
    assert mh("import", "claude-code").out == "imported claude-code: 1 new (2 new turns)\n"
    return mh


def texts(mh, *argv):
    code, out, err = mh(*argv, "--json")
    assert code == 0, err
    return {one["content"] for one in json.loads(out)}


def use(way, name, zone, monkeypatch):
    """The same day by the zone of the system and by the setting."""
    if way == "setting":
        monkeypatch.setenv("MH_TIMEZONE", name)
    else:
        zone(name)


@pytest.mark.parametrize("way", ["system", "setting"])
@pytest.mark.parametrize("name", ZONES)
def test_the_tenth_of_february(filled, zone, monkeypatch, name, way):
    use(way, name, zone, monkeypatch)
    day, short_day = ZONES[name]
    the_tenth = ("--since", "2026-02-10", "--until", "2026-02-10")
    assert texts(filled, "list", *the_tenth) == day
    assert len(texts(filled, "list", "--since", "2026-03-08", "--until", "2026-03-08")) == short_day
    threads = filled("thread", "list", *the_tenth, "--json").out
    assert [thread["length"] for thread in json.loads(threads)] == ([2] if set(TURNS) <= day else [])
    exported = [json.loads(line) for line in filled("export", *the_tenth).out.splitlines()]
    assert {record["content"] for record in exported if record["type"] == "item"} == day
    found = texts(filled, "search", "evening", "--mode", "words", "--since", "2026-02-11")
    assert ("evening" in found) == (name != "America/Los_Angeles")
    distilled = filled("distill", *the_tenth, "--dry-run", "--json").out
    assert len(json.loads(distilled)["threads"]) == (1 if set(TURNS) <= day else 0)
    again = filled("import", "claude-code", "--dry-run", "--since", "2026-02-11", "--as", "again").out
    assert again == (
        "would import again: 1 left out\n"
        if name == "America/Los_Angeles"
        else "would import again: 1 new (2 new turns)\n"
    )


def test_the_eleventh_in_shanghai(filled, zone):
    zone("Asia/Shanghai")
    wanted = {"noon", "evening", "last minute", "first second of the 11th", "上海的十一日清晨", *TURNS}
    assert texts(filled, "list", "--since", "2026-02-11", "--until", "2026-02-11") == wanted


def test_people_see_their_clock_and_programs_the_same_bytes(filled, zone):
    digests, days = set(), []
    for name in ZONES:
        zone(name)
        out = "".join(filled(*argv, "--json").out for argv in (("list", "--limit", "0"), ("thread", "list")))
        digests.add(hashlib.sha256(out.encode()).hexdigest())
        days.append(next(line.split()[1] for line in filled("list").out.splitlines() if "asked in" in line))
        assert filled("thread", "list").out.split()[1] == days[-1]
        assert any("2026-02-10  date only" in line for line in filled("list").out.splitlines())
    assert len(digests) == 1
    assert days == ["2026-02-10", "2026-02-11", "2026-02-11"]


@pytest.mark.parametrize("wrong", ["2026-02-30", "02-10"])
def test_a_wrong_date_is_refused_everywhere(filled, wrong):
    for argv in (
        ("list",), ("search", "x"), ("thread", "list"), ("thread", "search", "x"), ("export",), ("distill",),
        ("import", "claude-code"),
    ):  # fmt: skip
        code, out, err = filled(*argv, "--since", wrong)
        assert (code, out) == (2, ""), argv
        assert err.startswith(f"mh: error: `{wrong}`"), argv
