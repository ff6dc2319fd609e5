"""Follows stores of other programs through the file system's notifications, and says which of them changed."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from threading import Event

QUIET_MS = 250
"""A store counts as changed once it has been quiet for so long."""
BUSY_MS = 1000
"""A store that is never quiet is told about after so long all the same."""


def changes(roots: Sequence[Path], stop: Event | None = None) -> Iterator[list[Path]]:
    """The roots below which something changed, as it happens, until `stop` is set or the program is interrupted."""
    from watchfiles import watch

    places = {root: root.resolve() for root in roots}
    folders = {place if place.is_dir() else place.parent for place in places.values()}
    for found in watch(
        *folders, watch_filter=None, debounce=BUSY_MS, step=QUIET_MS, stop_event=stop, raise_interrupt=True
    ):
        paths = [Path(name) for _, name in found]
        touched = [root for root, place in places.items() if any(_is_of(path, place) for path in paths)]
        if touched:
            yield touched


def _is_of(path: Path, place: Path) -> bool:
    """Whether a path is a store, lies in it, or is the write-ahead log beside it."""
    return path == place or place in path.parents or path.name in (f"{place.name}-wal", f"{place.name}-shm")
