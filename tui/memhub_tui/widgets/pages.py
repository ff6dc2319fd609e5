"""Where the entries of a list come from, a page at a time."""

from collections.abc import Sequence
from typing import Generic, NamedTuple, Protocol, TypeVar

PAGE = 200


class HasId(Protocol):
    """What a list holds."""

    @property
    def id(self) -> str:
        """Unique in the list, and the same after it was read again."""
        ...


E = TypeVar("E", bound=HasId)


class Wanted(NamedTuple, Generic[E]):
    """A page to fetch: `limit` entries from `offset` on, of `total`, as far as known.

    `after` and `before` are the entries beside it, if known.
    """

    offset: int
    limit: int
    total: int = 0
    after: E | None = None
    before: E | None = None


class Source(Protocol[E]):
    """Where the entries come from."""

    async def page(self, wanted: Wanted[E]) -> Sequence[E]:
        """The entries of a page in their order; fewer at the end of the list."""
        ...

    async def count(self) -> int:
        """How many entries there are."""
        ...


class Fixed(Generic[E]):
    """A source that has everything already."""

    def __init__(self, entries: Sequence[E]) -> None:
        self.entries = entries

    async def page(self, wanted: Wanted[E]) -> Sequence[E]:
        """A slice."""
        return self.entries[wanted.offset : wanted.offset + wanted.limit]

    async def count(self) -> int:
        """The length."""
        return len(self.entries)
