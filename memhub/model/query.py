"""What a read asks for."""

from typing import NamedTuple


class Range(NamedTuple):
    """A span of time in the user's zone, both ends included.

    `days` compares plain dates (`YYYY-MM-DD`, inclusive); `instants` compares times: Unix ms, half open.
    An open end is None.
    """

    days: tuple[str | None, str | None] = (None, None)
    instants: tuple[int | None, int | None] = (None, None)


class Filters(NamedTuple):
    """Conditions that every read path applies alike; empty tuples and None ask for nothing.

    `alone` leaves out the spaces that the space may read. `dated` False asks for what has no time at all, which is in
    no range.
    """

    labels: tuple[str, ...] = ()
    kinds: tuple[str, ...] = ()
    layers: tuple[str, ...] = ()
    space: str | None = None
    project: str | None = None
    created: Range | None = None
    importance: float | None = None
    states: tuple[str, ...] = ("live",)
    pinned: bool | None = None
    alone: bool = False
    dated: bool | None = None
