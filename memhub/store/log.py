"""Reads and writes the rows of truth: devices, operations, entries and versions."""

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import apsw

from memhub.model import EMPTY
from memhub.model.entry import Entry, Version
from memhub.store.canonical import dumps, hash_row, meta_of, version_of

_COLUMNS = """device.id, entry.seq, entry.hlc, entry.at, entry.kind, entry.key, entry.payload, operation.id,
    entry.request FROM entry JOIN device ON device.n = entry.device JOIN operation ON operation.n = entry.operation"""


def device_number(connection: apsw.Connection, device: str) -> int:
    """The row number of a device, made when it is new."""
    connection.execute("INSERT OR IGNORE INTO device(id) VALUES (?)", (device,))
    return int(connection.execute("SELECT n FROM device WHERE id = ?", (device,)).get)


def operation_number(connection: apsw.Connection, operation: str) -> int:
    """The row number of an operation; its other columns come with its `op.put`."""
    connection.execute("INSERT OR IGNORE INTO operation(id) VALUES (?)", (operation,))
    return int(connection.execute("SELECT n FROM operation WHERE id = ?", (operation,)).get)


def append(connection: apsw.Connection, entries: Iterable[Entry]) -> list[Entry]:
    """Write the entries that are not there yet, and return these."""
    devices: dict[str, int] = {}
    operations: dict[str, int] = {}
    new: list[Entry] = []
    for entry in entries:
        if entry.device not in devices:
            devices[entry.device] = device_number(connection, entry.device)
        if entry.operation not in operations:
            operations[entry.operation] = operation_number(connection, entry.operation)
        row = (
            devices[entry.device], entry.seq, entry.hlc, entry.at, entry.kind, entry.key, dumps(entry.payload),
            operations[entry.operation], entry.request,
        )  # fmt: skip
        connection.execute("INSERT OR IGNORE INTO entry VALUES (?,?,?,?,?,?,?,?,?)", row)
        if connection.changes():
            new.append(entry)
    return new


def write(connection: apsw.Connection, entries: Sequence[Entry]) -> None:
    """Write entries of one operation that this device has just made: nobody has seen them before."""
    if entries:
        device, operation = entries[0].device, entries[0].operation
        ends = device_number(connection, device), operation_number(connection, operation)
        connection.executemany(
            "INSERT INTO entry VALUES (?,?,?,?,?,?,?,?,?)",
            [(ends[0], e.seq, e.hlc, e.at, e.kind, e.key, dumps(e.payload), ends[1], e.request) for e in entries],
        )


def _entry(row: Sequence[Any]) -> Entry:
    device, seq, hlc, at, kind, key, payload, operation, request = row
    return Entry(device, seq, hlc, at, kind, key, json.loads(payload), operation, request)


def entries_of(connection: apsw.Connection, key: str) -> list[Entry]:
    """All entries about one thing."""
    return [_entry(row) for row in connection.execute(f"SELECT {_COLUMNS} WHERE entry.key = ?", (key,))]


def entries_by_key(connection: apsw.Connection, keys: Iterable[str]) -> dict[str, list[Entry]]:
    """All entries about each of many things; those that nothing is known of are left out."""
    found: dict[str, list[Entry]] = {}
    for row in connection.execute(
        f"SELECT {_COLUMNS} WHERE entry.key IN (SELECT value FROM json_each(?))", (dumps(list(keys)),)
    ):
        entry = _entry(row)
        found.setdefault(entry.key, []).append(entry)
    return found


def entries_of_operation(connection: apsw.Connection, operation: str) -> list[Entry]:
    """All entries of one operation, or all that came with an import of an export, by clock."""
    rows = connection.execute(
        f"SELECT {_COLUMNS} WHERE operation.id = ? ORDER BY entry.hlc, device.id, entry.seq", (operation,)
    )
    found = [_entry(row) for row in rows]
    if not is_import(connection, operation):
        return found
    rows = connection.execute(
        f"""SELECT {_COLUMNS} JOIN imported ON imported.operation = ? AND imported.device = entry.device
            AND entry.seq BETWEEN imported.first AND imported.last ORDER BY entry.hlc, device.id, entry.seq""",
        (operation,),
    )
    return found + [_entry(row) for row in rows]


def is_import(connection: apsw.Connection, operation: str) -> bool:
    """Whether the operation is the local record of an import that brought entries of other devices."""
    found = connection.execute("SELECT 1 FROM imported WHERE operation = ? LIMIT 1", (operation,))
    return found.fetchone() is not None


def note_import(connection: apsw.Connection, operation: str, entries: Iterable[Entry]) -> None:
    """Remember which entries an import brought, as ranges of sequence numbers."""
    for entry in entries:
        device = device_number(connection, entry.device)
        connection.execute(
            "UPDATE imported SET last = ?1 WHERE operation = ?2 AND device = ?3 AND last = ?1 - 1",
            (entry.seq, operation, device),
        )
        if not connection.changes():
            connection.execute("INSERT INTO imported VALUES (?,?,?,?)", (operation, device, entry.seq, entry.seq))


def all_entries(connection: apsw.Connection) -> Iterable[Entry]:
    """Every entry, by device and sequence."""
    for row in connection.execute(f"SELECT {_COLUMNS} ORDER BY device.id, entry.seq"):
        yield _entry(row)


_PUT_TEXT = """INSERT INTO version(hash, item, title, content, meta) VALUES (?,?,?,?,?)
    ON CONFLICT(hash) DO UPDATE SET title = excluded.title, content = excluded.content, meta = excluded.meta
    WHERE version.meta IS NULL AND excluded.meta IS NOT NULL"""


def put_versions(connection: apsw.Connection, versions: Iterable[Version]) -> list[str]:
    """Store texts, each once, and return their hashes."""
    rows = []
    for version in versions:
        meta = meta_of(version)
        found = hash_row(version.item, version.title, version.content, meta)
        rows.append((found, version.item, version.title, version.content, meta))
    connection.executemany(_PUT_TEXT, rows)
    return [row[0] for row in rows]


def put_text(
    connection: apsw.Connection, version_hash: str, item: str, title: str | None, content: str | None, meta: str | None
) -> bool:
    """Store the row of a version; a row that is only known by hash gets its text, one with a text keeps it.

    Returns whether anything changed.
    """
    connection.execute(_PUT_TEXT, (version_hash, item, title, content, meta))
    return bool(connection.changes())


def load_version(connection: apsw.Connection, version_hash: str) -> Version | None:
    """A version by hash; None when its text was erased or has not arrived."""
    row = connection.execute(
        "SELECT item, title, content, meta FROM version WHERE hash = ?", (version_hash,)
    ).fetchone()
    return None if row is None or row[3] is None else version_of(*row)


class Recent:
    """Entries and texts of things. What was just written and is all there is, is not read back."""

    def __init__(
        self, connection: apsw.Connection, entries: Iterable[Entry], versions: Mapping[str, Version] = EMPTY
    ) -> None:
        self._connection = connection
        self._versions = versions
        self._new: dict[str, list[Entry]] = {}
        for entry in entries:
            self._new.setdefault(entry.key, []).append(entry)
        rows = connection.execute(
            "SELECT key, count(*) FROM entry WHERE key IN (SELECT value FROM json_each(?)) GROUP BY key",
            (dumps(list(self._new)),),
        )
        self._older = {key for key, count in rows if count > len(self._new[key])}

    def entries(self, key: str) -> list[Entry]:
        """All entries about one thing."""
        new = self._new.get(key)
        return entries_of(self._connection, key) if new is None or key in self._older else new

    def version(self, version_hash: str) -> Version | None:
        """A text by hash."""
        return self._versions.get(version_hash) or load_version(self._connection, version_hash)
