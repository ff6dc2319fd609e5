"""Reads entities through the spaces that may be read: no name of another space is ever shown."""

from collections.abc import Sequence

import apsw

from memhub.errors import AmbiguousError, NotFoundError
from memhub.model.entity import Entity, EntityInfo, EntityRelation
from memhub.store import entities as stored
from memhub.store import read, refs
from memhub.store.canonical import dumps
from memhub.store.connection import query
from memhub.store.entities import Known
from memhub.text.naming import name_key

_SHOWN = "item.is_present AND item.space IN (SELECT value FROM json_each(?1))"


def list_entities(
    connection: apsw.Connection, spaces: Sequence[int], *, text: str | None, kind: str | None, limit: int, offset: int
) -> list[EntityInfo]:
    """Entities that present items of these spaces speak of, the most spoken of first; `limit` 0 means all."""
    rows = query(
        connection,
        f"""SELECT end.n, count(DISTINCT mention.item) AS items FROM mention JOIN entity ON entity.n = mention.entity
            JOIN entity AS end ON end.n = entity.resolved JOIN item ON item.n = mention.item
            WHERE {_SHOWN} AND NOT end.is_dropped AND (?2 IS NULL OR end.type = ?2)
            GROUP BY end.n ORDER BY items DESC, end.name, end.n""",
        (dumps(list(spaces)), kind),
    )
    wanted = name_key(text) if text else None
    found: list[EntityInfo] = []
    end = None if not limit else offset + limit
    for n, count in rows:
        if end is not None and len(found) >= end:
            break
        if wanted is not None and not _may_match(connection, n, wanted):
            continue
        info = _info(connection, n, count, spaces)
        if info is not None and (
            wanted is None or any(wanted in name_key(name) for name in (info.name, *info.aliases))
        ):
            found.append(info)
    return found[offset:end]


def _may_match(connection: apsw.Connection, end: int, wanted: str) -> bool:
    sql = """SELECT 1 FROM entity_name JOIN entity ON entity.n = entity_name.entity
             WHERE entity.resolved = ? AND instr(entity_name.name, ?) LIMIT 1"""
    return connection.execute(sql, (end, wanted)).fetchone() is not None


def _info(connection: apsw.Connection, end: int, count: int, spaces: Sequence[int]) -> EntityInfo | None:
    """An entity under the names that these spaces know; None when they know none."""
    members = [one for one in stored.group(connection, end) if not one.is_dropped]
    names = shown_names(connection, members, spaces)
    if not names or not members:
        return None
    return EntityInfo(members[0].id, names[0], members[0].type, tuple(names[1:]), count)


def shown_names(connection: apsw.Connection, members: Sequence[Known], spaces: Sequence[int]) -> list[str]:
    """The names of an entity, its own first; those that only items of other spaces say are left out."""
    spelt = {name_key(name): name for one in reversed(members) for name in reversed((one.name, *one.aliases)) if name}
    ordered = [
        name for one in members for name in (one.name, *one.aliases) if name and spelt.get(name_key(name)) == name
    ]
    if sees_all(connection, spaces):
        return list(dict.fromkeys(ordered))
    return [name for name in dict.fromkeys(ordered) if _is_shown(connection, members, name, spaces)]


def sees_all(connection: apsw.Connection, spaces: Sequence[int]) -> bool:
    """Whether these spaces are all that hold anything."""
    sql = "SELECT 1 FROM space WHERE n NOT IN (SELECT value FROM json_each(?)) LIMIT 1"
    return connection.execute(sql, (dumps(list(spaces)),)).fetchone() is None


def _is_shown(connection: apsw.Connection, members: Sequence[Known], name: str, spaces: Sequence[int]) -> bool:
    """Whether a text of these spaces says a name, or it was read in (or typed about) an item of them."""
    key = name_key(name)
    for n in stored.rows_saying(connection, name):
        row = connection.execute(
            "SELECT 1 FROM item WHERE n = ? AND is_present AND space IN (SELECT value FROM json_each(?))",
            (n, dumps(list(spaces))),
        ).fetchone()
        if row is not None:
            return True
    of = {item for one in members for item in stored.read_in(connection, one.id, key)}
    return any(_is_present(connection, item, spaces) for item in of)


def ends_named(connection: apsw.Connection, name: str, spaces: Sequence[int]) -> list[int]:
    """Rows of the entities, merges followed, that go by a name in these spaces."""
    key = name_key(name)
    rows = query(
        connection,
        f"""SELECT DISTINCT end.n FROM entity_name JOIN entity ON entity.n = entity_name.entity
            JOIN entity AS end ON end.n = entity.resolved WHERE entity_name.name = ?2 AND NOT end.is_dropped
            AND EXISTS (SELECT 1 FROM entity AS own JOIN mention ON mention.entity = own.n
              JOIN item ON item.n = mention.item WHERE own.resolved = end.n AND {_SHOWN})""",
        (dumps(list(spaces)), key),
    )
    shown = {n: shown_names(connection, stored.group(connection, n), spaces) for (n,) in rows}
    return [n for n, names in shown.items() if key in map(name_key, names)]


def entity_named(connection: apsw.Connection, reference: str, spaces: Sequence[int]) -> int:
    """The row of the entity, merges followed, that a name, an alias or the end of an id means in these spaces."""
    ends = ends_named(connection, reference, spaces)
    if len(ends) > 1:
        infos = stored.known(connection, ends)
        listed = ", ".join(f"{infos[n].type} {infos[n].id[-refs.MIN_SUFFIX :]}" for n in ends)
        raise AmbiguousError(f"several are called `{reference}`: {listed}", "name one by the end of its id")
    if ends:
        return ends[0]
    if len(reference.strip().lstrip("…")) < refs.MIN_SUFFIX:  # a short name that nobody has is not the end of an id
        raise _unknown(reference)
    try:
        identifier = refs.resolve(connection, "entity", reference)
    except NotFoundError:
        raise _unknown(reference) from None
    found = stored.by_id(connection, identifier)
    if found is None or not _is_visible(connection, found.end, spaces):
        raise _unknown(reference)
    return found.end


def _unknown(reference: str) -> NotFoundError:
    return NotFoundError(f"no entity `{reference}`", "`mh entity list` shows them")


def _is_visible(connection: apsw.Connection, end: int, spaces: Sequence[int]) -> bool:
    sql = f"""SELECT 1 FROM entity AS own JOIN mention ON mention.entity = own.n JOIN item ON item.n = mention.item
              JOIN entity AS end ON end.n = own.resolved WHERE own.resolved = ?2
              AND NOT end.is_dropped AND {_SHOWN} LIMIT 1"""
    return connection.execute(sql, (dumps(list(spaces)), end)).fetchone() is not None


def entity(connection: apsw.Connection, end: int, spaces: Sequence[int], most: int) -> Entity:
    """One entity in full: names, the newest `most` items that speak of it, relations with their evidence."""
    rows = query(
        connection,
        f"""SELECT DISTINCT item.n, coalesce(item.created_ms, item.updated_ms) AS at FROM entity AS own
            JOIN mention ON mention.entity = own.n JOIN item ON item.n = mention.item
            WHERE own.resolved = ?2 AND {_SHOWN} ORDER BY at DESC, item.n DESC""",
        (dumps(list(spaces)), end),
    )
    info = _info(connection, end, len(rows), spaces)
    if info is None:
        raise _unknown(str(end))
    numbers = [n for n, _ in rows[: most or None]]
    items = read.load_items(connection, numbers)
    members = stored.group(connection, end)
    merged = tuple((one.id, one.name) for one in members[1:] if one.name in (info.name, *info.aliases))
    return Entity(
        info.id, info.name, info.type, info.aliases, len(rows), tuple(items[n] for n in numbers),
        tuple(_relations(connection, members, spaces)), merged,
    )  # fmt: skip


def _relations(connection: apsw.Connection, members: Sequence[Known], spaces: Sequence[int]) -> list[EntityRelation]:
    """Relations to other entities of which the evidence may be read and is still there."""
    own = [one.id for one in members]
    rows = query(
        connection,
        """SELECT src, relation, dst, attrs ->> 'evidence', src IN (SELECT value FROM json_each(?1)) FROM edge
           WHERE src IN (SELECT value FROM json_each(?1)) OR dst IN (SELECT value FROM json_each(?1))
           ORDER BY relation, src, dst""",
        (dumps(own),),
    )
    found: dict[tuple[str, str, bool], EntityRelation] = {}
    for src, relation, dst, evidence, is_outgoing in rows:
        other = stored.by_id(connection, dst if is_outgoing else src)
        if other is None or other.id in own or not _is_present(connection, evidence, spaces):
            continue
        if not _is_visible(connection, other.end, spaces):
            continue
        info = _info(connection, other.end, 0, spaces)
        if info is not None:
            one = EntityRelation(relation, info.id, info.name, bool(is_outgoing), evidence)
            found.setdefault((relation, info.id, bool(is_outgoing)), one)
    return list(found.values())


def _is_present(connection: apsw.Connection, item: str | None, spaces: Sequence[int]) -> bool:
    sql = "SELECT 1 FROM item WHERE id = ? AND is_present AND space IN (SELECT value FROM json_each(?))"
    return connection.execute(sql, (item, dumps(list(spaces)))).fetchone() is not None
