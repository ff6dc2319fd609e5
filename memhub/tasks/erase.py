"""Erases items down to the bytes of the file: log, texts, full text, vectors, free pages, write-ahead log."""

import apsw

from memhub.model.entry import Draft
from memhub.model.report import Erased
from memhub.store import entities, erasure
from memhub.store.store import Operation, Store

COPIES = "older backups, exports and git history may still hold the text"


def erase(store: Store, operation: Operation, items: list[str]) -> Erased:
    """Erase the items and what was drawn from them, then clean the file. An item erased already costs nothing."""
    connection = store.connection
    before = _texts(connection)
    present = connection.execute("SELECT count(*) FROM item WHERE state <> 'erased'").get
    wanted = [
        item
        for item in items
        if not connection.execute("SELECT 1 FROM entry WHERE key = ? AND kind = 'item.erase'", (item,)).fetchone()
    ]
    if wanted:
        store.commit(operation, lambda c: _drafts(c, wanted))
    left = connection.execute("SELECT count(*) FROM item WHERE state <> 'erased'").get
    notices = [COPIES]
    if not store.purge():
        notices.append(
            "another program has the file open; run `mh doctor` when it is done to empty the write-ahead log"
        )
    return Erased(present - left, before - _texts(connection), tuple(notices))


def _drafts(connection: apsw.Connection, items: list[str]) -> list[Draft]:
    """The erases, and what stays of the entities that these items spoke of."""
    kept = entities.kept(connection, erasure.reached(connection, items))
    return [*(Draft("item.erase", item, {}) for item in items), *kept]


def _texts(connection: apsw.Connection) -> int:
    return int(connection.execute("SELECT count(*) FROM version WHERE meta IS NOT NULL").get)
