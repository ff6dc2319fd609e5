"""Takes back a note that was written as Markdown from here: what was changed in the file goes to the item it came from.

The file is compared with the item as it was when it was written, so that what changed here meanwhile is not undone:
both changes are merged, or kept as heads of the item where they do not fit.
"""

from typing import Any

import apsw

from memhub import stamp
from memhub.model.entry import Draft, Version
from memhub.model.record import Exported, Record
from memhub.pipeline.keep import KINDS
from memhub.pipeline.records import Planned, Run, next_version, said_in
from memhub.store import log
from memhub.store.canonical import hash_of
from memhub.store.evaluate import ItemState, fold, item_state
from memhub.store.view import view_of
from memhub.text.clean import one_line


def plan_returned(connection: apsw.Connection, run: Run, record: Record) -> Planned | None:
    """What taking a note back takes; None for a record that is no export of an item that is here."""
    exported = record.exported
    if exported is None:
        return None
    entries = log.entries_of(connection, exported.item)
    state = item_state(entries)
    if not state.put:
        return None
    if state.is_erased or state.drops:
        return Planned(exported.item, "erased" if state.is_erased else "dropped", [])
    base = item_state(entry for entry in entries if entry.hlc <= exported.rev)
    base = base if base.put else state
    outcome, drafts = _text(connection, run, record, exported, state, base)
    payload = _attributes(run, record, exported, state, base)
    if payload:
        drafts = [*drafts, Draft("item.set", exported.item, payload)]
        outcome = "updated" if outcome == "unchanged" else outcome
    return Planned(exported.item, outcome, drafts, said_in(record).secrets)


def _text(
    connection: apsw.Connection, run: Run, record: Record, exported: Exported, state: ItemState, base: ItemState
) -> tuple[str, list[Draft]]:
    """The version that the file makes of the one it was written from; none when it says the same."""

    def load(version_hash: str) -> Version | None:
        return log.load_version(connection, version_hash)

    then, now = view_of(base, load), view_of(state, load)
    if then is None or now is None:
        return "unchanged", []
    version = _edited(record, exported, then.version)._replace(parents=base.heads)
    if _said(version) in (_said(then.version), _said(now.version)) or hash_of(version) in state.put:
        return "unchanged", []
    return next_version(connection, run, state, then.version, version)


def _edited(record: Record, exported: Exported, was: Version) -> Version:
    said = said_in(record)
    created = was.created_at
    if record.created_at and stamp.ms_of(record.created_at) != stamp.ms_of(created):
        created = record.created_at
    return was._replace(
        title=said.title if said.title != one_line(was.title or "", 500).strip() else was.title,
        content=said.content if exported.is_edited else was.content,
        kind=exported.kind if exported.kind in KINDS and was.kind in KINDS else was.kind,
        created_at=created,
        updated_at=None,
        by="import",
        nonce=stamp.derived_nonce(exported.item),
    )


def _said(version: Version) -> tuple[Any, ...]:
    return version.title, version.content, version.kind, version.created_at


def _attributes(run: Run, record: Record, exported: Exported, state: ItemState, base: ItemState) -> dict[str, Any]:
    """Labels and importance that the file gained or lost."""
    now = {fold(name): name for name in (*record.labels, *run.labels)}
    add = [name for label, name in now.items() if label not in base.labels or name in run.labels]
    gone = [label for label in base.labels if label not in now]
    payload: dict[str, Any] = {
        "add": {"labels": [name for name in add if fold(name) not in state.labels]},
        "remove": {"labels": {state.labels[one][0]: list(state.labels[one][1]) for one in gone if one in state.labels}},
    }
    found = {name: value for name, value in payload.items() if value["labels"]}
    known = [one.registers.fields.get("importance") for one in (base, state)]
    if exported.importance is not None and exported.importance not in known:
        found["set"] = {"importance": exported.importance}
    return found
