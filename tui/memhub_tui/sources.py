"""Where the lists get their entries from: pages of rows while nothing is searched for, else the hits."""

from collections.abc import Sequence

from memhub.model.found import Hit
from memhub.model.item import Item
from memhub.model.row import Place, Row
from memhub.workspace import Memory
from memhub_tui.backend import Lane
from memhub_tui.query_line import Asked
from memhub_tui.widgets.pages import Fixed, Wanted

MOST_HITS = 200


class Rows:
    """Every item under the filters."""

    def __init__(self, lane: Lane, asked: Asked) -> None:
        self._lane = lane
        self._asked = asked

    async def page(self, wanted: Wanted[Row]) -> Sequence[Row]:
        """See `Source`. A place in the second half is counted from the end."""
        _, filters, sort, reverse, _ = self._asked
        after = wanted.after.place if wanted.after else None
        before = wanted.before.place if wanted.before else None
        offset, limit = 0 if after or before else wanted.offset, wanted.limit
        if wanted.total // 2 < offset < wanted.total:
            limit = min(limit, wanted.total - offset)
            offset = wanted.total - offset - limit
            page = await self._lane.run(
                lambda memory: memory.rows(filters, sort=sort, reverse=not reverse, limit=limit, offset=offset)
            )
            return page[::-1]
        return await self._lane.run(
            lambda memory: memory.rows(
                filters, sort=sort, reverse=reverse, limit=limit, offset=offset, after=after, before=before
            )
        )

    async def count(self) -> int:
        """See `Source`."""
        filters = self._asked.filters
        return await self._lane.run(lambda memory: memory.count(filters))


class Hits(Fixed[Row]):
    """What a search found, best first, and its notices."""

    def __init__(self, hits: Sequence[Hit], notices: Sequence[str]) -> None:
        super().__init__([row_of(hit.item, hit.snippet if not hit.item.title else None) for hit in hits])
        self.notices = notices


async def source_of(lane: Lane, asked: Asked) -> Rows | Hits:
    """The source for what the search box says."""
    if not asked.words.strip():
        return Rows(lane, asked)
    return await lane.run(lambda memory: _search(memory, asked))


def _search(memory: Memory, asked: Asked) -> Hits:
    found = memory.search(
        asked.words, asked.filters, exact=asked.exact, limit=MOST_HITS, prefix=True,
        mode=memory.config.text("search.mode"),
    )  # fmt: skip
    return Hits(found.hits, found.notices)


def row_of(item: Item, head: str | None = None) -> Row:
    """The row of an item that was read whole."""
    return Row(
        item.id, item.layer, item.kind, item.title, head or item.content[:300], item.labels, item.importance,
        item.pinned, item.state, item.flags, item.created_at, item.updated_at, Place(0, 0),
    )  # fmt: skip
