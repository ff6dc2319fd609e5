"""The app under a pilot, on a real file with a few notes of both languages."""

import asyncio
import inspect
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from piloting import Make, Run, until
from textual.pilot import Pilot

from memhub import Memory, stamp
from memhub.config import Config
from memhub.text.dates import Zone
from memhub_tui.app import MhApp

NOTES = (
    ("The ferry to Naxos leaves at 7:30 from gate E2", ("travel",)),
    ("数据库每天凌晨三点备份到 NAS", ("运维",)),
    ("Backups older than 30 days are deleted", ("ops",)),
    ("Anna prefers green tea to coffee", ("people",)),
    ("# Sauce\n\n1. tomatoes\n2. **basil**, and [a link](https://example.org)\n\n> slowly", ("kitchen",)),
)


def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> bool | None:
    """A test that is a coroutine runs in an event loop of its own."""
    if not inspect.iscoroutinefunction(pyfuncitem.obj):
        return None
    names = inspect.signature(pyfuncitem.obj).parameters
    asyncio.run(pyfuncitem.obj(**{name: pyfuncitem.funcargs[name] for name in names}))
    return True


@pytest.fixture
def memory(tmp_path: Path, clock: Any) -> Any:
    """The file, through the API: what a test puts in, and what it looks at afterwards."""
    with Memory(tmp_path / "mh.db") as opened:
        for text, labels in NOTES:
            opened.add(text, labels=labels)
            clock.advance(60)
        yield opened


@pytest.fixture
def make_app(memory: Memory) -> Make:
    """Makes an app on the file of `memory`; `config` are settings by name."""

    def make(query: str = "", space: str | None = None, **config: str) -> MhApp:
        settings = Config({name.replace("__", "."): value for name, value in config.items()})
        return MhApp(
            lambda space: Memory(memory.path, config=settings, space=space),
            settings,
            Zone("UTC", stamp.now_ms()),
            query=query,
            space=space,
        )

    return make


@pytest.fixture
def run(make_app: Make) -> Run:
    """Runs an app in a window of `size`; the pilot is there once the list is filled."""

    @asynccontextmanager
    async def running(*args: Any, size: tuple[int, int] = (100, 30), **kwargs: Any) -> AsyncIterator[Pilot[None]]:
        app = make_app(*args, **kwargs)
        async with app.run_test(size=size) as pilot:
            await until(pilot, lambda: app.screen_stack[0].items.is_loaded)  # type: ignore[attr-defined]
            yield pilot

    return running
