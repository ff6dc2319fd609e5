"""Entities: who and what is spoken of, as the log tells it; and the index of which text speaks of whom.

An entry of an entity names in `of` items whose text says what it says. It falls when the last of these is erased; what
other items say as well is written again under them (`kept`).
"""

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, NamedTuple

import apsw

from memhub.model.entry import Draft, Entry
from memhub.store import log
from memhub.store.canonical import dumps
from memhub.store.connection import query
from memhub.store.evaluate import Registers, in_order, registers
from memhub.text.analyse import Term, match_expression, phrase_expression, query_terms
from memhub.text.naming import name_key

MOST_OF = 3
"""Items that an entry names as what it was read in; more would only make the log longer."""


class Known(NamedTuple):
    """One entity by itself: `n` its row, `end` the row of the one it was merged into, else its own."""

    n: int
    id: str
    name: str
    type: str
    aliases: tuple[str, ...]
    end: int
    is_dropped: bool


def project_entity(connection: apsw.Connection, key: str, entries: list[Entry]) -> None:
    """Write down what the log says of one entity, and note which texts must be looked through again because of it."""
    found = registers(in_order(entries))
    fields, number = found.fields, number_of(connection, key)
    name = fields.get("name") or ""
    aliases = [alias for alias, _ in found.members.get("aliases", {}).values()]
    is_dropped = bool(fields.get("dropped"))
    before = connection.execute("SELECT alias_of FROM entity WHERE n = ?", (number,)).get
    connection.execute(
        "UPDATE entity SET name = ?, type = ?, alias_of = ?, is_dropped = ?, fields = ? WHERE n = ?",
        (
            name,
            fields.get("type") or "concept",
            fields.get("alias_of"),
            is_dropped,
            dumps({"aliases": aliases}),
            number,
        ),
    )
    if before or fields.get("alias_of"):
        _resolve(connection, fields.get("alias_of"))
    _names(connection, number, set() if is_dropped else {name_key(one) for one in (name, *aliases) if one})


def number_of(connection: apsw.Connection, identifier: str) -> int:
    """The row number of an entity; one only referred to so far has no name yet."""
    row = connection.execute("SELECT n FROM entity WHERE id = ?", (identifier,)).fetchone()
    if row is None:
        connection.execute(
            "INSERT INTO entity(id, suffix, name, type, resolved, fields) VALUES (?,?,'','concept',0,'{}')",
            (identifier, identifier[::-1]),
        )
        row = (connection.last_insert_rowid(),)
        connection.execute("UPDATE entity SET resolved = n WHERE n = ?", row)
    return int(row[0])


def _resolve(connection: apsw.Connection, target: str | None) -> None:
    """Follow all aliases to their end; every member of a cycle resolves to its smallest id, so no order matters."""
    if target is not None:
        number_of(connection, target)
    rows = query(connection, "SELECT n, id, alias_of FROM entity WHERE alias_of IS NOT NULL")
    alias = {identifier: target for _, identifier, target in rows}
    connection.execute("UPDATE entity SET resolved = n WHERE alias_of IS NULL AND resolved <> n")
    for n, identifier, _ in rows:
        seen = [identifier]
        while (following := alias.get(seen[-1])) is not None and following not in seen:
            seen.append(following)
        end = seen[-1] if following is None else min(seen[seen.index(following) :])
        connection.execute("UPDATE entity SET resolved = ? WHERE n = ?", (number_of(connection, end), n))


def _names(connection: apsw.Connection, number: int, names: set[str]) -> None:
    """Write the names under which texts are searched for an entity. A text that held one that went, or holds one that
    came, is to be looked through again."""
    before = {row[0] for row in connection.execute("SELECT name FROM entity_name WHERE entity = ?", (number,))}
    if before == names:
        return
    connection.executemany(
        "DELETE FROM entity_name WHERE entity = ? AND name = ?", [(number, n) for n in before - names]
    )
    connection.executemany("INSERT INTO entity_name VALUES (?,?)", [(name, number) for name in sorted(names - before)])
    if connection.execute("SELECT 1 FROM looked_through LIMIT 1").fetchone() is None:
        return
    if before - names:
        again = (
            "UPDATE looked_through SET rules = -abs(rules) WHERE item IN (SELECT item FROM mention WHERE entity = ?)"
        )
        connection.execute(again, (number,))
        connection.execute("DELETE FROM mention WHERE entity = ?", (number,))
    for name in names - before:
        holding = [(n,) for n in rows_saying(connection, name)]
        connection.executemany("UPDATE looked_through SET rules = -abs(rules) WHERE item = ?", holding)


def names_of(connection: apsw.Connection, number: int) -> list[str]:
    """The names under which texts are searched for one entity."""
    return [name for (name,) in connection.execute("SELECT name FROM entity_name WHERE entity = ?", (number,))]


def rows_saying(connection: apsw.Connection, name: str, limit: int = -1) -> Iterator[int]:
    """Item rows whose own text has the words of a name, whatever their endings."""
    expression = _expression(name)
    if expression:
        rows = connection.execute("SELECT rowid FROM words WHERE words MATCH ? LIMIT ?", (expression, limit))
        yield from (row[0] for row in rows)


def _expression(name: str) -> str | None:
    phrase = phrase_expression(name)
    if phrase:
        return phrase
    terms: list[Term] = query_terms(name)
    return f"{{own}} : ({match_expression(terms)})" if terms else None


# -- reads


_KNOWN = "SELECT n, id, name, type, fields, resolved, is_dropped FROM entity"


def known(connection: apsw.Connection, numbers: Iterable[int]) -> dict[int, Known]:
    """Entities by row."""
    rows = query(connection, f"{_KNOWN} WHERE n IN (SELECT value FROM json_each(?))", (dumps(list(numbers)),))
    return {row[0]: _known(row) for row in rows}


def by_id(connection: apsw.Connection, identifier: str) -> Known | None:
    """One entity by its full id."""
    rows = query(connection, f"{_KNOWN} WHERE id = ?", (identifier,))
    return _known(rows[0]) if rows else None


def group(connection: apsw.Connection, end: int) -> list[Known]:
    """An entity and all that were merged into it, itself first."""
    rows = query(connection, f"{_KNOWN} WHERE resolved = ?1 ORDER BY n <> ?1, n", (end,))
    return [_known(row) for row in rows]


def _known(row: Sequence[Any]) -> Known:
    n, identifier, name, kind, fields, resolved, is_dropped = row
    return Known(n, identifier, name, kind, tuple(json.loads(fields).get("aliases", ())), resolved, bool(is_dropped))


def dropped_names(connection: apsw.Connection) -> set[str]:
    """Names of what was dropped, which is not made again."""
    rows = query(connection, f"{_KNOWN} WHERE is_dropped")
    return {name_key(name) for one in map(_known, rows) for name in (one.name, *one.aliases)}


def read_in(connection: apsw.Connection, identifier: str, key: str) -> set[str]:
    """Ids of the items in which a name of an entity was read, or that spoke of it when a person gave it that name."""
    entries = [entry for entry in log.entries_of(connection, identifier) if entry.kind == "entity.put"]
    spelt = [(entry, {name_key(name) for name in _spelt(entry.payload)}) for entry in entries]
    return {item for entry, names in spelt if key in names for item in entry.payload.get("of", ())}


def has_again(connection: apsw.Connection) -> bool:
    """Whether a name came or went that texts hold which were looked through before."""
    return connection.execute("SELECT 1 FROM looked_through WHERE rules < 0 LIMIT 1").fetchone() is not None


# -- what an erase takes, and what stays


def scrub(
    connection: apsw.Connection, entries: Iterable[Entry], is_gone: Callable[[str], bool]
) -> Iterator[tuple[Entry, dict[str, Any]]]:
    """Entries that fall because every item they were read in is gone, with the payload that is left of each."""
    for entry in entries:
        of = entry.payload.get("of")
        if entry.kind == "entity.put" and of and all(is_gone(item) for item in of):
            bare = _bare(entry.payload)
            if bare != entry.payload:
                yield entry, bare


def _bare(payload: dict[str, Any]) -> dict[str, Any]:
    """Without names: what it is, what it was merged into and whether it was dropped stay."""
    fields = {name: value for name, value in payload.get("set", {}).items() if name != "name"}
    return {**({"set": fields} if fields else {}), "of": payload["of"]}


def touched_by(connection: apsw.Connection, items: Iterable[str]) -> list[str]:
    """Entities of which an entry was read in one of these items."""
    rows = query(
        connection,
        """SELECT DISTINCT entry.key FROM entry, json_each(entry.payload, '$.of') AS item
           WHERE entry.kind = 'entity.put' AND item.value IN (SELECT value FROM json_each(?))""",
        (dumps(list(items)),),
    )
    return [key for (key,) in rows]


def fallen(connection: apsw.Connection, gone: set[str]) -> list[str]:
    """Entities that were read in items erased just now; what the index says of these items goes."""
    if not gone:
        return []
    rows = dumps(list(gone))
    for table in ("mention", "looked_through"):
        connection.execute(
            f"""DELETE FROM {table} WHERE item IN
                (SELECT n FROM item WHERE id IN (SELECT value FROM json_each(?)))""",
            (rows,),
        )
    return touched_by(connection, gone)


def relations_read_in(connection: apsw.Connection, items: Iterable[str]) -> list[tuple[str, str, str]]:
    """Relations between entities of which one of these items is the evidence."""
    return query(
        connection,
        """SELECT src, relation, dst FROM edge WHERE attrs LIKE '%"evidence"%'
           AND attrs ->> 'evidence' IN (SELECT value FROM json_each(?)) AND src IN (SELECT id FROM entity)""",
        (dumps(list(items)),),
    )


def kept(connection: apsw.Connection, gone: set[str]) -> list[Draft]:
    """What to write with the erase of `gone`: names that other items say as well, under these; and the end of
    relations that only an erased item showed."""
    drafts: list[Draft] = []
    for key in touched_by(connection, gone):
        entries = in_order(log.entries_of(connection, key))
        bare = {entry.dot: payload for entry, payload in scrub(connection, entries, gone.__contains__)}
        left = [entry._replace(payload=bare[entry.dot]) if entry.dot in bare else entry for entry in entries]
        draft = _again(connection, key, registers(entries), registers(left), entries, gone)
        drafts += [draft] if draft else []
    rows = relations_read_in(connection, gone)
    ends = [{"src": src, "relation": relation, "dst": dst} for src, relation, dst in rows]
    return [*drafts, *(Draft("edge.drop", " ".join(end.values()), dict(end)) for end in ends)]


def _again(
    connection: apsw.Connection, key: str, was: Registers, now: Registers, entries: list[Entry], gone: set[str]
) -> Draft | None:
    """The names of one entity that stay: those that another item says, and with them those that a person gave it."""
    names = {alias: alias for alias, _ in was.members.get("aliases", {}).values()}
    if was.fields.get("name"):
        names[was.fields["name"]] = was.fields["name"]
    said = {name: items for name in names if (items := _items_saying(connection, name, gone))}
    if not said:
        return None
    typed = {name for entry in entries if entry.payload.get("by") == "hand" for name in _spelt(entry.payload)}
    support = list(dict.fromkeys(item for items in said.values() for item in items))[:MOST_OF]
    stays = [name for name in names if name in said or name in typed]
    lost_aliases = [name for name in stays if name_key(name) not in now.members.get("aliases", {}) and name in
                    {alias for alias, _ in was.members.get("aliases", {}).values()}]  # fmt: skip
    payload: dict[str, Any] = {}
    name = was.fields.get("name")
    if name and not now.fields.get("name"):
        payload["set"] = {"name": name if name in stays else stays[0]}
    if lost_aliases:
        payload["add"] = {"aliases": lost_aliases}
    return Draft("entity.put", key, {**payload, "of": support}) if payload else None


def _spelt(payload: dict[str, Any]) -> list[str]:
    return [
        *([payload["set"]["name"]] if payload.get("set", {}).get("name") else ()),
        *payload.get("add", {}).get("aliases", ()),
    ]


def _items_saying(connection: apsw.Connection, name: str, gone: set[str]) -> list[str]:
    """Ids of present items, other than `gone`, in whose text a name stands."""
    found = []
    for n in rows_saying(connection, name):
        identifier, text = connection.execute(
            """SELECT item.id, coalesce(item.title, '') || ' ' || coalesce(version.content, '') || ' ' ||
               coalesce(version.meta ->> '$.attrs.speaker', '')
               FROM item JOIN version ON version.n = item.shown WHERE item.n = ?""",
            (n,),
        ).get or ("", "")
        if identifier and identifier not in gone and name_key(name) in name_key(text):
            found.append(identifier)
            if len(found) == MOST_OF:
                break
    return found
