"""The step `crystals`: what at least three independent sources establish together, each with its own share."""

from collections.abc import Sequence

import apsw

from memhub.digest import clusters, derive, marks, material, wording
from memhub.digest.derive import Cited, Derived
from memhub.digest.forming import QUOTED, Forming, by_model, distinct, grounds, with_rest
from memhub.digest.joining import join, themes
from memhub.digest.material import Material
from memhub.digest.step import Done, Work
from memhub.store.connection import query
from memhub.store.support import Voice, independent
from memhub.text.analyse import is_run

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
    forming = Forming(work, KIND, lambda loaded, rows, item: _made(work, loaded, rows, item))
    new = marks.changed(connection, work.space, work.mark)
    if not new and not material.to_renew(connection, work.space, KIND):
        return forming.done(work.clock)
    loaded = work.statements()
    forming.renew(loaded, SOURCES)
    if loaded is None or not forming.may_go_on():
        return forming.done(work.clock)
    known = themes(connection, work.space, KIND, loaded)
    taken = set(known.rows)
    fresh = sorted(loaded.place[n] for n in new if n in loaded.place and loaded.place[n] not in taken)
    taken |= join(forming, loaded, known, fresh, CUT)
    start = [place for place in fresh if place not in taken]
    if not start:
        return forming.done(work.clock)
    free = [place for place in range(len(loaded.numbers)) if place not in taken]
    where = {place: row for row, place in enumerate(free)}
    vectors = loaded.vectors if len(free) == len(loaded.numbers) else loaded.vectors[free]
    groups = clusters.groups(vectors, [where[place] for place in start], CUT)
    for number, group in enumerate(groups, 1):
        if not forming.may_go_on():
            break
        forming.tell(number, len(groups))
        numbers = _settled(connection, loaded, [loaded.numbers[free[row]] for row in group])
        made = _made(work, loaded, numbers, None) if numbers else None
        if made is not None:
            forming.write([made])
    return forming.done(work.clock)


def _made(work: Work, loaded: Material, numbers: Sequence[int], item: str | None) -> Derived | None:
    """What each source said about the matter, in the order of time; or in the words of a model."""
    connection = work.store.connection
    on = grounds(connection, loaded, numbers)
    about = wording.shared(connection, on.found)
    if not about:
        return None
    identifier = item or derive.identity(KIND, work.space, (member.id for member in on.found))
    worded = by_model(work, KIND, identifier, on, {})
    if worded is not None:
        return worded
    chosen = sorted(wording.telling(on.telling[:QUOTED], about), key=lambda one: one.member.at or "")
    cited = with_rest([Cited(one.member, one.start, one.stop) for one in chosen], on.found)
    is_chinese = is_run(about[0])
    sources = independent(_voices(connection, numbers))
    title = f"{about[0]}：{sources} 个来源" if is_chinese else f"{about[0]}: {sources} sources"
    return Derived(KIND, identifier, title, "\n".join(wording.dated(one) for one in chosen), cited, {})


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
