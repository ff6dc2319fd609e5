"""Browse: the list narrows as one types, the preview follows, verbs change the file."""

from typing import Any

from piloting import Run, until
from textual.widgets import TextArea

from memhub import Memory
from memhub_tui.screens.edit import EditScreen


def lines(app: Any) -> list[str]:
    """The heads of the rows that the list holds."""
    items = app.screen.items
    return [items.at(n).head for n in range(items.total)]


async def test_the_list_narrows_as_one_types(run: Run) -> None:
    async with run() as pilot:
        assert len(lines(pilot.app)) == 5
        assert lines(pilot.app)[0].startswith("# Sauce")
        await pilot.press(*"ferr")
        await until(pilot, lambda: lines(pilot.app)[:1] == ["The ferry to Naxos leaves at 7:30 from gate E2"])
        await pilot.press("backspace", "backspace", "backspace", "backspace", *"#运", "right")
        await until(pilot, lambda: lines(pilot.app) == ["数据库每天凌晨三点备份到 NAS"])


async def test_marked_items_are_changed_together_and_undone(run: Run, memory: Memory) -> None:
    async with run() as pilot:
        await pilot.press("escape", "space", "space", "d")
        await until(pilot, lambda: memory.count() == 3)
        await until(pilot, lambda: pilot.app.screen.items.total == 3)
        await pilot.press("u")
        await until(pilot, lambda: memory.count() == 5)
        await until(pilot, lambda: pilot.app.screen.items.total == 5)


async def test_an_edit_is_a_new_version(run: Run, memory: Memory) -> None:
    async with run() as pilot:
        await pilot.press("escape", "down", "e")
        await until(pilot, lambda: isinstance(pilot.app.screen, EditScreen) and pilot.app.screen._is_ready)
        pilot.app.screen.query_one(TextArea).insert("Really: ", (0, 0))
        await pilot.press("ctrl+s")
        await until(pilot, lambda: len(memory.history(memory.list(limit=2)[1].id)) == 2)
        assert memory.list(limit=2)[1].content == "Really: Anna prefers green tea to coffee"


async def test_arrows_move_the_list_while_one_types(run: Run) -> None:
    async with run() as pilot:
        await pilot.press("down", "down", "up")
        await until(pilot, lambda: pilot.app.screen.items.cursor == 1)
        assert pilot.app.screen.query_one("#search").has_focus


async def test_escape_leaves_the_box_then_the_marks_then_the_search(run: Run) -> None:
    async with run("ferry") as pilot:
        await until(pilot, lambda: pilot.app.screen.items.total == 1)
        await pilot.press("escape", "space")
        assert len(pilot.app.screen.items.marked) == 1
        await pilot.press("escape")
        assert not pilot.app.screen.items.marked
        await pilot.press("escape")
        await until(pilot, lambda: pilot.app.screen.items.total == 5)
