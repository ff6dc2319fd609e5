"""Reads conversations: their fields, participants and turns."""

import json
from collections.abc import Container, Sequence
from dataclasses import replace
from typing import Any

import apsw

from memhub.model.item import Item
from memhub.model.query import Filters
from memhub.model.thread import Speaker, Thread
from memhub.store import read
from memhub.store.connection import query
from memhub.store.filters import projects_named, readable_spaces

_TITLE_LENGTH = 80
FINAL = "final"
"""Among the attributes of the edge from a turn to its thread: it is the final answer to a prompt."""
_SPEAKER = "speaker:"
_LAST = """(SELECT max(item.created_ms) FROM edge JOIN item ON item.id = edge.src
    WHERE edge.dst = thread.id AND edge.relation = 'part_of' AND item.is_present)"""
_OWN = "1000 * unixepoch(coalesce(fields ->> 'ended_at', fields ->> 'started_at'))"


def list_threads(
    connection: apsw.Connection, filters: Filters, *, limit: int, offset: int, platform: str | None = None
) -> list[Thread]:
    """Threads of the readable spaces, the one with the newest turn first; one without any time goes by when it came.

    `limit` 0 means all. `platform` is compared without case.
    """
    sql, values = _where(connection, filters, platform)
    rows = query(
        connection,
        f"""SELECT thread.id FROM thread WHERE {sql}
            ORDER BY coalesce({_LAST}, {_OWN}, updated_ms) DESC, thread.n DESC LIMIT ? OFFSET ?""",
        (*values, limit or -1, offset),
    )
    return [thread for (identifier,) in rows if (thread := thread_by_id(connection, identifier)) is not None]


def count_threads(connection: apsw.Connection, filters: Filters, *, platform: str | None = None) -> int:
    """How many threads `list_threads` would give without a limit."""
    sql, values = _where(connection, filters, platform)
    return int(connection.execute(f"SELECT count(*) FROM thread WHERE {sql}", values).get)


def count_undated(connection: apsw.Connection, filters: Filters, *, platform: str | None = None) -> int:
    """How many threads have no time, neither of a turn nor of their own, and so are in no range."""
    sql, values = _where(connection, filters._replace(created=None), platform)
    return int(
        connection.execute(f"SELECT count(*) FROM thread WHERE {sql} AND coalesce({_LAST}, {_OWN}) IS NULL", values).get
    )


def _where(connection: apsw.Connection, filters: Filters, platform: str | None) -> tuple[str, list[Any]]:
    spaces = readable_spaces(connection, filters.space)
    sql = f"NOT is_dropped AND space IN ({','.join('?' * len(spaces))})"
    values: list[Any] = list(spaces)
    if filters.project is not None:
        projects = projects_named(connection, filters.project)
        sql += f" AND project IN ({','.join('?' * len(projects))})"
        values += projects
    if platform is not None:
        sql += " AND fields ->> 'platform' = ? COLLATE NOCASE"
        values.append(platform)
    having, bound = _in_range(filters)
    return sql + having, [*values, *bound]


def _in_range(filters: Filters) -> tuple[str, list[Any]]:
    """A thread is in a range of time when one of its turns is, or, where no turn has a time, its own."""
    if filters.created is None:
        return "", []
    limits = [(sign, ms) for sign, ms in zip((">=", "<"), filters.created.instants, strict=True) if ms is not None]
    turn, own = ("".join(f" AND {what} {sign} ?" for sign, _ in limits) for what in ("item.created_ms", _OWN))
    bound = [ms for _, ms in limits]
    return (
        f""" AND (EXISTS (SELECT 1 FROM edge JOIN item ON item.id = edge.src WHERE edge.dst = thread.id
            AND edge.relation = 'part_of' AND item.is_present AND item.created_ms IS NOT NULL{turn})
            OR ({_LAST} IS NULL{own}))""",
        [*bound, *bound],
    )


def thread_by_id(
    connection: apsw.Connection, identifier: str, *, with_turns: bool = False, limit: int = 0, offset: int = 0
) -> Thread | None:
    """One thread, with its present turns in order when asked for; `limit` of them from `offset` on, 0 means all."""
    row = connection.execute(
        """SELECT fields, coalesce(end.name, space.name), coalesce(whole.name, project.name), updated_ms
           FROM thread JOIN space ON space.n = thread.space LEFT JOIN space AS end ON end.n = space.resolved
           LEFT JOIN project ON project.n = thread.project LEFT JOIN project AS whole ON whole.n = project.resolved
           WHERE thread.id = ?""",
        (identifier,),
    ).fetchone()
    if row is None:
        return None
    fields = json.loads(row[0])
    numbers = turn_numbers(connection, identifier)
    turns: tuple[Item, ...] = ()
    if with_turns:
        wanted = numbers[offset : offset + limit if limit else None]
        found = read.load_items(connection, wanted)
        finals = {item for item, place in places_in(connection, identifier).items() if place.get(FINAL)}
        turns = tuple(_with_mark(found[number], finals) for number in wanted)
    first, last = (
        connection.execute(
            f"""SELECT item.created_at FROM edge JOIN item ON item.id = edge.src WHERE edge.dst = ?
                AND edge.relation = 'part_of' AND item.is_present AND item.created_ms IS NOT NULL
                ORDER BY item.created_ms {order} LIMIT 1""",
            (identifier,),
        ).get
        for order in ("ASC", "DESC")
    )
    return Thread(
        id=identifier, title=fields.get("title") or _first_line(connection, numbers), platform=fields.get("platform"),
        chat_type=fields.get("chat_type"), chat_name=fields.get("chat_name"), bot_name=fields.get("bot_name"),
        participants=_participants(fields), space=row[1], project=row[2], started_at=first or fields.get("started_at"),
        updated_at=last or fields.get("ended_at") or fields.get("started_at"),
        length=len(numbers), turns=turns, folder=fields.get("folder"),
    )  # fmt: skip


def places_in(connection: apsw.Connection, identifier: str) -> dict[str, dict[str, Any]]:
    """The attributes of each turn's place in a thread: its ordinal, and whether it is a final answer."""
    rows = query(connection, "SELECT src, attrs FROM edge WHERE dst = ? AND relation = 'part_of'", (identifier,))
    return {item: json.loads(attrs) for item, attrs in rows}


def _with_mark(turn: Item, finals: Container[str]) -> Item:
    return replace(turn, attrs={**turn.attrs, FINAL: True}) if turn.id in finals else turn


def turn_numbers(connection: apsw.Connection, identifier: str) -> list[int]:
    """Row numbers of the present turns of a thread, in order."""
    rows = connection.execute(
        """SELECT item.n FROM edge JOIN item ON item.id = edge.src
           WHERE edge.dst = ? AND edge.relation = 'part_of' AND item.is_present ORDER BY edge.ordinal, edge.src""",
        (identifier,),
    )
    return [row[0] for row in rows]


def is_removed(connection: apsw.Connection, identifier: str) -> bool:
    """Whether a person removed the thread; an import does not bring it back."""
    found = connection.execute("SELECT is_dropped AND fields ->> 'removed' FROM thread WHERE id = ?", (identifier,)).get
    return bool(found)


def turn_ids(connection: apsw.Connection, identifier: str) -> list[str]:
    """Ids of the present turns of a thread, in order."""
    rows = query(
        connection,
        """SELECT item.id FROM edge JOIN item ON item.id = edge.src
           WHERE edge.dst = ? AND edge.relation = 'part_of' AND item.is_present ORDER BY edge.ordinal, edge.src""",
        (identifier,),
    )
    return [row[0] for row in rows]


def new_turns(connection: apsw.Connection, identifier: str, *, with_model: bool) -> list[tuple[str, str]]:
    """Id and space of the turns of a thread, in order, that were not distilled in the version they have now.

    Only what user and assistant said. With a model, those that rules alone distilled are new.
    """
    rows = query(
        connection,
        """SELECT item.id, end.id FROM edge JOIN item ON item.id = edge.src JOIN version ON version.n = item.shown
           JOIN space ON space.n = item.space JOIN space AS end ON end.n = space.resolved
           WHERE edge.dst = ? AND edge.relation = 'part_of' AND item.is_present
             AND coalesce(version.meta -> 'attrs' ->> 'role', 'user') IN ('user', 'assistant')
             AND NOT EXISTS (SELECT 1 FROM distilled WHERE distilled.item = item.id
               AND distilled.version = version.hash AND distilled.by_model >= ?)
           ORDER BY edge.ordinal, edge.src""",
        (identifier, with_model),
    )
    return [(item, space) for item, space in rows]


def note_distilled(connection: apsw.Connection, turns: Sequence[str], *, with_model: bool) -> None:
    """Remember turns as distilled; those that still wait to be judged are not. Inside a transaction."""
    connection.executemany(
        """INSERT OR REPLACE INTO distilled SELECT item.id, version.hash, ?2 FROM item
           JOIN version ON version.n = item.shown WHERE item.id = ?1
           AND NOT EXISTS (SELECT 1 FROM queue WHERE queue.item = item.id AND queue.state <> 'doubt')""",
        [(turn, with_model) for turn in turns],
    )


def threads_of(connection: apsw.Connection, turns: Sequence[str]) -> dict[str, str]:
    """The thread of each turn that is in one that is still there."""
    found: dict[str, str] = {}
    for start in range(0, len(turns), 500):
        some = turns[start : start + 500]
        rows = query(
            connection,
            f"""SELECT edge.src, edge.dst FROM edge JOIN thread ON thread.id = edge.dst AND NOT thread.is_dropped
                WHERE edge.relation = 'part_of' AND edge.src IN ({",".join("?" * len(some))})""",
            some,
        )
        found.update((src, dst) for src, dst in rows)
    return found


def next_ordinal(connection: apsw.Connection, identifier: str) -> int:
    """The ordinal after the last one that any turn of the thread ever had."""
    last = connection.execute("SELECT max(ordinal) FROM edge WHERE dst = ? AND relation = 'part_of'", (identifier,)).get
    return 0 if last is None else int(last) + 1


def _first_line(connection: apsw.Connection, numbers: list[int]) -> str:
    """A thread without a title goes by the first line of its first prompt; never stored, so an erase reaches it."""
    found = read.load_items(connection, numbers[:5])
    turns = [found[number] for number in numbers[:5]]
    prompts = [turn for turn in turns if turn.attrs.get("role") == "user"] or turns
    line = prompts[0].content.strip().split("\n")[0] if prompts else ""
    return line[:_TITLE_LENGTH] or "(empty thread)"


def _participants(fields: dict[str, Any]) -> tuple[Speaker, ...]:
    """Speakers by identity; one without an identity goes by name."""
    found = [
        Speaker(name=value, id=None if key == f"{_SPEAKER}name:{value}" else key.removeprefix(_SPEAKER))
        for key, value in sorted(fields.items())
        if key.startswith(_SPEAKER)
    ]
    return tuple(found)


def speaker_field(speaker: Speaker) -> str | None:
    """The register under which a participant is kept, or None for nobody in particular."""
    if speaker.id:
        return f"{_SPEAKER}{speaker.id}"
    return f"{_SPEAKER}name:{speaker.name}" if speaker.name else None
