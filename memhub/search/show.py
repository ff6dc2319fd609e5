"""Turns ranked rows into hits: the item, the piece of it that shows why, and the ways that found it."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import apsw

from memhub.model.found import Hit, Why
from memhub.model.item import Item
from memhub.store import index, vectors
from memhub.store.connection import query as query_rows
from memhub.store.read import load_items
from memhub.text.analyse import Term
from memhub.text.snippet import WIDTH, cut, matches

FOLDED = 200
"""Rows from the top in which sources fold into what was drawn from them."""


class Row(NamedTuple):
    """One ranked item before it is loaded; `chunk` is where meaning found it."""

    n: int
    score: float
    why: tuple[Why, ...]
    chunk: int | None = None


def hits(
    connection: apsw.Connection,
    rows: Sequence[Row],
    query: str,
    terms: Sequence[Term],
    into: Mapping[int, Sequence[str]] | None = None,
) -> list[Hit]:
    """The hits in the order of the rows; an item erased meanwhile is left out. `into` is what `folded` gave."""
    items = load_items(connection, [row.n for row in rows])
    places = vectors.spans(connection, [row.chunk for row in rows if row.chunk is not None])
    return [
        _hit(connection, row, items[row.n], query, terms, places, tuple((into or {}).get(row.n, ())))
        for row in rows
        if row.n in items
    ]


def folded(connection: apsw.Connection, rows: Sequence[Row]) -> tuple[list[Row], dict[int, list[str]]]:
    """The rows without the sources of what ranks above them, and for each row the ids of the sources it stands for.

    A source folds into the statement that was drawn from it only when that ranks above it, or level with it. What is
    derived from many says less than each of them, and stands for none.
    """
    some = rows[:FOLDED]
    marks = ",".join("?" * len(some))
    numbers = [row.n for row in some]
    pairs = query_rows(
        connection,
        f"""SELECT source.n, source.id, drawn.n FROM edge JOIN item AS source ON source.id = edge.src
            JOIN item AS drawn ON drawn.id = edge.dst
            WHERE edge.relation = 'evidence_of' AND drawn.layer <> 'L3'
            AND source.n IN ({marks}) AND drawn.n IN ({marks})""",
        (*numbers, *numbers),
    )
    if not pairs:
        return list(rows), {}
    score = {row.n: row.score for row in some}
    into: dict[int, list[str]] = {}
    gone: set[int] = set()
    for source, identifier, drawn in pairs:
        if score[drawn] >= score[source] and source not in gone:
            gone.add(source)
            into.setdefault(drawn, []).append(identifier)
    return [row for row in rows if row.n not in gone], into


def _hit(
    connection: apsw.Connection,
    row: Row,
    item: Item,
    query: str,
    terms: Sequence[Term],
    places: Mapping[int, tuple[int, int]],
    sources: tuple[str, ...],
) -> Hit:
    start = places.get(row.chunk, (0, 0))[0] if row.chunk is not None else 0
    snippet, marks = cut(item.content, terms, WIDTH, phrase=query, start=start)
    near = None
    if not marks and item.layer == "L0" and any(why.way == "words" for why in row.why):
        near = _neighbour(connection, item.id, terms)
    return Hit(item, round(row.score, 6), snippet, marks, row.why, folded=sources, near=near)


def _neighbour(connection: apsw.Connection, item: str, terms: Sequence[Term]) -> str | None:
    """What the turn before or after says that brought this one up, when its own text has none of the words."""
    texts = [
        text.spoken
        for n in index.neighbours(connection, [item]).get(item, ())
        if n and (text := index.shown(connection, n)) is not None
    ]
    best = max(texts, key=lambda text: matches(text, terms), default=None)
    return cut(best, terms)[0] if best is not None and matches(best, terms) else None
