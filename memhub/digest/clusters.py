"""Groups vectors that lie close together: neighbours first, then average linkage in each small neighbourhood."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Vectors = NDArray[np.float32]
    Numbers = NDArray[np.int64]

NEIGHBOURS = 16
"""Of how many of its nearest one vector keeps a link; more bring nothing but memory."""
LARGEST = 1200
"""Members of a neighbourhood above which it is parted at a higher cosine first: linkage costs their square."""
OVERLAP = 4
"""Cells that each row is in: with 4, 98 % of the neighbours are found (30,000 notes of `tests/bench/digest.py`)."""
_STEP = 0.04
_HIGHEST = 0.95
_BLOCK = 1024
_EVERYTHING = 12_000
"""Rows up to which everything is compared with everything; above that, only what lies in the same cells."""


class Links(NamedTuple):
    """Pairs of places, and the cosine of each."""

    one: "Numbers"
    two: "Numbers"
    cosine: "Vectors"


def unit(rows: Sequence[bytes], dims: int) -> "Vectors":
    """int8 vectors as rows of length 1."""
    import numpy as np

    matrix = np.frombuffer(b"".join(rows), dtype=np.int8).reshape(len(rows), dims).astype(np.float32)
    lengths = np.sqrt(np.einsum("ij,ij->i", matrix, matrix))
    matrix /= np.maximum(lengths, 1e-9)[:, None]
    return matrix


def groups(vectors: "Vectors", start: Sequence[int], cut: float) -> list[list[int]]:
    """Groups of rows that hold at least one of `start`, average cosine within a group at least `cut`; two at least."""
    found: list[list[int]] = []
    members = sorted(_around(vectors, start, cut)) if len(start) < len(vectors) else list(range(len(vectors)))
    wanted = set(start)
    for part in _parts(links(vectors, members, cut), members, cut):
        found += [group for group in linked(vectors, part, cut) if len(group) > 1]
    return [group for group in found if wanted.intersection(group)]


def linked(vectors: "Vectors", rows: Sequence[int], cut: float) -> list[list[int]]:
    """`rows` parted by average linkage, merged while two groups have an average cosine of at least `cut`.

    The chain of nearest neighbours gives the same groups as always merging the nearest two, in the square of the size.
    """
    import numpy as np

    count = len(rows)
    members = [[row] for row in rows]
    if count < 2:
        return members
    own = vectors[list(rows)]
    near = own @ own.T
    np.fill_diagonal(near, -2.0)
    sizes = np.ones(count)
    alive = np.ones(count, dtype=bool)
    chain: list[int] = []
    while True:
        if not chain:
            left = np.flatnonzero(alive)
            if len(left) == 0:
                break
            chain.append(int(left[0]))
        last = chain[-1]
        best = int(np.argmax(near[last]))
        if near[last, best] < cut:  # nothing is near enough to the end of the chain, and never will be
            alive[last] = False
            near[last, :] = near[:, last] = -2.0
            chain.pop()
            continue
        if len(chain) > 1 and near[last, chain[-2]] >= near[last, best]:
            best = chain[-2]
            del chain[-2:]
            _merge(near, sizes, members, last, best)
            alive[best] = False
            continue
        chain.append(best)
    return [group for group in members if group]


def _merge(near: "Vectors", sizes: "NDArray[np.float64]", members: list[list[int]], one: int, two: int) -> None:
    """Put group `two` into group `one`."""
    gone = near[one] <= -2.0
    near[one] = (near[one] * sizes[one] + near[two] * sizes[two]) / (sizes[one] + sizes[two])
    near[one][gone | (near[two] <= -2.0)] = -2.0
    near[one, one] = -2.0
    near[:, one] = near[one]
    near[two, :] = near[:, two] = -2.0
    sizes[one] += sizes[two]
    members[one] += members[two]
    members[two] = []


def distinct(vectors: "Vectors", rows: Sequence[int], same: float) -> list[int]:
    """The rows without those that nearly repeat an earlier one."""
    kept: list[int] = []
    for row in rows:
        if not kept or float((vectors[kept] @ vectors[row]).max()) < same:
            kept.append(row)
    return kept


def by_centre(vectors: "Vectors", rows: Sequence[int]) -> list[int]:
    """The rows, the one nearest to the middle of all first."""
    import numpy as np

    own = vectors[list(rows)]
    order = np.argsort(-(own @ own.mean(axis=0)), kind="stable")
    return [rows[int(place)] for place in order]


def _around(vectors: "Vectors", start: Sequence[int], cut: float) -> set[int]:
    """`start`, what lies near to it, and what lies near to that: what average linkage could put together with it."""
    import numpy as np

    found, ahead = set(start), list(start)
    for _ in range(2):
        new: set[int] = set()
        for first in range(0, len(ahead), _BLOCK):
            near = vectors[ahead[first : first + _BLOCK]] @ vectors.T
            _, places, _ = _nearest(near, cut, NEIGHBOURS * 4)
            new.update(int(place) for place in np.unique(places))
        ahead = sorted(new - found)
        found |= new
    return found


def _parts(joined: Links, members: Sequence[int], cut: float) -> Iterable[list[int]]:
    """`members` in pieces between which no link reaches `cut`; large pieces at a higher cosine."""
    import numpy as np

    waiting = [(joined, np.array(members), cut)]
    while waiting:
        joined, rows, cut = waiting.pop()
        high = joined.cosine >= cut
        joined = Links(joined.one[high], joined.two[high], joined.cosine[high])
        for part in _components(len(rows), joined):
            if len(part) > LARGEST and cut <= _HIGHEST:
                waiting.append((_among(joined, part, len(rows)), rows[part], cut + _STEP))
            elif len(part) > 1:
                yield rows[part[:LARGEST]].tolist()


def _among(links: Links, part: Sequence[int], count: int) -> Links:
    """The links inside a part, between places in it."""
    import numpy as np

    place = np.full(count, -1, dtype=np.int64)
    place[list(part)] = np.arange(len(part))
    one, two = place[links.one], place[links.two]
    inside = (one >= 0) & (two >= 0)
    return Links(one[inside], two[inside], links.cosine[inside])


def links(vectors: "Vectors", members: Sequence[int], cut: float, most: int = NEIGHBOURS) -> Links:
    """Which of `members` are neighbours, by their places in it: the `most` nearest of each from cosine `cut` on."""
    import numpy as np

    own = vectors if len(members) == len(vectors) else vectors[list(members)]
    whole = [np.arange(len(own))] if len(own) <= _EVERYTHING else _cells(own)
    found: list[Links] = []
    for cell in whole:
        part = own[cell] if len(cell) < len(own) else own
        near_by: list[Links] = []
        for first in range(0, len(part), _BLOCK):
            near = part[first : first + _BLOCK] @ part.T
            near[np.arange(len(near)), np.arange(first, first + len(near))] = -2.0
            rows, places, cosines = _nearest(near, cut, most)
            near_by.append(Links(cell[rows + first], cell[places], cosines))
        found.append(_once(near_by, len(own)))
    return _once(found, len(own))


def _once(found: Sequence[Links], count: int) -> Links:
    """Each pair of `count` places once, whichever of the two named it, the lower place first."""
    import numpy as np

    links = Links(*(np.concatenate(parts) for parts in zip(*found, strict=True)))
    pairs = np.minimum(links.one, links.two) * count + np.maximum(links.one, links.two)
    pairs, first = np.unique(pairs, return_index=True)
    return Links(pairs // count, pairs % count, links.cosine[first])


def _nearest(near: "Vectors", cut: float, most: int) -> "tuple[Numbers, Numbers, Vectors]":
    """Rows, columns and values of the `most` highest entries of each row, without those that do not reach `cut`."""
    import numpy as np

    most = min(most, near.shape[1])
    places = np.argpartition(near, -most, axis=1)[:, -most:]
    cosines = np.take_along_axis(near, places, axis=1)
    rows, kept = np.nonzero(cosines >= cut)
    return rows, places[rows, kept], cosines[rows, kept]


def _cells(own: "Vectors") -> "list[Numbers]":
    """Rows in overlapping cells of some hundred: each in those whose middle is nearest."""
    import numpy as np

    count = max(2, int(len(own) ** 0.5))
    sample = own[:: max(1, len(own) // (count * 40))]
    middles = sample[:: max(1, len(sample) // count)][:count].copy()
    for _ in range(4):
        nearest = np.argmax(sample @ middles.T, axis=1)
        for cell in range(len(middles)):
            mine = sample[nearest == cell]
            if len(mine):
                middle = mine.mean(axis=0)
                middles[cell] = middle / max(float(np.linalg.norm(middle)), 1e-9)
    lists: list[list[Numbers]] = [[] for _ in middles]
    for first in range(0, len(own), 4096):
        near = own[first : first + 4096] @ middles.T
        best = np.argpartition(-near, OVERLAP - 1, axis=1)[:, :OVERLAP]
        for cell in range(len(middles)):
            rows = np.flatnonzero((best == cell).any(axis=1))
            if len(rows):
                lists[cell].append(rows + first)
    return [np.concatenate(parts) for parts in lists if parts]


def _components(count: int, links: Links) -> list[list[int]]:
    """Places that links hold together: each takes the lowest number it can reach."""
    import numpy as np

    lowest = np.arange(count)
    while True:
        new = lowest.copy()
        both = np.minimum(lowest[links.one], lowest[links.two])
        np.minimum.at(new, links.one, both)
        np.minimum.at(new, links.two, both)
        new = new[new]
        if np.array_equal(new, lowest):
            break
        lowest = new
    order = np.argsort(lowest, kind="stable")
    ends = np.flatnonzero(np.diff(lowest[order])) + 1
    return [part.tolist() for part in np.split(order, ends)]
