"""The line between list and preview: by mouse and by key, remembered, and what a mouse does in the list."""

from typing import Any

from piloting import Run, covers, go, until

from memhub import Memory
from memhub_tui.screens.item import ItemScreen
from memhub_tui.widgets.panes import Divider, Panes
from memhub_tui.widgets.preview import Preview


def width(app: Any) -> int:
    """Columns of the list."""
    return int(app.screen.items.size.width)


@covers("view.narrower", "view.wider")
async def test_the_line_moves_by_keys_and_stays_there(run: Run) -> None:
    async with run(size=(120, 30)) as pilot:
        await until(pilot, lambda: width(pilot.app) in (47, 48))
        await pilot.press("escape", "greater_than_sign", "greater_than_sign", "less_than_sign")
        await until(pilot, lambda: pilot.app.screen.query_one(Panes).share == 45)
        await until(pilot, lambda: pilot.app.config.file.exists() and "list = 45" in pilot.app.config.file.read_text())
        await until(pilot, lambda: width(pilot.app) in (53, 54))
        await pilot.press("4")
        await until(pilot, lambda: pilot.app.screen.query("#entries"))
        assert pilot.app.screen.query_one(Panes).share == 45
    async with run(size=(120, 30)) as pilot:
        assert pilot.app.screen.query_one(Panes).share == 45


async def test_the_line_is_dragged(run: Run) -> None:
    async with run(size=(120, 30)) as pilot:
        await until(pilot, lambda: width(pilot.app) in (47, 48))
        await pilot.mouse_down(Divider, offset=(0, 5))
        await pilot.hover(Preview, offset=(20, 5))
        await until(pilot, lambda: width(pilot.app) > 60)
        await pilot.mouse_up(Preview, offset=(20, 5))
        await until(pilot, lambda: pilot.app.config.file.exists())
        assert pilot.app.screen.query_one(Panes).share == pilot.app.config.number("tui.list") > 50


@covers("view.preview")
async def test_a_small_window_is_the_lists_alone_when_one_wants(run: Run) -> None:
    async with run(size=(80, 24)) as pilot:
        await pilot.press("escape")
        before = pilot.app.screen.items.size
        await pilot.press("z")
        await until(pilot, lambda: pilot.app.screen.items.size.height > before.height)
        assert not pilot.app.screen.query_one(Preview).display
        await pilot.press("z")
        await until(pilot, lambda: pilot.app.screen.items.size == before)


async def test_clicks_and_the_wheel(run: Run, memory: Any) -> None:
    for number in range(60):
        memory.add(f"note {number}")
    async with run(size=(120, 30)) as pilot:
        await until(pilot, lambda: pilot.app.screen.items.total == 65)
        await pilot.click("#items", offset=(5, 3))
        await until(pilot, lambda: pilot.app.screen.items.cursor == 3)
        await pilot.click("#items", offset=(5, 4), control=True)
        await until(pilot, lambda: len(pilot.app.screen.items.marked) == 1)
        pilot.app.screen.items._on_mouse_scroll_down(_wheel(pilot.app.screen.items))
        await until(pilot, lambda: pilot.app.screen.items.scroll_offset.y > 0)
        await pilot.click("#items", offset=(5, 2), times=2)
        await until(pilot, lambda: isinstance(pilot.app.screen, ItemScreen))


async def test_the_parts_of_an_item_share_the_room_like_the_list(run: Run) -> None:
    async with run(size=(120, 30)) as pilot:
        await pilot.press("escape", "enter")
        await until(pilot, lambda: isinstance(pilot.app.screen, ItemScreen) and pilot.app.screen.view)
        panes = pilot.app.screen.query_one(Panes)
        await pilot.press("greater_than_sign", "z")  # the text stands alone: there is no line
        assert panes.share == 40
        assert not panes.query_one(Divider).display
        await pilot.press("v")
        await until(pilot, lambda: panes.query_one(Divider).display and pilot.app.screen.entries.has_focus)
        await pilot.press("greater_than_sign", "greater_than_sign")
        await until(pilot, lambda: pilot.app.screen.entries.size.width in (59, 60))
        await until(pilot, lambda: pilot.app.config.file.exists() and "list = 50" in pilot.app.config.file.read_text())
        await pilot.press("z")
        await until(pilot, lambda: pilot.app.screen.entries.size.width == 120)
        await pilot.press("z", "escape")
        await until(pilot, lambda: width(pilot.app) in (59, 60))


async def test_review_gives_its_list_a_part_of_that(run: Run, memory: Memory) -> None:
    old, new = memory.add("The gate code is 4711").item, memory.add("The gate code is 4712").item
    memory.link(new.id, "challenges", old.id)
    async with run(size=(160, 30)) as pilot:
        found = await go(pilot, "3")
        panes = pilot.app.screen.query_one(Panes)
        await until(pilot, lambda: found.size.width in (39, 40))  # 25 %
        await pilot.mouse_down(Divider, offset=(0, 5))
        await pilot.hover(Panes, offset=(60, 5))
        await until(pilot, lambda: found.size.width in (59, 60, 61))
        await pilot.mouse_up(Panes, offset=(60, 5))
        await until(pilot, lambda: pilot.app.config.file.exists())
        assert panes.share == pilot.app.config.number("tui.list") == 60
        await pilot.press("o")
        await until(pilot, lambda: found.total == 0 and found.size.width == 160)


def _wheel(widget: Any) -> Any:
    from textual.events import MouseScrollDown

    return MouseScrollDown(widget, 5, 5, 0, 0, 0, False, False, False)
