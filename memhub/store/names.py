"""Spaces and projects: named groups with ids, of which one can become an alias of another."""

import apsw

from memhub.model.entry import Entry
from memhub.stamp import derived_id
from memhub.store.connection import query
from memhub.store.evaluate import in_order, registers

DEFAULT_SPACE = derived_id("space", "default")
TABLES = {"space.put": "space", "project.put": "project"}


def number_of(connection: apsw.Connection, table: str, identifier: str) -> int:
    """The row number of a space or project id; one only referred to so far gets a stand-in name."""
    row = connection.execute(f"SELECT n FROM {table} WHERE id = ?", (identifier,)).fetchone()
    if row is not None:
        return int(row[0])
    values = (identifier, _stand_in(table, identifier))
    connection.execute(f"INSERT INTO {table}(id, name, resolved) VALUES (?, ?, 0)", values)
    number = int(connection.last_insert_rowid())
    connection.execute(f"UPDATE {table} SET resolved = n WHERE n = ?", (number,))
    return number


def _stand_in(table: str, identifier: str) -> str:
    return "default" if identifier == DEFAULT_SPACE else f"{table}-{identifier[-6:]}"


def project_group(connection: apsw.Connection, table: str, identifier: str, entries: list[Entry]) -> None:
    """Write down what the log says of one space or project, then resolve all aliases again."""
    found = registers(in_order(entries))
    number = number_of(connection, table, identifier)
    alias = found.fields.get("alias_of")
    if "name" in found.fields:
        name = found.fields["name"] or _stand_in(table, identifier)  # an undo may have taken the only name
        connection.execute(f"UPDATE {table} SET name = ? WHERE n = ?", (name, number))
    connection.execute(f"UPDATE {table} SET alias_of = ? WHERE n = ?", (alias, number))
    if table == "space":
        connection.execute(
            "UPDATE space SET description = ?, is_dropped = ? WHERE n = ?",
            (found.fields.get("description") or "", bool(found.fields.get("dropped")), number),
        )
        connection.execute("DELETE FROM space_reads WHERE space = ?", (number,))
        reads = [(number, name) for name, _ in found.members.get("reads", {}).values()]
        connection.executemany("INSERT OR IGNORE INTO space_reads VALUES (?,?)", reads)
    if alias is not None:
        number_of(connection, table, alias)
    _resolve(connection, table)


def _resolve(connection: apsw.Connection, table: str) -> None:
    """Follow aliases to their end. Every member of a cycle resolves to its smallest id, so no order matters."""
    rows = query(connection, f"SELECT n, id, alias_of FROM {table}")
    alias = {identifier: target for _, identifier, target in rows if target}
    number = {identifier: n for n, identifier, _ in rows}
    for n, identifier, _ in rows:
        seen = [identifier]
        while (following := alias.get(seen[-1])) is not None and following not in seen:
            seen.append(following)
        end = seen[-1] if following is None else min(seen[seen.index(following) :])
        connection.execute(
            f"UPDATE {table} SET resolved = ? WHERE n = ? AND resolved <> ?", (number[end], n, number[end])
        )
