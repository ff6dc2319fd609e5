"""Lines of a list are kept once drawn: each is drawn anew when something of it changes; and what an empty list says."""

from typing import Any

from piloting import Run, entries, go, until

from memhub import Memory
from memhub.model.thread import Message, ThreadInfo


def text(found: Any, y: int) -> str:
    """What a line of the window says."""
    return str(found.render_line(y).text)


async def test_a_line_follows_its_item_its_mark_its_width_and_the_theme(run: Run, memory: Memory) -> None:
    newest = memory.list(limit=1)[0]
    async with run(size=(160, 30)) as pilot:
        await pilot.press("escape")
        items: Any = pilot.app.screen.query_one("#items")
        await until(pilot, lambda: "Sauce" in text(items, 0))
        await pilot.press("space", "down")
        assert text(items, 0).startswith("▌")
        assert not text(items, 1).startswith("▌")
        memory.update(newest.id, content="Gravy")
        await until(pilot, lambda: "Gravy" in text(items, 0))
        await pilot.press("greater_than_sign")
        await until(pilot, lambda: items.render_line(0).cell_length == items.scrollable_content_region.width > 65)
        styles = [segment.style for segment in items.render_line(3)]
        pilot.app.theme = "textual-light"
        await until(pilot, lambda: [segment.style for segment in items.render_line(3)] != styles)


async def test_the_cursor_leaves_no_trace(run: Run) -> None:
    async with run() as pilot:
        await pilot.press("escape")
        items: Any = pilot.app.screen.query_one("#items")
        await until(pilot, lambda: items.has_focus)
        plain = list(items.render_line(1))
        await pilot.press("down")
        assert list(items.render_line(1)) != plain
        await pilot.press("up")
        assert list(items.render_line(1)) == plain


async def test_an_empty_list_says_what_to_do(run: Run, memory: Memory) -> None:
    async with run(size=(80, 24)) as pilot:
        items: Any = pilot.app.screen.query_one("#items")
        pilot.app.screen.query_one("#search").value = "#kitchen kind:event"
        await until(pilot, lambda: not items.total and "Nothing is found" in text(items, 0))
        memory.drop([item.id for item in memory.list(limit=0)])
        pilot.app.screen.query_one("#search").value = ""
        await until(pilot, lambda: not items.total and "n writes a note" in text(items, 0))
        assert text(items, 1).strip() == "other programs keep."


async def test_what_has_no_room_beside_a_title_is_left_out_whole(run: Run, memory: Memory) -> None:
    info = ThreadInfo(title="The harbour", platform="claude-code", project="lighthouse-keeping")
    memory.add_messages([Message("open?"), Message("yes", "assistant")], thread=info)
    async with run(size=(80, 24)) as pilot:
        await go(pilot, "2")
        assert text(entries(pilot.app), 0).rstrip().endswith("2 turns · claude-code")
    async with run(size=(340, 24)) as pilot:
        await go(pilot, "2")
        assert text(entries(pilot.app), 0).rstrip().endswith("2 turns · claude-code · lighthouse-keeping")
