"""What an erase takes: every text of the item, and every text drawn from it, wherever and whenever it arrives."""

import json
from collections.abc import Iterable

import apsw

from memhub.model.entry import Entry
from memhub.store import log, rulings
from memhub.store.canonical import dumps
from memhub.store.connection import query
from memhub.store.evaluate import edge_key, in_order


def spread(connection: apsw.Connection, items: Iterable[str], entries: Iterable[Entry]) -> set[str]:
    """Blank the texts that erases reach through spans; returns the items that lost one.

    A version is erased when its item is, or when a span of it lies in an item that is erased or was itself drawn from
    one. That only ever grows with more entries, so the order in which they arrive does not matter.
    """
    note_spans(connection, entries)
    lost: set[str] = set()
    seen: set[str] = set()
    queue = [item for item in _may_be_tainted(connection, items) if is_tainted(connection, item)]
    while queue:
        item = queue.pop()
        if item not in seen:
            seen.add(item)
            lost.update(_blank(connection, item))
            # a text that has not arrived loses nothing now, but what was drawn from it does
            queue += [row[0] for row in connection.execute("SELECT DISTINCT owner FROM span WHERE item = ?", (item,))]
    return lost


def note_spans(connection: apsw.Connection, entries: Iterable[Entry]) -> None:
    """Write down which versions quote which items."""
    rows = [
        (source, entry.payload["hash"], entry.key)
        for entry in entries
        if entry.kind == "version.put"
        for source in entry.payload.get("spans", ())
    ]
    connection.executemany("INSERT OR IGNORE INTO span VALUES (?,?,?)", rows)


def takes(connection: apsw.Connection, version: str, item: str, meta: str) -> bool:
    """Whether an erase known here takes a text that arrives; what it quotes is noted, its entry may come later."""
    if '"spans":[]' not in meta:
        for source in json.loads(meta)["spans"]:
            connection.execute("INSERT OR IGNORE INTO span VALUES (?,?,?)", (source, version, item))
    if is_erased(connection, item):
        return True
    rows = query(connection, "SELECT item FROM span WHERE owner = ? AND version = ?", (item, version))
    return any(is_tainted(connection, source) for (source,) in rows)


def needs_purge(connection: apsw.Connection) -> bool:
    """Whether something was blanked whose bytes `Store.purge` has not taken out of the file yet."""
    return connection.execute("SELECT 1 FROM meta WHERE key = 'purge'").fetchone() is not None


def forget_purge(connection: apsw.Connection) -> None:
    """The file is clean."""
    connection.execute("DELETE FROM meta WHERE key = 'purge'")


def _ask_purge(connection: apsw.Connection) -> None:
    connection.execute("INSERT OR REPLACE INTO meta VALUES ('purge', '1')")


def is_erased(connection: apsw.Connection, item: str) -> bool:
    """Whether the log holds an erase of this item."""
    found = connection.execute("SELECT 1 FROM entry WHERE key = ? AND kind = 'item.erase' LIMIT 1", (item,))
    return found.fetchone() is not None


def is_tainted(connection: apsw.Connection, item: str, seen: frozenset[str] = frozenset()) -> bool:
    """Whether the item is erased, or any version of it was drawn from one that is."""
    erased, quotes = query(
        connection,
        """SELECT EXISTS (SELECT 1 FROM entry WHERE key = ?1 AND kind = 'item.erase'),
                  EXISTS (SELECT 1 FROM span WHERE owner = ?1)""",
        (item,),
    )[0]
    if erased or not quotes:
        return bool(erased)
    rows = query(connection, "SELECT DISTINCT item FROM span WHERE owner = ?", (item,))
    return any(is_tainted(connection, source, seen | {item}) for (source,) in rows if source not in seen)


def _may_be_tainted(connection: apsw.Connection, items: Iterable[str]) -> list[str]:
    """Those of the items that are erased or quote another; of most items neither is so."""
    rows = query(
        connection,
        """SELECT value FROM json_each(?)
           WHERE EXISTS (SELECT 1 FROM entry WHERE key = value AND kind = 'item.erase')
              OR EXISTS (SELECT 1 FROM span WHERE owner = value)""",
        (dumps(list(items)),),
    )
    return [item for (item,) in rows]


def _blank(connection: apsw.Connection, item: str) -> set[str]:
    """Blank what the erase of (or through) `item` reaches one step on; returns the items that lost a text just now."""
    lost: set[str] = set()
    if is_erased(connection, item):
        connection.execute(
            "UPDATE version SET title = NULL, content = NULL, meta = NULL WHERE item = ? AND meta IS NOT NULL", (item,)
        )
        if connection.changes():
            lost.add(item)
            _ask_purge(connection)
    own = query(connection, "SELECT DISTINCT item, version FROM span WHERE owner = ?", (item,))
    for source, version in own:
        if is_tainted(connection, source) and _blank_version(connection, version):
            lost.add(item)
    for version, owner in query(connection, "SELECT version, owner FROM span WHERE item = ?", (item,)):
        if _blank_version(connection, version):
            lost.add(owner)
    return lost


def _blank_version(connection: apsw.Connection, version: str) -> bool:
    connection.execute(
        "UPDATE version SET title = NULL, content = NULL, meta = NULL WHERE hash = ? AND meta IS NOT NULL", (version,)
    )
    if not connection.changes():
        return False
    _ask_purge(connection)
    return True


def scrub(connection: apsw.Connection, item: str) -> None:
    """Take out of the log what entries of an erased item say; ids, hashes and the source key's digest stay."""
    for entry in log.entries_of(connection, item):
        bare = _bare(entry)
        if bare != entry.payload:
            _rewrite(connection, entry, bare)


def scrub_around(connection: apsw.Connection, items: set[str]) -> None:
    """Take out what else speaks of items erased just now: edges, dropped ones too, waiting entries, foreign records."""
    keys = query(connection, "SELECT DISTINCT key FROM entry WHERE kind = 'edge.put'")
    for (key,) in keys:
        src, relation, dst = key.split(" ", 2)
        if src in items or dst in items:
            scrub_edge(connection, src, relation, dst)
    connection.execute("DELETE FROM ruling_cache")
    _leave_communities(connection, items)
    for item in items:
        connection.execute("DELETE FROM queue WHERE item = ?", (item,))
        connection.execute("DELETE FROM extra WHERE instr(lower(line), ?)", (item,))
        if connection.changes():
            _ask_purge(connection)
        rows = query(connection, "SELECT device, seq, line FROM waiting WHERE instr(line, ?)", (item,))
        for device, seq, line in rows:
            entry = Entry(*json.loads(line))
            bare = entry._replace(payload=_bare(entry))
            if bare != entry:
                connection.execute(
                    "UPDATE waiting SET line = ? WHERE device = ? AND seq = ?", (dumps(bare), device, seq)
                )
                _ask_purge(connection)


def _leave_communities(connection: apsw.Connection, items: set[str]) -> None:
    """Take erased items out of their groups, and from these the names, which were made of what was said."""
    rows = "SELECT n FROM item WHERE id IN (SELECT value FROM json_each(?))"
    connection.execute(
        f"""UPDATE community SET name = ''
            WHERE n IN (SELECT community FROM community_item WHERE item IN ({rows}))""",
        (dumps(list(items)),),
    )
    if connection.changes():
        _ask_purge(connection)
    connection.execute(f"DELETE FROM community_item WHERE item IN ({rows})", (dumps(list(items)),))


def scrub_edge(connection: apsw.Connection, src: str, relation: str, dst: str) -> None:
    """Take out of the log, and of the edge, what the entries of one edge say beyond its ordinal."""
    left: dict[str, object] = {}
    entries = in_order(log.entries_of(connection, edge_key(src, relation, dst)))
    for entry in entries:
        bare = _bare(entry)
        if bare != entry.payload:
            _rewrite(connection, entry, bare)
        if entry is entries[-1]:
            left = bare.get("attrs", {})  # type: ignore[assignment]
    where = "WHERE src = ? AND relation = ? AND dst = ?"
    connection.execute(f"UPDATE edge SET attrs = ? {where}", (dumps(left), src, relation, dst))


def scrub_rulings(connection: apsw.Connection, items: set[str]) -> None:
    """Take the words out of every ruling that speaks of one of these items."""
    for item in items:
        for stored in rulings.of_item(connection, item):
            scrub_ruling(connection, stored.id)
            rulings.project_ruling(connection, stored.id)


def scrub_ruling(connection: apsw.Connection, key: str) -> None:
    """Take the words out of a ruling that speaks of an erased item; what was done stays."""
    entries = log.entries_of(connection, key)
    items = {item for entry in entries for item in rulings.spoken_of(entry.payload.get("set", {}))}
    if any(is_tainted(connection, item) for item in items):
        for entry in entries:
            fields = entry.payload.get("set", {})
            bare = {name: value for name, value in fields.items() if name not in rulings.TEXTS}
            if bare != fields:
                _rewrite(connection, entry, {**entry.payload, "set": bare})


def reached(connection: apsw.Connection, items: Iterable[str]) -> set[str]:
    """The items that an erase of `items` takes a text from: these, and what was drawn from them."""
    found: set[str] = set()
    queue = list(items)
    while queue:
        item = queue.pop()
        if item not in found:
            found.add(item)
            queue += [row[0] for row in connection.execute("SELECT DISTINCT owner FROM span WHERE item = ?", (item,))]
    return found


def scrub_entity(connection: apsw.Connection, key: str) -> None:
    """Take the names out of every entry of an entity that was read in erased items alone."""
    from memhub.store import entities

    entries = log.entries_of(connection, key)
    for entry, bare in entities.scrub(connection, entries, lambda item: is_tainted(connection, item)):
        _rewrite(connection, entry, bare)


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
    _ask_purge(connection)
