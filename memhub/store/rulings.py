"""Rulings as the log holds them: what became of a statement, why, and by whom."""

import json
from typing import Any, NamedTuple

import apsw

from memhub.errors import AmbiguousError, NotFoundError
from memhub.store import log, names
from memhub.store.canonical import dumps
from memhub.store.connection import query
from memhub.store.evaluate import in_order, registers

TEXTS = ("text", "reason", "difference")
"""Fields of a ruling that an erase of anything it speaks of takes away."""


class Stored(NamedTuple):
    """One ruling: its fields as `ruling.put` wrote them, and when."""

    id: str
    at: int
    operation: str
    fields: dict[str, Any]


def project_ruling(connection: apsw.Connection, key: str) -> None:
    """Write down what the log says of one ruling, and of which items it speaks."""
    entries = in_order(log.entries_of(connection, key))
    fields = registers(entries).fields
    number = connection.execute(
        """INSERT INTO ruling(id, suffix, at, hlc, space, operation, fields) VALUES (?,?,?,?,?,?,?)
           ON CONFLICT(id) DO UPDATE SET fields = excluded.fields, space = excluded.space RETURNING n""",
        (
            key, key[::-1], entries[0].at, entries[0].hlc,
            names.number_of(connection, "space", fields.get("space") or names.DEFAULT_SPACE),
            entries[0].operation, dumps(fields),
        ),
    ).get  # fmt: skip
    connection.execute("DELETE FROM ruling_item WHERE ruling = ?", (number,))
    for item in spoken_of(fields):
        connection.execute("INSERT OR IGNORE INTO ruling_item VALUES (?,?)", (item, number))


def spoken_of(fields: dict[str, Any]) -> list[str]:
    """Ids of the items that a ruling speaks of: source, result, targets."""
    named = [fields.get("source"), fields.get("item"), *fields.get("targets", ())]
    return [item for item in dict.fromkeys(named) if item]


def of_item(connection: apsw.Connection, item: str) -> list[Stored]:
    """Rulings that speak of an item, newest first."""
    return _read(
        connection,
        "JOIN ruling_item ON ruling_item.ruling = ruling.n WHERE ruling_item.item = ? ORDER BY ruling.hlc DESC",
        (item,),
    )


def latest(connection: apsw.Connection, spaces: list[int], limit: int, offset: int) -> list[Stored]:
    """Rulings of these spaces, newest first; `limit` 0 means all."""
    marks = ",".join("?" * len(spaces))
    return _read(
        connection,
        f"WHERE ruling.space IN ({marks}) ORDER BY ruling.hlc DESC LIMIT ? OFFSET ?",
        (*spaces, limit or -1, offset),
    )


def named(connection: apsw.Connection, reference: str) -> Stored:
    """The ruling with this id, or whose id ends so."""
    typed = reference.strip().lstrip("…").lower()
    found: list[Stored] = []
    if typed.isascii() and typed.isalnum():
        low = typed[::-1]
        found = _read(connection, "WHERE ruling.suffix >= ? AND ruling.suffix < ? LIMIT 2", (low, low + "~"))
    if not found:
        raise NotFoundError(f"no ruling `{reference}`", "`mh rulings` shows the last ones")
    if len(found) > 1:
        raise AmbiguousError(f"`{reference}` fits several rulings", "type more of the id")
    return found[0]


def _read(connection: apsw.Connection, rest: str, values: tuple[Any, ...]) -> list[Stored]:
    rows = query(connection, f"SELECT ruling.id, ruling.at, ruling.operation, ruling.fields FROM ruling {rest}", values)
    stored = [Stored(identifier, at, operation, json.loads(fields)) for identifier, at, operation, fields in rows]
    return [one for one in stored if not one.fields.get("dropped")]
