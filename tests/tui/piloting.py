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
