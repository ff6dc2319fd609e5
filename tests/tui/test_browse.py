"""Browse: the list narrows as one types, the preview follows, verbs change the file."""

from typing import Any

from piloting import Run, covers, until
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


@covers("app.undo")
async def test_marked_items_are_changed_together_and_undone(run: Run, memory: Memory) -> None:
    async with run() as pilot:
        await pilot.press("escape", "space", "space", "d")
        await until(pilot, lambda: memory.count() == 3)
        await until(pilot, lambda: pilot.app.screen.items.total == 3)
        await pilot.press("u")
        await until(pilot, lambda: memory.count() == 5)
        await until(pilot, lambda: pilot.app.screen.items.total == 5)


@covers("items.edit")
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


@covers("browse.leave")
async def test_escape_leaves_the_box_then_the_marks_then_the_search(run: Run) -> None:
    async with run("ferry") as pilot:
        await until(pilot, lambda: pilot.app.screen.items.total == 1)
        await pilot.press("escape", "space")
        assert len(pilot.app.screen.items.marked) == 1
        await pilot.press("escape")
        assert not pilot.app.screen.items.marked
        await pilot.press("escape")
        await until(pilot, lambda: pilot.app.screen.items.total == 5)


@covers(
    "list.down", "list.up", "list.page_down", "list.page_up", "list.first", "list.last", "browse.search",
    "app.go('browse')", "app.quit",
)  # fmt: skip
async def test_the_keys_of_a_list(run: Run, memory: Memory) -> None:
    for n in range(300):
        memory.add(f"filler {n}")
    async with run() as pilot:
        items: Any = pilot.app.screen.query_one("#items")
        await pilot.press("escape")
        for key, line in (
            ("j", 1), ("down", 2), ("k", 1), ("up", 0), ("G", 304), ("g", 0), ("end", 304), ("home", 0),
        ):  # fmt: skip
            await pilot.press(key)
            assert items.cursor == line
        await pilot.press("pagedown")
        assert 20 < items.cursor < 30
        await pilot.press("ctrl+u")
        assert items.cursor == 0
        await pilot.press("end")
        await until(pilot, lambda: items.entry and items.entry.head.startswith("The ferry"))
        await pilot.press("slash")
        assert pilot.app.screen.query_one("#search").has_focus
        await pilot.press("escape", "4")
        await until(pilot, lambda: pilot.app.current_mode == "log")
        await pilot.press("1")
        await until(pilot, lambda: pilot.app.current_mode == "browse")
        await pilot.press("q")
        await until(pilot, lambda: not pilot.app.is_running)


async def test_what_is_to_be_known_of_a_search_stays_in_the_bar(run: Run, memory: Memory) -> None:
    for n in range(60):
        memory.add(f"zebra {n}")
    async with run("zebra") as pilot:
        status: Any = pilot.app.screen.query_one("#status")
        await until(pilot, lambda: pilot.app.screen.items.total == 60)
        await until(pilot, lambda: "by their words only" in str(status.render()) and "60 items" in str(status.render()))
        await pilot.press("escape", "space")
        await until(pilot, lambda: "1 marked" in str(status.render()))


async def test_a_failure_of_the_app_itself_is_told(run: Run) -> None:
    async with run() as pilot:
        await pilot.press("escape", "U")  # there is no undo to take back
        await until(pilot, lambda: any(note.severity == "error" for note in pilot.app._notifications))
        before = len(pilot.app._notifications)
        pilot.app.config.file.mkdir(parents=True)
        pilot.app.choose_theme("textual-light")
        await until(pilot, lambda: len(pilot.app._notifications) > before)
