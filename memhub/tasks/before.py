"""What earlier runs brought from a source, held against what is there now: what has moved, and what has vanished."""

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

import apsw

from memhub.model.record import Passed, Record, Skipped
from memhub.pipeline.records import Run, said_in
from memhub.store.canonical import text_hash

_FEW = 200


class Known(NamedTuple):
    """An item that an earlier run brought from this source."""

    item: str
    external_id: str
    path: str | None
    text_hash: int
    is_present: bool


class Before:
    """`known`: by external id. `vanished`: those of them that the source does not hold any more."""

    def __init__(self, connection: apsw.Connection, run: Run) -> None:
        self.known = _known(connection, run)
        self.vanished: dict[str, Known] = {}
        self._by_text: dict[int, str] = {}

    def cursors(self, cursors: Mapping[str, str]) -> dict[str, str]:
        """Those of places of which every item is still here: what was taken away here may come again from the rest."""
        absent = {row.path for row in self.known.values() if not row.is_present}
        return {place: value for place, value in cursors.items() if place not in absent}

    def compare(self, found: Iterable[Any]) -> list[Any] | None:
        """Look through a whole source for what has vanished. Returns what it yields, where that is little."""
        left = dict(self.known)
        unread: set[str | None] = set()
        kept: list[Any] | None = []
        records = 0
        for one in found:
            if isinstance(one, Record):
                left.pop(one.external_id, None)
                records += 1
            elif isinstance(one, Passed):
                for external_id in one.external_ids:
                    left.pop(external_id, None)
            elif isinstance(one, Skipped):
                unread.add(one.where)  # a file that cannot be read just now has not vanished
            if records > _FEW:
                kept = None
            if kept is not None:
                kept.append(one)
        self.vanished = {external_id: row for external_id, row in left.items() if row.path not in unread}
        self._by_text = _by_text(self.vanished)
        return kept

    def moved_from(self, record: Record) -> str | None:
        """The external id of the one vanished item with the text of this record."""
        return self._by_text.get(text_hash(said_in(record).content)) if self._by_text else None

    def is_found(self, external_id: str, item: str) -> None:
        """A vanished item turned up under another external id, if it is this one."""
        row = self.vanished.get(external_id)
        if row is not None and row.item == item:
            del self.vanished[external_id]
            del self._by_text[row.text_hash]


def _known(connection: apsw.Connection, run: Run) -> dict[str, Known]:
    """Items of earlier runs by the external id that they have now."""
    rows = connection.execute(
        """SELECT item.id, coalesce(item.place ->> 'external_id', version.meta -> 'source' ->> 'external_id'),
             coalesce(item.place ->> 'path', version.meta -> 'source' ->> 'path'), item.text_hash, item.is_present,
             item.key
           FROM item JOIN version ON version.n = item.shown WHERE item.key IS NOT NULL
             AND version.meta -> 'source' ->> 'kind' = ? AND version.meta -> 'source' ->> 'scope' = ?""",
        (run.kind, run.scope),
    )
    return {
        row[1]: Known(row[0], row[1], row[2], row[3], bool(row[4])) for row in rows if row[5] == run.key(str(row[1]))
    }


def _by_text(vanished: dict[str, Known]) -> dict[int, str]:
    """Text → the one vanished external id that had it; two with the same text cannot be told apart."""
    found: dict[int, str] = {}
    doubled = set()
    for external_id, row in vanished.items():
        if row.is_present and row.text_hash is not None:
            if row.text_hash in found:
                doubled.add(row.text_hash)
            found[row.text_hash] = external_id
    return {digest: external_id for digest, external_id in found.items() if digest not in doubled}
