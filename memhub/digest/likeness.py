"""Links every item to those nearest in meaning, by the stored vectors; never all against all at size."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import apsw

from memhub.store.canonical import dumps

if TYPE_CHECKING:
    from numpy import float32, int8, int64
    from numpy.typing import NDArray

NEAREST = 8
LIKE = 0.35
"""How many of the nearest an item is joined to, and from which cosine on."""

EXACT = 4000
"""Vectors up to which all are compared with all; above, those in the nearest cells (of √n) are."""

_PROBES, _ROUNDS, _BLOCK = 4, 3, 1024


def near_pairs(
    connection: apsw.Connection, ns: Sequence[int]
) -> "tuple[NDArray[int64], NDArray[int64], NDArray[float32]]":
    """Pairs of places in `ns` with their cosine. Empty where nothing has a vector."""
    import numpy as np

    place = {n: i for i, n in enumerate(ns)}
    rows = connection.execute(
        """SELECT chunk.item, vec.q FROM chunk JOIN vec ON vec.chunk = chunk.n
           WHERE chunk.ordinal = 0 AND chunk.item IN (SELECT value FROM json_each(?))
             AND vec.model = (SELECT model FROM vec GROUP BY model ORDER BY count(*) DESC LIMIT 1)""",
        (dumps(list(ns)),),
    )
    places, blobs = [], bytearray()
    for item, vector in rows:
        places.append(place[item])
        blobs += vector
    if len(places) < 2:
        empty = np.zeros(0, dtype=np.int64)
        return empty, empty, np.zeros(0, dtype=np.float32)
    vectors = np.frombuffer(bytes(blobs), dtype=np.int8).reshape(len(places), -1)
    where = np.array(places, dtype=np.int64)
    parts = [(where[own], where[other], cosine) for own, other, cosine in _near(vectors)]
    one, two, cosine = (np.concatenate(columns) for columns in zip(*parts, strict=True))
    return one, two, cosine


def _unit(vectors: "NDArray[int8]") -> "NDArray[float32]":
    import numpy as np

    floats = vectors.astype(np.float32)
    lengths = np.linalg.norm(floats, axis=1, keepdims=True)
    return (floats / np.where(lengths == 0, 1, lengths)).astype(np.float32)


def _near(
    vectors: "NDArray[int8]",
) -> "Iterator[tuple[NDArray[int64], NDArray[int64], NDArray[float32]]]":
    """Block by block, so that the memory does not grow with the square of the number."""
    import numpy as np

    everything = np.arange(len(vectors))
    if len(vectors) <= EXACT:
        for start in range(0, len(vectors), _BLOCK):
            yield _best(vectors, everything[start : start + _BLOCK], everything)
        return
    centres = _centres(vectors)
    cell = np.concatenate([
        (_unit(vectors[start : start + _BLOCK]) @ centres.T).argmax(axis=1)
        for start in range(0, len(vectors), _BLOCK)
    ])  # fmt: skip
    members = [np.flatnonzero(cell == number) for number in range(len(centres))]
    beside = np.argsort(-(centres @ centres.T), axis=1)[:, :_PROBES]
    for number, own in enumerate(members):
        among = np.concatenate([members[other] for other in beside[number]])
        for start in range(0, len(own), _BLOCK):
            yield _best(vectors, own[start : start + _BLOCK], among)


def _centres(vectors: "NDArray[int8]") -> "NDArray[float32]":
    """√n centres: a few rounds of k-means over an even sample."""
    import numpy as np

    count = int(len(vectors) ** 0.5)
    sample = _unit(vectors[:: max(1, len(vectors) // (count * 32))])
    centres = sample[:: max(1, len(sample) // count)][:count].copy()
    for _ in range(_ROUNDS):
        nearest = (sample @ centres.T).argmax(axis=1)
        for number in range(len(centres)):
            some = sample[nearest == number]
            if len(some):
                centre = some.mean(axis=0)
                centres[number] = centre / (np.linalg.norm(centre) or 1)
    return centres


def _best(
    vectors: "NDArray[int8]", own: "NDArray[int64]", among: "NDArray[int64]"
) -> "tuple[NDArray[int64], NDArray[int64], NDArray[float32]]":
    import numpy as np

    cosines = _unit(vectors[own]) @ _unit(vectors[among]).T
    cosines[own[:, None] == among[None, :]] = -1
    count = min(NEAREST, len(among) - 1)
    if count < 1:
        empty = np.zeros(0, dtype=np.int64)
        return empty, empty, np.zeros(0, dtype=np.float32)
    best = np.argpartition(-cosines, count - 1, axis=1)[:, :count]
    values = np.take_along_axis(cosines, best, axis=1)
    rows, columns = np.nonzero(values >= LIKE)
    return own[rows], among[best[rows, columns]], values[rows, columns].astype(np.float32)
