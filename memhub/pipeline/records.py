"""Keeps imported records: each source key is one item for ever, and a second import brings only what changed."""

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

import apsw

from memhub import stamp
from memhub.model.entry import Draft, Version
from memhub.model.record import Record
from memhub.pipeline import change
from memhub.store import log
from memhub.store.canonical import dumps, hash_of
from memhub.store.evaluate import ItemState, fold, item_state
from memhub.store.undo import took_away
from memhub.store.view import merge_versions
from memhub.text.clean import clean, one_line
from memhub.text.labels import unique_labels
from memhub.text.redact import masked


class Run(NamedTuple):
    """What all records of one import share. `labels` are the user's own for this import."""

    kind: str
    scope: str
    space: str
    project: str | None
    labels: tuple[str, ...]
    theirs: bool = False
    ours: bool = False

    def key(self, external_id: str) -> str:
        """The digest under which an item keeps its source key; it survives an erase without saying anything."""
        return stamp.derived_id("key", self.space, self.kind, self.scope, external_id)


class Planned(NamedTuple):
    """`outcome`: created, updated, unchanged, moved, conflict, dropped, erased. `secrets`: what was masked."""

    item: str
    outcome: str
    drafts: list[Draft]
    secrets: tuple[str, ...] = ()

    @property
    def is_first(self) -> bool:
        """Whether the item comes into being by it."""
        return self.outcome == "created" and self.drafts[0].kind == "version.put"


class Said(NamedTuple):
    """Title and text of a record as they are stored: clean, secrets masked; and what was masked."""

    title: str | None
    content: str
    secrets: tuple[str, ...]


def plan_record(
    connection: apsw.Connection, run: Run, record: Record, items: Mapping[str, str], moved_from: str | None = None
) -> Planned:
    """What keeping one record takes. `items`: the item of each source key, as `items_of` finds them for many records.

    `moved_from` is the external id that the item had before its file moved.
    """
    said = said_in(record)
    planned = _planned(connection, run, record, said, items, moved_from)
    return planned._replace(secrets=said.secrets) if said.secrets else planned


def _planned(
    connection: apsw.Connection,
    run: Run,
    record: Record,
    said: Said,
    items: Mapping[str, str],
    moved_from: str | None,
) -> Planned:
    key = run.key(record.external_id)
    item = items.get(key)
    if item is None and moved_from is not None:
        item = items_of(connection, [run.key(moved_from)]).get(run.key(moved_from))
    if item is None:
        return _new(connection, run, record, said, key)
    state = item_state(log.entries_of(connection, item))
    if state.is_erased or (state.drops and not took_away(connection, state.drops)):
        return Planned(item, "erased" if state.is_erased else "dropped", [])
    planned = _again(connection, run, record, said, key, item, state)
    if not state.drops:
        return planned
    restore = Draft("item.restore", item, {"drops": list(state.drops)})  # an undone import that comes again
    return Planned(item, "created", [restore, *planned.drafts])


def said_in(record: Record) -> Said:
    """What a record says."""
    title = masked(one_line(record.title, 500).strip()) if record.title else None
    content = masked(clean(record.content))
    names = (*title.names, *content.names) if title else content.names
    return Said((title.text or None) if title else None, content.text, tuple(dict.fromkeys(names)))


def items_of(connection: apsw.Connection, keys: Iterable[str]) -> dict[str, str]:
    """The item that holds each source key, in whatever space it is now; of two, the smaller id."""
    rows = connection.execute(
        "SELECT key, min(id) FROM item WHERE key IN (SELECT value FROM json_each(?)) GROUP BY key", (dumps(list(keys)),)
    )
    return {key: item for key, item in rows}


def _new(connection: apsw.Connection, run: Run, record: Record, said: Said, key: str) -> Planned:
    item, suffix = stamp.derived_id("item", key), 2
    while connection.execute("SELECT 1 FROM entry WHERE key = ? LIMIT 1", (item,)).fetchone():
        item, suffix = stamp.derived_id("item", key, f"~{suffix}"), suffix + 1  # its first owner has moved on
    version = _version(run, record, said, item, ())
    labels = _labels(record)
    fields: dict[str, Any] = {"space": run.space, "key": key, "imported": hash_of(version), "imported_labels": labels}
    if run.project is not None:
        fields["project"] = run.project
    payload: dict[str, Any] = {"set": fields}
    if labels or run.labels:
        payload["add"] = {"labels": list(dict.fromkeys((*labels, *run.labels)))}
    return Planned(item, "created", [Draft("version.put", item, {}, version), Draft("item.set", item, payload)])


def _again(
    connection: apsw.Connection, run: Run, record: Record, said: Said, key: str, item: str, state: ItemState
) -> Planned:
    fields = state.registers.fields
    last_hash = fields.get("imported")
    last = log.load_version(connection, last_hash) if last_hash else None
    changed: dict[str, Any] = {}
    outcome = "unchanged"
    was = fields.get("place") or (last.source if last else None) or {}
    if fields.get("key") != key or was.get("path") != record.path:
        changed.update(key=key, place={"external_id": record.external_id, "path": record.path})
        outcome = "moved"
    drafts: list[Draft] = []
    version = _version(run, record, said, item, (last_hash,) if last_hash else state.heads)
    if last is None or _compared(last) != _compared(version):
        became, drafts = next_version(connection, run, state, last, version)
        outcome = "moved" if outcome == "moved" and became == "updated" else became
        changed["imported"] = hash_of(version)
    payload = _label_difference(run, record, state)
    if changed or payload:
        drafts = [*drafts, Draft("item.set", item, {**({"set": changed} if changed else {}), **payload})]
        if outcome == "unchanged":
            outcome = "updated"
    if payload:
        drafts[-1].payload.setdefault("set", {})["imported_labels"] = _labels(record)
    return Planned(item, outcome, drafts)


def next_version(
    connection: apsw.Connection, run: Run, state: ItemState, last: Version | None, version: Version
) -> tuple[str, list[Draft]]:
    """A changed source: the next version, or a second head when the item was edited here meanwhile."""
    if run.theirs or state.heads == version.parents:
        return "updated", [Draft("version.put", version.item, {}, version._replace(parents=state.heads))]
    incoming = Draft("version.put", version.item, {}, version)
    _, view = change.current(connection, version.item)
    if run.ours:
        mine = change.by_hand(view.version, (*(h for h in state.heads if h not in version.parents), hash_of(version)))
        return "updated", [incoming, Draft("version.put", version.item, {}, mine)]
    is_clean = last is not None and merge_versions(last, view.version, version) is not None
    return "updated" if is_clean else "conflict", [incoming]


def _label_difference(run: Run, record: Record, state: ItemState) -> dict[str, Any]:
    """Only what the source's labels gained or lost since the last import is applied; labels put on here stay."""
    before = {fold(name): name for name in state.registers.fields.get("imported_labels", ())}
    now = {fold(name): name for name in _labels(record)}
    wanted = [name for label, name in now.items() if label not in before]
    wanted += [name for name in run.labels if fold(name) not in now]
    add = [name for name in dict.fromkeys(wanted) if fold(name) not in state.labels]
    gone = {
        state.labels[label][0]: list(state.labels[label][1])
        for label in before
        if label not in now and label in state.labels
    }
    payload: dict[str, Any] = {}
    if add:
        payload["add"] = {"labels": add}
    if gone:
        payload["remove"] = {"labels": gone}
    return payload


def _version(run: Run, record: Record, said: Said, item: str, parents: tuple[str, ...]) -> Version:
    attrs = dict(record.attrs)
    if record.links:
        attrs["links"] = [{"type": link.type, "target": link.target, **link.attrs} for link in record.links]
    if record.aliases:
        attrs["aliases"] = list(record.aliases)
    source = {"kind": run.kind, "scope": run.scope, "external_id": record.external_id}
    if record.path:
        source["path"] = record.path
    if record.url:
        source["url"] = record.url
    return Version(
        item=item,
        parents=parents,
        layer="L1",
        kind=record.kind,
        title=said.title,
        content=said.content,
        attrs=attrs,
        created_at=record.created_at,
        updated_at=record.updated_at,
        valid_from=None,
        valid_to=None,
        source=source,
        spans=(),
        by="import",
        nonce=stamp.derived_nonce(item),
    )


def _compared(version: Version) -> tuple[Any, ...]:
    """What counts as a change of the source: title, text, attributes and its own date; not the file's time."""
    return version.title, version.content, version.attrs, version.created_at


def _labels(record: Record) -> list[str]:
    return list(unique_labels([one_line(label, 200) for label in record.labels]))
