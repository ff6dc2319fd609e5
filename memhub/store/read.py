"""Reads items, versions, edges and operations as the types of the model."""

import json
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import apsw

from memhub.errors import UsageError
from memhub.model.entry import OperationInfo
from memhub.model.item import Item, Source
from memhub.model.query import Filters
from memhub.stamp import iso
from memhub.store import log
from memhub.store.canonical import dumps, version_of
from memhub.store.connection import query
from memhub.store.evaluate import item_state
from memhub.store.filters import where
from memhub.store.support import Voice, confidence, independent, voices_of

if TYPE_CHECKING:
    from memhub.model.trail import Edge, VersionInfo

_ITEM = """SELECT item.n, item.id, item.layer, item.kind, item.title, item.importance, item.pinned, item.state,
    item.flags, item.created_at, item.updated_at, item.merged, item.place, version.hash, version.content, version.meta,
    coalesce(end.name, space.name), coalesce(whole.name, project.name),
    (SELECT json_group_array(name) FROM (SELECT name FROM item_label WHERE item_label.item = item.n ORDER BY label))
    FROM item LEFT JOIN version ON version.n = item.shown
    JOIN space ON space.n = item.space LEFT JOIN space AS end ON end.n = space.resolved
    LEFT JOIN project ON project.n = item.project LEFT JOIN project AS whole ON whole.n = project.resolved"""

MOST_ITEMS = 1000
"""Of how many items an operation tells the ids; a large import touched more."""

SORTS = {
    "created": "coalesce(item.created_ms, item.updated_ms)",
    "updated": "item.updated_ms",
    "added": "item.added_ms",
    "importance": "coalesce(item.importance, -1)",
    "title": "coalesce(item.title, '') COLLATE NOCASE",
}


def load_items(connection: apsw.Connection, numbers: Iterable[int]) -> dict[int, Item]:
    """Items by row number; numbers that no longer exist are left out."""
    wanted = list(numbers)
    found: dict[int, Item] = {}
    for start in range(0, len(wanted), 500):
        some = wanted[start : start + 500]
        rows = query(connection, f"{_ITEM} WHERE item.n IN ({','.join('?' * len(some))})", some)
        voices = voices_of(connection, [row[1] for row in rows if row[2] != "L0"])
        found.update({row[0]: _item(row, voices.get(row[1], [])) for row in rows})
    return found


def item_by_id(connection: apsw.Connection, identifier: str) -> Item | None:
    """One item by its full id, whatever its state."""
    row = connection.execute(f"{_ITEM} WHERE item.id = ?", (identifier,)).fetchone()
    return None if row is None else _item(row, voices_of(connection, [identifier]).get(identifier, []))


def items_by_ids(connection: apsw.Connection, identifiers: Iterable[str]) -> list[Item]:
    """Items in the order asked for; unknown ids are left out."""
    wanted = list(identifiers)
    rows = query(connection, "SELECT id, n FROM item WHERE id IN (SELECT value FROM json_each(?))", (dumps(wanted),))
    numbers = {str(identifier): int(number) for identifier, number in rows}
    found = load_items(connection, numbers.values())
    return [found[numbers[identifier]] for identifier in wanted if identifier in numbers]


def list_items(
    connection: apsw.Connection, filters: Filters, *, sort: str, reverse: bool, limit: int, offset: int
) -> list[Item]:
    """Items under the filters: newest, most important or first by title on top. `limit` 0 means all."""
    if sort not in SORTS:
        raise UsageError(f"cannot sort by `{sort}`", f"sorts are {', '.join(SORTS)}")
    sql, values = listed(connection, filters)
    down = (sort != "title") ^ reverse
    order = "DESC" if down else "ASC"
    numbers = connection.execute(
        f"SELECT item.n FROM item WHERE {sql} ORDER BY {SORTS[sort]} {order}, item.n {order} LIMIT ? OFFSET ?",
        (*values, limit or -1, offset),
    )
    ordered = [row[0] for row in numbers]
    found = load_items(connection, ordered)
    return [found[number] for number in ordered]


def listed(connection: apsw.Connection, filters: Filters) -> tuple[str, list[Any]]:
    """The condition of listings: profile lines only when asked for."""
    sql, values = where(connection, filters)
    if not filters.layers and not filters.kinds:
        sql += " AND item.kind <> 'profile'"  # `mh profile` shows these; their words stand in what they came from
    return sql, values


def count_items(connection: apsw.Connection, filters: Filters) -> int:
    """How many items a list under the filters has."""
    sql, values = listed(connection, filters)
    return int(connection.execute(f"SELECT count(*) FROM item WHERE {sql}", values).get)


def _item(row: Sequence[Any], voices: list[Voice]) -> Item:
    (_, identifier, layer, kind, title, importance, pinned, state, flags, created, updated, merged, place, version,
     content, meta, space, project, labels) = row  # fmt: skip
    fields: dict[str, Any] = json.loads(meta) if meta else {}
    if merged:
        changed = json.loads(merged)
        content = changed["content"]
        fields.update(changed)
    return Item(
        id=identifier, layer=layer, kind=kind, title=title, content=content or "", attrs=fields.get("attrs", {}),
        labels=tuple(json.loads(labels)), importance=importance,
        confidence=_confidence(layer, fields.get("attrs", {}), voices), pinned=bool(pinned), space=space,
        project=project, created_at=created, updated_at=updated, valid_from=fields.get("valid_from"),
        valid_to=fields.get("valid_to"), version=version or "", state=state, flags=tuple(flags.split()),
        source=_source(fields.get("source"), place),
    )  # fmt: skip


def _confidence(layer: str, attrs: dict[str, Any], voices: list[Voice]) -> float | None:
    """Of a statement: what was typed or imported speaks for itself, what was drawn has only its evidence."""
    if layer not in ("L1", "L2", "L3"):
        return None
    is_typed = "drawn_from" not in attrs
    return confidence(independent(voices) + is_typed, typed=is_typed)


def _source(stored: dict[str, Any] | None, place: str | None) -> Source | None:
    if not stored:
        return None
    known = {**stored, **(json.loads(place) if place else {})}
    return Source(**{name: known.get(name) for name in Source._fields})


def heads_of(connection: apsw.Connection, identifier: str) -> tuple[str, ...]:
    """The hashes that the next version of an item must take as parents, sorted."""
    return tuple(sorted(item_state(log.entries_of(connection, identifier)).heads))


def history(connection: apsw.Connection, identifier: str) -> "list[VersionInfo]":
    """Every version of an item, newest first."""
    from memhub.model.trail import VersionInfo

    state = item_state(log.entries_of(connection, identifier))
    found = []
    for version_hash, entry in state.put.items():
        row = connection.execute(
            "SELECT item, title, content, meta FROM version WHERE hash = ?", (version_hash,)
        ).fetchone()
        version = version_of(*row) if row and row[3] is not None else None
        command = connection.execute("SELECT command FROM operation WHERE id = ?", (entry.operation,)).get
        found.append(
            VersionInfo(
                hash=version_hash,
                parents=state.parents[version_hash],
                title=version.title if version else None,
                content=version.content if version else None,
                kind=version.kind if version else "",
                at=iso(entry.at),
                device=entry.device,
                operation=entry.operation,
                command=command or "",
                is_head=version_hash in state.heads,
                erased=version is None,
            )
        )
    return sorted(found, key=lambda info: state.put[info.hash].clock, reverse=True)


def edges_of(connection: apsw.Connection, identifier: str) -> "list[Edge]":
    """Every edge at one item, its own first."""
    from memhub.model.trail import Edge

    rows = query(
        connection,
        """SELECT src, relation, dst, attrs FROM edge WHERE src = ?1
           UNION SELECT src, relation, dst, attrs FROM edge WHERE dst = ?1""",
        (identifier,),
    )
    edges = [
        Edge(src, relation, dst, json.loads(attrs), _name(connection, src), _name(connection, dst))
        for src, relation, dst, attrs in rows
    ]
    return sorted(edges, key=lambda edge: (edge.src != identifier, edge.relation, edge.dst))


def _name(connection: apsw.Connection, identifier: str) -> str:
    item = item_by_id(connection, identifier)
    if item is not None:
        return item.title or (item.content.strip().split("\n") or [""])[0][:120]
    fields = connection.execute("SELECT fields FROM thread WHERE id = ?", (identifier,)).get
    return str(json.loads(fields).get("title") or "thread") if fields else ""


_OPERATION = """SELECT operation.id, command, who, device.id, at, summary, undoes, redoes,
    (SELECT newest.undoes IS NOT NULL FROM operation AS newest
     WHERE newest.undoes = operation.id OR newest.redoes = operation.id ORDER BY newest.hlc DESC LIMIT 1)
    FROM operation LEFT JOIN device ON device.n = operation.device"""


def operations(
    connection: apsw.Connection, *, limit: int, offset: int = 0, item: str | None = None
) -> list[OperationInfo]:
    """Operations, newest first; of one item when `item` is given. `limit` 0 means all."""
    sql = ""
    if item is not None:
        sql = """AND operation.n IN (SELECT operation FROM entry WHERE key = ?1
                 UNION SELECT operation FROM entry JOIN edge
                 ON entry.key = edge.src || ' ' || edge.relation || ' ' || edge.dst
                 WHERE edge.src = ?1 OR edge.dst = ?1)"""
    rows = query(
        connection,
        f"{_OPERATION} WHERE operation.hlc IS NOT NULL {sql} ORDER BY operation.hlc DESC LIMIT ?2 OFFSET ?3",
        (item, limit or -1, offset),
    )
    return [_operation(connection, row) for row in rows]


def count_operations(connection: apsw.Connection) -> int:
    """How many operations there are."""
    return int(connection.execute("SELECT count(*) FROM operation WHERE hlc IS NOT NULL").get)


def operation_by_id(connection: apsw.Connection, identifier: str) -> OperationInfo | None:
    """One operation."""
    row = connection.execute(f"{_OPERATION} WHERE operation.id = ?", (identifier,)).fetchone()
    return None if row is None else _operation(connection, row)


def _operation(connection: apsw.Connection, row: tuple[Any, ...]) -> OperationInfo:
    identifier, command, who, device, at, summary, undoes, redoes, undone = row
    keys = query(
        connection,
        """SELECT key, kind FROM entry WHERE operation = (SELECT n FROM operation WHERE id = ?1)
           AND kind <> 'op.put'
           UNION ALL SELECT key, kind FROM imported JOIN entry ON entry.device = imported.device
           AND entry.seq BETWEEN imported.first AND imported.last
           WHERE imported.operation = ?1 AND kind <> 'op.put' LIMIT ?2""",
        (identifier, 4 * MOST_ITEMS),
    )
    items: dict[str, None] = {}
    for key, kind in keys:
        if kind.startswith(("item.", "version.")):
            items[key] = None
        elif kind.startswith("edge."):
            src, relation, dst = key.split(" ", 2)
            is_of_entities = connection.execute("SELECT 1 FROM entity WHERE id = ?", (src,)).fetchone()
            if relation != "part_of" and is_of_entities is None:
                items.update({src: None, dst.rsplit(" ", 1)[-1]: None})
    return OperationInfo(
        id=identifier, command=command or "", who=who or "", device=device or "", at=iso(at or 0),
        items=tuple(items)[:MOST_ITEMS], summary=summary or "", undone=bool(undone), undoes=undoes, redoes=redoes,
    )  # fmt: skip
