"""Writes what the digest derives: every item with the statements that speak for it, checked when it is written."""

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import apsw

from memhub import stamp
from memhub.digest.material import Member, members
from memhub.model.entry import Draft, Version
from memhub.store import log, undo
from memhub.store.connection import query
from memhub.store.evaluate import ItemState, edge_key, item_state

_BY = {"by": "digest"}


class Cited(NamedTuple):
    """A statement that speaks for a derived one; the quoted passage, nothing quoted when `stop` is 0."""

    member: Member
    start: int = 0
    stop: int = 0


class Derived(NamedTuple):
    """A derived statement before it is written. `by` is `rules` or the name of a model."""

    kind: str
    id: str
    title: str | None
    content: str
    cited: tuple[Cited, ...]
    attrs: dict[str, Any]
    by: str = "rules"


def identity(kind: str, space: str, founding: Iterable[str]) -> str:
    """The id of what was first derived from these statements: the same on every device."""
    return stamp.derived_id(kind, space, *sorted(founding))


def drafts(connection: apsw.Connection, space: str, derived: Derived) -> list[Draft]:
    """The entries that write a derived item, or its next version; none when its evidence moved meanwhile.

    What a person dropped or erased does not come back, and what a person corrected stays as it is.
    """
    if not _holds(connection, derived.cited):
        return []
    state = item_state(log.entries_of(connection, derived.id))
    if state.is_erased or not _may_return(connection, derived.id, state):
        return []
    shown = shown_version(connection, derived.id)
    if shown is not None and shown.by != "digest":
        return link(connection, derived.kind, derived.id, (cited.member.id for cited in derived.cited))
    found: list[Draft] = []
    version = _version(derived, state.heads)
    if (
        shown is None
        or len(state.heads) > 1
        or shown._replace(parents=(), nonce="") != version._replace(parents=(), nonce="")
    ):
        found.append(Draft("version.put", derived.id, {}, version))
    if state.drops:
        found.append(Draft("item.restore", derived.id, {"drops": list(state.drops)}))
    if not state.put:
        found.append(Draft("item.set", derived.id, {"set": {"space": space}}))
    return [*found, *link(connection, derived.kind, derived.id, (cited.member.id for cited in derived.cited))]


def drop(connection: apsw.Connection, item: str) -> list[Draft]:
    """Take away a derived item for which too little speaks now; what a person pinned or corrected stays."""
    state = item_state(log.entries_of(connection, item))
    shown = shown_version(connection, item)
    is_kept = state.registers.fields.get("pinned") or (shown is not None and shown.by != "digest")
    if state.drops or state.is_erased or is_kept:
        return []
    return [Draft("item.drop", item, {"heads": list(state.heads), **_BY})]


def _may_return(connection: apsw.Connection, item: str, state: ItemState) -> bool:
    """Whether no person took an item away: what a digest dropped, or an undo, may come back with its evidence."""
    by_digest = {entry.dot for entry in log.entries_of(connection, item) if entry.payload.get("by") == "digest"}
    left = [drop for drop in state.drops if drop not in by_digest]
    return not left or undo.took_away(connection, left)


def link(connection: apsw.Connection, kind: str, item: str, evidence: Iterable[str]) -> list[Draft]:
    """Edges from statements to what they speak for; those that are there already are left out."""
    known = {
        src for (src,) in query(connection, "SELECT src FROM edge WHERE dst = ? AND relation = 'evidence_of'", (item,))
    }
    attrs = {**_BY, "kind": kind}
    return [
        Draft("edge.put", edge_key(src, "evidence_of", item),
              {"src": src, "relation": "evidence_of", "dst": item, "attrs": attrs})
        for src in dict.fromkeys(evidence)
        if src not in known
    ]  # fmt: skip


def shown_version(connection: apsw.Connection, item: str) -> Version | None:
    """What a derived item says now."""
    found = connection.execute(
        "SELECT version.hash FROM item JOIN version ON version.n = item.shown WHERE item.id = ?", (item,)
    ).get
    return log.load_version(connection, str(found)) if found else None


def _holds(connection: apsw.Connection, cited: Sequence[Cited]) -> bool:
    """Whether each statement is still there, says what it said, and holds the words quoted from it."""
    now = members(connection, (one.member.n for one in cited))
    for one in cited:
        found = now.get(one.member.n)
        if found is None or found.version != one.member.version or not 0 <= one.start <= one.stop <= len(found.content):
            return False
        if one.stop and not found.content[one.start : one.stop].strip():
            return False
    return bool(cited)


def _version(derived: Derived, parents: tuple[str, ...]) -> Version:
    attrs = {**derived.attrs, "drawn_from": [one.member.id for one in derived.cited]}
    if derived.by != "rules":
        attrs["drawn_by"] = derived.by
    evidence: list[dict[str, Any]] = []
    for one in derived.cited:
        row: dict[str, Any] = {"item": one.member.id, "version": one.member.version}
        evidence.append(row | ({"start": one.start, "stop": one.stop} if one.stop else {}))
    dates = [one.member.at for one in derived.cited if one.member.at]
    return Version(
        item=derived.id, parents=parents, layer="L3", kind=derived.kind, title=derived.title, content=derived.content,
        attrs=attrs, created_at=max(dates, default=None), updated_at=None, valid_from=None, valid_to=None,
        source={"kind": "digest", "evidence": evidence}, spans=tuple(one.member.id for one in derived.cited),
        by="digest", nonce=stamp.derived_nonce(derived.id),
    )  # fmt: skip
