"""Judging from the command line: what is said, what is answered to programs, and the walk through a review."""

import json
import os
import pty
import subprocess
import sys

import pytest

from memhub.model.judged import JudgedSource, JudgeReport, ResultLine
from memhub.workspace.memory import Memory


@pytest.fixture
def add(mh, clock):
    def one(text):
        clock.advance(60)
        return mh("add", "-q", text).out.strip()

    return one


@pytest.fixture
def moved(mh, add):
    """Two places, the second judged to be newer."""
    ids = add("I live in Paris"), add("I moved to Berlin")
    assert mh("judge").code == 0
    return ids


@pytest.fixture
def contested(mh, add):
    ids = add("Anna is allergic to nuts"), add("Anna is not allergic to nuts")
    assert mh("judge").code == 0
    return ids


def test_what_waits_is_judged_and_said(mh, add):
    old, new = add("The office opens at 9:00"), add("The office opens at 9:30")
    assert mh("queue").out == (
        f"{old[-6:]}  2026-02-10 12:01  waiting  note      The office opens at 9:00\n"
        f"{new[-6:]}  2026-02-10 12:02  waiting  note      The office opens at 9:30\n"
    )
    code, out, err = mh("judge", "--dry-run")
    assert (code, err.splitlines()[-1].split(":")[1]) == (0, " would judge 2 sources")
    assert mh("queue", "-q").out.split() == [old, new]
    code, out, err = mh("judge")
    assert code == 0
    lines = out.splitlines()
    assert lines[0] == f"append      {old[-6:]}  The office opens at 9:00"
    assert lines[1].startswith(f"replaces    {new[-6:]}  The office opens at 9:30  (→ {old[-6:]}: ")
    assert "9:00 → 9:30" in lines[1]
    assert err == "mh: judged 2 sources: 1 append, 1 replaces\n"
    assert mh("queue") == (0, "", "mh: nothing waits to be judged\n")
    assert mh("judge") == (0, "", "mh: nothing to judge\n")
    assert mh("list", "-q").out.split() == [new]


def test_a_doubt_is_told_once_and_stays_in_the_queue(mh, add):
    add("We keep the log rotation at version 128")
    mh("judge")
    doubtful = add("We keep the log rotation at version 5")
    assert mh("judge").err == "mh: judged 1 source: 1 append; 1 in doubt\n"
    assert mh("judge") == (0, "", "mh: nothing to judge\n")
    assert mh("queue").out.split()[:4] == [doubtful[-6:], "2026-02-10", "12:02", "doubt"]
    add("The office opens at 9:00")
    report = json.loads(mh("judge", "--json").out)
    assert ([source["in_doubt"] for source in report["judged"]], report["waiting"]) == ([False], 0)


def test_the_answer_for_programs(mh, add):
    item = add("The office opens at 9:00")
    report = json.loads(mh("judge", "--json").out)
    assert set(report) == {"judged", "waiting", "calls", "tokens_in", "tokens_out", "cost", "stopped"}
    [source] = report["judged"]
    assert (source["source"], source["error"]) == (item, None)
    assert [(one["action"], one["item"], one["targets"]) for one in source["results"]] == [("append", item, [])]
    new = add("The office opens at 9:30")
    assert mh("judge", "-q", new[-6:]) == (0, new + "\n", "")


def test_rulings_and_overturning_one(mh, add):
    old, new = add("The office opens at 9:00"), add("The office opens at 9:30")
    mh("judge", "-q")
    [ruling] = json.loads(mh("rulings", new, "--json").out)
    assert (ruling["action"], ruling["item"], ruling["judge"], ruling["overturned"]) == (
        "replaces",
        new,
        "rules",
        False,
    )
    assert ruling["targets"] == [{"id": old, "text": "The office opens at 9:00"}]
    line = mh("rulings", new).out
    assert line.startswith(
        f"{ruling['id'][-8:]}  2026-02-10 12:02  replaces    The office opens at 9:30  (→ {old[-6:]} "
    )
    code, out, _ = mh("judge", "--overturn", ruling["id"][-8:])
    assert (code, out) == (0, "overturned: replaces\n")
    assert set(mh("list", "-q").out.split()) == {old, new}
    assert "replaces, overturned" in mh("rulings", new).out
    assert mh("judge", "--overturn", ruling["id"]).code == 4
    assert mh("judge", "--overturn", "zzzzzz").code == 3


def test_why_shows_the_words_an_item_came_from(mh):
    messages = [{"content": "Remember: the boat key hangs behind the door.", "name": "Anna"}]
    mh("capture", stdin=json.dumps(messages))
    mh("judge")
    [fact] = mh("list", "--layer", "L1", "-q").out.split()
    why = json.loads(mh("why", fact, "--json").out)
    assert why["item"]["id"] == fact
    [span] = why["spans"]
    assert (span["text"], span["speaker"]) == ("the boat key hangs behind the door", "Anna")
    assert (why["support"], why["confidence"]) == (1, why["item"]["confidence"])
    assert [edge["relation"] for edge in why["edges"]] == ["evidence_of"]
    text = mh("why", fact).out
    assert "\nsaid\n  “the boat key hangs behind the door”  (Anna, 2026-02-10 12:00, " in text
    assert mh("why", "zzzzzz").code == 3


def test_the_profile_and_its_history(mh, moved):
    [line] = json.loads(mh("profile", "--json").out)
    assert (line["subject"], line["dimension"], line["value"]) == ("user", "state.location", "Berlin")
    assert "history" not in line
    [line] = json.loads(mh("profile", "--history", "--json").out)
    assert [(step["text"], step["state"]) for step in line["history"]] == [
        ("I live in Paris", "replaced"), ("I moved to Berlin", "live"),
    ]  # fmt: skip
    out = mh("profile", "--history").out.splitlines()
    assert out[0].startswith(f"{line['item'][-6:]}  state.location  Berlin  (since 2026-02-10, confidence ")
    assert out[0].endswith(", 2 versions)")
    assert out[1].endswith("  I live in Paris")
    assert mh("profile", "-q").out == line["item"] + "\n"
    assert mh("profile", "--subject", "Nobody") == (0, "", "mh: nothing is known about Nobody\n")


def test_how_a_statement_evolved(mh, moved):
    old, new = moved
    steps = json.loads(mh("evolves", new, "--json").out)
    assert [(step["item"], step["relation"], step["state"]) for step in steps] == [
        (old, None, "replaced"), (new, "replaces", "live"),
    ]  # fmt: skip
    assert mh("evolves", old).out == (
        f"{old[-6:]}  2026-02-10              I live in Paris  [replaced]\n"
        f"{new[-6:]}  2026-02-10  replaces    I moved to Berlin\n"
    )


def test_a_review_is_listed(mh, contested):
    old, new = contested
    out = mh("review").out
    assert (
        f"contested: both cannot hold\n  new {new[-6:]}  2026-02-10  Anna is not allergic to nuts [contested]\n" in out
    )
    entry = json.loads(mh("review", new, "--json").out)[0]
    assert (entry["kind"], entry["item"]["id"], entry["other"]["id"]) == ("contested", new, old)


@pytest.mark.parametrize(
    ("options", "live", "state"),
    [
        (("--keep", "new"), ["Anna is not allergic to nuts"], "replaced"),
        (("--keep", "old"), ["Anna is allergic to nuts"], "live"),
        (("--keep", "both"), ["Anna is not allergic to nuts", "Anna is allergic to nuts"], "live"),
        (("--merge", "Anna was allergic to nuts as a child"), ["Anna was allergic to nuts as a child"], "live"),
    ],
)
def test_an_answer_from_a_script(mh, contested, options, live, state):
    old, new = contested
    code, out, err = mh("review", new[-6:], *options)
    assert (code, out, err) == (0, f"settled: {options[-1] if options[0] == '--keep' else 'merge'}\n", "")
    assert [item["content"] for item in json.loads(mh("list", "--json").out)] == live
    assert json.loads(mh("show", old, "--json").out)["state"] == state
    assert "contested" not in mh("review").out
    assert mh("undo").code == 0
    assert "contested" in mh("review").out


def test_a_note_leaves_it_open(mh, contested):
    assert mh("review", contested[1], "--note", "ask her").out == "settled: note\n"
    assert "contested" in mh("review").out


@pytest.mark.parametrize(
    ("argv", "message"),
    [
        (("review", "--keep", "new"), "`--keep` needs the id of what it settles"),
        (("review", "x", "--keep", "new", "--note", "y"), "`--keep` and `--note` exclude each other"),
        (("review", "--against", "x"), "`--against` goes with `--keep`, `--merge` or `--note`"),
        (("judge", "--overturn", "x", "--dry-run"), "`--overturn` stands alone"),
        (("judge", "--limit", "-1"), "`--limit` goes from 0 up, not -1"),
        (("judge", "--budget", "-1"), "`--budget` goes from 0 up, not -1"),
        (("queue", "drop"), "`mh queue drop` needs an id"),
    ],
)
def test_what_cannot_be_meant(mh, argv, message):
    code, out, err = mh(*argv)
    assert (code, out) == (2, "")
    assert err.split("\n")[0] == f"mh: error: {message}"


def test_the_queue_is_retried_and_dropped(mh, add):
    first, second = add("one thing"), add("another thing")
    assert mh("queue", "retry").out == "2 items due at once\n"
    assert mh("queue", "drop", first[-6:]).out == "1 item taken off the queue\n"
    assert mh("queue", "-q").out.split() == [second]
    assert mh("queue", "drop", "-", stdin="").out == "0 items taken off the queue\n"
    assert json.loads(mh("queue", "drop", "-", "--json", stdin=second).out) == {"action": "drop", "items": 1}
    assert mh("queue", "retry", first).code == 3
    assert len(mh("list", "-q").out.split()) == 2


def test_spend_limits_and_failures_are_told(mh, monkeypatch):
    line = ResultLine("ignore", "fact", "so\x1b[2J it seems", None, (), "Only a guess.", "", "some-model")
    report = JudgeReport(
        (JudgedSource("a" * 26, "a note", (line,)), JudgedSource("b" * 26, "another", (), "no answer in 60 s")),
        waiting=4, calls=2, tokens_in=1000, tokens_out=234, cost=0.00125, stopped="the budget is spent",
    )  # fmt: skip
    monkeypatch.setattr(Memory, "judge", lambda self, **given: report)
    code, out, err = mh("judge", "--budget", "1234")
    assert (code, out) == (6, "ignore      –       so it seems  (Only a guess.)\n")
    assert err == (
        "mh: skipped another: no answer in 60 s; it waits\n"
        "mh: judged 1 source: 1 ignore; 4 waiting; 2 calls, 1,234 tokens, $0.0013; stopped: the budget is spent\n"
    )


# ---- on a terminal


def on_terminal(argv, typed):
    """What is on the screen after the command, which got `typed` from the keyboard."""
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "memhub", *argv], stdin=theirs, stdout=theirs, stderr=theirs,
        env={**os.environ, "NO_COLOR": "1"},
    )  # fmt: skip
    os.close(theirs)
    os.write(ours, typed.encode())
    heard = b""
    while True:
        try:
            piece = os.read(ours, 65536)
        except OSError:
            break
        if not piece:
            break
        heard += piece
    os.close(ours)
    assert process.wait(60) == 0
    return heard.decode().replace("\r\n", "\n")


def test_a_walk_through_a_review(mh, contested):
    new = contested[1]
    screen = on_terminal(["review", new], "what?\nn\n")
    assert "1 of 1  contested: both cannot hold" in screen
    assert screen.count("keep the [n]ew one, the [o]ld one or [b]oth, [m]erge, no[t]e, [s]kip, [q]uit?") == 2
    assert "settled: new" in screen
    assert mh("list", "-q").out.split() == [new]


def test_a_walk_is_left_without_an_answer(mh, contested):
    assert "settled" not in on_terminal(["review"], "s\nq\n")
    assert len(mh("list", "-q").out.split()) == 2


def test_a_merge_in_the_editor(mh, contested, tmp_path, monkeypatch):
    editor = tmp_path / "editor"
    editor.write_text("#!/bin/sh\nprintf 'Anna outgrew it\\n' > \"$1\"\n")
    editor.chmod(0o755)
    monkeypatch.setenv("EDITOR", str(editor))
    assert "settled: merge" in on_terminal(["review", contested[1]], "m\n")
    assert [item["content"] for item in json.loads(mh("list", "--json").out)] == ["Anna outgrew it"]
