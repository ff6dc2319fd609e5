"""`MemoryClient`: the verbs of `Memory`, without keeping the event loop waiting."""

import asyncio
import inspect
import json
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from memhub import Memory, MemoryClient
from memhub.errors import ConflictError, NotFoundError
from memhub.model.result import NewNote
from memhub.model.thread import Message, ThreadInfo

_NOT_OFFERED = {"engine", "follow", "close", "together"}  # parts of the inside; and one that is the client's own


def verbs(of: type) -> set[str]:
    return {name for name, _ in inspect.getmembers(of, inspect.isfunction) if not name.startswith("_")}


def test_the_client_has_every_verb_and_no_other() -> None:
    assert verbs(MemoryClient) - {"close", "together"} == verbs(Memory) - _NOT_OFFERED


@pytest.mark.parametrize("name", sorted(verbs(Memory) - _NOT_OFFERED))
def test_a_verb_takes_and_says_the_same_in_both(name: str) -> None:
    ours, theirs = getattr(MemoryClient, name), getattr(Memory, name)
    assert inspect.signature(ours) == inspect.signature(theirs)
    assert ours.__doc__ == theirs.__doc__ != ""
    assert inspect.iscoroutinefunction(ours) or inspect.isasyncgenfunction(ours)
    answers_as_it_goes = "Iterator[" in str(inspect.signature(theirs).return_annotation)
    assert inspect.isasyncgenfunction(ours) == answers_as_it_goes


def test_what_a_program_does_in_a_day(tmp_path: Path) -> None:
    """Keep, judge, ask why, take back, and carry away, all through coroutines."""

    async def day() -> list[object]:
        async with MemoryClient(tmp_path / "mh.db") as client:
            await client.add("I live in Paris")
            await client.judge()
            new = (await client.add("I moved to Berlin")).item
            report = await client.judge()
            (line,) = await client.profile()
            why = await client.why(new.id)
            stages = [step.text for step in await client.evolves(new.id)]
            turns = await client.add_messages([Message("Where is the key?")], thread=ThreadInfo())
            lines = [line async for line in client.export_lines()]
            checked = await client.doctor()
            return [
                {result.action for source in report.judged for result in source.results}, line.value,
                why.rulings[0].difference, stages, turns.added, json.loads(lines[0])["type"], checked.ok,
            ]  # fmt: skip

    assert asyncio.run(day()) == [
        {"replaces"}, "Berlin", "Paris → Berlin", ["I live in Paris", "I moved to Berlin"], 1, "header", True
    ]  # fmt: skip


def test_the_event_loop_goes_on_while_a_verb_works(tmp_path: Path) -> None:
    """The verb waits for something that only the event loop can bring about."""
    said = threading.Event()

    def notes() -> Iterator[NewNote]:
        assert said.wait(30), "the event loop stood still"
        yield NewNote("The ferry leaves at 7:30")

    async def main() -> list[str]:
        async with MemoryClient(tmp_path / "mh.db") as client:
            asyncio.get_running_loop().call_later(0.05, said.set)
            return [answer.item.content async for answer in client.add_many(notes())]

    assert asyncio.run(main()) == ["The ferry leaves at 7:30"]


def test_the_event_loop_goes_on_while_a_model_is_asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked, answered = threading.Event(), threading.Event()

    def slow(self: Memory, **_: object) -> str:
        asked.set()
        assert answered.wait(30), "the event loop stood still"
        return "judged"

    monkeypatch.setattr(MemoryClient, "judge", inspect.getmodule(MemoryClient)._verb(slow))  # type: ignore[union-attr]

    async def main() -> tuple[str, int]:
        async with MemoryClient(tmp_path / "mh.db") as client:
            task = asyncio.ensure_future(client.judge())
            ticks = 0
            until = time.monotonic() + 30
            while not asked.is_set() and time.monotonic() < until:
                await asyncio.sleep(0)
                ticks += 1
            answered.set()
            return await task, ticks

    judged, ticks = asyncio.run(main())
    assert judged == "judged"
    assert ticks > 0


def test_calls_of_one_client_are_carried_out_in_their_order(tmp_path: Path) -> None:
    async def main() -> list[str]:
        async with MemoryClient(tmp_path / "mh.db") as client:
            await asyncio.gather(*(client.add(f"note {n}", created_at=f"2026-02-{n:02}") for n in range(1, 21)))
            return [item.content for item in await client.list(sort="added", reverse=True)]

    assert asyncio.run(main()) == [f"note {n}" for n in range(1, 21)]


def test_errors_come_through(tmp_path: Path) -> None:
    async def main() -> None:
        async with MemoryClient(tmp_path / "mh.db") as client:
            with pytest.raises(NotFoundError) as missing:
                await client.get("zzzzzz")
            assert missing.value.message == "no item …zzzzzz"
            item = (await client.add("The ferry leaves at 7:30")).item
            await client.update(item.id, content="The ferry leaves at 8:15")
            with pytest.raises(ConflictError):
                await client.update(item.id, title="Too late", expect=item.version)
            with pytest.raises(ZeroDivisionError):
                async for _ in client.add_many(NewNote(str(1 // n)) for n in (1, 0)):
                    pass
            assert (await client.get(item.id)).content == "The ferry leaves at 8:15"

    asyncio.run(main())


def test_a_stream_left_early_lets_others_write(tmp_path: Path) -> None:
    """An export holds a read transaction; leaving it gives that back."""

    async def main() -> bool:
        async with MemoryClient(tmp_path / "mh.db") as client:
            await client.add("The ferry leaves at 7:30")
            lines = client.export_lines()
            first = await anext(lines)
            await lines.aclose()
            await client.add("Anna prefers tea")
            return json.loads(first)["type"] == "header" and (await client.doctor()).ok

    assert asyncio.run(main())


def test_a_closed_client_stays_closed(tmp_path: Path) -> None:
    async def main() -> None:
        client = MemoryClient(tmp_path / "mh.db")
        await client.add("The ferry leaves at 7:30")
        assert client.path == tmp_path / "mh.db"
        await client.close()
        await client.close()
        with pytest.raises(RuntimeError):
            await client.list()

    asyncio.run(main())


def test_what_is_changed_together_is_one_operation(tmp_path: Path) -> None:
    async def change() -> list[tuple[str, str]]:
        async with MemoryClient(tmp_path / "mh.db") as memory:
            async with memory.together("tidy", "two notes"):
                first = await memory.add("The ferry leaves at 7:30")
                await memory.label(first.item.id, add=["travel"])
                await memory.add("The gate is E2")
            await memory.add("another")
            await memory.undo(force=True)
            await memory.undo()
            assert await memory.count() == 0
            return [(one.command, one.summary) for one in await memory.operations()]

    found = asyncio.run(change())
    assert [command for command, _ in found] == ["undo", "undo", "add", "tidy"]
    assert found[3][1] == "two notes"
