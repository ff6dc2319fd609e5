"""What a search answers."""

from dataclasses import dataclass
from typing import Any, NamedTuple

from memhub.model.item import Item


class Why(NamedTuple):
    """One way that found a hit: its rank there (from 1) and its normalised score (0 to 1)."""

    way: str
    rank: int
    score: float


@dataclass(frozen=True)
class Hit:
    """A found item. `snippet` is plain text, `marks` the (start, end) ranges in it that the query matched."""

    item: Item
    score: float
    snippet: str
    marks: tuple[tuple[int, int], ...]
    why: tuple[Why, ...]
    folded: tuple[str, ...] = ()
    near: str | None = None


@dataclass(frozen=True)
class Found:
    """The answer to one search: hits best first, and what the user should know about how it was done."""

    hits: tuple[Hit, ...]
    notices: tuple[str, ...] = ()
    explain: dict[str, Any] | None = None
