"""Remembers what the importer of a source was told, so that the next import finds the same items without being told.

Beside the cursors of the source, one row for each change; an undone import takes its own row away.
"""

import json
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

import apsw

from memhub.model.record import Option
from memhub.pipeline.records import Run
from memhub.store.connection import query
from memhub.store.store import Operation, Store

_PLACE = "-o "
_OF_SOURCE = "kind = ? AND scope = ? AND space = ?"


class Told(NamedTuple):
    """What an importer is told this time: `chosen` by name, without defaults; `cursors` of the places read before.

    `is_new`: it differs from the last time, so that every place is read again, since each may say something else now.
    """

    chosen: dict[str, str]
    cursors: dict[str, str]
    keywords: dict[str, Any]
    is_new: bool


def told_of(connection: apsw.Connection, run: Run, options: Iterable[Option], given: Mapping[str, str]) -> Told:
    """What the last import of this source into this space was told, with `given` in its place."""
    defaults = {option.name: option.values[0] for option in options}
    before, cursors = _remembered(connection, run)
    wanted = {name: value for name, value in {**before, **given}.items() if defaults.get(name, value) != value}
    is_new = wanted != before
    return Told(wanted, {} if is_new else cursors, {"options": wanted} if defaults else {}, is_new)


def remember(store: Store, run: Run, operation: Operation, told: Told) -> None:
    """Keep what is new of it, before the first record comes."""
    source = (run.kind, run.scope, run.space)
    with store.writing():
        connection = store.connection
        is_option = f"{_OF_SOURCE} AND place GLOB '{_PLACE}*'"
        connection.execute(f"DELETE FROM import_cursor WHERE {_OF_SOURCE} AND place NOT GLOB '{_PLACE}*'", source)
        number = connection.execute(f"SELECT count(*) FROM import_cursor WHERE {is_option}", source).get
        row = (*source, f"{_PLACE}{number:06d}", json.dumps(told.chosen, sort_keys=True), operation.id)
        connection.execute("INSERT OR REPLACE INTO import_cursor VALUES (?,?,?,?,?,?)", row)


def _remembered(connection: apsw.Connection, run: Run) -> tuple[dict[str, str], dict[str, str]]:
    """The options of the last import, and how far each place of the source was read here, for this space."""
    rows = query(
        connection,
        f"SELECT place, value FROM import_cursor WHERE {_OF_SOURCE} ORDER BY place",
        (run.kind, run.scope, run.space),
    )
    told = [value for place, value in rows if place.startswith(_PLACE)]
    cursors = {str(place): str(value) for place, value in rows if not place.startswith(_PLACE)}
    return json.loads(told[-1]) if told else {}, cursors
