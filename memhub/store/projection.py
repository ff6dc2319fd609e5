"""Writes down what the log means: one row per item, edge, thread, space, project and operation."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import islice
from typing import NamedTuple

import apsw

from memhub.model import EMPTY
from memhub.model.entry import Entry, Version
from memhub.stamp import iso, ms_of
from memhub.store import chains, erasure, index, log, names, rulings
from memhub.store.canonical import dumps, text_hash
from memhub.store.evaluate import ItemState, edge_state, in_order, item_state, registers
from memhub.store.view import View, view_of

ITEM_KINDS = ("version.put", "item.set", "item.drop", "item.restore", "item.erase")
_FLAGS_KEPT = ("contested",)
_BATCH = 5000


def project(
    connection: apsw.Connection,
    entries: Sequence[Entry],
    texts: Iterable[str] = (),
    versions: Mapping[str, Version] = EMPTY,
) -> None:
    """Bring every projection up to date that the new entries touch, or the items of which texts arrived.

    `versions` are texts by hash that the caller has at hand.
    """
    items: dict[str, None] = dict.fromkeys(texts)
    groups: dict[tuple[str, str], None] = {}
    edges: dict[str, tuple[str, str, str]] = {}
    threads: dict[str, None] = {}
    ruled: dict[str, None] = {}
    for entry in entries:
        if entry.kind in ITEM_KINDS:
            items[entry.key] = None
        elif entry.kind in ("edge.put", "edge.drop"):
            edges[entry.key] = (entry.payload["src"], entry.payload["relation"], entry.payload["dst"])
        elif entry.kind in names.TABLES:
            groups[(names.TABLES[entry.kind], entry.key)] = None
        elif entry.kind == "thread.put":
            threads[entry.key] = None
        elif entry.kind == "ruling.put":
            ruled[entry.key] = None
        elif entry.kind == "op.put":
            _operation(connection, entry)
    for table, key in groups:
        names.project_group(connection, table, key, log.entries_of(connection, key))
    for key in threads:
        _thread(connection, key, log.entries_of(connection, key))
    for key in ruled:
        erasure.scrub_ruling(connection, key)
        rulings.project_ruling(connection, key)
    lost = erasure.spread(connection, items, entries)
    items.update(dict.fromkeys(lost))
    erased = {entry.key for entry in entries if entry.kind == "item.erase"}
    if erased:
        erasure.scrub_around(connection, erased)
    erasure.scrub_rulings(connection, erased | lost)
    log_of = _Log(connection, entries, EMPTY if lost or erased else versions)
    written = _items(connection, items, log_of)
    to_index = dict.fromkeys(written)
    turns = {src for src, relation, _ in edges.values() if relation == "part_of"}
    for turn in turns:  # beside where they were
        to_index.update(dict.fromkeys(n for n in index.neighbours(connection, turn) if n is not None))
    for key, (src, relation, dst) in edges.items():
        _edge(connection, src, relation, dst, log.entries_of(connection, key))
    backed = dict.fromkeys(dst for _, relation, dst in edges.values() if relation == "evidence_of")
    if backed:  # they may have come or gone with what speaks for them
        more = _items(connection, backed, log_of)
        written.update(more)
        to_index.update(dict.fromkeys(more))
        items.update(backed)
    ends = {end for src, relation, dst in edges.values() if relation in chains.EVOLUTION for end in (src, dst)}
    chains.restate(connection, {*items, *ends})
    turns |= {row.id for row in written.values() if row.is_turn}
    read = index.Texts(connection)
    for number in _with_neighbours(connection, to_index, turns, read):
        index.reindex(connection, number, read)


def _with_neighbours(
    connection: apsw.Connection, numbers: Iterable[int], turns: set[str], read: index.Texts
) -> list[int]:
    """The rows to index: these, these turns, and the turns beside them."""
    wanted = dict.fromkeys(numbers)
    for turn in turns:
        number = connection.execute("SELECT n FROM item WHERE id = ?", (turn,)).get
        if number is not None:
            wanted[number] = None
            wanted.update(dict.fromkeys(n for n in read.neighbours(turn) if n is not None))
    return list(wanted)


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


def _edge(connection: apsw.Connection, src: str, relation: str, dst: str, entries: list[Entry]) -> None:
    state = edge_state(entries)
    connection.execute("DELETE FROM edge WHERE src = ? AND relation = ? AND dst = ?", (src, relation, dst))
    if state is not None:
        entry, attrs = state
        connection.execute(
            "INSERT INTO edge VALUES (?,?,?,?,?,?)", (src, relation, dst, dumps(attrs), attrs.get("ordinal"), entry.hlc)
        )
    said = any(entry.payload.get("attrs", {}).keys() - {"ordinal"} for entry in entries)
    if said and (erasure.is_erased(connection, src) or erasure.is_erased(connection, dst)):
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


class _Written(NamedTuple):
    """A row as it was just written; `is_turn` also for what was a turn before its text was erased."""

    n: int
    id: str
    is_turn: bool
    came_or_went: bool


class _Log:
    """Entries and texts of items. What was just written and is all there is, is not read back."""

    def __init__(self, connection: apsw.Connection, entries: Sequence[Entry], versions: Mapping[str, Version]) -> None:
        self._connection = connection
        self._versions = versions
        self._new: dict[str, list[Entry]] = {}
        for entry in entries:
            self._new.setdefault(entry.key, []).append(entry)

    def entries(self, key: str) -> list[Entry]:
        """All entries about one item."""
        new = self._new.get(key)
        if new is not None:
            count = self._connection.execute("SELECT count(*) FROM entry WHERE key = ?", (key,)).get
            if count == len(new):
                return new
        return log.entries_of(self._connection, key)

    def version(self, version_hash: str) -> Version | None:
        """A text by hash."""
        return self._versions.get(version_hash) or log.load_version(self._connection, version_hash)


def _items(connection: apsw.Connection, items: dict[str, None], log_of: _Log) -> dict[int, _Written]:
    """Write the rows of these items, and of what was drawn from any that came or went; returns the rows to index.

    `items` grows by the ids that were reached.
    """
    written: dict[int, _Written] = {}
    queue = list(items)
    for key in queue:
        row = _item(connection, key, log_of)
        if row is None:
            continue
        written[row.n] = row
        if row.came_or_went:
            rows = connection.execute(
                """SELECT owner FROM span WHERE item = ?1
                   UNION SELECT dst FROM edge WHERE src = ?1 AND relation = 'evidence_of'""",
                (key,),
            )
            owners = [owner for (owner,) in rows]
            items.update(dict.fromkeys(owners))
            queue += owners
    return written


def _is_supported(connection: apsw.Connection, version: Version, version_hash: str) -> bool:
    """What was drawn from texts counts while one of them, or another that says the same, is there; what a person wrote
    or confirmed, always."""
    if version.by != "judge" or not version.spans:
        return True
    marks = ",".join("?" * len(version.spans))
    found = connection.execute(
        f"""SELECT 1 FROM item WHERE id IN ({marks}) AND is_present
            UNION ALL SELECT 1 FROM edge JOIN item ON item.id = edge.src AND item.is_present
            WHERE edge.dst = ? AND edge.relation = 'evidence_of' AND coalesce(edge.attrs ->> 'version', ?) = ?
            LIMIT 1""",
        (*version.spans, version.item, version_hash, version_hash),
    )
    return found.fetchone() is not None


def _item(connection: apsw.Connection, key: str, log_of: _Log) -> _Written | None:
    """Write the row of one item; None while no version of it is known."""
    state = item_state(log_of.entries(key))
    if not state.put:
        return None
    if state.is_erased:
        erasure.scrub(connection, key)

    def supported(version_hash: str) -> Version | None:
        version = log_of.version(version_hash)
        return version if version is not None and _is_supported(connection, version, version_hash) else None

    view = None if state.is_erased else view_of(state, supported)
    has_evidence = view is not None
    if not has_evidence and not state.is_erased:
        view = view_of(state, log_of.version)
    old = connection.execute("SELECT is_present, flags, space FROM item WHERE id = ?", (key,)).fetchone()
    row = _row(connection, key, state, view, has_evidence, str(old[1]) if old else "")
    columns = ", ".join(row)
    updates = ", ".join(f"{name} = excluded.{name}" for name in row if name not in ("id", "suffix"))
    marks = ",".join("?" * len(row))
    number = connection.execute(
        f"INSERT INTO item({columns}) VALUES ({marks}) ON CONFLICT(id) DO UPDATE SET {updates} RETURNING n",
        tuple(row.values()),
    ).get
    if old is not None or state.labels:
        _labels(connection, number, state)
    if old is not None and old[2] != row["space"]:
        connection.execute(
            "UPDATE vec SET space = ?1 WHERE chunk IN (SELECT n FROM chunk WHERE item = ?2) AND space <> ?1",
            (row["space"], number),
        )
    was_present = bool(old and old[0])
    return _Written(int(number), key, row["layer"] in ("L0", ""), was_present != row["is_present"])


def _row(
    connection: apsw.Connection, key: str, state: ItemState, view: View | None, has_evidence: bool, old_flags: str
) -> dict[str, str | int | float | None]:
    fields = state.registers.fields
    version = view.version if view else None
    put = [state.put[h] for h in state.heads] or list(state.put.values())
    newest = max(entry.at for entry in put)
    is_present = has_evidence and not state.drops
    life = "erased" if view is None else "live" if is_present else "dropped"
    flags = [flag for flag in old_flags.split() if flag in _FLAGS_KEPT]
    if view is not None and view.is_forked:
        flags.append("forked")
    project_id = fields.get("project")
    updated_at = (version.updated_at if version else None) or iso(newest)
    return {
        "id": key,
        "suffix": key[::-1],
        "layer": version.layer if version else "",
        "kind": version.kind if version else "",
        "title": version.title if version else None,
        "shown": connection.execute("SELECT n FROM version WHERE hash = ?", (view.shown,)).get if view else None,
        "merged": _merged(view),
        "state": life,
        "is_present": is_present,
        "flags": " ".join(sorted(flags)),
        "space": names.number_of(connection, "space", fields.get("space") or names.DEFAULT_SPACE),
        "project": names.number_of(connection, "project", project_id) if project_id and version else None,
        "importance": fields.get("importance") if version else None,
        "pinned": bool(version and fields.get("pinned")),
        "archived": bool(version and fields.get("archived")),
        "created_at": version.created_at if version else None,
        "created_ms": ms_of(version.created_at) if version else None,
        "updated_at": updated_at,
        "updated_ms": ms_of(updated_at) or newest,
        "added_ms": min(entry.at for entry in state.put.values()),
        "text_hash": text_hash(version.content) if version and version.layer != "L0" else None,
        "key": fields.get("key"),
        "place": dumps(fields["place"]) if version and fields.get("place") else None,
    }


def _merged(view: View | None) -> str | None:
    if view is None or not view.is_merged:
        return None
    version = view.version
    return dumps({"content": version.content, "attrs": version.attrs, "valid_from": version.valid_from,
                  "valid_to": version.valid_to})  # fmt: skip


def _labels(connection: apsw.Connection, number: int, state: ItemState) -> None:
    wanted = set() if state.is_erased else {(label, name) for label, (name, _) in state.labels.items()}
    have = set(connection.execute("SELECT label, name FROM item_label WHERE item = ?", (number,)))
    for label, _ in have - wanted:
        connection.execute("DELETE FROM item_label WHERE item = ? AND label = ?", (number, label))
    for label, name in wanted - have:
        connection.execute("INSERT INTO item_label VALUES (?,?,?)", (number, label, name))


def rebuild(connection: apsw.Connection) -> None:
    """Derive every projection from truth again."""
    for table in ("space", "space_reads", "project", "item", "item_label", "edge", "thread", "words", "chunk", "vec",
                  "pending", "span", "ruling", "ruling_item"):  # fmt: skip
        connection.execute(f"DELETE FROM {table}")
    names.number_of(connection, "space", names.DEFAULT_SPACE)
    entries = iter(log.all_entries(connection))
    while batch := list(islice(entries, _BATCH)):
        project(connection, batch)
