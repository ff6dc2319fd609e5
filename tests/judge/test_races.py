"""Several at work on one file: processes that judge while another writes, spaces side by side, ground that moves."""

import json
import os
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import pytest
from scripted import Scripted, quote, run, whole

from memhub import Memory
from memhub.model.judging import Candidate, Judged, Ruling, Slot, Source
from memhub.model.query import Filters
from memhub.pipeline import queue

ALL = Filters(states=("all",))


@pytest.fixture
def memory() -> Iterator[Memory]:
    with Memory() as opened:
        yield opened


def start(*argv: str, env: dict[str, str] | None = None) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-m", "memhub", *argv], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
        stderr=subprocess.PIPE, env={**os.environ, **(env or {})},
    )  # fmt: skip


def rulings_per_statement(memory: Memory) -> Counter[tuple[str, str, str]]:
    """How often each statement was ruled on."""
    return Counter((one.source, one.kind, one.text or "") for one in memory.rulings(limit=0))


def test_two_processes_judge_while_a_third_writes(memory: Memory, mh: Callable[..., Any]) -> None:
    said = {}
    for number in range(30):
        for text in (f"The gate of yard {number} opens at 8:00", f"The gate of yard {number} opens at 9:30"):
            said[memory.add(text).item.id] = text
    memory.index()
    judges = [start("judge", "--json"), start("judge", "--json")]
    edits: dict[str, str] = {}
    added = []
    items = list(said)
    while any(process.poll() is None for process in judges):
        if len(edits) < 20:
            target = items[len(edits) * 3]
            edits[target] = said[target] + ", says the warden"
            memory.update(target, content=edits[target])
            added.append(memory.add(f"A note typed meanwhile, number {len(added)}").item.id)
        time.sleep(0.03)
    reports = []
    for process in judges:
        out, err = process.communicate()
        assert process.returncode in (0, 6), err.decode()
        reports.append(json.loads(out))
    assert edits
    assert sum(len(report["judged"]) for report in reports) >= 10
    failed = [row.source for row in memory.queue() if row.state == "failed"]
    if failed:
        memory.queue_retry(failed)
    memory.judge(with_model=False)
    assert [row for row in memory.queue() if row.state != "doubt"] == []
    assert max(rulings_per_statement(memory).values()) == 1
    for item, text in said.items():
        texts = [version.content for version in memory.history(item)]
        assert texts == ([edits[item], text] if item in edits else [text])
    everything = {item.id for item in memory.list(ALL, limit=0)}
    assert everything == {*said, *added}
    replaced = [item for item in memory.list(Filters(states=("replaced",)), limit=0)]
    assert len(replaced) >= 10
    assert memory.doctor().ok


def test_only_one_works_in_a_space(memory: Memory) -> None:
    memory.add("the boat is blue")
    inside = threading.Event()
    done = threading.Event()

    def slow() -> None:
        inside.set()
        done.wait(60)

    with Memory() as other:
        first = threading.Thread(target=lambda: run(other, Scripted(whole, lambda c, s: None, hook=slow)))
        first.start()
        assert inside.wait(60)
        second = Scripted(whole, lambda c, s: None)
        assert run(memory, second).judged == ()
        assert second.asked == 0
        done.set()
        first.join()
    assert memory.queue() == []


def test_a_lease_that_was_lost_is_noticed_before_anything_is_written(memory: Memory, clock: Any) -> None:
    """The first judge sleeps longer than its lease; the second does the work; the first writes nothing."""
    old = memory.add("the boat is blue").item.id
    run(memory, Scripted(whole, lambda c, s: None))
    memory.add("the boat is red")

    def takes_over() -> None:
        clock.ms += queue.LEASE_MS + 1000
        with Memory() as other:
            report = run(other, Scripted(whole, lambda c, s: Ruling("replaces", (old,), "second")))
            assert len(report.judged) == 1

    slow = Scripted(whole, lambda c, s: Ruling("challenges", (old,), "first"), hook=takes_over)
    report = run(memory, slow)
    assert (slow.asked, report.waiting) == (1, 0)
    assert [one.reason for one in memory.rulings(limit=0)] == ["second"]
    assert memory.get(old).flags == ()
    assert memory.queue() == []


def test_a_judge_at_work_keeps_its_lease(memory: Memory, clock: Any) -> None:
    """Each source renews it, so that a long run is not taken over in its middle."""
    for number in range(3):
        memory.add(f"note number {number} about the boat")
    seen = []

    def hook() -> None:
        clock.ms += queue.LEASE_MS - 1000
        with Memory() as other:
            seen.append(run(other, Scripted(whole, lambda c, s: None)).judged)

    assert len(run(memory, Scripted(whole, lambda c, s: None, hook=hook)).judged) == 3
    assert seen == [(), (), ()]


def test_a_space_merged_in_the_middle_of_a_plan_leads_to_a_new_one(memory: Memory) -> None:
    memory.space_new("work")
    old = memory.add("The gate opens at 8:00", space="work").item.id
    run(memory, Scripted(whole, lambda c, s: None))
    new = memory.add("The gate opens at 9:30", space="work").item.id
    planned: list[str] = []

    class Merging(Scripted):
        def decide(self, connection: Any, source: Source, candidates: Sequence[Candidate], engine: Any) -> list[Judged]:
            judged = super().decide(connection, source, candidates, engine)
            planned.append(source.space)
            if len(planned) == 1:
                with Memory() as other:
                    other.space_merge("work", "default")
            return judged

    report = run(memory, Merging(whole, lambda c, s: Ruling("replaces", (old,))))
    assert len(planned) == 2
    assert planned[0] != planned[1]
    assert [one.error for one in report.judged] == [None]
    assert (memory.get(old).state, memory.get(new).state) == ("replaced", "live")
    assert len(memory.rulings(limit=0)) == 1
    assert (memory.queue(), memory.doctor().ok) == ([], True)


def test_what_moves_to_another_space_is_judged_there(memory: Memory) -> None:
    memory.space_new("work")
    here = memory.add("The gate opens at 8:00").item.id
    there = memory.add("The gate opens at 8:00", space="work").item.id
    memory.judge(with_model=False)
    moved = memory.add("The gate opens at 9:30").item.id
    memory.move(moved, "work")
    memory.judge(with_model=False)
    assert (memory.get(here).state, memory.get(there).state) == ("live", "replaced")


@pytest.mark.parametrize("what", ["source", "target"])
def test_a_move_in_the_middle_of_a_plan_touches_no_other_space(memory: Memory, what: str) -> None:
    memory.space_new("work")
    old = memory.add("The gate opens at 8:00").item.id
    run(memory, Scripted(whole, lambda c, s: None))
    new = memory.add("The gate opens at 9:30").item.id
    moved = []

    def hook() -> None:
        if not moved:
            moved.append(new if what == "source" else old)
            with Memory() as other:
                other.move(moved[0], "work")

    run(memory, Scripted(whole, lambda c, s: Ruling("replaces", (old,)), hook=hook))
    assert (memory.get(old).state, memory.get(new).state) == ("live", "live")
    assert memory.links(old) == memory.links(new) == []


def test_an_edit_in_the_middle_is_judged_as_it_is_now(memory: Memory) -> None:
    item = memory.add("I live in Paris").item.id
    texts: list[str] = []

    def hook() -> None:
        if len(texts) == 1:
            with Memory() as other:
                other.update(item, content="I live in Lyon")

    def draw(source: Source) -> list[Candidate]:
        texts.append(source.texts[0].content)
        slot = Slot("user", "state.location", "", texts[-1].split()[-1])
        return [*whole(source), quote(source, texts[-1], "profile", slot)]

    report = run(memory, Scripted(draw, lambda c, s: None, hook=hook))
    assert texts == ["I live in Paris", "I live in Lyon"]
    assert report.judged[0].error is None
    assert [line.value for line in memory.profile()] == ["Lyon"]


def test_a_profile_line_that_was_moved_away_is_left_alone(memory: Memory) -> None:
    memory.space_new("old")
    memory.add("I live in Paris")
    memory.judge(with_model=False)
    (line,) = memory.profile()
    memory.move(line.item, "old")
    memory.add("I moved to Berlin")
    memory.judge(with_model=False)
    assert [version.content for version in memory.history(line.item)] == ["I live in Paris"]
    (now,) = memory.profile()
    assert (now.value, now.item != line.item) == ("Berlin", True)
    assert memory.doctor().ok


def test_a_profile_of_a_merged_space_is_gone_on_with(memory: Memory) -> None:
    memory.space_new("old")
    memory.add("I live in Paris", space="old")
    memory.judge(with_model=False)
    memory.space_merge("old", "default")
    memory.add("I moved to Berlin")
    memory.judge(with_model=False)
    (line,) = memory.profile()
    assert (line.value, line.versions) == ("Berlin", 2)


def test_spaces_are_judged_side_by_side_and_each_by_one(memory: Memory) -> None:
    for number in range(6):
        memory.space_new(f"s{number}")
        for text in ("the boat is blue", "the mast is long"):
            memory.add(text, space=f"s{number}")
    lock = threading.Lock()
    active: Counter[str] = Counter()
    most = []
    four = threading.Barrier(4)
    first: set[str] = set()

    class Watching(Scripted):
        def decide(self, connection: Any, source: Source, candidates: Sequence[Candidate], engine: Any) -> list[Judged]:
            with lock:
                active[source.space] += 1
                most.append((sum(active.values()), active[source.space]))
                waits = source.space not in first and len(first) < 4
                first.add(source.space)
            if waits:
                four.wait(60)  # breaks unless four spaces are judged at once
            judged = super().decide(connection, source, candidates, engine)
            with lock:
                active[source.space] -= 1
            return judged

    report = run(memory, Watching(whole, lambda c, s: Ruling("ignore", reason="x")))
    assert len(report.judged) == 12
    assert max(total for total, _ in most) == 4
    assert max(own for _, own in most) == 1
    assert [one.command for one in memory.operations(limit=1)] == ["judge"]
    for number in range(6):
        with Memory(space=f"s{number}") as one:
            assert len(one.rulings(limit=0)) == 2
    memory.undo()
    with Memory(space="s0") as one:
        assert one.rulings(limit=0) == [], "the whole run is one operation"


def test_a_source_that_breaks_the_judge_keeps_nobody_waiting(memory: Memory) -> None:
    bad = memory.add("the first note").item.id
    memory.add("the second note")

    def draw(source: Source) -> list[Candidate]:
        if source.key == bad:
            raise RuntimeError("a fault of ours")
        return whole(source)

    report = run(memory, Scripted(draw, lambda c, s: None))
    assert [one.error is None for one in report.judged] == [False, True]
    (row,) = memory.queue()
    assert (row.source, row.state, row.attempts) == (bad, "failed", 1)
    assert "a fault of ours" in (row.error or "")
