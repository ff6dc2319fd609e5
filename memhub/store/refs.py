"""From what people type to full ids, and back to the shortest text that is still unique."""

from collections.abc import Iterable

import apsw

from memhub.errors import AmbiguousError, NotFoundError
from memhub.store.connection import query

MIN_SUFFIX = 6
_FULL = 26


def resolve(connection: apsw.Connection, table: str, reference: str) -> str:
    """The full id of an item (`table` "item") or thread that `reference`, an id or a suffix of one, names."""
    typed = reference.strip().lstrip("…").lower()
    if not typed or not typed.isascii() or not typed.isalnum():
        raise NotFoundError(
            f"no {table} `{reference}`", f"an id looks like `7k3f9q`; {_lister(table)} shows the last ids"
        )
    if len(typed) == _FULL:
        found = connection.execute(f"SELECT id FROM {table} WHERE id = ?", (typed,)).get
        if found is None:
            raise NotFoundError(f"no {table} …{typed[-6:]}", f"{_lister(table)} shows the last ids")
        return str(found)
    low, high = typed[::-1], typed[::-1] + "~"
    rows = query(connection, f"SELECT id FROM {table} WHERE suffix >= ? AND suffix < ? LIMIT 3", (low, high))
    if not rows:
        raise NotFoundError(f"no {table} …{typed}", f"{_lister(table)} shows the last ids")
    if len(rows) > 1:
        examples = ", ".join(row[0][-max(len(typed) + 2, MIN_SUFFIX) :] for row in rows)
        raise AmbiguousError(f"`{typed}` fits several {table}s: {examples} …", "type more of the id")
    return str(rows[0][0])


def resolve_operation(connection: apsw.Connection, reference: str) -> str:
    """The full id of an operation."""
    typed = reference.strip().lstrip("…").lower()
    ending = "".join(c for c in typed if c.isalnum())
    rows = connection.execute(
        "SELECT id FROM operation WHERE hlc IS NOT NULL AND substr(id, -length(?1)) = ?1 LIMIT 3", (ending,)
    ).fetchall()
    if not rows or not ending:
        raise NotFoundError(f"no operation …{typed}", "`mh log` shows the last operations")
    if len(rows) > 1:
        raise AmbiguousError(f"`{typed}` fits several operations", "type more of the id")
    return str(rows[0][0])


def shortest(connection: apsw.Connection, table: str, identifiers: Iterable[str]) -> dict[str, str]:
    """For each id its shortest suffix that no other id of the table has, at least 6 characters."""
    found: dict[str, str] = {}
    for identifier in identifiers:
        own = identifier[::-1]
        below = connection.execute(
            f"SELECT suffix FROM {table} WHERE suffix < ? ORDER BY suffix DESC LIMIT 1", (own,)
        ).get
        above = connection.execute(f"SELECT suffix FROM {table} WHERE suffix > ? ORDER BY suffix LIMIT 1", (own,)).get
        length = max(MIN_SUFFIX, *(_shared(own, other) + 1 for other in (below, above) if other), 0)
        found[identifier] = identifier[-length:]
    return found


def _shared(one: str, other: str) -> int:
    count = 0
    for a, b in zip(one, other, strict=False):
        if a != b:
            break
        count += 1
    return count


def _lister(table: str) -> str:
    return {"item": "`mh list`", "entity": "`mh entity list`"}.get(table, "`mh thread list`")
