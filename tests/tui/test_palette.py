"""The palette: what it offers, what it does, and the look at a theme."""

from typing import Any

import pytest
from piloting import Run, covers, until
from textual.command import CommandList, CommandPalette
from textual.widgets import Input

from memhub import Memory
from memhub_tui.screens.item import ItemScreen


def offered(app: Any) -> list[str]:
    """The words of the lines of the palette."""
    found = app.screen.query(CommandList)
    return [str(option.hit.text) for option in found.first().options if hasattr(option, "hit")] if found else []


async def ask(pilot: Any, words: str) -> None:
    """Open the palette and type."""
    await pilot.press("ctrl+p")
    await until(pilot, lambda: isinstance(pilot.app.screen, CommandPalette))
    pilot.app.screen.query_one(Input).value = words
    await until(pilot, lambda: offered(pilot.app))


@covers("app.command_palette")
async def test_an_action_of_the_screen_is_found_by_what_it_does(run: Run, memory: Memory) -> None:
    newest = memory.list(limit=1)[0].id
    async with run() as pilot:
        await pilot.press("escape")
        await ask(pilot, "unpin")
        await until(pilot, lambda: offered(pilot.app)[0] == "Pin")
        await pilot.press("enter")
        await until(pilot, lambda: memory.get(newest).pinned)


async def test_everything_that_can_be_done_is_there_before_one_types(run: Run) -> None:
    async with run() as pilot:
        await pilot.press("escape", "ctrl+p")
        await until(
            pilot, lambda: {"Edit", "Move", "Log", "Theme: high-contrast", "Space: default"} <= {*offered(pilot.app)}
        )
        assert "Down" not in offered(pilot.app)
        assert "Keep new" not in offered(pilot.app)


@pytest.mark.parametrize("typed", ["Ana prefers gren tea", "coffee"])
async def test_an_item_is_found_by_its_title_mistyped_or_by_a_word(run: Run, memory: Memory, typed: str) -> None:
    tea = memory.search("green tea").hits[0].item.id
    async with run() as pilot:
        await ask(pilot, typed)
        await until(pilot, lambda: offered(pilot.app)[:1] == ["Anna prefers green tea to coffee"])
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(pilot.app.screen, ItemScreen))
        assert pilot.app.screen.item_id == tea


async def test_a_title_with_markup_is_shown_as_it_is(run: Run, memory: Memory) -> None:
    memory.add("[bold red]not red[/] \\[x]")
    async with run() as pilot:
        await ask(pilot, "not red")
        await until(pilot, lambda: offered(pilot.app)[:1] == ["[bold red]not red[/] \\[x]"])


async def test_a_theme_is_looked_at_and_taken_or_not(run: Run) -> None:
    async with run() as pilot:
        await ask(pilot, "theme high")
        await until(pilot, lambda: pilot.app.theme == "high-contrast")
        await pilot.press("escape")
        await until(pilot, lambda: pilot.app.theme == "textual-dark")
        await ask(pilot, "theme high")
        await until(pilot, lambda: pilot.app.theme == "high-contrast")
        await pilot.press("enter")
        await until(pilot, lambda: pilot.app.config.file.exists())
        await until(pilot, lambda: "high-contrast" in pilot.app.config.file.read_text())
        assert pilot.app.theme == "high-contrast"


async def test_another_space_by_its_name(run: Run, memory: Memory) -> None:
    memory.space_new("work")
    memory.add("in work", space="work")
    async with run() as pilot:
        await ask(pilot, "space work")
        await until(pilot, lambda: offered(pilot.app)[:1] == ["Space: work"])
        await pilot.press("enter")
        await until(pilot, lambda: pilot.app.backend.space == "work" and pilot.app.screen.items.total == 1)
        await until(pilot, lambda: len(pilot.app.screen_stack) == 1)
        await ask(pilot, "space default")
        await until(pilot, lambda: offered(pilot.app)[:1] == ["Space: default"])
        await pilot.press("enter")
        await until(pilot, lambda: pilot.app.screen.items.total == 5)
