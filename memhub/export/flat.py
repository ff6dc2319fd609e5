"""Takes a file that holds only flat records, made by another program or by an export with filters: each item starts a
chain of its own, under one operation that `mh undo` takes back.

An id is kept when it is a ULID; any other gives a derived one, the same for the same file every time. An item that is
here already gets a new version when the file's `updated_at` is later than ours, else it stays as it is. Earlier
versions of the old form (`version` with `item_id`) and records of types unknown here are kept as they came.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import apsw

from memhub.export.check import Checked, records
from memhub.export.jsonl import KNOWN
from memhub.export.take import Progress, keep_extra
from memhub.model.entry import Draft, Version
from memhub.model.record import Skipped
from memhub.model.report import ImportReport
from memhub.stamp import derived_id, derived_nonce, ms_of
from memhub.store import log
from memhub.store.evaluate import edge_key, fold, item_state, registers
from memhub.store.names import DEFAULT_SPACE
from memhub.store.store import Operation, Store
from memhub.store.view import view_of
from memhub.text.clean import clean, one_line
from memhub.text.labels import normalise

_BATCH = 200
_ULID = re.compile("[0-7][0-9a-hjkmnp-tv-z]{25}")
_SOURCE = ("kind", "scope", "external_id", "app", "thread", "path", "url")
_ITEM = {
    "type", "id", "layer", "kind", "title", "content", "attrs", "metadata", "labels", "importance", "confidence",
    "pinned", "archived", "space", "project", "created_at", "updated_at", "valid_from", "valid_to", "version", "state",
    "flags", "source", "content_hash", "content_type", "accessed_at", "access_count",
}  # fmt: skip
_TIMES = ("created_at", "updated_at", "valid_from", "valid_to")
_THREAD = ("title", "platform", "chat_type", "chat_name", "bot_name")


class _Tally:
    """What has been done so far."""

    def __init__(self) -> None:
        self.created = self.updated = self.unchanged = 0
        self.skipped: list[Skipped] = []
        self.warnings: list[tuple[str, str]] = []
        self.old_versions = 0


def take_flat(
    store: Store, operation: Operation, path: Path, checked: Checked, space: str, progress: Progress | None = None
) -> ImportReport:
    """Bring in the flat records; `space` is the id of the space for items that name none."""
    tally = _Tally()
    done = 0
    for batch in _batches(path):

        def plan(connection: apsw.Connection, batch: list[tuple[int, dict[str, Any]]] = batch) -> list[Draft]:
            drafts: list[Draft] = []
            planned: set[str] = set()
            for number, record in batch:
                drafts += _drafts(connection, record, f"line {number}", space, tally, planned)
            return drafts

        store.commit(operation, plan, durable=False)
        done += len(batch)
        if progress is not None:
            progress(done, path.name)
    keep_extra(store, path, known=(*KNOWN, "space"))
    store.flush()
    if tally.old_versions:
        notice = f"{tally.old_versions} earlier versions are kept for the next export, not as history"
        tally.warnings.append((path.name, notice))
    return ImportReport(
        "mh-export", path.name, False, created=tally.created, updated=tally.updated, unchanged=tally.unchanged,
        skipped=(*checked.bad, *tally.skipped), warnings=tuple(tally.warnings),
        operation=operation.id if tally.created or tally.updated else None,
    )  # fmt: skip


def _batches(path: Path) -> Iterator[list[tuple[int, dict[str, Any]]]]:
    """Items and the rest, 200 to a commit; edges last, so that both ends are there wherever they stand."""
    for wanted in (("space", "thread", "item", "version"), ("edge",)):
        batch = []
        for number, record in records(path, []):
            if record["type"] in wanted:
                batch.append((number, record))
                if len(batch) == _BATCH:
                    yield batch
                    batch = []
        if batch:
            yield batch


def _drafts(
    connection: apsw.Connection, record: dict[str, Any], place: str, space: str, tally: _Tally, planned: set[str]
) -> list[Draft]:
    kind = record["type"]
    if kind == "space":
        return _space(connection, record.get("name"), planned, record.get("description"))[1]
    if kind == "version":
        tally.old_versions += 1
        return []
    identifier = _id(record.get("id") if kind != "edge" else record.get("from"))
    if identifier is None:
        tally.skipped.append(Skipped(place, "no id", failed=True))
        return []
    if kind == "edge":
        return _edge(connection, record, identifier, place, tally)
    if kind == "thread":
        return _thread(connection, record, identifier, space, planned)
    return _item(connection, record, identifier, place, space, tally, planned)


def _id(given: Any) -> str | None:
    """A ULID as it is, in lower case; anything else through a digest."""
    if not isinstance(given, str | int) or isinstance(given, bool) or given == "":
        return None
    text = str(given).lower()
    return text if _ULID.fullmatch(text) else derived_id("mh-export", str(given))


def _space(
    connection: apsw.Connection, name: Any, planned: set[str], description: Any = None
) -> tuple[str, list[Draft]]:
    """The id of a space by name, and what makes it when it is not there."""
    cleaned = one_line(str(name), 200).strip() if name else ""
    if not cleaned or fold(cleaned) == "default":
        return DEFAULT_SPACE, []
    rows = connection.execute("SELECT name, id FROM space WHERE NOT is_dropped ORDER BY id")
    for known, identifier in rows:
        if fold(str(known)) == fold(cleaned):
            return str(identifier), []
    identifier = derived_id("space", fold(cleaned))
    if identifier in planned:
        return identifier, []
    planned.add(identifier)
    fields = {"name": cleaned, "description": one_line(str(description), 500) if description else "",
              "dropped": False, "alias_of": None}  # fmt: skip
    return identifier, [Draft("space.put", identifier, {"set": fields})]


def _item(
    connection: apsw.Connection, record: dict[str, Any], item: str, place: str, space: str, tally: _Tally,
    planned: set[str],
) -> list[Draft]:  # fmt: skip
    content = clean(record["content"]) if isinstance(record.get("content"), str) else ""
    if not content.strip():
        tally.skipped.append(Skipped(place, "an item without text", failed=True))
        return []
    if item in planned:
        tally.skipped.append(Skipped(place, f"the id …{item[-6:]} is in the file twice", failed=True))
        return []
    planned.add(item)
    version = _version(record, item, content, place, tally)
    state = item_state(log.entries_of(connection, item))
    if state.put:
        return _again(connection, version, record, place, tally)
    tally.created += 1
    target, drafts = _space(connection, record["space"], planned) if record.get("space") else (space, [])
    fields: dict[str, Any] = {"space": target}
    importance = record.get("importance")
    if isinstance(importance, int | float) and not isinstance(importance, bool) and 0 <= importance <= 1:
        fields["importance"] = importance
    for name in ("pinned", "archived"):
        if record.get(name) is True or (name == "archived" and record.get("state") == "archived"):
            fields[name] = True
    given = record.get("labels")
    labels = [label for name in (given if isinstance(given, list) else ()) if (label := normalise(clean(str(name))))]
    payload: dict[str, Any] = {"set": fields}
    if labels:
        payload["add"] = {"labels": list(dict.fromkeys(labels))}
    if isinstance(record.get("project"), str) and record["project"].strip():
        fields["project"], more = _project(connection, one_line(record["project"], 200).strip(), planned)
        drafts += more
    return [*drafts, Draft("version.put", item, {}, version), Draft("item.set", item, payload)]


def _project(connection: apsw.Connection, name: str, planned: set[str]) -> tuple[str, list[Draft]]:
    row = connection.execute("SELECT id FROM project WHERE name = ? ORDER BY id LIMIT 1", (name,)).fetchone()
    key = f"name:{fold(name)}"
    identifier = str(row[0]) if row else derived_id("project", key)
    if row or identifier in planned:
        return identifier, []
    planned.add(identifier)
    return identifier, [Draft("project.put", identifier, {"set": {"name": name, "key": key}})]


def _again(
    connection: apsw.Connection, version: Version, record: dict[str, Any], place: str, tally: _Tally
) -> list[Draft]:
    """An item that is here: the later of the two texts is the latest, and the other stays in its history."""
    state = item_state(log.entries_of(connection, version.item))
    view = None if state.is_erased else view_of(state, lambda h: log.load_version(connection, h))
    if view is None:
        tally.skipped.append(Skipped(place, f"…{version.item[-6:]} was erased here; it stays so"))
        return []
    ours = connection.execute("SELECT updated_ms FROM item WHERE id = ?", (version.item,)).get or 0
    same = (view.version.content, view.version.title) == (version.content, version.title)
    if same or (ms_of(_text(record.get("updated_at"))) or 0) <= ours:
        tally.unchanged += 1
        return []
    tally.updated += 1
    return [Draft("version.put", version.item, {}, version._replace(parents=state.heads))]


def _version(record: dict[str, Any], item: str, content: str, place: str, tally: _Tally) -> Version:
    times = {name: _text(record.get(name)) for name in _TIMES}
    for name, value in times.items():
        if value and ms_of(value) is None:
            tally.warnings.append((place, f"`{name}` is no date: {one_line(value, 40)}"))
            times[name] = None
    attrs: dict[str, Any] = {}
    for name in ("metadata", "attrs"):
        if isinstance(record.get(name), dict):
            attrs.update(record[name])
    unknown = {name: value for name, value in record.items() if name not in _ITEM}
    if unknown:
        attrs["x_flat"] = unknown
    source = record.get("source")
    kept = {n: _text(source[n]) for n in _SOURCE if source.get(n)} if isinstance(source, dict) else None
    layer, kind = record.get("layer"), _text(record.get("kind")) or "note"
    return Version(
        item=item, parents=(), layer=layer if layer in ("L0", "L1", "L2", "L3") else "L1",
        kind=one_line(kind, 64).strip() or "note",
        title=one_line(record["title"], 500).strip() or None if isinstance(record.get("title"), str) else None,
        content=content, attrs=attrs, source=kept or None, spans=(), by="import", nonce=derived_nonce(item), **times,
    )  # fmt: skip


def _text(value: Any) -> str | None:
    return clean(str(value)) if value is not None and not isinstance(value, dict | list) else None


def _thread(
    connection: apsw.Connection, record: dict[str, Any], thread: str, space: str, planned: set[str]
) -> list[Draft]:
    known = registers(log.entries_of(connection, thread)).fields
    if known or thread in planned:
        return []
    planned.add(thread)
    target, drafts = _space(connection, record["space"], planned) if record.get("space") else (space, [])
    fields = {name: one_line(str(record[name]), 500) for name in _THREAD if record.get(name)}
    return [*drafts, Draft("thread.put", thread, {"set": {"space": target, **fields}})]


def _edge(connection: apsw.Connection, record: dict[str, Any], src: str, place: str, tally: _Tally) -> list[Draft]:
    dst, relation = _id(record.get("to")), "_".join(str(record.get("relation") or "related").split())
    if dst is None or src == dst or not all(_is_there(connection, end) for end in (src, dst)):
        tally.skipped.append(Skipped(place, "a link to something that is neither in the file nor here"))
        return []
    if connection.execute(
        "SELECT 1 FROM edge WHERE src = ? AND relation = ? AND dst = ?", (src, relation, dst)
    ).fetchone():
        return []
    attrs = dict(record["metadata"]) if isinstance(record.get("metadata"), dict) else {}
    if record.get("weight") not in (None, 1, 1.0):
        attrs["weight"] = record["weight"]
    ends = {"src": src, "relation": relation, "dst": dst}
    return [Draft("edge.put", edge_key(src, relation, dst), {**ends, "attrs": {"by": "import", **attrs}})]


def _is_there(connection: apsw.Connection, identifier: str) -> bool:
    for table in ("item", "thread"):
        if connection.execute(f"SELECT 1 FROM {table} WHERE id = ?", (identifier,)).fetchone():
            return True
    return False
