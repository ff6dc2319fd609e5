"""The way from the screens to the core: every call runs in a thread, so that the event loop never waits for the disk.

A lane is one thread with a `Memory` of its own, which carries out calls one after the other. There is a lane for each
kind of waiting: a slow search delays no preview, and neither delays what the user saves. A call whose awaiting
coroutine is cancelled before its turn never runs, which is what happens to the searches for half-typed words.
"""

import asyncio
import contextlib
import os
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from enum import Enum, auto
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from memhub.errors import ConflictError
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


class Change(Enum):
    """What a look at the file saw."""

    NONE = auto()
    CHANGED = auto()
    GONE = auto()


class _Seen(NamedTuple):
    """Which file is there, by device and inode, and its data version."""

    file: tuple[int, int]
    version: int


class Backend:
    """The lanes of one app. `space` is where everything reads and writes; it changes with the space picker."""

    def __init__(self, make: Callable[[str | None], Memory], space: str | None) -> None:
        self._make = make
        self.space = space
        self.path: Path = make(space).path
        self.drafts = Drafts(self.path)
        self._seen: _Seen | None = None
        self._is_gone = False
        self.search, self.view, self.write, self.watch = (
            Lane(name, self.new_memory) for name in ("search", "view", "write", "watch")
        )
        self._turn = threading.Lock()

    def new_memory(self) -> Memory:
        """A memory of one's own, for the thread that calls this. A file that was there is not made anew."""
        if self._seen is not None and not self.path.exists():
            raise self._gone()
        return self._make(self.space)

    async def look(self) -> Change:
        """What happened to the file since the last look."""
        before, seen = self._seen, await self.watch.run(_look)
        if seen is None:
            self._is_gone = before is not None
            return Change.GONE if self._is_gone else Change.NONE
        if before is not None and seen.file != before.file:
            self.reopen()  # another file, whose version says nothing about that of the old one
        is_new = self._is_gone or (before is not None and seen != before)
        self._seen, self._is_gone = seen, False
        return Change.CHANGED if is_new else Change.NONE

    async def change(self, work: Callable[[Memory], T]) -> T:
        """What `work` answers, in the lane for changes; refused when the file is no longer the one that is shown."""
        return await self.write.run(lambda memory: work(self._checked(memory)))

    async def apart(self, work: Callable[[Memory], T]) -> T:
        """What `work` answers, which may take long: one at a time, in a thread that nobody waits for at the end."""
        loop = asyncio.get_running_loop()
        answer: asyncio.Future[T] = loop.create_future()

        def tell(say: Callable[[Any], None], what: object) -> None:
            if not answer.done():
                say(what)

        def run() -> None:
            with self._turn, contextlib.suppress(RuntimeError):  # the loop was closed meanwhile
                if answer.done():
                    return
                try:
                    with self.new_memory() as memory:
                        result = work(memory)
                except Exception as error:
                    loop.call_soon_threadsafe(tell, answer.set_exception, error)
                else:
                    loop.call_soon_threadsafe(tell, answer.set_result, result)

        threading.Thread(target=run, name="mh-apart", daemon=True).start()
        return await answer

    def _checked(self, memory: Memory) -> Memory:
        seen = _look(memory)
        if self._seen is not None and (seen is None or seen.file != self._seen.file):
            raise self._gone()
        return memory

    def _gone(self) -> ConflictError:
        return ConflictError(
            f"{self.path} is gone or another file now", "nothing was changed; put it back and try again"
        )

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


def _look(memory: Memory) -> _Seen | None:
    try:
        stat = os.stat(memory.path)
    except OSError:
        return None
    return _Seen((stat.st_dev, stat.st_ino), memory.data_version())
