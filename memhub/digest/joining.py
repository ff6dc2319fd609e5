"""New evidence for what was derived before: it adds an edge and changes no text."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import apsw

from memhub.digest import derive, material
from memhub.digest.forming import Forming
from memhub.digest.material import Material
from memhub.model.entry import Draft

_BLOCK = 512
_BATCH = 200


class Themes(NamedTuple):
    """Derived items beside the places of their evidence: `rows[i]` speaks for `ids[owner[i]]`."""

    ids: list[str]
    rows: list[int]
    owner: list[int]


def themes(connection: apsw.Connection, space: str, kind: str, loaded: Material) -> Themes:
    """The live items of a kind in a space, over the loaded statements."""
    found = Themes([], [], [])
    for identifier, numbers in material.derived(connection, space, kind).items():
        found.ids.append(identifier)
        for n in numbers:
            if n in loaded.place:
                found.rows.append(loaded.place[n])
                found.owner.append(len(found.ids) - 1)
    return found


def join(forming: Forming, loaded: Material, known: Themes, fresh: Sequence[int], cut: float) -> set[int]:
    """Let new statements speak for what they are like on average, the likest: edges alone, no text is touched.

    Returns the places of those that did.
    """
    import numpy as np

    if not known.rows or not fresh:
        return set()
    owner = np.array(known.owner)
    sizes = np.maximum(np.bincount(owner, minlength=len(known.ids)), 1)
    sums = np.zeros((len(known.ids), loaded.vectors.shape[1]), dtype=np.float32)
    begins = np.flatnonzero(np.diff(owner, prepend=-1))  # the rows of one theme stand together
    sums[owner[begins]] = np.add.reduceat(loaded.vectors[known.rows], begins)
    middles = sums / sizes[:, None]  # the mean of cosines is the product with the mean vector
    joined: dict[int, str] = {}
    for first in range(0, len(fresh), _BLOCK):
        some = fresh[first : first + _BLOCK]
        near = loaded.vectors[list(some)] @ middles.T
        best = np.argmax(near, axis=1)
        for row, place in enumerate(some):
            if near[row, best[row]] >= cut:
                joined[place] = known.ids[int(best[row])]
    pairs = list(joined.items())
    for start in range(0, len(pairs), _BATCH):
        some_pairs = pairs[start : start + _BATCH]
        forming.commit(lambda connection, batch=some_pairs: _edges(connection, forming.kind, loaded, batch))  # type: ignore[misc]
    return set(joined)


def _edges(connection: apsw.Connection, kind: str, loaded: Material, batch: Iterable[tuple[int, str]]) -> list[Draft]:
    found: list[Draft] = []
    for place, item in batch:
        n = loaded.numbers[place]
        member = material.members(connection, [n]).get(n)
        if member is not None:
            found += derive.link(connection, kind, item, [member.id])
    return found
