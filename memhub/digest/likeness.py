"""Links every item to those nearest in meaning, by the stored vectors."""

from collections.abc import Sequence

import apsw

from memhub.digest.clusters import Links, links, unit
from memhub.store.canonical import dumps

NEAREST = 8
LIKE = 0.35
"""How many of the nearest an item is joined to, and from which cosine on."""


def near_pairs(connection: apsw.Connection, ns: Sequence[int]) -> Links | None:
    """Pairs of places in `ns` with their cosine. None where nothing has a vector."""
    place = {n: i for i, n in enumerate(ns)}
    rows = connection.execute(
        """SELECT chunk.item, vec.q FROM chunk JOIN vec ON vec.chunk = chunk.n
           WHERE chunk.ordinal = 0 AND chunk.item IN (SELECT value FROM json_each(?))
             AND vec.model = (SELECT model FROM vec GROUP BY model ORDER BY count(*) DESC LIMIT 1)""",
        (dumps(list(ns)),),
    )
    found = [(place[item], vector) for item, vector in rows]
    if len(found) < 2:
        return None
    import numpy as np

    where = np.array([at for at, _ in found], dtype=np.int64)
    near = links(unit([vector for _, vector in found], len(found[0][1])), range(len(found)), LIKE, NEAREST)
    return Links(where[near.one], where[near.two], near.cosine)
