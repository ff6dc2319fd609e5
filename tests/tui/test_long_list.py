"""A list longer than its pages: what others change far from the top leaves every line in its place."""

import asyncio
from typing import Any

import pytest
from piloting import Run, until
from textual import events

from memhub import Memory
from memhub.model.result import NewNote
from memhub.model.row import Row
from memhub_tui.item_view import Shown
from memhub_tui.screens.browse import BrowseScreen
from memhub_tui.sources import Rows
from memhub_tui.widgets.pages import PAGE
from memhub_tui.widgets.virtual_list import AHEAD


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


async def test_the_end_is_the_end_even_before_the_length_is_known(
    run: Run, memory: Memory, long: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    asked, counted, count = asyncio.Event(), asyncio.Event(), Rows.count

    async def slowly(rows: Rows) -> int:
        asked.set()
        await counted.wait()
        return await count(rows)

    monkeypatch.setattr(Rows, "count", slowly)
    async with run() as pilot:
        await asked.wait()
        items: Any = pilot.app.screen.query_one("#items")
        await pilot.press("escape", "G")
        await until(pilot, lambda: items.cursor == PAGE - 1)
        counted.set()
        await until(pilot, lambda: items.entry is not None and items.entry.id == long[-1])


async def test_what_a_held_key_passes_over_is_not_read(
    run: Run, memory: Memory, long: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    read, shown = list[str](), BrowseScreen.shown

    async def noted(screen: BrowseScreen, entry: Row) -> Shown:
        read.append(entry.id)
        return await shown(screen, entry)

    monkeypatch.setattr(BrowseScreen, "shown", noted)
    async with run() as pilot:
        await pilot.press("escape")
        await until(pilot, lambda: read == [long[0]])
        for _ in range(300):
            pilot.app.post_message(events.Key("down", None))
        text: Any = pilot.app.screen.query_one("#preview #text")
        await until(pilot, lambda: text.source == memory.get(long[300]).content)
        assert read == [long[0], long[300]]


async def test_pages_are_there_before_the_cursor_comes_to_them(run: Run, memory: Memory, long: list[str]) -> None:
    async with run() as pilot:
        await pilot.press("escape")
        items: Any = pilot.app.screen.query_one("#items")
        await until(pilot, lambda: items.total == len(long))
        assert set(items._pages) == {0}
        items.cursor = PAGE - AHEAD
        await until(pilot, lambda: set(items._pages) == {0, 1})
        items.cursor = len(long) - 1
        await until(pilot, lambda: items.entry is not None and items.entry.id == long[-1])
        items.cursor -= 10
        await until(pilot, lambda: len(long) // PAGE - 1 in items._pages)
