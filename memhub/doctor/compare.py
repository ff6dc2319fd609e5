"""Compares projections with what the log says: both as text without row numbers, so that a rebuild changes nothing."""

from typing import Any

import apsw

from memhub.store.connection import copy_of, query, transaction
from memhub.store.projection import rebuild

_SHOWN = "(SELECT hash FROM version WHERE version.n = item.shown)"
_SPACE = "(SELECT id FROM space WHERE space.n = {0}.space)"
_PROJECT = "(SELECT id FROM project WHERE project.n = {0}.project)"

TABLES: dict[str, str] = {
    "spaces": """SELECT id, name, description, alias_of,
        (SELECT end.id FROM space AS end WHERE end.n = space.resolved), is_dropped,
        (SELECT group_concat(other, ' ') FROM (SELECT other FROM space_reads WHERE space = space.n ORDER BY other))
        FROM space ORDER BY id""",
    "projects": """SELECT id, name, alias_of, (SELECT end.id FROM project AS end WHERE end.n = project.resolved)
        FROM project ORDER BY id""",
    "items": f"""SELECT id, suffix, layer, kind, title, {_SHOWN}, merged, state, is_present, flags,
        {_SPACE.format("item")}, {_PROJECT.format("item")}, importance, pinned, archived, created_at, created_ms,
        updated_at, updated_ms, added_ms, text_hash, key, place FROM item ORDER BY id""",
    "rulings": """SELECT ruling.id, fields, space.id FROM ruling JOIN space ON space.n = ruling.space
        ORDER BY ruling.id""",
    "labels": """SELECT item.id, label, name FROM item_label JOIN item ON item.n = item_label.item
        ORDER BY item.id, label""",
    "edges": "SELECT src, relation, dst, attrs, ordinal, hlc FROM edge ORDER BY src, relation, dst",
    "threads": f"""SELECT id, suffix, fields, {_SPACE.format("thread")}, {_PROJECT.format("thread")}, is_dropped,
        updated_ms FROM thread ORDER BY id""",
    "entities": """SELECT entity.id, name, type, alias_of, (SELECT end.id FROM entity AS end WHERE end.n = resolved),
        is_dropped, fields FROM entity ORDER BY entity.id""",
    "names": """SELECT entity_name.name, entity.id FROM entity_name JOIN entity ON entity.n = entity_name.entity
        ORDER BY entity_name.name, entity.id""",
    "quotes": "SELECT item, version, owner FROM span ORDER BY item, version",
    "chunks": """SELECT item.id, ordinal, start, stop, heading, hex(hash) FROM chunk JOIN item ON item.n = chunk.item
        ORDER BY item.id, ordinal""",
    "full text": """SELECT item.id, term, col, offset FROM temp.words_instance AS instance
        JOIN item ON item.n = instance.doc ORDER BY item.id, col, offset, term""",
}
"""What is compared, by the name a person reads."""


def open_full_text(connection: apsw.Connection) -> None:
    """Make the index readable word by word, for this connection alone."""
    connection.execute("CREATE VIRTUAL TABLE IF NOT EXISTS temp.words_instance USING fts5vocab(main, words, instance)")


def rows_of(connection: apsw.Connection, name: str) -> list[tuple[Any, ...]]:
    """The rows of one projection, in an order that depends on their content alone."""
    open_full_text(connection)
    return query(connection, TABLES[name])


def differences(connection: apsw.Connection) -> dict[str, int]:
    """For each projection, how many rows differ from a rebuild, which happens in a copy of the file."""
    found: dict[str, int] = {}
    with copy_of(connection) as copy:
        open_full_text(copy)
        for number, name in enumerate(TABLES):
            copy.execute(f"CREATE TABLE before_{number} AS {TABLES[name]}")
        with transaction(copy):
            rebuild(copy)
        for number, name in enumerate(TABLES):
            found[name] = _count(copy, number, TABLES[name])
    return found


def _count(connection: apsw.Connection, number: int, sql: str) -> int:
    """Rows that are on one side only."""
    before = f"SELECT * FROM before_{number}"
    gone = connection.execute(f"SELECT count(*) FROM ({before} EXCEPT SELECT * FROM ({sql}))").get
    new = connection.execute(f"SELECT count(*) FROM (SELECT * FROM ({sql}) EXCEPT {before})").get
    return int(max(gone, new))


def sequence_gaps(connection: apsw.Connection) -> list[tuple[str, int, int]]:
    """(device, entries there, highest number) for each device whose entries are not dense from 1."""
    rows = query(
        connection,
        """SELECT device.id, count(*), max(seq) FROM entry JOIN device ON device.n = entry.device
           GROUP BY entry.device HAVING count(*) <> max(seq) OR min(seq) <> 1 ORDER BY device.id""",
    )
    return [(device, count, highest) for device, count, highest in rows]
