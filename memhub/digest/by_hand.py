"""What a person says of entities: merge, alias, rename, split, drop. Functions give entries; nothing writes."""

from collections.abc import Iterable, Sequence
from typing import Any

import apsw

from memhub.digest.entities import entity_id
from memhub.errors import ConflictError, NotFoundError, UsageError
from memhub.model.entry import Draft
from memhub.store import entities as stored
from memhub.store import log
from memhub.store.canonical import dumps
from memhub.store.connection import query
from memhub.store.evaluate import in_order, registers
from memhub.text.naming import checked_spelling, name_key
from memhub.text.relations import is_relation, relation_name


def checked_name(name: str) -> str:
    """A name that can be shown and searched for."""
    spelling = checked_spelling(name)
    if not any(char.isalnum() for char in spelling):
        raise UsageError(f"`{name}` cannot be a name", "a name has a letter or a digit")
    return spelling


def checked_type(kind: str) -> str:
    """A type: one word in small letters."""
    word = relation_name(kind)
    if not is_relation(word):
        raise UsageError(f"`{kind}` cannot be a type", "one word, such as person, organisation, place, tool or project")
    return word


def merge(connection: apsw.Connection, source: int, into: int) -> list[Draft]:
    """Make one entity an alias of another; resolved when read, so it can be taken back."""
    one, other = stored.group(connection, source)[0], stored.group(connection, into)[0]
    if one.n == other.n:
        raise ConflictError(f"`{one.name}` and `{other.name}` are one already")
    return [Draft("entity.put", one.id, {"set": {"alias_of": other.id}, "by": "hand"})]


def alias(
    connection: apsw.Connection, end: int, add: Iterable[str], remove: Iterable[str], spaces: Sequence[int]
) -> list[Draft]:
    """Other names given to an entity and taken from it."""
    members = stored.group(connection, end)
    have = {name_key(name) for one in members for name in (one.name, *one.aliases)}
    new = {name_key(name): name for name in map(checked_name, add) if name_key(name) not in have}
    drafts = []
    if new:
        payload: dict[str, Any] = {"add": {"aliases": list(new.values())}, "by": "hand"}
        drafts.append(Draft("entity.put", members[0].id, {**payload, "of": speaking(connection, end, spaces)}))
    return [*drafts, *(draft for name in remove for draft in _without(connection, members, name))]


def _without(connection: apsw.Connection, members: list[stored.Known], name: str) -> list[Draft]:
    key = name_key(name)
    if key == name_key(members[0].name):
        raise UsageError(f"`{name}` is its name, not an alias", "`mh entity rename` gives it another")
    drafts = []
    for one in members:
        entries = in_order(log.entries_of(connection, one.id))
        added = [entry for entry in entries if key in map(name_key, entry.payload.get("add", {}).get("aliases", ()))]
        live = registers(entries).members.get("aliases", {})
        for spelt, dots in live.values():
            if name_key(spelt) == key:
                payload: dict[str, Any] = {"remove": {"aliases": {spelt: list(dots)}}, "by": "hand"}
                of = list(dict.fromkeys(item for entry in added for item in entry.payload.get("of", ())))
                drafts.append(Draft("entity.put", one.id, {**payload, **({"of": of} if of else {})}))
    if not drafts:
        is_merged = any(name_key(one.name) == key for one in members[1:])
        hint = "`mh entity split` takes a merge apart" if is_merged else "`mh entity show` tells its names"
        raise NotFoundError(f"`{members[0].name}` has no alias `{name}`", hint)
    return drafts


def rename(connection: apsw.Connection, end: int, name: str, spaces: Sequence[int]) -> list[Draft]:
    """Another name; the old one stays as an alias, so that texts which have it still speak of the same."""
    one = stored.group(connection, end)[0]
    spelling = checked_name(name)
    if spelling == one.name:
        return []
    payload: dict[str, Any] = {"set": {"name": spelling}, "by": "hand", "of": speaking(connection, end, spaces)}
    if name_key(one.name) not in {name_key(spelling), *map(name_key, one.aliases)}:
        payload["add"] = {"aliases": [one.name]}
    return [Draft("entity.put", one.id, payload)]


def retype(connection: apsw.Connection, end: int, kind: str) -> list[Draft]:
    """Another type; the id stays."""
    one = stored.group(connection, end)[0]
    return [] if one.type == kind else [Draft("entity.put", one.id, {"set": {"type": kind}, "by": "hand"})]


def split(connection: apsw.Connection, end: int, name: str, spaces: Sequence[int]) -> list[Draft]:
    """Make a name that was an alias stand for something of its own: what was merged comes apart, else it is new."""
    members = stored.group(connection, end)
    key = name_key(name)
    merged = [one for one in members[1:] if key in {name_key(own) for own in (one.name, *one.aliases)}]
    if merged:
        return [Draft("entity.put", one.id, {"set": {"alias_of": None}, "by": "hand"}) for one in merged]
    drafts = _without(connection, members, name)
    spelling = next(own for one in members for own in one.aliases if name_key(own) == key)
    fields = {"name": spelling, "type": members[0].type, "dropped": False, "alias_of": None}
    own_id = entity_id(members[0].type, spelling)
    if own_id == members[0].id:  # it was renamed: the id of its first name is its own
        own_id = entity_id(members[0].type, f"{spelling}~2")
    of = [item for draft in drafts for item in draft.payload.get("of", ())] or speaking(connection, end, spaces)
    return [*drafts, Draft("entity.put", own_id, {"set": fields, "by": "hand", "of": of})]


def drop(connection: apsw.Connection, end: int) -> list[Draft]:
    """Take an entity out of every read; texts are not looked through for its names any more."""
    return [
        Draft("entity.put", one.id, {"set": {"dropped": True}, "by": "hand"})
        for one in stored.group(connection, end)
        if not one.is_dropped
    ]


def speaking(connection: apsw.Connection, end: int, spaces: Sequence[int]) -> list[str]:
    """Ids of a few items that speak of an entity: what is said of it falls when the last of them is erased, and is
    shown where they may be read."""
    rows = query(
        connection,
        """SELECT DISTINCT item.id FROM entity JOIN mention ON mention.entity = entity.n
           JOIN item ON item.n = mention.item WHERE entity.resolved = ? AND item.is_present
           AND item.space IN (SELECT value FROM json_each(?)) ORDER BY item.n DESC LIMIT ?""",
        (end, dumps(list(spaces)), stored.MOST_OF),
    )
    return [item for (item,) in rows]
