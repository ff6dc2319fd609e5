"""Writes an export: everything, as it is in one moment, in an order that depends on nothing but the content."""

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import apsw

from memhub.export.jsonl import FORMAT, MAJOR, encode, escaped
from memhub.model.item import Item
from memhub.model.query import Filters
from memhub.stamp import iso, now_ms
from memhub.store import read
from memhub.store.canonical import dumps
from memhub.store.connection import query, snapshot_of
from memhub.store.filters import where

_CONDITIONS = ("labels", "kinds", "layers", "space", "project", "created", "importance", "pinned")
_PAGE = 500


def is_lossless(filters: Filters | None) -> bool:
    """Whether the filters ask for nothing, so that the export holds everything."""
    return filters is None or filters == Filters()


def export_lines(
    path: Path, filters: Filters | None = None, *, only: Sequence[str] | None = None, tool: str
) -> Iterator[str]:
    """The lines of an export, each ended by LF. With conditions: flat records of the items under them alone.

    `only` are ids of items to be written instead of those under the filters.

    Reads through a connection of its own, in one transaction: what is written meanwhile is not in it.
    """
    with snapshot_of(path) as connection:
        yield from _lines(connection, filters, only, tool)


def _lines(
    connection: apsw.Connection, filters: Filters | None, only: Sequence[str] | None, tool: str
) -> Iterator[str]:
    lossless = only is None and is_lossless(filters)
    _choose(connection, filters or Filters(), only)
    extra = [line for (line,) in query(connection, "SELECT line FROM extra ORDER BY line")] if lossless else []
    counts = _counts(connection, lossless, extra)
    header: dict[str, Any] = {
        "type": "header", "format": FORMAT, "version": MAJOR, "exported_at": iso(now_ms()), "tool": tool,
        "spaces": _spaces(connection), "counts": counts,
    }  # fmt: skip
    if not lossless and only is None and filters is not None:
        given = filters._asdict()
        header["filter"] = {name: given[name] for name in _CONDITIONS if given[name] not in (None, ())}
    yield encode(header) + "\n"
    if lossless:
        yield from _versions(connection)
        yield from _entries(connection)
        for line in extra:
            yield line + "\n"
    yield from _threads(connection)
    yield from _items(connection)
    yield from _edges(connection)
    yield encode({"type": "footer", "counts": counts}) + "\n"


def _choose(connection: apsw.Connection, filters: Filters, only: Sequence[str] | None) -> None:
    """Put the items to be written into a table of this connection."""
    connection.execute("CREATE TEMP TABLE chosen(id TEXT PRIMARY KEY, n INTEGER NOT NULL) WITHOUT ROWID")
    if only is not None:
        connection.executemany("INSERT INTO chosen SELECT id, n FROM item WHERE id = ?", [(one,) for one in only])
        return
    sql, values = ("item.is_present", list[Any]()) if is_lossless(filters) else where(connection, filters)
    connection.execute(f"INSERT INTO chosen SELECT item.id, item.n FROM item WHERE {sql}", values)


def _counts(connection: apsw.Connection, lossless: bool, extra: list[str]) -> dict[str, int]:
    """How many records of each type follow; types without one are left out."""
    counts: Counter[str] = Counter(str(json.loads(line).get("type")) for line in extra)
    tables = {"item": "SELECT count(*) FROM chosen", "edge": f"SELECT count(*) FROM {_EDGES}",
              "thread": f"SELECT count(*) FROM {_THREADS}"}  # fmt: skip
    if lossless:
        tables.update(version="SELECT count(*) FROM version", entry="SELECT count(*) FROM entry")
    for name, sql in tables.items():
        counts[name] += connection.execute(sql).get
    return {name: count for name, count in sorted(counts.items()) if count}


def _spaces(connection: apsw.Connection) -> list[str]:
    rows = query(
        connection,
        """SELECT DISTINCT end.name FROM chosen JOIN item ON item.n = chosen.n JOIN space ON space.n = item.space
           JOIN space AS end ON end.n = space.resolved ORDER BY end.name""",
    )
    return [name for (name,) in rows]


def _versions(connection: apsw.Connection) -> Iterator[str]:
    """`meta` goes out as it is stored: the hash is taken of these bytes."""
    for version_hash, item, title, content, meta in connection.execute(
        "SELECT hash, item, title, content, meta FROM version ORDER BY hash"
    ):
        if meta is None:
            yield encode({"type": "version", "hash": version_hash, "item": item}) + "\n"
            continue
        yield escaped(
            f'{{"content":{dumps(content)},"hash":{dumps(version_hash)},"item":{dumps(item)},"meta":{meta},'
            f'"title":{dumps(title)},"type":"version"}}\n'
        )


def _entries(connection: apsw.Connection) -> Iterator[str]:
    for device, seq, hlc, at, kind, key, payload, operation, request in connection.execute(
        """SELECT device.id, seq, entry.hlc, entry.at, kind, key, payload, operation.id, request
           FROM device CROSS JOIN entry ON entry.device = device.n JOIN operation ON operation.n = entry.operation
           ORDER BY device.id, seq"""
    ):
        asked = f',"request":{dumps(request)}' if request is not None else ""
        yield escaped(
            f'{{"at":{at},"device":{dumps(device)},"hlc":{hlc},"key":{dumps(key)},"kind":{dumps(kind)},'
            f'"operation":{dumps(operation)},"payload":{payload}{asked},"seq":{seq},"type":"entry"}}\n'
        )


_THREADS = """thread WHERE NOT thread.is_dropped AND EXISTS (SELECT 1 FROM edge JOIN chosen ON chosen.id = edge.src
    WHERE edge.dst = thread.id AND edge.relation = 'part_of')"""


def _threads(connection: apsw.Connection) -> Iterator[str]:
    rows = connection.execute(
        f"""SELECT thread.id, thread.fields, (SELECT end.name FROM space JOIN space AS end ON end.n = space.resolved
            WHERE space.n = thread.space) FROM {_THREADS} ORDER BY thread.id"""
    )
    for identifier, stored, space in rows:
        fields = json.loads(stored)
        named = {name: fields.get(name) for name in ("title", "platform", "chat_type", "chat_name", "bot_name")}
        yield encode({"type": "thread", "id": identifier, "space": space, **named}) + "\n"


def _items(connection: apsw.Connection) -> Iterator[str]:
    last = ""
    while rows := query(connection, "SELECT id, n FROM chosen WHERE id > ? ORDER BY id LIMIT ?", (last, _PAGE)):
        found = read.load_items(connection, [number for _, number in rows])
        for _, number in rows:
            yield encode({"type": "item", **flat(found[number])}) + "\n"
        last = rows[-1][0]


def flat(item: Item) -> dict[str, Any]:
    """An item as other programs read it; keys that an earlier flat import did not know come out where they were."""
    attrs = dict(item.attrs)
    unknown = attrs.pop("x_flat", {})
    names = [name for name in Item.__dataclass_fields__ if name not in ("attrs", "source", "labels", "flags")]
    record = {name: getattr(item, name) for name in names}
    source = (
        {name: value for name, value in item.source._asdict().items() if value is not None} if item.source else None
    )
    return {**unknown, **record, "attrs": attrs, "labels": list(item.labels), "flags": list(item.flags),
            "source": source}  # fmt: skip


_EDGES = """edge WHERE edge.src IN (SELECT id FROM chosen)
    AND (edge.dst IN (SELECT id FROM chosen) OR edge.dst IN (SELECT id FROM thread WHERE NOT is_dropped))"""


def _edges(connection: apsw.Connection) -> Iterator[str]:
    for src, relation, dst, attrs in connection.execute(
        f"SELECT src, relation, dst, attrs FROM {_EDGES} ORDER BY src, relation, dst"
    ):
        record = {"type": "edge", "from": src, "relation": relation, "to": dst, "metadata": json.loads(attrs)}
        yield encode(record) + "\n"
