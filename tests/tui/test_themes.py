"""Colours: which theme counts, the user's own, none at all; and things that do not move."""

from pathlib import Path
from typing import Any

import pytest
from piloting import Run, until
from rich.color import Color

from memhub import Memory
from memhub_tui import themes


def told(app: Any) -> str:
    """All that was said so far."""
    return "\n".join(note.message for note in app._notifications)


@pytest.fixture
def own() -> Any:
    """Writes a theme of the user's."""

    def write(name: str, text: str) -> Path:
        themes.folder().mkdir(parents=True, exist_ok=True)
        path = themes.folder() / f"{name}.toml"
        path.write_text(text, "utf-8")
        return path

    return write


async def test_the_users_own_theme(run: Run, own: Any) -> None:
    own("mine", 'primary = "#123456"\nbackground = "#fff8e7"\ndark = false\n')
    own("broken", 'primary = "no colour"')
    own("odd", 'primery = "#123456"')
    async with run(tui__theme="mine") as pilot:
        assert pilot.app.theme == "mine"
        assert pilot.app.theme_variables["primary"] == "#123456"
        assert "broken.toml" in told(pilot.app)
        assert "odd.toml" in told(pilot.app)
        assert {"broken", "odd"}.isdisjoint(pilot.app.available_themes)


async def test_a_theme_that_is_not_there_is_told_with_the_nearest(run: Run) -> None:
    async with run(tui__theme="hi-contrast") as pilot:
        assert "no theme hi-contrast; did you mean high-contrast?" in told(pilot.app)
        assert pilot.app.theme == "textual-dark"


@pytest.mark.parametrize("name", ["textual-dark", "textual-light", "high-contrast", "ansi-dark", "ansi-light"])
async def test_the_cursor_and_marks_are_seen_in_every_theme(run: Run, name: str) -> None:
    async with run(tui__theme=name) as pilot:
        await pilot.press("escape", "space")
        await until(pilot, lambda: len(pilot.app.screen.items.marked) == 1)
        marked, cursor, other = looks(pilot.app, 3)
        assert cursor != other
        assert marked[0] == "▌"
        assert marked[0] != other[0]


async def test_without_colour_the_cursor_and_marks_are_seen(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    async with run() as pilot:
        await pilot.press("escape", "space")
        await until(pilot, lambda: len(pilot.app.screen.items.marked) == 1)
        lines = looks(pilot.app, 3)
        marked, cursor, other = lines
        assert cursor[1] != other[1]
        assert marked[0] == "▌"
        for color in colors(pilot.app):
            assert len(set(color.get_truecolor())) == 1, color


def looks(app: Any, count: int) -> list[tuple[str, str]]:
    """The first sign and the style of the text of the first lines of the list, as they are put on the terminal."""
    items = app.screen.items
    found = []
    for y in range(count):
        strip = filtered(app, items.render_lines(items.size.region)[y], items)
        style = [segment.style for segment in strip if segment.text.strip()][-1]
        found.append((strip.text[0], f"{style.color} {style.bgcolor} {style.bold} {style.reverse}"))
    return found


def filtered(app: Any, strip: Any, items: Any) -> Any:
    """After what the app does to the colours of everything."""
    for one in app.get_line_filters():
        strip = strip.apply_filter(one, items.background_colors[1])
    return strip


def colors(app: Any) -> list[Color]:
    """Every colour of the list."""
    items = app.screen.items
    strips = [filtered(app, strip, items) for strip in items.render_lines(items.size.region)]
    styles = [segment.style for strip in strips for segment in strip if segment.style]
    return [color for style in styles for color in (style.color, style.bgcolor) if color is not None]


async def test_nothing_moves_when_it_shall_not(run: Run, memory: Memory) -> None:
    async with run(tui__motion="off") as pilot:
        assert pilot.app.animation_level == "none"
    async with run() as pilot:
        assert pilot.app.animation_level == "full"
