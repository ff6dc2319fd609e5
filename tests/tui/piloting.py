"""What the tests of the screens share."""

import inspect
import time
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from typing import Any

from textual.pilot import Pilot
from textual.widgets import Input

from memhub_tui.app import MhApp
from memhub_tui.screens.prompt import PromptScreen

Make = Callable[..., MhApp]
Run = Callable[..., AbstractAsyncContextManager[Pilot[None]]]


async def until(pilot: Pilot[Any], condition: Callable[[], Any], seconds: float = 60) -> None:
    """Wait until something holds; a busy machine has its time."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, f"it did not come to hold: {inspect.getsource(condition).strip()}"
        await pilot.pause(0.01)


COVERED: dict[str, str] = {}
"""Action id → the test that presses its key."""


def covers(*actions: str) -> Callable[[Any], Any]:
    """Says which rows of the table of actions a test tries; `test_actions.py` looks for rows that none tries."""

    def mark(test: Any) -> Any:
        COVERED.update(dict.fromkeys(actions, test.__name__))
        return test

    return mark


def entries(app: Any) -> Any:
    """The list of the screen in front."""
    return app.screen.query_one("#entries")


async def go(pilot: Any, key: str) -> Any:
    """Go to a mode by its number; answers with its list, filled."""
    await pilot.press("escape", key)
    await until(pilot, lambda: len(pilot.app.screen.query("#entries")) and entries(pilot.app).is_loaded)
    return entries(pilot.app)


async def answer(pilot: Any, words: str) -> None:
    """Type into the question that comes, and Enter."""
    await until(pilot, lambda: isinstance(pilot.app.screen, PromptScreen))
    field = pilot.app.screen.query_one(Input)
    field.value = words
    await pilot.press("enter")
    await until(pilot, lambda: not isinstance(pilot.app.screen, PromptScreen))


def shown(app: Any, part: str = "text") -> str:
    """What the preview of the screen in front shows; nothing while a screen without one is in front."""
    for found in app.screen.query(f"#preview #{part}"):
        return str(found.source if part == "text" else found.render())
    return ""
