"""The step `schemas`: what keeps coming back. New statements join a schema they fit; the rest is grouped anew."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple, TypeVar

import apsw

from memhub.digest import clusters, derive, marks, material
from memhub.digest.forming import Forming, compose, distinct, engine_of
from memhub.digest.material import Material
from memhub.digest.step import Done, Work
from memhub.model.entry import Draft

T = TypeVar("T")
KIND = "schema"
CUT = 0.36
"""Average cosine from which statements are of one theme. The embedding model puts two sentences of one theme at .35 and
two others at .08 (medians of tests/digest/data/themes_dev.tsv), so that .55 would find one theme in seven."""
JOIN = 0.40
"""Average cosine to its evidence from which a statement joins a theme; there are many themes to be wrong about."""
PART_CUT = 0.50
"""The same as `CUT` for parting a group of more than `LARGE`."""
LARGE = 12
LEAST = 3
"""Statements that say different things before there is a theme."""
_BLOCK = 512


class Themes(NamedTuple):
    """Live schemas beside the places of their evidence: `owner[i]` is the schema of `rows[i]`."""

    ids: list[str]
    rows: list[int]
    owner: list[int]


def schemas(work: Work) -> Done:
    """Renew what is stale, offer what is new to the schemas there are, and group the rest."""
    connection = work.store.connection
    clock = marks.clock(connection)
    forming = Forming(work, KIND)
    new = marks.changed(connection, work.space, work.mark)
    if not new and not material.to_renew(connection, work.space, KIND):
        return forming.done(clock)
    loaded = material.load(connection, work.space, engine_of(work))
    forming.renew(loaded, 2)
    if loaded is not None and forming.may_go_on():
        known = themes(connection, work.space, loaded)
        taken = set(known.rows)
        fresh = sorted(loaded.place[n] for n in new if n in loaded.place and loaded.place[n] not in taken)
        joined = _join(forming, loaded, known, fresh)
        _group(forming, loaded, taken | joined, [place for place in fresh if place not in joined])
    return forming.done(clock)


def themes(connection: apsw.Connection, space: str, loaded: Material) -> Themes:
    """The live schemas of a space over the loaded statements."""
    found = Themes([], [], [])
    for identifier, numbers in material.derived(connection, space, KIND).items():
        found.ids.append(identifier)
        for n in numbers:
            if n in loaded.place:
                found.rows.append(loaded.place[n])
                found.owner.append(len(found.ids) - 1)
    return found


def _join(forming: Forming, loaded: Material, known: Themes, fresh: Sequence[int]) -> set[int]:
    """Let new statements speak for the schema whose evidence they are most like: edges alone, no text is touched."""
    import numpy as np

    if not known.rows or not fresh:
        return set()
    owner = np.array(known.owner)
    sizes = np.maximum(np.bincount(owner, minlength=len(known.ids)), 1)
    sums = np.zeros((len(known.ids), loaded.vectors.shape[1]), dtype=np.float32)
    np.add.at(sums, owner, loaded.vectors[known.rows])
    middles = sums / sizes[:, None]  # the mean of cosines is the product with the mean vector
    joined: dict[int, str] = {}
    for first in range(0, len(fresh), _BLOCK):
        some = fresh[first : first + _BLOCK]
        near = loaded.vectors[list(some)] @ middles.T
        best = np.argmax(near, axis=1)
        for row, place in enumerate(some):
            if near[row, best[row]] >= JOIN:
                joined[place] = known.ids[int(best[row])]
    for batch in _batches(list(joined.items()), 200):
        forming.commit(lambda connection, batch=batch: _edges(connection, loaded, batch))  # type: ignore[misc]
    return set(joined)


def _edges(connection: apsw.Connection, loaded: Material, batch: Iterable[tuple[int, str]]) -> list[Draft]:
    found: list[Draft] = []
    for place, schema in batch:
        n = loaded.numbers[place]
        member = material.members(connection, [n]).get(n)
        if member is not None:
            found += derive.link(connection, KIND, schema, [member.id])
    return found


def _group(forming: Forming, loaded: Material, taken: set[int], fresh: Sequence[int]) -> None:
    """Group new statements with their nearest that belong to no schema, and write a schema for each group."""
    if not fresh:
        return
    free = [place for place in range(len(loaded.numbers)) if place not in taken]
    where = {place: row for row, place in enumerate(free)}
    vectors = loaded.vectors if len(free) == len(loaded.numbers) else loaded.vectors[free]
    found = [
        [loaded.numbers[free[row]] for row in part]
        for group in clusters.groups(vectors, [where[place] for place in fresh], CUT)
        for part in _parts(vectors, group)
    ]
    wanted = [numbers for numbers in found if len(distinct(loaded, numbers)) >= LEAST]
    for number, batch in enumerate(_batches(wanted, 20)):
        if not forming.may_go_on():
            return
        composed = (compose(forming.work, loaded, KIND, numbers) for numbers in batch)
        forming.write([one for one in composed if one is not None])
        if forming.work.progress:
            forming.work.progress(min((number + 1) * 20, len(wanted)), len(wanted))


def _parts(vectors: "clusters.Vectors", group: list[int]) -> list[list[int]]:
    """A group as it is, or a large one in the closer groups that it holds, where there are any."""
    if len(group) <= LARGE:
        return [group]
    closer = [part for part in clusters.linked(vectors, group, PART_CUT) if len(part) >= LEAST]
    return closer if closer else [group]


def _batches(values: Sequence[T], size: int) -> list[Sequence[T]]:
    return [values[start : start + size] for start in range(0, len(values), size)]
