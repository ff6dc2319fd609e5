"""The ways a search finds items; each gives candidates, none decides their order alone."""

from collections.abc import Callable, Collection, Iterable, Sequence
from typing import Any, NamedTuple

import apsw

from memhub.embed.engine import Engine
from memhub.model.query import Filters
from memhub.search.fresh import Fresh, catch_up
from memhub.search.literal import plain
from memhub.store import filters as conditions
from memhub.store import vectors, words
from memhub.text.analyse import Term, asking_terms, fold, phrase_expression
from memhub.text.script import script

EngineSource = Callable[[], Engine]
_BATCH = 500


class Scope(NamedTuple):
    """What every way looks in: the condition over `item`, built once, and the spaces it covers."""

    connection: apsw.Connection
    where: str
    params: Sequence[Any]
    spaces: Sequence[int]


class Lexical(NamedTuple):
    """What words found: bm25 by item row, best first, with the terms ranked by and those with the whole phrase.

    `asked` is the idf of what only asks, which is not ranked by; at most as much as that of the terms.
    """

    bm25: dict[int, float]
    terms: tuple[Term, ...]
    idf: tuple[float, ...]
    asked: float
    left_out: tuple[Term, ...]
    phrase: tuple[int, ...]


class Meaning(NamedTuple):
    """What meaning found: item row → best chunk and cosine, nearest first; what is needed to ask for more."""

    near: dict[int, vectors.Near]
    query: bytes
    floor: float
    model: str
    fresh: Fresh


def scope_of(connection: apsw.Connection, filters: Filters) -> Scope:
    """The one place where a search turns filters into a condition."""
    where, params = conditions.where(connection, filters)
    return Scope(connection, where, params, conditions.readable_spaces(connection, filters.space, alone=filters.alone))


def by_words(scope: Scope, query: str, terms: Sequence[Term], depth: int) -> Lexical:
    """The best `depth` items by bm25 over the query's terms, any of them enough, and those with the exact phrase."""
    weighed = words.weigh(scope.connection, terms, scope.spaces)
    hits = words.ranked(scope.connection, weighed.expression, scope.where, scope.params, depth, weighed.copies)
    exact = words.ranked(scope.connection, phrase_expression(query) or "", scope.where, scope.params, depth)
    bm25 = {hit.n: hit.bm25 for hit in hits}
    asked = min(sum(words.weigh(scope.connection, asking_terms(query)).idf), sum(weighed.idf))
    return Lexical(bm25, weighed.terms, weighed.idf, asked, weighed.left_out, tuple(hit.n for hit in exact))


def by_meaning(scope: Scope, query: str, engine: Engine, depth: int) -> Meaning:
    """The `depth` nearest items, best chunk each."""
    fresh = catch_up(scope.connection, engine)
    vector = engine.embed([query])[0]
    near: dict[int, vectors.Near] = {}
    if fresh.model is not None:
        index = vectors.ExactScan(scope.connection, fresh.model)
        near = {hit.n: hit for hit in index.nearest(vector, scope.spaces, scope.where, scope.params, depth)}
    held = held_hits(scope, fresh.held, vector)
    for n, hit in held.items():
        if n not in near or near[n].cosine < hit.cosine:
            near[n] = hit
    ordered = sorted(near.values(), key=lambda hit: (-hit.cosine, hit.n))[:depth]
    return Meaning({hit.n: hit for hit in ordered}, vector, engine.info.floor, engine.info.name, fresh)


def held_hits(scope: Scope, held: dict[int, bytes], query: bytes) -> dict[int, vectors.Near]:
    """The same for vectors that are not in the file yet."""
    found: dict[int, vectors.Near] = {}
    for chunk, vector in held.items():
        row = scope.connection.execute(
            f"SELECT item.n FROM chunk JOIN item ON item.n = chunk.item WHERE chunk.n = ? AND {scope.where}",
            (chunk, *scope.params),
        ).fetchone()
        if row:
            hit = vectors.Near(row[0], chunk, vectors.cosine(query, vector))
            if hit.n not in found or found[hit.n].cosine < hit.cosine:
                found[hit.n] = hit
    return found


def complete(scope: Scope, meaning: Meaning, ns: Iterable[int]) -> dict[int, vectors.Near]:
    """Cosines of all candidates: those that meaning found, and those that other ways found and have a vector."""
    missing = [n for n in ns if n not in meaning.near]
    more: dict[int, vectors.Near] = {}
    if missing and meaning.fresh.model is not None:
        more = vectors.ExactScan(scope.connection, meaning.fresh.model).cosines(meaning.query, missing)
    if missing and meaning.fresh.held:
        held = held_hits(scope, meaning.fresh.held, meaning.query)
        more |= {
            n: hit for n, hit in held.items() if n in set(missing) and (n not in more or more[n].cosine < hit.cosine)
        }
    return {**meaning.near, **more}


def by_label(scope: Scope, query: str, depth: int) -> dict[int, float]:
    """Items with a label whose name is the query, or stands in it as whole words: the share of the query it covers."""
    wanted = plain(fold(query)).strip().lstrip("#")
    if not wanted:
        return {}
    shares: dict[int, float] = {}
    for label, name in scope.connection.execute("SELECT label, min(name) FROM item_label GROUP BY label"):
        share = _label_share(plain(fold(name)), wanted)
        if share <= 0:
            continue
        rows = scope.connection.execute(
            f"""SELECT item.n FROM item_label JOIN item ON item.n = item_label.item
                WHERE item_label.label = ? AND ({scope.where})
                ORDER BY coalesce(item.created_ms, item.updated_ms) DESC LIMIT ?""",
            (label, *scope.params, depth),
        )
        for (n,) in rows:
            shares[n] = max(share, shares.get(n, 0.0))
    return shares


def _label_share(name: str, wanted: str) -> float:
    if name == wanted or name.rpartition("/")[2] == wanted:
        return 1.0
    at = wanted.find(name)
    while at >= 0:
        before, after = wanted[at - 1 : at], wanted[at + len(name) : at + len(name) + 1]
        inside = any(side.isascii() and side.isalnum() for side in (before, after)) and name.isascii()
        if not inside and len(name) > 1:
            return 0.5 * len(name) / len(wanted)
        at = wanted.find(name, at + 1)
    return 0.0


class Look(NamedTuple):
    """Which candidates are in another script than the query, and which have the query as their title."""

    foreign: frozenset[int]
    titled: frozenset[int]


def look_at(scope: Scope, query: str, ns: Collection[int]) -> Look:
    """One cheap look at the beginning of every candidate."""
    own, title = script(query), plain(query.strip())
    wanted, foreign, titled = list(ns), set(), set()
    for first in range(0, len(wanted), _BATCH):
        some = wanted[first : first + _BATCH]
        rows = scope.connection.execute(
            f"""SELECT item.n, item.title, substr(version.content, 1, 400)
                FROM item LEFT JOIN version ON version.n = item.shown WHERE item.n IN ({",".join("?" * len(some))})""",
            some,
        )
        for n, name, head in rows:
            theirs = script(f"{name or ''} {head or ''}")
            if own and theirs and theirs != own:
                foreign.add(n)
            if name and plain(name.strip()) == title:
                titled.add(n)
    return Look(frozenset(foreign), frozenset(titled))
