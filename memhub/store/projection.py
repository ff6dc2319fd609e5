"""Writes down what the log means: one row per item, edge, thread, space, project and operation."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import islice
from typing import NamedTuple

import apsw

from memhub.model import EMPTY
from memhub.model.entry import Entry, Version
from memhub.store import chains, erasure, index, log, names, rulings, staleness
from memhub.store.canonical import dumps
from memhub.store.evaluate import edge_state, in_order, registers
from memhub.store.items import numbers_of, write_items

ITEM_KINDS = ("version.put", "item.set", "item.drop", "item.restore", "item.erase")
_BATCH = 5000


class _Touched(NamedTuple):
    """What entries are about, each once and in order. `groups`: table and id; `edges`: key → (src, relation, dst)."""

    items: dict[str, None]
    groups: dict[tuple[str, str], None]
    edges: dict[str, tuple[str, str, str]]
    threads: dict[str, None]
    rulings: dict[str, None]
    entities: dict[str, None]


def _touched(connection: apsw.Connection, entries: Sequence[Entry]) -> _Touched:
    """Sort entries by what they are about; what is about an operation is written down at once."""
    found = _Touched({}, {}, {}, {}, {}, {})
    for entry in entries:
        if entry.kind in ITEM_KINDS:
            found.items[entry.key] = None
        elif entry.kind in ("edge.put", "edge.drop"):
            found.edges[entry.key] = (entry.payload["src"], entry.payload["relation"], entry.payload["dst"])
        elif entry.kind in names.TABLES:
            found.groups[(names.TABLES[entry.kind], entry.key)] = None
        elif entry.kind == "thread.put":
            found.threads[entry.key] = None
        elif entry.kind == "ruling.put":
            found.rulings[entry.key] = None
        elif entry.kind == "entity.put":
            found.entities[entry.key] = None
        elif entry.kind == "op.put":
            _operation(connection, entry)
    return found


def project(
    connection: apsw.Connection,
    entries: Sequence[Entry],
    texts: Iterable[str] = (),
    versions: Mapping[str, Version] = EMPTY,
) -> None:
    """Bring every projection up to date that the new entries touch, or the items of which texts arrived.

    `versions` are texts by hash that the caller has at hand.
    """
    touched = _touched(connection, entries)
    items, edges = {**dict.fromkeys(texts), **touched.items}, touched.edges
    for table, key in touched.groups:
        names.project_group(connection, table, key, log.entries_of(connection, key))
    for key in touched.threads:
        _thread(connection, key, log.entries_of(connection, key))
    for key in touched.rulings:
        erasure.scrub_ruling(connection, key)
        rulings.project_ruling(connection, key)
    lost = erasure.spread(connection, items, entries)
    items.update(dict.fromkeys(lost))
    erased = {entry.key for entry in entries if entry.kind == "item.erase"}
    if erased:
        erasure.scrub_around(connection, erased)
    erasure.scrub_rulings(connection, erased | lost)
    if touched.entities or erased or lost:
        _entities(connection, touched.entities, erasure.reached(connection, erased) | lost)
    log_of = log.Recent(connection, entries, EMPTY if lost or erased else versions)
    written = write_items(connection, items, log_of)
    to_index = dict.fromkeys(written)
    turns = {src for src, relation, _ in edges.values() if relation == "part_of"}
    to_index.update(dict.fromkeys(index.rows_of(index.neighbours(connection, turns))))  # where they were
    _edges(connection, edges, log_of)
    backed = dict.fromkeys(dst for _, relation, dst in edges.values() if relation == "evidence_of")
    if backed:  # they may have come or gone with what speaks for them
        more = write_items(connection, backed, log_of)
        written.update(more)
        to_index.update(dict.fromkeys(more))
        items.update(backed)
    ends = {end for src, relation, dst in edges.values() if relation in chains.EVOLUTION for end in (src, dst)}
    restated = chains.restate(connection, {*items, *ends})
    staleness.mark(connection, {*items, *restated})
    turns |= {row.id for row in written.values() if row.is_turn}
    to_index.update(dict.fromkeys(numbers_of(connection, turns)))
    beside = index.neighbours(connection, turns)
    to_index.update(dict.fromkeys(index.rows_of(beside)))
    index.reindex(connection, list(to_index), beside)


def _entities(connection: apsw.Connection, keys: Iterable[str], gone: set[str]) -> None:
    """Write down entities: those that entries are about, and those that were read in items just gone."""
    from memhub.store import entities  # a note that is typed needs none of it

    for key in dict.fromkeys([*keys, *entities.fallen(connection, gone)]):
        erasure.scrub_entity(connection, key)
        entities.project_entity(connection, key, log.entries_of(connection, key))


def _operation(connection: apsw.Connection, entry: Entry) -> None:
    payload = entry.payload
    connection.execute(
        """UPDATE operation SET hlc = ?, at = ?, device = (SELECT n FROM device WHERE id = ?), command = ?, who = ?,
           undoes = ?, redoes = ?, summary = ? WHERE id = ?""",
        (
            entry.hlc, entry.at, entry.device, payload["command"], payload["who"], payload.get("undoes"),
            payload.get("redoes"), payload.get("summary", ""), entry.key,
        ),
    )  # fmt: skip


def _edges(connection: apsw.Connection, edges: Mapping[str, tuple[str, str, str]], log_of: log.Recent) -> None:
    """Write or take away edges. `edges`: key → (src, relation, dst)."""
    rows, gone, may_say = [], [], []
    for key, ends in edges.items():
        entries = log_of.entries(key)
        state = edge_state(entries)
        if state is None:
            gone.append(ends)
        else:
            entry, attrs = state
            rows.append((*ends, dumps(attrs), attrs.get("ordinal"), entry.hlc))
        if any(entry.payload.get("attrs", {}).keys() - {"ordinal"} for entry in entries):
            may_say.append(ends)
    connection.executemany("DELETE FROM edge WHERE src = ? AND relation = ? AND dst = ?", gone)
    connection.executemany("INSERT OR REPLACE INTO edge VALUES (?,?,?,?,?,?)", rows)
    for src, relation, dst in may_say:
        if erasure.is_erased(connection, src) or erasure.is_erased(connection, dst):
            erasure.scrub_edge(connection, src, relation, dst)


def _thread(connection: apsw.Connection, key: str, entries: list[Entry]) -> None:
    ordered = in_order(entries)
    fields = registers(ordered).fields
    space = names.number_of(connection, "space", fields.get("space") or names.DEFAULT_SPACE)
    project_id = fields.get("project")
    project_number = names.number_of(connection, "project", project_id) if project_id else None
    row = (key, key[::-1], dumps(fields), space, project_number, bool(fields.get("dropped")), ordered[-1].at)
    connection.execute(
        """INSERT INTO thread(id, suffix, fields, space, project, is_dropped, updated_ms) VALUES (?,?,?,?,?,?,?)
           ON CONFLICT(id) DO UPDATE SET fields = excluded.fields, space = excluded.space, project = excluded.project,
           is_dropped = excluded.is_dropped, updated_ms = excluded.updated_ms""",
        row,
    )


def rebuild(connection: apsw.Connection) -> None:
    """Derive every projection from truth again."""
    for table in (
        "space", "space_reads", "project", "item", "item_label", "edge", "thread", "words", "chunk", "vec", "pending",
        "span", "ruling", "ruling_item", "entity", "entity_name", "mention", "looked_through", "community",
        "community_item",
    ):  # fmt: skip
        connection.execute(f"DELETE FROM {table}")
    names.number_of(connection, "space", names.DEFAULT_SPACE)
    entries = iter(log.all_entries(connection))
    while batch := list(islice(entries, _BATCH)):
        project(connection, batch)
