"""Groups vectors that lie close together: neighbours first, then average linkage in each small neighbourhood."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Vectors = NDArray[np.float32]
    Pairs = list[tuple[int, int]]

NEIGHBOURS = 16
"""Of how many of its nearest one vector keeps a link; more bring nothing but memory."""
LARGEST = 1200
"""Members of a neighbourhood above which it is parted at a higher cosine first: linkage costs their square."""
_STEP = 0.04
_BLOCK = 1024
_EVERYTHING = 12_000
"""Rows up to which everything is compared with everything; above that, only what lies in the same cells."""


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
    for part in _parts(vectors, members, cut):
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
            keep = min(NEIGHBOURS * 4, near.shape[1])
            best = np.argpartition(-near, keep - 1, axis=1)[:, :keep]
            high = np.take_along_axis(near, best, axis=1) >= cut
            new.update(int(n) for n in np.unique(best[high]))
        ahead = sorted(new - found)
        found |= new
    return found


def _parts(vectors: "Vectors", members: Sequence[int], cut: float) -> Iterable[list[int]]:
    """`members` in pieces between which no pair of neighbours reaches `cut`; large pieces at a higher cosine."""
    if len(members) < 2:
        return
    for part in _components(len(members), _pairs(vectors, members, cut)):
        if len(part) < 2:
            continue
        rows = [members[place] for place in part]
        if len(rows) <= LARGEST or cut > 0.95:
            yield rows[:LARGEST] if cut > 0.95 else rows
        else:
            yield from _parts(vectors, rows, cut + _STEP)


def _pairs(vectors: "Vectors", members: Sequence[int], cut: float) -> "Pairs":
    """Places in `members` of those that are neighbours."""
    own = vectors if len(members) == len(vectors) else vectors[list(members)]
    if len(own) <= _EVERYTHING:
        return [pair for first in range(0, len(own), _BLOCK) for pair in _near(own, None, first, cut)]
    found: set[tuple[int, int]] = set()
    for cell in _cells(own):
        part = own[cell]
        for first in range(0, len(part), _BLOCK):
            found.update((int(cell[a]), int(cell[b])) for a, b in _near(part, None, first, cut))
    return list(found)


def _near(own: "Vectors", _: None, first: int, cut: float) -> "Pairs":
    import numpy as np

    near = own[first : first + _BLOCK] @ own.T
    near[np.arange(len(near)), np.arange(first, first + len(near))] = -2.0
    keep = min(NEIGHBOURS, near.shape[1])
    best = np.argpartition(-near, keep - 1, axis=1)[:, :keep]
    rows, places = np.nonzero(np.take_along_axis(near, best, axis=1) >= cut)
    return [(first + int(row), int(best[row, place])) for row, place in zip(rows, places, strict=True)]


def _cells(own: "Vectors") -> "list[NDArray[np.int64]]":
    """Rows in overlapping cells of some hundred: each in the two whose middle is nearest."""
    import numpy as np

    count = max(2, int(len(own) ** 0.5 / 1.5))
    sample = own[:: max(1, len(own) // (count * 40))]
    middles = sample[:: max(1, len(sample) // count)][:count].copy()
    for _ in range(4):
        nearest = np.argmax(sample @ middles.T, axis=1)
        for cell in range(len(middles)):
            mine = sample[nearest == cell]
            if len(mine):
                middle = mine.mean(axis=0)
                middles[cell] = middle / max(float(np.linalg.norm(middle)), 1e-9)
    lists: list[list[NDArray[np.int64]]] = [[] for _ in middles]
    for first in range(0, len(own), 4096):
        near = own[first : first + 4096] @ middles.T
        two = np.argpartition(-near, 1, axis=1)[:, :2]
        for cell in range(len(middles)):
            rows = np.flatnonzero((two == cell).any(axis=1))
            if len(rows):
                lists[cell].append(rows + first)
    return [np.concatenate(parts) for parts in lists if parts]


def _components(count: int, pairs: "Pairs") -> list[list[int]]:
    parent = list(range(count))

    def root(place: int) -> int:
        while parent[place] != place:
            parent[place] = parent[parent[place]]
            place = parent[place]
        return place

    for one, two in pairs:
        a, b = root(one), root(two)
        if a != b:
            parent[max(a, b)] = min(a, b)
    found: dict[int, list[int]] = {}
    for place in range(count):
        found.setdefault(root(place), []).append(place)
    return list(found.values())
