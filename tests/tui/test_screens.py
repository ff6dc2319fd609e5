"""Each screen by its keys: what it shows, and what its actions leave in the file."""

import gc
from typing import Any

import pytest
from piloting import Run, answer, covers, entries, go, until
from textual.widgets import OptionList

from memhub import Memory
from memhub_tui.screens.edit import EditScreen
from memhub_tui.screens.help import HelpScreen
from memhub_tui.widgets.preview import Shown

# ---- log


@covers("app.go('log')", "log.undo_this", "log.redo_this")
async def test_any_operation_is_taken_back_and_brought_back(run: Run, memory: Memory) -> None:
    async with run() as pilot:
        await go(pilot, "4")
        await until(pilot, lambda: entries(pilot.app).total == 5)
        await pilot.press("down", "down", "t")
        await until(pilot, lambda: memory.count() == 4)
        assert all("Backups" not in item.content for item in memory.list())
        await until(pilot, lambda: entries(pilot.app).total == 6 and entries(pilot.app).entry.operation.undone)
        await pilot.press("T")
        await until(pilot, lambda: memory.count() == 5)


# ---- settings


@covers("app.go('settings')", "settings.change", "settings.reset")
async def test_a_setting_is_changed_and_reset(run: Run) -> None:
    async with run() as pilot:
        await go(pilot, "6")
        names = [entries(pilot.app).at(n).id for n in range(entries(pilot.app).total)]
        entries(pilot.app).cursor = names.index("tui.theme")
        await pilot.press("enter")
        await answer(pilot, "textual-light")
        await until(pilot, lambda: pilot.app.theme == "textual-light")
        assert "textual-light" in pilot.app.config.file.read_text("utf-8")
        await until(pilot, lambda: entries(pilot.app).entry.value == "textual-light")
        await pilot.press("r")
        await until(pilot, lambda: pilot.app.theme == "textual-dark")


# ---- everywhere


@covers("app.help")
async def test_help_names_the_keys_and_narrows(run: Run) -> None:
    async with run() as pilot:
        await pilot.press("escape", "question_mark")
        await until(pilot, lambda: isinstance(pilot.app.screen, HelpScreen))
        keys: Any = pilot.app.screen.query_one("#keys")
        await until(pilot, lambda: keys.total > 30 and keys.at(0).id == "browse")
        await pilot.press(*"delete")
        await until(pilot, lambda: 0 < keys.total < 8)
        await pilot.press("escape")
        await until(pilot, lambda: not isinstance(pilot.app.screen, HelpScreen))


@covers("app.space", "items.move")
async def test_another_space(run: Run, memory: Memory) -> None:
    newest = memory.list(limit=1)[0]
    async with run() as pilot:
        await pilot.press("escape", "m")
        await until(pilot, lambda: len(pilot.app.screen.query(OptionList)))
        await pilot.press(*"work", "enter")
        await until(pilot, lambda: memory.get(newest.id).space == "work")
        await until(pilot, lambda: len(pilot.app.screen_stack) == 1)
        await pilot.press("S")
        await until(pilot, lambda: len(pilot.app.screen.query(OptionList)))
        await until(pilot, lambda: pilot.app.screen.query_one(OptionList).option_count == 2)
        await pilot.press(*"work", "enter")
        await until(pilot, lambda: len(pilot.app.screen_stack) == 1 and pilot.app.screen.items.total == 1)
        await pilot.press("n")
        await until(pilot, lambda: isinstance(pilot.app.screen, EditScreen) and pilot.app.screen._is_ready)
        await pilot.press(*"here", "ctrl+s")
        await until(pilot, lambda: any(item.space == "work" for item in memory.list(limit=0, filters=_in("work"))))


def _in(space: str) -> Any:
    from memhub.model.query import Filters

    return Filters(space=space)


@pytest.mark.parametrize("started", ["a text", "a page", "the keys"])
async def test_work_that_ends_before_it_begins_leaves_nothing_behind(run: Run, started: str) -> None:
    async with run() as pilot:
        await pilot.press("escape", "question_mark")
        await until(pilot, lambda: isinstance(pilot.app.screen, HelpScreen))
        browse: Any = pilot.app.screen_stack[0]
        if started == "a text":
            await browse.query_one("#preview").show(Shown("a title", "", "", ""))
        elif started == "a page":
            browse.items._want(7)
        else:
            pilot.app.screen.fill()
        pilot.app.workers.cancel_all()
        gc.collect()  # a coroutine that was made and never awaited is told here, and fails the test
        await pilot.pause()
