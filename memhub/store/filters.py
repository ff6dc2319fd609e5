"""The one builder of conditions: every read path applies a filter through here, or not at all."""

from typing import Any

import apsw

from memhub.errors import NotFoundError, UsageError
from memhub.model.query import Filters
from memhub.store.connection import query
from memhub.store.evaluate import fold
from memhub.store.names import DEFAULT_SPACE

STATES = ("live", "replaced", "duplicate", "archived", "dropped", "erased")


def where(connection: apsw.Connection, filters: Filters) -> tuple[str, list[Any]]:
    """SQL over the table `item` and its parameters. Unknown spaces and projects raise `NotFoundError`."""
    parts: list[str] = []
    values: list[Any] = []

    def add(sql: str, *bound: Any) -> None:
        parts.append(sql)
        values.extend(bound)

    spaces = readable_spaces(connection, filters.space, alone=filters.alone)
    # one space by `=`: its rows then come out of an index in the order of the list
    add("item.space = ?" if len(spaces) == 1 else f"item.space IN ({_marks(spaces)})", *spaces)
    states = _states(filters.states)
    if states:
        add(f"item.state IN ({_marks(states)})", *states)
    if filters.kinds:
        add(f"item.kind IN ({_marks(filters.kinds)})", *filters.kinds)
    if filters.layers:
        add(f"item.layer IN ({_marks(filters.layers)})", *(layer.upper() for layer in filters.layers))
    elif "briefing" not in filters.kinds:
        add("item.kind <> 'briefing'")
    for label in filters.labels:
        key = fold(label)
        add(
            """item.n IN (SELECT item FROM item_label
               WHERE item_label.label = ? OR item_label.label BETWEEN ? AND ?)""",
            key, f"{key}/", f"{key}/\U0010ffff",
        )  # fmt: skip
    if filters.project is not None:
        projects = projects_named(connection, filters.project)
        add(f"item.project IN ({_marks(projects)})", *projects)
    if filters.importance is not None:
        add("item.importance >= ?", filters.importance)
    if filters.pinned is not None:
        add("item.pinned = ?", filters.pinned)
    if filters.created is not None:
        _created(filters, add)
    if filters.dated is not None:
        add(f"item.created_at IS {'NOT ' if filters.dated else ''}NULL")
    return " AND ".join(parts), values


def _created(filters: Filters, add: Any) -> None:
    """A plain date is compared as a date, an instant as an instant; an unknown time is in no range."""
    assert filters.created is not None
    (first_day, last_day), (start, stop) = filters.created
    day: list[str] = ["length(item.created_at) <= 10"]
    time: list[str] = ["length(item.created_at) > 10"]
    bound: list[Any] = []
    if first_day is not None:
        day.append("item.created_at >= substr(?, 1, length(item.created_at))")
        bound.append(first_day)
    if last_day is not None:
        day.append("item.created_at <= ?")
        bound.append(last_day)
    if start is not None:
        time.append("item.created_ms >= ?")
        bound.append(start)
    if stop is not None:
        time.append("item.created_ms < ?")
        bound.append(stop)
    add(f"item.created_at IS NOT NULL AND ({' AND '.join(day)} OR {' AND '.join(time)})", *bound)


def _states(states: tuple[str, ...]) -> tuple[str, ...]:
    if "all" in states:
        return ()
    for state in states:
        if state not in STATES:
            raise UsageError(f"no state `{state}`", f"states are {', '.join(STATES)}, all")
    return states


def _marks(values: Any) -> str:
    return ",".join("?" * len(values))


def space_named(connection: apsw.Connection, name: str) -> tuple[int, str]:
    """Row number and id of the space with this name, aliases followed; one that an undo took away by its id only."""
    rows = query(
        connection, "SELECT name, id, resolved FROM space WHERE id = ?1 OR (name = ?1 AND NOT is_dropped)", (name,)
    )
    if not rows:
        rows = [
            row
            for row in query(connection, "SELECT name, id, resolved FROM space WHERE NOT is_dropped")
            if fold(row[0]) == fold(name)
        ]
    ends = {row[2] for row in rows}
    if not ends:
        raise NotFoundError(f"no space `{name}`", f"`mh space list` shows them; `mh space new {name}` makes it")
    if len(ends) > 1:
        raise UsageError(f"two spaces are called `{name}`", "name one by its id (`mh space list --json`)")
    end = ends.pop()
    return int(end), str(connection.execute("SELECT id FROM space WHERE n = ?", (end,)).get)


def readable_spaces(connection: apsw.Connection, name: str | None, *, alone: bool = False) -> list[int]:
    """Row numbers of a space, its aliases, and (unless `alone`) the spaces it reads."""
    end, _ = space_named(connection, name or DEFAULT_SPACE)
    rows = query(
        connection,
        """SELECT space.n FROM space WHERE space.resolved = ?1 OR space.resolved IN (
             SELECT other.resolved FROM space AS own JOIN space_reads ON space_reads.space = own.n
             JOIN space AS other ON other.id = space_reads.other WHERE own.resolved = ?1 AND NOT ?2)""",
        (end, alone),
    )
    return [row[0] for row in rows]


def projects_named(connection: apsw.Connection, name: str) -> list[int]:
    """Row numbers of all projects that go by this name or id, aliases included."""
    rows = query(
        connection,
        "SELECT n FROM project WHERE resolved IN (SELECT resolved FROM project WHERE name = ?1 OR id = ?1)",
        (name,),
    )
    if not rows:
        rows = [r for r in query(connection, "SELECT n, name FROM project") if fold(r[1]) == fold(name)]
    if not rows:
        raise NotFoundError(f"no project `{name}`", "`mh stats` shows the projects that hold something")
    return [row[0] for row in rows]
