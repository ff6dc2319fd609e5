"""The step `schemas`: what keeps coming back. New statements join a schema they fit; the rest is grouped anew."""

from collections.abc import Sequence
from typing import TypeVar

from memhub.digest import clusters, marks, material
from memhub.digest.forming import Forming, compose, distinct
from memhub.digest.joining import join, themes
from memhub.digest.material import Material
from memhub.digest.step import Done, Work

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


def schemas(work: Work) -> Done:
    """Renew what is stale, offer what is new to the schemas there are, and group the rest."""
    connection = work.store.connection
    forming = Forming(work, KIND)
    new = marks.changed(connection, work.space, work.mark)
    if not new and not material.to_renew(connection, work.space, KIND):
        return forming.done(work.clock)
    loaded = work.statements()
    forming.renew(loaded, 2)
    if loaded is not None and forming.may_go_on():
        known = themes(connection, work.space, KIND, loaded)
        taken = set(known.rows)
        fresh = sorted(loaded.place[n] for n in new if n in loaded.place and loaded.place[n] not in taken)
        joined = join(forming, loaded, known, fresh, JOIN)
        _group(forming, loaded, taken | joined, [place for place in fresh if place not in joined])
    return forming.done(work.clock)


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
        forming.tell(min((number + 1) * 20, len(wanted)), len(wanted))


def _parts(vectors: "clusters.Vectors", group: list[int]) -> list[list[int]]:
    """A group as it is, or a large one in the closer groups that it holds, where there are any."""
    if len(group) <= LARGE:
        return [group]
    closer = [part for part in clusters.linked(vectors, group, PART_CUT) if len(part) >= LEAST]
    return closer if closer else [group]


def _batches(values: Sequence[T], size: int) -> list[Sequence[T]]:
    return [values[start : start + size] for start in range(0, len(values), size)]
