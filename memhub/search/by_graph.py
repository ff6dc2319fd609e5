"""The way by graph: from the first hits along links, shared rare entities and conversations to what is near.

A step passes on part of the score of the hit it starts from, and what several hits lead to adds up, for what is linked
up to that of one perfect hit: a dozen notes that are all linked with one another say no more for it than one. Steps go
through any present item of the searched spaces, so that a hit leads over a replaced item to what replaced it; only what
the search looks for is reached.
"""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from memhub.search.ways import Scope
from memhub.store.canonical import dumps
from memhub.store.connection import query

LINK, ENTITY, TURN = 1.0, 0.5, 0.25
"""What one step passes on: along a link, to an item that speaks of the same rare entity, to a turn nearby. Only the
last is measured; nobody asks about links and entities in public."""

SECOND = 0.5
"""What is left of it in a second step along a link."""

NEARBY = 10
"""Turns before and after a hit that count (recall@10 on conversations 1–5 with 5 / 10 / 20: .770 / .774 / .774)."""

RARE = 20
"""Items that speak of an entity, up to which it joins them."""

_MOST = 1000
"""Links that one step looks at: a hub leads nowhere in particular."""


class Reached(NamedTuple):
    """What the steps lead to, by item row. `linked` belongs with a hit whatever it says; `beside` only stands near."""

    linked: dict[int, float]
    beside: dict[int, float]


def steps(scope: Scope, first: Mapping[int, float]) -> Reached:
    """What the first hits (with their scores) lead to, and how strongly."""
    one = _capped(_along(scope, first, LINK))
    two = _along(scope, one, SECOND)
    shared = _sharing(scope, first)
    linked = _capped(_added({n: score for n, score in some.items() if n not in first} for some in (one, two, shared)))
    beside = _beside(scope, first)
    wanted = _wanted(scope, {*linked, *beside})
    return Reached(
        {n: score for n, score in linked.items() if n in wanted},
        {n: score for n, score in beside.items() if n in wanted},
    )


def _along(scope: Scope, start: Mapping[int, float], share: float) -> dict[int, float]:
    """One step along links of any relation, in both directions."""
    if not start:
        return {}
    spaces = dumps(list(scope.spaces))
    one_way = """SELECT own.n, other.n, edge.hlc FROM json_each(?1) AS hit JOIN item AS own ON own.n = hit.value
        JOIN edge ON edge.{0} = own.id JOIN item AS other ON other.id = edge.{1}
        WHERE edge.relation <> 'part_of' AND other.is_present AND other.space IN (SELECT value FROM json_each(?2))"""
    rows = query(
        scope.connection,
        f"{one_way.format('src', 'dst')} UNION {one_way.format('dst', 'src')} ORDER BY 3 DESC LIMIT ?3",
        (dumps(list(start)), spaces, _MOST),
    )
    return _added({other: share * start[own]} for own, other, _ in rows)


def _sharing(scope: Scope, start: Mapping[int, float]) -> dict[int, float]:
    """Items that speak of a rare entity which a hit speaks of, under any of its names."""
    rows = query(
        scope.connection,
        """WITH own AS MATERIALIZED (
             SELECT DISTINCT mention.item, name.n AS entity FROM json_each(?1) AS hit
             JOIN mention ON mention.item = hit.value JOIN entity ON entity.n = mention.entity
             JOIN entity AS name ON name.n IN (entity.n, entity.resolved) WHERE NOT entity.is_dropped),
           rare AS MATERIALIZED (
             SELECT DISTINCT entity FROM own
             WHERE (SELECT count(*) FROM (SELECT 1 FROM mention WHERE entity = own.entity LIMIT ?2 + 1)) <= ?2)
           SELECT own.item, other.item FROM rare JOIN own ON own.entity = rare.entity
           JOIN mention AS other ON other.entity = rare.entity
           WHERE other.item <> own.item GROUP BY own.item, other.item LIMIT ?3""",
        (dumps(list(start)), RARE, _MOST),
    )
    return _added({other: ENTITY * start[own]} for own, other in rows)


def _beside(scope: Scope, start: Mapping[int, float]) -> dict[int, float]:
    """Turns of the same conversation near a hit."""
    rows = query(
        scope.connection,
        """SELECT own.n, other.n FROM json_each(?1) AS hit JOIN item AS own ON own.n = hit.value
           JOIN edge AS place ON place.src = own.id AND place.relation = 'part_of'
           JOIN edge AS near ON near.dst = place.dst AND near.relation = 'part_of'
             AND near.ordinal BETWEEN place.ordinal - ?2 AND place.ordinal + ?2
           JOIN item AS other ON other.id = near.src WHERE other.n <> own.n""",
        (dumps(list(start)), NEARBY),
    )
    return _added({other: TURN * start[own]} for own, other in rows)


def _added(parts: Iterable[Mapping[int, float]]) -> dict[int, float]:
    total: dict[int, float] = {}
    for part in parts:
        for n, score in part.items():
            total[n] = total.get(n, 0.0) + score
    return total


def _capped(scores: Mapping[int, float]) -> dict[int, float]:
    return {n: min(1.0, score) for n, score in scores.items()}


def _wanted(scope: Scope, numbers: Iterable[int]) -> set[int]:
    """Those that the search looks for."""
    rows = query(
        scope.connection,
        f"SELECT item.n FROM item WHERE item.n IN (SELECT value FROM json_each(?)) AND ({scope.where})",
        (dumps(list(numbers)), *scope.params),
    )
    return {n for (n,) in rows}
