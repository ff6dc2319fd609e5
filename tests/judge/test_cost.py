"""What judging costs: calls counted at the server, budgets, failures that wait, and when judging happens at all."""

import json
import math
from collections.abc import Callable
from typing import Any

import pytest
from server import Reply, Request
from told import Told

Mh = Callable[..., Any]


def ask(mh: Mh, *argv: str) -> Any:
    done = mh(*argv, "--json")
    assert done.code == 0, done.err
    return json.loads(done.out)


def say(mh: Mh, *texts: str) -> str:
    done = mh("capture", "-q", stdin=json.dumps([{"role": "user", "content": text} for text in texts]))
    assert done.code == 0, done.err
    return str(done.out.strip())


@pytest.mark.parametrize("batch", [8, 25])
def test_a_hundred_statements_of_one_source(mh: Mh, told: Told, batch: int) -> None:
    mh("config", "set", "judge.batch", str(batch))
    mh("config", "set", "extract.window", "100000")
    mh("add", "The locker holds the spare rope")
    mh("judge")
    words = [f"The locker {number} holds the spare rope" for number in range(100)]
    for one in words:
        told.state(one + ".")
    say(mh, " ".join(one + "." for one in words))
    asked = len(told.asked)
    report = ask(mh, "judge")
    calls = told.asked[asked:]
    assert calls.count("extract") == 1
    assert calls.count("judge") <= math.ceil(100 / batch)
    assert sum(len(r.data["candidates"]) for r in told.server.requests if r.prompt == "judge") == 100
    assert report["calls"] == len(calls)
    assert len(ask(mh, "list", "--kind", "fact", "-n", "0")) == 100
    again = ask(mh, "judge")
    assert (again["judged"], again["calls"]) == ([], 0)
    assert len(told.asked) == asked + len(calls)
    assert ask(mh, "stats", "--llm")["calls"] == len(calls)


def test_nothing_below_the_threshold_causes_a_call(mh: Mh, told: Told) -> None:
    for text in (
        "The ferry leaves at seven",
        "Grandmother's recipe needs two eggs",
        "缆绳放在船坞里",
        "Mount the backup disk read-only",
        "Taxes are due in May",
    ):
        mh("add", text)
    report = ask(mh, "judge")
    assert len(report["judged"]) == 5
    assert (report["calls"], told.asked) == (0, [])


def test_the_same_question_is_not_asked_twice(mh: Mh, told: Told) -> None:
    """A dry run asks; the real one writes down what was answered."""
    mh("add", "The winch needs oil")
    mh("judge")
    told.rule("The winch needs oil every month", "enriches", "The winch needs oil")
    mh("add", "The winch needs oil every month")
    dry = ask(mh, "judge", "--dry-run")
    assert (dry["calls"], dry["judged"][0]["results"][0]["action"]) == (1, "enriches")
    real = ask(mh, "judge")
    assert (real["calls"], real["judged"][0]["results"][0]["action"]) == (0, "enriches")
    assert told.asked == ["judge"]


def test_a_budget_ends_the_run_and_says_so(mh: Mh, told: Told) -> None:
    told.on_call = lambda request: Reply(json.dumps({"candidates": []}), usage=(2300, 20))
    for number in range(3):
        say(mh, f"What was that about the boat number {number}?")
    done = mh("judge", "--budget", "2500")
    assert len(told.asked) == 1
    assert "stopped: the budget of 2500 tokens" in done.err
    assert "2,320 tokens" in done.err
    left = ask(mh, "queue")
    assert [(row["state"], row["attempts"]) for row in left] == [("waiting", 0), ("waiting", 0)]
    assert mh("judge", "--budget", "0").code == 0
    assert ask(mh, "queue") == []
    assert len(told.asked) == 3


def test_a_budget_that_ends_within_a_source_loses_no_answer(mh: Mh, told: Told) -> None:
    """What was paid before the budget ended is used by the next run."""
    mh("config", "set", "judge.batch", "4")
    mh("add", "The locker holds the spare rope")
    mh("judge")
    words = [f"The locker {number} holds the spare rope" for number in range(12)]
    for one in words:
        told.state(one + ".")
    say(mh, " ".join(one + "." for one in words))

    def costly(request: Request) -> Any:
        answer = told._extract(request.data) if request.prompt == "extract" else told._judge(request.data)
        return Reply(json.dumps(answer), usage=(2000, 100))

    told.on_call = costly
    mh("judge", "--budget", "4500")
    assert told.asked == ["extract", "judge"]
    assert len(ask(mh, "queue")) == 1
    assert ask(mh, "list", "--kind", "fact") == []
    assert mh("judge").code == 0
    assert told.asked == ["extract", "judge", "judge", "judge"]
    assert len(ask(mh, "list", "--kind", "fact", "-n", "0")) == 12


def test_a_failing_service_is_asked_less_and_less_often(mh: Mh, told: Told, clock: Any) -> None:
    told.on_call = lambda request: Reply(status=500, raw=b'{"error": {"message": "out of memory"}}')
    thread = say(mh, "We talked about the boat for a long while")
    for attempt, wait in ((1, 60), (2, 120), (3, 240)):
        done = mh("judge")
        assert done.code == 6
        assert "out of memory" in done.err
        (row,) = ask(mh, "queue")
        assert (row["source"], row["state"], row["attempts"]) == (thread, "failed", attempt)
        assert "out of memory" in row["error"]
        calls = len(told.asked)
        clock.advance(wait - 1)
        assert mh("judge").code == 0
        assert len(told.asked) == calls, "not yet"
        clock.advance(1)
    assert "out of memory" in mh("queue").out
    told.on_call = None
    assert mh("judge").code == 0
    assert ask(mh, "queue") == []


def test_a_source_is_retried_at_once_or_dropped(mh: Mh, told: Told) -> None:
    told.on_call = lambda request: Reply(status=500, raw=b'{"error": {"message": "busy dying"}}')
    first, second = say(mh, "One long talk about boats"), say(mh, "Another long talk about ropes")
    assert mh("judge").code == 6
    assert mh("queue", "drop", first).code == 0
    told.on_call = None
    assert ask(mh, "judge")["judged"] == []
    assert mh("queue", "retry", second).code == 0
    assert [one["source"] for one in ask(mh, "judge")["judged"]] == [second]
    assert ask(mh, "queue") == []
    assert len(ask(mh, "list", "--layer", "L0")) == 2


def test_an_unreachable_model_lets_all_wait(mh: Mh, told: Told, clock: Any) -> None:
    address = told.server.url
    mh("config", "set", "llm.base_url", "http://127.0.0.1:9/v1")
    for number in range(3):
        say(mh, f"A long talk about boat number {number}")
    done = mh("judge")
    assert done.code == 6
    assert "cannot be reached at http://127.0.0.1:9/v1" in done.err
    rows = ask(mh, "queue")
    assert sorted(row["attempts"] for row in rows) == [0, 0, 1], "the first failure says it for all"
    assert any("cannot be reached" in (row["error"] or "") for row in rows)
    assert len(ask(mh, "list", "--layer", "L0")) == 3
    clock.advance(61)
    mh("config", "set", "llm.base_url", address)
    assert mh("judge").code == 0
    assert ask(mh, "queue") == []


def test_judging_off_later_and_now(mh: Mh, told: Told) -> None:
    mh("config", "set", "judge", "off")
    mh("add", "The office opens at 9:00")
    say(mh, "Remember: the key hangs behind the door")
    assert ask(mh, "queue") == []
    mh("config", "set", "judge", "later")
    new = mh("add", "-q", "The office opens at 9:30").out.strip()
    assert [row["source"] for row in ask(mh, "queue")] == [new]
    mh("config", "set", "judge", "now")
    newest = mh("add", "-q", "The office opens at 9:45").out.strip()
    assert [row["source"] for row in ask(mh, "queue")] == [new], "only what was just kept is judged"
    say(mh, "Remember: the boat key hangs behind the mast")
    assert [item["content"] for item in ask(mh, "list", "--kind", "fact")] == ["the boat key hangs behind the mast"]
    assert told.asked == [], "a model is never waited for"
    (ruling,) = ask(mh, "rulings", newest)
    assert (ruling["action"], ruling["judge"]) == ("replaces", "rules")
    (now, *_) = ask(mh, "log", "-n", "1")
    assert (now["command"].split()[0], now["who"]) == ("judge", "rules")


def test_a_limit_counts_sources(mh: Mh) -> None:
    for number in range(5):
        mh("add", f"Thing {number} is kept in shed {number}")
    done = mh("judge", "--limit", "2")
    assert done.code == 0
    assert "stopped: the limit of 2 sources" in done.err
    assert [row["state"] for row in ask(mh, "queue")].count("waiting") == 3
