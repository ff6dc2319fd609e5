"""Follows stores of other programs through the file system's notifications, and says which of them changed."""

import os
from collections.abc import Generator, Iterator, Sequence
from contextlib import ExitStack, closing
from pathlib import Path
from typing import TYPE_CHECKING

from memhub.errors import UnavailableError

if TYPE_CHECKING:
    from watchfiles.main import FileChange

QUIET_MS = 100
"""A store counts as changed once it has been quiet for so long."""
BUSY_MS = 500
"""A store that is never quiet is told about after so long all the same."""


def changes(roots: Sequence[Path], own: Path) -> Iterator[list[Path]]:
    """All roots once they are watched, then those below which something changed; nothing while all is quiet.

    It ends with the program. `own` is mh's file, whose changes are ours. Raises `UnavailableError` where the system
    does not let itself be watched.
    """
    places = {root: root.resolve() for root in roots}
    passed_over = own.resolve()
    seen: dict[str, tuple[int, int] | None] = {}
    with ExitStack() as open_ones:
        streams = [open_ones.enter_context(closing(stream)) for stream in _streams(list(places.values()))]
        try:
            for stream in streams:
                next(stream)
            yield list(roots)
            while True:
                for stream in streams:
                    paths = [Path(name) for _, name in next(stream) if _is_news(name, seen)]
                    paths = [path for path in paths if not _is_of(path, passed_over)]
                    yield [root for root, place in places.items() if any(_is_of(path, place) for path in paths)]
        except OSError as error:
            hint = "`mh import` without `--watch` brings in what there is now"
            raise UnavailableError(f"cannot watch: {error}", hint) from error


def _streams(places: Sequence[Path]) -> "Iterator[Generator[set[FileChange], None, None]]":
    """One for the folders with all below, one for the folders in which single files are; each starts when asked."""
    from watchfiles import watch

    folders = {place for place in places if place.is_dir()}
    beside = {place.parent for place in places if not place.is_dir()} - folders
    for some, is_deep in ((folders, True), (beside, False)):
        if some:
            yield watch(
                *some, recursive=is_deep, watch_filter=None, debounce=BUSY_MS, step=QUIET_MS, rust_timeout=QUIET_MS,
                yield_on_timeout=True, raise_interrupt=True, ignore_permission_denied=True,
            )  # fmt: skip


def _is_news(name: str, seen: dict[str, tuple[int, int] | None]) -> bool:
    """Whether a file is not as it was at its last notice. To read a store can cause one: SQLite sets owners anew."""
    try:
        info = os.stat(name)
        state = (info.st_mtime_ns, info.st_size)
    except OSError:
        state = None
    is_known = name in seen and seen[name] == state
    seen[name] = state
    return not is_known


def _is_of(path: Path, place: Path) -> bool:
    """Whether a path is a store, lies in it, or is the write-ahead log beside it."""
    beside = (f"{place.name}-wal", f"{place.name}-shm", f"{place.name}-journal")
    return path == place or place in path.parents or (path.parent == place.parent and path.name in beside)
