"""The walk along links: where it leads, and what adding and removing one leaves in the file."""

from typing import Any

from piloting import Run, covers, until
from textual.pilot import Pilot
from textual.widgets import Input

from memhub import Memory
from memhub.model.thread import Message, ThreadInfo
from memhub_tui.screens.item import ItemScreen
from memhub_tui.screens.links import LinksScreen
from memhub_tui.screens.new_link import NewLinkScreen
from memhub_tui.screens.thread import ThreadScreen


def entries(app: Any) -> Any:
    """The list of the screen in front."""
    return app.screen.query_one("#entries")


def rows(app: Any) -> list[tuple[str, str]]:
    """What stands at the left and the words of its lines."""
    found = entries(app)
    return [(found.at(n).first, found.at(n).title) for n in range(found.total)]


async def walking(pilot: Pilot[None], count: int) -> None:
    """Open the links of what the cursor is on."""
    await pilot.press("escape", "L")
    await until(pilot, lambda: isinstance(pilot.app.screen, LinksScreen) and len(rows(pilot.app)) == count)


@covers("items.links", "links.follow", "links.back", "links.open", "links.leave")
async def test_links_are_walked_along_and_back(run: Run, memory: Memory) -> None:
    newest, second, third = memory.list(limit=3)
    memory.link(newest.id, "explains", second.id)
    memory.link(newest.id, "explains", third.id)
    memory.link(third.id, "supports", second.id)
    async with run() as pilot:
        await walking(pilot, 2)
        assert sorted(first for first, _ in rows(pilot.app)) == ["", "→ explains"]
        await until(pilot, lambda: entries(pilot.app).entry)
        if entries(pilot.app).entry.item != second.id:
            await pilot.press("j")
        preview: Any = pilot.app.screen.query_one("#preview #text")
        await until(pilot, lambda: preview.source == second.content)
        await pilot.press("enter")
        await until(pilot, lambda: [first for first, _ in rows(pilot.app)] == ["← explains", "← supports"])
        crumbs = pilot.app.screen.query_one("#crumbs")
        assert str(crumbs.render()).endswith(" › Anna prefers green tea…")
        await pilot.press("backspace")
        await until(pilot, lambda: pilot.app.screen.path == [newest.id] and len(rows(pilot.app)) == 2)  # type: ignore[attr-defined]
        await pilot.press("o")
        await until(pilot, lambda: isinstance(pilot.app.screen, ItemScreen))
        await pilot.press("escape", "escape")
        await until(pilot, lambda: len(pilot.app.screen_stack) == 1)


@covers("links.evolution")
async def test_an_evolution_is_shown_oldest_first(run: Run, memory: Memory) -> None:
    newest, second, third = memory.list(limit=3)
    memory.link(newest.id, "replaces", second.id)
    memory.link(second.id, "replaces", third.id)
    async with run() as pilot:
        await walking(pilot, 1)
        await pilot.press("v")
        await until(pilot, lambda: [first for first, _ in rows(pilot.app)] == ["│ first", "│ replaces", "● replaces"])
        assert [entries(pilot.app).at(n).item for n in range(3)] == [third.id, second.id, newest.id]
        await pilot.press("d")
        await pilot.press("v")
        await until(pilot, lambda: len(rows(pilot.app)) == 1)
        assert len(memory.links(newest.id)) == 1


@covers("links.add", "links.remove")
async def test_a_link_is_added_and_removed(run: Run, memory: Memory) -> None:
    newest, second, third = memory.list(limit=3)
    memory.link(second.id, "contradicts", third.id)
    async with run() as pilot:
        await walking(pilot, 0)
        await pilot.press("A")
        await until(pilot, lambda: isinstance(pilot.app.screen, NewLinkScreen))
        await pilot.press(*"ferry")
        found: Any = pilot.app.screen.query_one("#found")
        await until(pilot, lambda: found.total == 1 and "ferry" in found.entry.head)
        await pilot.press("enter", *"contr")
        relation = pilot.app.screen.query_one("#relation", Input)
        await until(pilot, lambda: relation._suggestion == "contradicts")
        await pilot.press("right", "enter")
        await until(pilot, lambda: [edge.relation for edge in memory.links(newest.id)] == ["contradicts"])
        await until(pilot, lambda: rows(pilot.app)[:1] and rows(pilot.app)[0][0] == "→ contradicts")
        assert "ferry" in memory.links(newest.id)[0].dst_title
        await pilot.press("d")
        await until(pilot, lambda: not memory.links(newest.id))
        await until(pilot, lambda: not rows(pilot.app))
        await pilot.press("u")
        await until(pilot, lambda: len(memory.links(newest.id)) == 1 and len(rows(pilot.app)) == 1)


async def test_a_turn_leads_to_its_conversation(run: Run, memory: Memory) -> None:
    thread = memory.add_messages([Message("where is the key?", "user")], thread=ThreadInfo(title="Key")).thread
    async with run("layer:L0") as pilot:
        await walking(pilot, 1)
        await until(pilot, lambda: "Key" in str(pilot.app.screen.query_one("#preview #title").render()))
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(pilot.app.screen, ThreadScreen))
        assert pilot.app.screen.thread_id == thread.id  # type: ignore[attr-defined]
