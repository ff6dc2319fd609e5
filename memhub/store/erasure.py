"""What an erase takes: every text of the item, and every text drawn from it, wherever and whenever it arrives."""

from collections.abc import Iterable

import apsw

from memhub.model.entry import Entry
from memhub.store import log
from memhub.store.canonical import dumps
from memhub.store.connection import query
from memhub.store.evaluate import edge_key


def spread(connection: apsw.Connection, items: Iterable[str], entries: Iterable[Entry]) -> set[str]:
    """Blank the texts that erases reach through spans; returns the items that lost one.

    A version is erased when its item is, or when a span of it lies in an item that is erased or was itself drawn from
    one. That only ever grows with more entries, so the order in which they arrive does not matter.
    """
    for entry in entries:
        for source in entry.payload.get("spans", ()) if entry.kind == "version.put" else ():
            row = (source, entry.payload["hash"], entry.key)
            connection.execute("INSERT OR IGNORE INTO span VALUES (?,?,?)", row)
    lost: set[str] = set()
    queue = [item for item in items if is_tainted(connection, item)]
    while queue:
        gone = _blank(connection, queue.pop())
        lost.update(gone)
        queue.extend(gone)
    return lost


def is_erased(connection: apsw.Connection, item: str) -> bool:
    """Whether the log holds an erase of this item."""
    found = connection.execute("SELECT 1 FROM entry WHERE key = ? AND kind = 'item.erase' LIMIT 1", (item,))
    return found.fetchone() is not None


def is_tainted(connection: apsw.Connection, item: str, seen: frozenset[str] = frozenset()) -> bool:
    """Whether the item is erased, or any version of it was drawn from one that is."""
    if is_erased(connection, item):
        return True
    rows = query(connection, "SELECT DISTINCT item FROM span WHERE owner = ?", (item,))
    return any(is_tainted(connection, source, seen | {item}) for (source,) in rows if source not in seen)


def _blank(connection: apsw.Connection, item: str) -> set[str]:
    """Blank what the erase of (or through) `item` reaches one step on; returns owners that lost a text just now."""
    lost: set[str] = set()
    if is_erased(connection, item):
        connection.execute(
            "UPDATE version SET title = NULL, content = NULL, meta = NULL WHERE item = ? AND meta IS NOT NULL", (item,)
        )
    own = query(connection, "SELECT DISTINCT item, version FROM span WHERE owner = ?", (item,))
    for source, version in own:
        if is_tainted(connection, source):
            _blank_version(connection, version)
    for version, owner in query(connection, "SELECT version, owner FROM span WHERE item = ?", (item,)):
        if _blank_version(connection, version):
            lost.add(owner)
    return lost


def _blank_version(connection: apsw.Connection, version: str) -> bool:
    connection.execute(
        "UPDATE version SET title = NULL, content = NULL, meta = NULL WHERE hash = ? AND meta IS NOT NULL", (version,)
    )
    return bool(connection.changes())


def scrub(connection: apsw.Connection, item: str) -> None:
    """Take out of the log what entries of an erased item say; ids, hashes and the source key's digest stay."""
    for entry in log.entries_of(connection, item):
        bare = _bare(entry)
        if bare != entry.payload:
            _rewrite(connection, entry, bare)
    rows = query(
        connection,
        "SELECT src, relation, dst FROM edge WHERE src = ?1 UNION SELECT src, relation, dst FROM edge WHERE dst = ?1",
        (item,),
    )
    for src, relation, dst in rows:
        scrub_edge(connection, src, relation, dst)


def scrub_edge(connection: apsw.Connection, src: str, relation: str, dst: str) -> dict[str, object]:
    """Take out of the log what the entries of one edge say; returns the attributes that are left."""
    left: dict[str, object] = {}
    for entry in log.entries_of(connection, edge_key(src, relation, dst)):
        bare = _bare(entry)
        if bare != entry.payload:
            _rewrite(connection, entry, bare)
        left = bare.get("attrs", {})  # type: ignore[assignment]
    where = "WHERE src = ? AND relation = ? AND dst = ?"
    connection.execute(f"UPDATE edge SET attrs = ? {where}", (dumps(left), src, relation, dst))
    return left


def _bare(entry: Entry) -> dict[str, object]:
    payload = entry.payload
    if entry.kind == "item.set":
        kept = {name: payload["set"][name] for name in ("space", "key") if name in payload.get("set", {})}
        return {"set": kept} if kept else {}
    if entry.kind == "edge.put":
        attrs = payload.get("attrs", {})
        return {**payload, "attrs": {"ordinal": attrs["ordinal"]} if "ordinal" in attrs else {}}
    return payload


def _rewrite(connection: apsw.Connection, entry: Entry, payload: dict[str, object]) -> None:
    connection.execute(
        "UPDATE entry SET payload = ? WHERE device = (SELECT n FROM device WHERE id = ?) AND seq = ?",
        (dumps(payload), entry.device, entry.seq),
    )
