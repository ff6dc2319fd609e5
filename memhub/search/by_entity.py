"""The way by entity: who and what the query names, and the items that speak of it under another name.

An item that says the name itself is left to the words: to lift it once more was worth +.002 recall@10 on conversations
1–5 of LoCoMo and −.003 on 6–10.
"""

from collections.abc import Iterator
from math import log
from typing import NamedTuple

from memhub.search.ways import Scope
from memhub.store.canonical import dumps
from memhub.store.connection import query as rows_of
from memhub.store.entities import rows_saying
from memhub.text.analyse import fold
from memhub.text.naming import name_key, pieces

LONG = 5
"""Letters from which on a name may be spelt a little wrong."""

MOST = 1000
"""Characters of a query that are looked at for names: nobody types more, and a pasted page has too many."""

LIKE = 90
"""RapidFuzz ratio (0 to 100) from which on a word counts as a misspelt name."""

EVERYWHERE = 0.25
"""Share of the searched items above which an entity says nothing: a speaker in her own conversations."""


class Meant(NamedTuple):
    """What a query names: the spelling found there, and the entity's row with merges followed."""

    name: str
    entity: int


class Spoken(NamedTuple):
    """Item row → how much of what the query names it speaks of, under other names (0 to 1, by rarity), most first;
    the names that the query has; and, when there are any, how many items were not looked through yet."""

    items: dict[int, float]
    names: list[str]
    unseen: int


def by_entity(scope: Scope, query: str, depth: int) -> Spoken:
    """The `depth` items that speak most of what the query names."""
    meant = list(_meant(scope, query))
    total = int(
        scope.connection.execute(
            "SELECT count(*) FROM item WHERE space IN (SELECT value FROM json_each(?))", (dumps(list(scope.spaces)),)
        ).get
    )
    found: dict[int, float] = {}
    weights: dict[int, float] = {}
    for one in meant:
        rows = rows_of(
            scope.connection,
            f"""SELECT DISTINCT item.n FROM entity JOIN mention ON mention.entity = entity.n
                JOIN item ON item.n = mention.item WHERE entity.resolved = ? AND ({scope.where})""",
            (one.entity, *scope.params),
        )
        if not rows or len(rows) > EVERYWHERE * total > 1:
            continue
        weights[one.entity] = log(1 + total / len(rows))
        said = set(rows_saying(scope.connection, one.name))
        for (n,) in rows:
            if n not in said:
                found[n] = found.get(n, 0.0) + weights[one.entity]
    whole = sum(weights.values())
    best = sorted(found, key=lambda n: (-found[n], -n))[:depth]
    names = [one.name for one in meant if one.entity in weights]
    return Spoken({n: found[n] / whole for n in best}, names, _unseen(scope) if names else 0)


def _unseen(scope: Scope) -> int:
    return int(
        scope.connection.execute(
            """SELECT count(*) FROM item LEFT JOIN looked_through AS seen ON seen.item = item.n
               WHERE item.space IN (SELECT value FROM json_each(?)) AND item.is_present AND item.shown IS NOT NULL
               AND item.layer <> 'L3' AND (seen.item IS NULL OR seen.shown <> item.shown)""",
            (dumps(list(scope.spaces)),),
        ).get
    )


def _meant(scope: Scope, query: str) -> Iterator[Meant]:
    """Entities whose name stands in the query, the longest name at each place; misspelt ones where none does."""
    spelt = pieces(fold(query[:MOST]))
    rows = rows_of(
        scope.connection,
        """SELECT entity_name.name, entity.resolved FROM entity_name JOIN entity ON entity.n = entity_name.entity
           WHERE entity_name.name IN (SELECT value FROM json_each(?))""",
        (dumps(list({name_key(text) for text, _, _ in spelt})),),
    )
    ends: dict[str, list[int]] = {}
    for name, end in rows:
        ends.setdefault(name, []).append(end)
    taken: list[tuple[int, int]] = []
    seen: set[int] = set()
    for text, start, stop in spelt:
        key = name_key(text)
        if key in ends and not any(a < stop and start < b for a, b in taken):
            taken.append((start, stop))
            for end in ends[key]:
                if end not in seen:
                    seen.add(end)
                    yield Meant(text, end)
    left = [name_key(text) for text, start, stop in spelt if not any(a < stop and start < b for a, b in taken)]
    wanted = [key for key in left if len(key) >= LONG and key.replace(" ", "").isalpha()]
    if wanted:
        yield from (one for one in _misspelt(scope, wanted) if one.entity not in seen)


def _misspelt(scope: Scope, wanted: list[str]) -> Iterator[Meant]:
    from rapidfuzz import fuzz, process

    from memhub.text.names_en import WORDS

    names = rows_of(
        scope.connection,
        """SELECT entity_name.name, entity.resolved FROM entity_name JOIN entity ON entity.n = entity_name.entity
           WHERE length(entity_name.name) >= ?
           AND entity.type IN ('person', 'organisation', 'place', 'tool', 'project')""",
        (LONG,),
    )
    spellings = [name for name, _ in names]
    for key in wanted:
        if key in WORDS:
            continue
        for _, _, index in process.extract(key, spellings, scorer=fuzz.ratio, score_cutoff=LIKE, limit=3):
            yield Meant(key, names[index][1])
