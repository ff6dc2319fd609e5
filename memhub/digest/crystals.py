"""The step `crystals`: what at least three independent sources establish together, each with its own share."""

from collections.abc import Sequence

import apsw

from memhub.digest import clusters, marks, material, wording
from memhub.digest.forming import Forming, compose, distinct, engine_of
from memhub.digest.material import Material
from memhub.digest.step import Done, Work
from memhub.store.connection import query
from memhub.store.support import Voice, independent

KIND = "crystal"
CUT = 0.46
"""Average cosine from which statements are of one matter, not only of one theme."""
SOURCES = 3
SHARE = 2
"""Words that a statement must add to what the others say, to count as a share of its own."""
_KINDS = ("note", "document", "fact", "event", "procedure")


def crystals(work: Work) -> Done:
    """Renew what is stale, and look at what is new with what lies near it."""
    connection = work.store.connection
    clock = marks.clock(connection)
    forming = Forming(work, KIND)
    new = marks.changed(connection, work.space, work.mark)
    if not new and not material.to_renew(connection, work.space, KIND):
        return forming.done(clock)
    loaded = material.load(connection, work.space, engine_of(work))
    forming.renew(loaded, SOURCES)
    if loaded is None or not forming.may_go_on():
        return forming.done(clock)
    taken = {n for numbers in material.derived(connection, work.space, KIND).values() for n in numbers}
    free = [place for place, n in enumerate(loaded.numbers) if n not in taken]
    where = {loaded.numbers[place]: row for row, place in enumerate(free)}
    fresh = sorted(where[n] for n in new if n in where)
    vectors = loaded.vectors if len(free) == len(loaded.numbers) else loaded.vectors[free]
    for group in clusters.groups(vectors, fresh, CUT) if fresh else ():
        if not forming.may_go_on():
            break
        numbers = _settled(connection, loaded, [loaded.numbers[free[row]] for row in group])
        made = compose(work, loaded, KIND, numbers) if numbers else None
        if made is not None:
            forming.write([made])
    return forming.done(clock)


def _settled(connection: apsw.Connection, loaded: Material, numbers: Sequence[int]) -> list[int]:
    """Those of a group that speak of one matter, each with a share of its own, when enough sources do; else none."""
    if len(numbers) < SOURCES:
        return []
    known = material.members(connection, distinct(loaded, numbers))
    told = {n: set(wording.terms_of(one.content)) for n, one in known.items() if one.kind in _KINDS}
    counts: dict[str, int] = {}
    for terms in told.values():
        for term in terms:
            counts[term] = counts.get(term, 0) + 1
    matter = max(counts, key=lambda term: (counts[term], len(term), term), default="")
    kept = [n for n, terms in told.items() if matter in terms and sum(counts[term] == 1 for term in terms) >= SHARE]
    return kept if independent(_voices(connection, kept)) >= SOURCES else []


def _voices(connection: apsw.Connection, numbers: Sequence[int]) -> list[Voice]:
    """Who says each statement: the source, thread and day of the text that it was drawn from, or its own."""
    rows = query(
        connection,
        f"""SELECT root.id, coalesce(root.created_at, root.updated_at),
              coalesce(said.meta -> 'source' ->> 'kind', 'hand') || '/'
                || coalesce(said.meta -> 'source' ->> 'scope', ''),
              (SELECT dst FROM edge WHERE edge.src = root.id AND edge.relation = 'part_of' LIMIT 1)
            FROM item JOIN version ON version.n = item.shown
            JOIN item AS root ON root.id = coalesce(version.meta -> 'spans' ->> 0, item.id)
            JOIN version AS said ON said.n = root.shown
            WHERE item.n IN ({",".join("?" * len(numbers))})""",
        numbers,
    )
    return [Voice(source, thread or item, (at or "")[:10]) for item, at, source, thread in rows]
