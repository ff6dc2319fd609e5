"""The walk in the graph: around an item, a name, and what one was on; how far, and what is opened."""

from itertools import pairwise
from typing import Any

import pytest
from piloting import Run, answer, covers, entries, go, shown, until
from test_palette import offered
from textual.command import CommandPalette
from textual.widgets import Input

from memhub import Memory
from memhub.model.thread import Message, ThreadInfo
from memhub_tui.screens.graph import GraphScreen
from memhub_tui.screens.item import ItemScreen
from memhub_tui.screens.thread import ThreadScreen


def rows(app: Any) -> list[str]:
    """What the lines of the tree say."""
    found = entries(app)
    return [found.at(n).node.label for n in range(found.total)]


@pytest.fixture
def chain(memory: Memory) -> list[str]:
    """The five notes, each linked to the one that is older; the newest first."""
    ids = [item.id for item in memory.list(limit=5)]
    for newer, older in pairwise(ids):
        memory.link(newer, "follows", older)
    return ids


@pytest.fixture
def anna(memory: Memory) -> str:
    """A name that notes speak of."""
    memory.add("Anna Berger is a sailor, and Anna Berger lives in Graz")
    memory.add("Anna Berger took the boat to Naxos")
    memory.look_through(with_model=False)
    return next(one.id for one in memory.entities() if one.name == "Anna Berger")


async def graph(pilot: Any, count: int) -> GraphScreen:
    """Open the graph of what the cursor is on; answers with the screen, once it shows so many lines."""
    await pilot.press("escape", "N")
    await until(pilot, lambda: isinstance(pilot.app.screen, GraphScreen) and len(rows(pilot.app)) == count)
    screen: GraphScreen = pilot.app.screen
    return screen


@covers("app.graph", "graph.follow", "graph.back", "graph.open", "graph.leave")
async def test_one_walks_from_item_to_item_and_back(run: Run, memory: Memory, chain: list[str]) -> None:
    async with run() as pilot:
        screen = await graph(pilot, 3)
        assert screen.path == [chain[0]]
        assert [entries(pilot.app).at(n).node.id for n in range(3)] == chain[:3]
        await pilot.press("G", "enter")
        await until(pilot, lambda: screen.path == [chain[0], chain[2]] and len(rows(pilot.app)) == 5)
        assert entries(pilot.app).at(0).node.id == chain[2]
        await until(pilot, lambda: shown(pilot.app) == memory.get(chain[2]).content)
        await pilot.press("backspace")
        await until(pilot, lambda: screen.path == [chain[0]] and len(rows(pilot.app)) == 3)
        await pilot.press("home", "j", "o")
        await until(pilot, lambda: isinstance(pilot.app.screen, ItemScreen))
        assert pilot.app.screen.item_id == chain[1]
        await pilot.press("escape")
        await until(pilot, lambda: isinstance(pilot.app.screen, GraphScreen))
        await pilot.press("escape")
        await until(pilot, lambda: len(pilot.app.screen_stack) == 1)


@covers("graph.farther", "graph.nearer")
async def test_it_goes_one_to_three_steps(run: Run, chain: list[str]) -> None:
    async with run() as pilot:
        await graph(pilot, 3)
        await pilot.press("plus")
        await until(pilot, lambda: len(rows(pilot.app)) == 4)
        await pilot.press("plus")
        await pilot.press("minus", "minus", "minus")
        await until(pilot, lambda: len(rows(pilot.app)) == 2)
        assert pilot.app.screen.depth == 1  # type: ignore[attr-defined]


@covers("graph.all")
async def test_all_neighbours_are_shown_on_demand(run: Run, memory: Memory) -> None:
    newest = memory.list(limit=1)[0].id
    for n in range(12):
        memory.link(memory.add(f"note {n}", created_at="2020-01-01").item.id, "explains", newest)
    async with run("basil is:exact") as pilot:
        await until(pilot, lambda: pilot.app.screen.items.total == 1)  # type: ignore[attr-defined]
        await graph(pilot, 10)
        assert entries(pilot.app).at(9).branch.more == 4
        await pilot.press("a")
        await until(pilot, lambda: len(rows(pilot.app)) == 13)
        await pilot.press("a")
        await until(pilot, lambda: len(rows(pilot.app)) == 10)


@covers("graph.ask")
async def test_a_name_is_a_centre(run: Run, memory: Memory, anna: str) -> None:
    async with run() as pilot:
        await graph(pilot, len(memory.graph(memory.list(limit=1)[0].id).tree()))
        await pilot.press("slash")
        await answer(pilot, "anna berger")
        await until(pilot, lambda: entries(pilot.app).at(0).node.id == anna)
        await until(pilot, lambda: shown(pilot.app, "title") == "Anna Berger")
        assert "person · in 2 items" in shown(pilot.app, "head")
        assert "took the boat" in shown(pilot.app, "plain")
        await pilot.press("o")
        assert isinstance(pilot.app.screen, GraphScreen)


async def test_a_name_is_found_by_the_palette(run: Run, memory: Memory, anna: str) -> None:
    async with run() as pilot:
        await pilot.press("escape", "ctrl+p")
        await until(pilot, lambda: isinstance(pilot.app.screen, CommandPalette))
        pilot.app.screen.query_one(Input).value = "Berger"
        await until(pilot, lambda: "Anna Berger" in offered(pilot.app))
        at = offered(pilot.app).index("Anna Berger")
        await pilot.press(*["down"] * at, "enter")
        await until(pilot, lambda: isinstance(pilot.app.screen, GraphScreen))
        assert pilot.app.screen.path == [anna]  # type: ignore[attr-defined]


async def test_it_begins_at_a_conversation_or_at_what_one_was_on(run: Run, memory: Memory) -> None:
    thread = memory.add_messages([Message("where is the key?", "user")], thread=ThreadInfo(title="Key")).thread
    async with run() as pilot:
        await go(pilot, "2")
        await pilot.press("N")
        await until(pilot, lambda: isinstance(pilot.app.screen, GraphScreen) and entries(pilot.app).total)
        assert entries(pilot.app).at(0).node.id == thread.id
        await pilot.press("o")
        await until(pilot, lambda: isinstance(pilot.app.screen, ThreadScreen))
        await pilot.press("escape", "escape")
        await until(pilot, lambda: len(pilot.app.screen_stack) == 1)
        await go(pilot, "6")
        await pilot.press("N")
        await until(pilot, lambda: isinstance(pilot.app.screen, GraphScreen) and entries(pilot.app).is_loaded)
        assert pilot.app.screen.path == [None]  # type: ignore[attr-defined]


async def test_it_begins_at_what_is_asked_about_in_review(run: Run, memory: Memory) -> None:
    old, new = (memory.add(f"The gate code is {code}").item.id for code in ("4711", "4712"))
    memory.link(new, "challenges", old)
    async with run() as pilot:
        await go(pilot, "3")
        await pilot.press("N")
        await until(pilot, lambda: isinstance(pilot.app.screen, GraphScreen) and entries(pilot.app).total == 2)
        assert pilot.app.screen.path == [new]  # type: ignore[attr-defined]
