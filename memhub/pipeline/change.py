"""Changes to what is there: edits, attributes, labels, links, drops. Functions give the entries; nothing writes."""

from collections.abc import Iterable
from typing import Any

import apsw

from memhub import stamp
from memhub.errors import ConflictError, NotFoundError, UsageError
from memhub.model.entry import Draft, Version
from memhub.store import log
from memhub.store.connection import query
from memhub.store.evaluate import edge_key, fold, item_state
from memhub.store.view import View, view_of
from memhub.text.relations import is_relation, relation_name

USER_RELATIONS_HINT = "such as related, supports, part_of, follows"


def current(connection: apsw.Connection, item: str) -> tuple[tuple[str, ...], View]:
    """Heads and view of an item that is not erased."""
    state = item_state(log.entries_of(connection, item))
    view = None if state.is_erased else view_of(state, lambda h: log.load_version(connection, h))
    if view is None:
        raise ConflictError(f"item …{item[-6:]} was erased", "an erased item cannot be changed")
    return state.heads, view


def edit(connection: apsw.Connection, item: str, changes: dict[str, Any]) -> list[Draft]:
    """A new version with the changed fields and all heads as parents; none when nothing differs nor is forked."""
    heads, view = current(connection, item)
    version = view.version._replace(**changes)
    if version == view.version and len(heads) == 1:
        return []
    return [Draft("version.put", item, {}, by_hand(version, heads))]


def by_hand(version: Version, parents: tuple[str, ...]) -> Version:
    """The version as one that a person wrote now."""
    return version._replace(parents=parents, by="hand", updated_at=None, nonce=stamp.new_nonce())


def set_fields(connection: apsw.Connection, item: str, fields: dict[str, Any]) -> list[Draft]:
    """`item.set` for the fields that differ."""
    state = item_state(log.entries_of(connection, item))
    defaults = {"pinned": False, "archived": False}
    now = state.registers.fields
    changed = {name: value for name, value in fields.items() if now.get(name, defaults.get(name)) != value}
    return [Draft("item.set", item, {"set": changed})] if changed else []


def relabel(connection: apsw.Connection, item: str, add: Iterable[str] = (), remove: Iterable[str] = ()) -> list[Draft]:
    """Labels put on and taken off; what is already so writes nothing."""
    now = item_state(log.entries_of(connection, item)).labels
    payload: dict[str, Any] = {}
    new = [label for label in dict.fromkeys(add) if fold(label) not in now]
    gone = {now[fold(label)][0]: list(now[fold(label)][1]) for label in remove if fold(label) in now}
    if new:
        payload["add"] = {"labels": new}
    if gone:
        payload["remove"] = {"labels": gone}
    return [Draft("item.set", item, payload)] if payload else []


def drop(connection: apsw.Connection, item: str) -> list[Draft]:
    """A drop that has seen all heads; none for an item that is dropped or erased already."""
    state = item_state(log.entries_of(connection, item))
    return [] if state.drops or state.is_erased else [Draft("item.drop", item, {"heads": list(state.heads)})]


def restore(connection: apsw.Connection, item: str) -> list[Draft]:
    """Cancel every drop that holds."""
    state = item_state(log.entries_of(connection, item))
    if state.is_erased:
        raise ConflictError(f"item …{item[-6:]} was erased and cannot come back")
    return [Draft("item.restore", item, {"drops": list(state.drops)})] if state.drops else []


def checked_relation(relation: str) -> str:
    """A relation name: letters, digits, `_` and `-`, as one word in lower case."""
    name = relation_name(relation)
    if not is_relation(name):
        raise UsageError(f"`{relation}` cannot be a relation", f"one word, {USER_RELATIONS_HINT}")
    return name


def link(connection: apsw.Connection, src: str, relation: str, dst: str, attrs: dict[str, Any]) -> list[Draft]:
    """An edge, unless it is there; the hand takes over what an import wrote, so that no import drops it."""
    if src == dst:
        raise UsageError("an item cannot be linked to itself")
    key = edge_key(src, relation, dst)
    found = query(
        connection,
        "SELECT attrs ->> 'by' FROM edge WHERE src = ? AND relation = ? AND dst = ?",
        (src, relation, dst),
    )
    if found and not (attrs.get("by") == "hand" and found == [("import",)]):
        return []
    return [Draft("edge.put", key, {"src": src, "relation": relation, "dst": dst, "attrs": attrs})]


def unlink(connection: apsw.Connection, src: str, relation: str | None, dst: str) -> list[Draft]:
    """Drop the edges between two items, of one relation or of all."""
    rows = query(
        connection,
        "SELECT relation FROM edge WHERE src = ?1 AND dst = ?2 AND (?3 IS NULL OR relation = ?3)",
        (src, dst, relation),
    )
    if not rows:
        raise NotFoundError(f"no such link from …{src[-6:]} to …{dst[-6:]}", f"`mh links {src[-6:]}` shows them")
    return [
        Draft("edge.drop", edge_key(src, name, dst), {"src": src, "relation": name, "dst": dst}) for (name,) in rows
    ]
