"""The way from the screens to the core: every call runs in a thread, so that the event loop never waits for the disk.

A lane is one thread with a `Memory` of its own, which carries out calls one after the other. There is a lane for each
kind of waiting: a slow search delays no preview, and neither delays what the user saves. A call whose awaiting
coroutine is cancelled before its turn never runs, which is what happens to the searches for half-typed words.
"""

import asyncio
import contextlib
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TypeVar

from memhub.workspace import Memory
from memhub_tui.drafts import Drafts

T = TypeVar("T")
MakeMemory = Callable[[], Memory]


class Lane:
    """One thread and its memory; `make` is called in it, by the first call."""

    def __init__(self, name: str, make: MakeMemory) -> None:
        self._make = make
        self._memory: Memory | None = None
        self._thread = ThreadPoolExecutor(1, f"mh-{name}")

    async def run(self, work: Callable[[Memory], T]) -> T:
        """What `work` answers; its errors are raised here."""
        return await asyncio.get_running_loop().run_in_executor(self._thread, self._call, work)

    def _call(self, work: Callable[[Memory], T]) -> T:
        if self._memory is None:
            self._memory = self._make()
        return work(self._memory)

    async def close(self) -> None:
        """Finish what was begun, drop what was not, and close the file."""
        with contextlib.suppress(RuntimeError):  # closed before
            await asyncio.get_running_loop().run_in_executor(self._thread, self._shut)
        self._thread.shutdown(wait=False, cancel_futures=True)

    def reopen(self) -> None:
        """Let the next call open the file anew, as after it was replaced."""
        self._thread.submit(self._shut)

    def _shut(self) -> None:
        if self._memory is not None:
            memory, self._memory = self._memory, None
            memory.close()


class Backend:
    """The lanes of one app. `space` is where everything reads and writes; it changes with the space picker."""

    def __init__(self, make: Callable[[str | None], Memory], space: str | None) -> None:
        self._make = make
        self.space = space
        self.path: Path = make(space).path
        self.drafts = Drafts(self.path)
        self.search, self.view, self.write, self.watch = (
            Lane(name, self.new_memory) for name in ("search", "view", "write", "watch")
        )

    def new_memory(self) -> Memory:
        """A memory of one's own, for the thread that calls this."""
        return self._make(self.space)

    def enter(self, space: str) -> None:
        """Read and write in another space from the next call on."""
        self.space = space
        self.reopen()

    def reopen(self) -> None:
        """Open the file anew in every lane."""
        for lane in self._lanes():
            lane.reopen()

    async def close(self) -> None:
        """Close every lane."""
        self.drafts.close()
        await asyncio.gather(*(lane.close() for lane in self._lanes()))

    def _lanes(self) -> tuple[Lane, ...]:
        return self.search, self.view, self.write, self.watch
