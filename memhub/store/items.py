"""Writes the row of each item: what its entries mean, and whether anything that it was drawn from is still there."""

from collections.abc import Iterable
from typing import NamedTuple

import apsw

from memhub.model.entry import Version
from memhub.stamp import iso, ms_of
from memhub.store import erasure, names
from memhub.store.canonical import dumps, text_hash
from memhub.store.evaluate import ItemState, item_state
from memhub.store.log import Recent
from memhub.store.view import View, view_of

_FLAGS_KEPT = ("contested", "stale")


class Row(NamedTuple):
    """The columns of `item` in their order. `shown` is the hash of a version, stored as its number."""

    n: int
    id: str
    suffix: str
    layer: str
    kind: str
    title: str | None
    shown: str | None
    merged: str | None
    state: str
    is_present: bool
    flags: str
    space: int
    project: int | None
    importance: float | None
    pinned: bool
    archived: bool
    created_at: str | None
    created_ms: int | None
    updated_at: str
    updated_ms: int
    added_ms: int
    text_hash: int | None
    key: str | None
    place: str | None


_NUMBER = "(SELECT n FROM version WHERE hash = ?)"
_INSERT = f"INSERT INTO item VALUES ({', '.join(_NUMBER if name == 'shown' else '?' for name in Row._fields)})"
_UPDATE = "UPDATE item SET {} WHERE n = ?1".format(
    ", ".join(
        f"{name} = {_NUMBER if name == 'shown' else '?'}".replace("?", f"?{place}")
        for place, name in enumerate(Row._fields, 1)
        if name not in ("n", "id", "suffix")
    )
)


class Written(NamedTuple):
    """A row as it was just written; `is_turn` also for what was a turn before its text was erased."""

    n: int
    id: str
    is_turn: bool


class _Old(NamedTuple):
    """What of a row the next one depends on."""

    n: int
    is_present: bool
    flags: str
    space: int


def write_items(connection: apsw.Connection, items: dict[str, None], log_of: Recent) -> dict[int, Written]:
    """Write the rows of these items, and of what was drawn from any that came or went; returns the rows to index.

    `items` grows by the ids that were reached.
    """
    writer = _Writer(connection, log_of)
    keys = list(items)
    while keys:
        writer.write(keys)
        keys = _drawn_from(connection, writer.take_changed())
        items.update(dict.fromkeys(keys))
    return writer.written


def _drawn_from(connection: apsw.Connection, keys: list[str]) -> list[str]:
    """The items that quote one of these, or that one of these speaks for."""
    if not keys:
        return []
    rows = connection.execute(
        """SELECT owner FROM span WHERE item IN (SELECT value FROM json_each(?1))
           UNION SELECT dst FROM edge WHERE src IN (SELECT value FROM json_each(?1)) AND relation = 'evidence_of'""",
        (dumps(keys),),
    )
    return [owner for (owner,) in rows]


class _Writer:
    """Rows by the batch. One that depends on the rows of others is made after all before it are written."""

    def __init__(self, connection: apsw.Connection, log_of: Recent) -> None:
        self._connection = connection
        self._log_of = log_of
        self.written: dict[int, Written] = {}
        self._old: dict[str, _Old] = {}
        self._numbers: dict[tuple[str, str], int] = {}
        self._next = int(connection.execute("SELECT coalesce(max(n), 0) + 1 FROM item").get)
        self._waiting: list[tuple[Row, ItemState]] = []
        self._changed: list[str] = []

    def write(self, keys: list[str]) -> None:
        """Write the rows of these items, each once; those of which no version is known have none."""
        rows = self._connection.execute(
            """SELECT id, n, is_present, flags, space FROM item WHERE id IN (SELECT value FROM json_each(?))""",
            (dumps(keys),),
        )
        self._old = {identifier: _Old(*old) for identifier, *old in rows}
        for key in keys:
            self._item(key)
        self._flush()

    def take_changed(self) -> list[str]:
        """The items that came or went since the last call."""
        changed, self._changed = self._changed, []
        return changed

    def _item(self, key: str) -> None:
        state = item_state(self._log_of.entries(key))
        if not state.put:
            return
        if state.is_erased:
            erasure.scrub(self._connection, key)
        view = None if state.is_erased else view_of(state, self._supported)
        has_evidence = view is not None
        if not has_evidence and not state.is_erased:
            view = view_of(state, self._log_of.version)
        old = self._old.get(key)
        number = old.n if old else self._next
        self._next += old is None
        row = self._row(number, key, state, view, has_evidence, old.flags if old else "")
        self._waiting.append((row, state))
        self.written[number] = Written(number, key, row.layer in ("L0", ""))
        if row.is_present != bool(old and old.is_present):
            self._changed.append(key)

    def _supported(self, version_hash: str) -> Version | None:
        """A text by hash, unless nothing that it was drawn from is there any more.

        What was drawn from texts counts while one of them, or another that says the same, is there; what a person
        wrote or confirmed, always.
        """
        version = self._log_of.version(version_hash)
        if version is None or version.by not in ("judge", "digest") or not version.spans:
            return version
        self._flush()
        marks = ",".join("?" * len(version.spans))
        found = self._connection.execute(
            f"""SELECT 1 FROM item WHERE id IN ({marks}) AND is_present
                UNION ALL SELECT 1 FROM edge JOIN item ON item.id = edge.src AND item.is_present
                WHERE edge.dst = ? AND edge.relation = 'evidence_of' AND coalesce(edge.attrs ->> 'version', ?) = ?
                LIMIT 1""",
            (*version.spans, version.item, version_hash, version_hash),
        )
        return version if found.fetchone() is not None else None

    def _row(
        self, number: int, key: str, state: ItemState, view: View | None, has_evidence: bool, old_flags: str
    ) -> Row:
        fields = state.registers.fields
        version = view.version if view else None
        put = [state.put[h] for h in state.heads] or list(state.put.values())
        newest = max(entry.at for entry in put)
        is_present = has_evidence and not state.drops
        flags = [flag for flag in old_flags.split() if flag in _FLAGS_KEPT]
        if view is not None and view.is_forked:
            flags.append("forked")
        project_id = fields.get("project")
        updated_at = version.updated_at if version else None
        return Row(
            n=number,
            id=key,
            suffix=key[::-1],
            layer=version.layer if version else "",
            kind=version.kind if version else "",
            title=version.title if version else None,
            shown=view.shown if view else None,
            merged=_merged(view),
            state="erased" if view is None else "live" if is_present else "dropped",
            is_present=is_present,
            flags=" ".join(sorted(flags)),
            space=self._number_of("space", fields.get("space") or names.DEFAULT_SPACE),
            project=self._number_of("project", project_id) if project_id and version else None,
            importance=fields.get("importance") if version else None,
            pinned=bool(version and fields.get("pinned")),
            archived=bool(version and fields.get("archived")),
            created_at=version.created_at if version else None,
            created_ms=ms_of(version.created_at) if version else None,
            updated_at=updated_at or iso(newest),
            updated_ms=ms_of(updated_at) or newest,
            added_ms=min(entry.at for entry in state.put.values()),
            text_hash=text_hash(version.content) if version and version.layer != "L0" else None,
            key=fields.get("key"),
            place=dumps(fields["place"]) if version and fields.get("place") else None,
        )

    def _number_of(self, table: str, identifier: str) -> int:
        found = self._numbers.get((table, identifier))
        if found is None:
            found = self._numbers[(table, identifier)] = names.number_of(self._connection, table, identifier)
        return found

    def _flush(self) -> None:
        """Write what waits."""
        waiting, self._waiting = self._waiting, []
        if not waiting:
            return
        old = {row.n: before for row, _ in waiting if (before := self._old.get(row.id)) is not None}
        self._connection.executemany(_INSERT, [row for row, _ in waiting if row.n not in old])
        if old:
            self._connection.executemany(_UPDATE, [row for row, _ in waiting if row.n in old])
            moved = [(row.space, row.n) for row, _ in waiting if row.n in old and old[row.n].space != row.space]
            self._connection.executemany(
                "UPDATE vec SET space = ?1 WHERE chunk IN (SELECT n FROM chunk WHERE item = ?2) AND space <> ?1", moved
            )
        self._labels([(row.n, state) for row, state in waiting], list(old))

    def _labels(self, items: list[tuple[int, ItemState]], old: list[int]) -> None:
        have = set(
            self._connection.execute(
                "SELECT item, label, name FROM item_label WHERE item IN (SELECT value FROM json_each(?))", (dumps(old),)
            )
            if old
            else ()
        )
        wanted = {
            (number, label, name)
            for number, state in items
            if not state.is_erased
            for label, (name, _) in state.labels.items()
        }
        gone = [(number, label) for number, label, _ in have - wanted]
        self._connection.executemany("DELETE FROM item_label WHERE item = ? AND label = ?", gone)
        self._connection.executemany("INSERT INTO item_label VALUES (?,?,?)", sorted(wanted - have))


def _merged(view: View | None) -> str | None:
    if view is None or not view.is_merged:
        return None
    version = view.version
    return dumps({"content": version.content, "attrs": version.attrs, "valid_from": version.valid_from,
                  "valid_to": version.valid_to})  # fmt: skip


def numbers_of(connection: apsw.Connection, items: Iterable[str]) -> list[int]:
    """The row numbers of items; those without a row are left out."""
    rows = connection.execute("SELECT n FROM item WHERE id IN (SELECT value FROM json_each(?))", (dumps(list(items)),))
    return [number for (number,) in rows]
