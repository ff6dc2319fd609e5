"""A list longer than its pages: what others change far from the top leaves every line in its place."""

from typing import Any

import pytest
from piloting import Run, until

from memhub import Memory
from memhub.model.result import NewNote


@pytest.fixture
def long(memory: Memory) -> list[str]:
    """900 notes more; the ids of all as they are listed."""
    notes = (NewNote(f"note {n}", created_at=f"2025-01-01T{n // 60:02d}:{n % 60:02d}:00Z") for n in range(900))
    assert len(list(memory.add_many(notes))) == 900
    return listed(memory)


def listed(memory: Memory) -> list[str]:
    """The ids in the order of the list."""
    return [item.id for item in memory.list(limit=0)]


async def reads_as(pilot: Any, ids: list[str]) -> None:
    """The whole list, walked through from its end, is these items."""
    items: Any = pilot.app.screen.query_one("#items")
    await until(pilot, lambda: items.total == len(ids))
    for at in (*range(len(ids) - 1, -1, -150), 0):
        items.cursor = at
        await until(pilot, lambda: items.entry is not None and items.entry.id == ids[at])  # noqa: B023
    assert [page for page in items._pages.values() if not page] == []


@pytest.mark.parametrize("line", [150, 500, 800, 904])
async def test_an_item_comes_above(run: Run, memory: Memory, long: list[str], line: int) -> None:
    async with run() as pilot:
        await pilot.press("escape", "end")
        items: Any = pilot.app.screen.query_one("#items")
        items.cursor = line
        await until(pilot, lambda: items.entry is not None and items.entry.id == long[line])
        memory.add("new, and first in the list")
        await until(pilot, lambda: items.total == 906)
        assert (items.cursor, items.entry.id) == (line + 1, long[line])
        await reads_as(pilot, listed(memory))


async def test_most_of_it_goes(run: Run, memory: Memory, long: list[str]) -> None:
    async with run() as pilot:
        await pilot.press("escape", "end")
        items: Any = pilot.app.screen.query_one("#items")
        await until(pilot, lambda: items.entry is not None and items.entry.id == long[-1])
        memory.drop(long[250:])
        await until(pilot, lambda: items.total == 250)
        await reads_as(pilot, long[:250])
