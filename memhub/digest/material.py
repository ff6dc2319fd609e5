"""What the digest looks at in a space: live statements with their vectors, and which of them speak for what already."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple

import apsw

from memhub.digest import clusters
from memhub.store import vectors
from memhub.store.connection import query
from memhub.store.filters import readable_spaces

if TYPE_CHECKING:
    from memhub.digest.clusters import Vectors
    from memhub.search.ways import EngineSource


class Member(NamedTuple):
    """A live statement that may speak for something: what it says now, and in which version."""

    n: int
    id: str
    version: str
    layer: str
    kind: str
    content: str
    at: str | None


class Material(NamedTuple):
    """Row numbers of items beside their vectors, and the place of each in them."""

    numbers: list[int]
    vectors: "Vectors"
    place: dict[int, int]


def load(connection: apsw.Connection, space: str, engine: "EngineSource") -> Material | None:
    """The live L1 and L2 items of a space that have a vector; nothing derived is among them. None without any.

    A long text counts by its first piece.
    """
    model = vectors.model_number(connection, engine().info.name)
    if model is None:
        return None
    spaces = readable_spaces(connection, space, alone=True)
    numbers: list[int] = []
    rows: list[bytes] = []
    for n, vector in connection.execute(
        f"""SELECT item.n, vec.q FROM vec JOIN chunk ON chunk.n = vec.chunk JOIN item ON item.n = chunk.item
            WHERE vec.space IN ({",".join("?" * len(spaces))}) AND vec.model = ? AND chunk.ordinal = 0
            AND item.state = 'live' AND item.layer IN ('L1', 'L2')""",
        (*spaces, model),
    ):
        numbers.append(n)
        rows.append(vector)
    if not numbers:
        return None
    return Material(numbers, clusters.unit(rows, engine().info.dims), {n: p for p, n in enumerate(numbers)})


def members(connection: apsw.Connection, numbers: Iterable[int]) -> dict[int, Member]:
    """What live statements say now, by row number."""
    wanted = list(numbers)
    found: dict[int, Member] = {}
    for start in range(0, len(wanted), 500):
        some = wanted[start : start + 500]
        for row in query(
            connection,
            f"""SELECT item.n, item.id, version.hash, item.layer, item.kind,
                  coalesce(item.merged ->> 'content', version.content), item.created_at
                FROM item JOIN version ON version.n = item.shown
                WHERE item.state = 'live' AND item.layer IN ('L1', 'L2') AND item.n IN ({",".join("?" * len(some))})""",
            some,
        ):
            found[row[0]] = Member(*row)
    return found


def evidence(connection: apsw.Connection, derived: str) -> list[int]:
    """Row numbers of the live statements that speak for a derived item."""
    return [
        n
        for (n,) in query(
            connection,
            """SELECT item.n FROM edge JOIN item ON item.id = edge.src
               WHERE edge.dst = ? AND edge.relation = 'evidence_of' AND item.state = 'live'
               AND item.layer IN ('L1', 'L2') ORDER BY edge.hlc, item.n""",
            (derived,),
        )
    ]


def derived(connection: apsw.Connection, space: str, kind: str) -> dict[str, list[int]]:
    """The live derived items of a kind, each with the live statements that speak for it."""
    spaces = readable_spaces(connection, space, alone=True)
    found: dict[str, list[int]] = {}
    for identifier, n in query(
        connection,
        f"""SELECT item.id, source.n FROM item LEFT JOIN edge ON edge.dst = item.id AND edge.relation = 'evidence_of'
            LEFT JOIN item AS source ON source.id = edge.src AND source.state = 'live'
            AND source.layer IN ('L1', 'L2')
            WHERE item.layer = 'L3' AND item.kind = ? AND item.state IN ('live', 'archived')
            AND item.space IN ({",".join("?" * len(spaces))}) ORDER BY item.n, edge.hlc""",
        (kind, *spaces),
    ):
        known = found.setdefault(identifier, [])
        if n is not None:
            known.append(n)
    return found


def to_renew(connection: apsw.Connection, space: str, kind: str) -> list[str]:
    """Derived items of a kind that are stale, that two devices worded differently, or whose text went with an erase."""
    spaces = readable_spaces(connection, space, alone=True)
    marks = ",".join("?" * len(spaces))
    rows = query(
        connection,
        f"""SELECT id FROM item WHERE layer = 'L3' AND kind = ? AND state IN ('live', 'archived')
            AND (' ' || flags || ' ' LIKE '% stale %' OR ' ' || flags || ' ' LIKE '% forked %') AND space IN ({marks})
            UNION SELECT item.id FROM item JOIN edge ON edge.dst = item.id AND edge.relation = 'evidence_of'
            WHERE item.state = 'erased' AND item.space IN ({marks}) AND edge.attrs ->> 'kind' = ?""",
        (kind, *spaces, *spaces, kind),
    )
    return sorted(identifier for (identifier,) in rows)
