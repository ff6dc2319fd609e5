"""One line of a long listing."""

from typing import Any, NamedTuple


class Place(NamedTuple):
    """Where a row stands in a list: the value it is sorted by, and the item's row number. Holds until it changes."""

    key: Any
    number: int


class Row(NamedTuple):
    """What a line shows of an item. `head` is the beginning of its text, at most 300 characters."""

    id: str
    layer: str
    kind: str
    title: str | None
    head: str
    labels: tuple[str, ...]
    importance: float | None
    pinned: bool
    state: str
    flags: tuple[str, ...]
    created_at: str | None
    updated_at: str
    place: Place
