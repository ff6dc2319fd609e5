"""What the tests of the screens share."""

import inspect
import time
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from typing import Any

from textual.pilot import Pilot

from memhub_tui.app import MhApp

Make = Callable[..., MhApp]
Run = Callable[..., AbstractAsyncContextManager[Pilot[None]]]


async def until(pilot: Pilot[Any], condition: Callable[[], Any], seconds: float = 20) -> None:
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
