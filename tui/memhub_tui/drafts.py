"""Text that is being typed, kept on disk until it is stored, so that no crash takes it.

One file for each item, or for each new note; written as one types, removed when the text is stored or thrown away. The
files are written by one thread in the order asked for, so that none comes back after it was removed.
"""

import asyncio
import contextlib
import json
import os
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple, TypeVar

from memhub import stamp
from memhub.paths import drafts_folder, make_folder

T = TypeVar("T")


class Draft(NamedTuple):
    """`item` is None for a new note; `version` is the one that was being changed; `at` when, in Unix ms."""

    key: str
    item: str | None
    version: str
    title: str
    content: str
    at: int


class Drafts:
    """The drafts of one database."""

    def __init__(self, database: Path) -> None:
        self._database = str(database)
        self._thread = ThreadPoolExecutor(1, "mh-drafts")

    @property
    def folder(self) -> Path:
        """Where they lie, those of other databases too."""
        return make_folder(drafts_folder())

    def new_key(self) -> str:
        """A name for the draft of a new note."""
        return f"new-{stamp.now_ms()}-{os.getpid()}"

    async def keep(self, draft: Draft) -> None:
        """Write a draft, whole or not at all."""
        await self._run(lambda: self._write(draft))

    async def forget(self, key: str) -> None:
        """Remove a draft, if there is one."""
        await self._run(lambda: self._file(key).unlink(missing_ok=True))

    async def left(self) -> list[Draft]:
        """Drafts that nobody is typing at any more, the newest first."""
        return await self._run(self._read)

    def close(self) -> None:
        """Finish writing."""
        self._thread.shutdown()

    async def _run(self, work: Callable[[], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._thread, work)

    def _file(self, key: str) -> Path:
        return self.folder / f"{key}.json"

    def _write(self, draft: Draft) -> None:
        whole = {**draft._asdict(), "database": self._database, "process": os.getpid()}
        part = self._file(draft.key).with_suffix(".part")
        with open(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="utf-8") as out:
            json.dump(whole, out, ensure_ascii=False)
            out.flush()
            os.fsync(out.fileno())
        part.replace(self._file(draft.key))

    def _read(self) -> list[Draft]:
        found = []
        for file in self.folder.glob("*.json"):
            with contextlib.suppress(ValueError, TypeError, KeyError, OSError):  # not a draft of ours
                whole = json.loads(file.read_text("utf-8"))
                database, process = whole.pop("database"), whole.pop("process")
                if database == self._database and not _is_running(process):
                    found.append(Draft(**whole))
        return sorted(found, key=lambda draft: -draft.at)


def _is_running(process: int) -> bool:
    """Whether another process types there now; its draft is its own."""
    if process == os.getpid() or sys.platform == "win32":  # there the signal 0 would end the process
        return False
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True
