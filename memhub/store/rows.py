"""Reads listings as rows: what one line on a screen shows of an item, a page at a time from any place in the list."""

from typing import Any

import apsw

from memhub.errors import UsageError
from memhub.model.query import Filters
from memhub.model.row import Place, Row
from memhub.store.connection import query
from memhub.store.read import SORTS, listed

HEAD = 300  # characters of a text that a line can need; a wide window shows fewer

_ROW = f"""SELECT item.id, item.layer, item.kind, item.title, substr(version.content, 1, {HEAD}), item.merged,
    item.importance, item.pinned, item.state, item.flags, item.created_at, item.updated_at, {{key}}, item.n,
    (SELECT group_concat(name, char(10)) FROM
      (SELECT name FROM item_label WHERE item_label.item = item.n ORDER BY label))
    FROM item LEFT JOIN version ON version.n = item.shown"""


def rows(
    connection: apsw.Connection,
    filters: Filters,
    *,
    sort: str,
    reverse: bool,
    limit: int,
    offset: int,
    after: Place | None,
    before: Place | None,
) -> list[Row]:
    """A page of the list in its order; `after` or `before` a place, the page ends or begins beside it.

    Going on from a place costs the same wherever in the list it is; an `offset` costs its length.
    """
    if sort not in SORTS:
        raise UsageError(f"cannot sort by `{sort}`", f"sorts are {', '.join(SORTS)}")
    sql, values = listed(connection, filters)
    key, backwards = SORTS[sort], before is not None
    down = (sort != "title") ^ reverse ^ backwards
    order, beyond = ("DESC", "<") if down else ("ASC", ">")
    place = before or after
    if place is not None:
        sql += (
            f" AND {key} {beyond}= ? AND ({key}, item.n) {beyond} (?, ?)"  # a pair alone is not looked up in an index
        )
        values += (place.key, *place)
    order = f"ORDER BY {key} {order}, item.n {order}"
    some = f"SELECT item.n FROM item WHERE {sql} {order} LIMIT ? OFFSET ?"  # what is passed over is not looked up
    found = query(
        connection, f"{_ROW.format(key=key)} WHERE item.n IN ({some}) {order}", (*values, limit or -1, offset)
    )
    page = [_row(*row) for row in found]
    return page[::-1] if backwards else page


def _row(
    identifier: str, layer: str, kind: str, title: str | None, head: str | None, merged: str | None,
    importance: float | None, pinned: int, state: str, flags: str, created: str | None, updated: str,
    key: Any, number: int, labels: str | None,
) -> Row:  # fmt: skip
    if merged:
        import json

        head = json.loads(merged)["content"][:HEAD]
    return Row(
        identifier, layer, kind, title, head or "", tuple(labels.split("\n")) if labels else (), importance,
        bool(pinned), state, tuple(flags.split()), created, updated, Place(key, number),
    )  # fmt: skip
