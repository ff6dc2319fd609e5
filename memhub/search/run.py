"""One search: asks the ways, fuses what they found, and says what the user should know about how it was done."""

from typing import TYPE_CHECKING, Any, NamedTuple

import apsw

from memhub.errors import UnavailableError, UsageError
from memhub.model.found import Found, Why
from memhub.model.query import Filters
from memhub.search import literal, show
from memhub.search.fusion import (
    ENTITY_LIFT,
    FOREIGN_SHARE,
    PHRASE_LIFT,
    TITLE_LIFT,
    WORDS_SHARE,
    Evidence,
    Scored,
    coverage,
    fuse,
)
from memhub.search.ways import (
    EngineSource,
    Lexical,
    Meaning,
    Scope,
    by_label,
    by_meaning,
    by_words,
    complete,
    look_at,
    scope_of,
)
from memhub.text.analyse import Term, has_words, query_terms

if TYPE_CHECKING:
    from memhub.search.deep import Deep
    from memhub.text.dates import Zone

MODES = ("fast", "words", "meaning", "deep")
DEPTH = 100
_NOTHING = Lexical({}, (), (), 0.0, (), ())


class Page(NamedTuple):
    """Which hits are asked for; `limit` None means all."""

    limit: int | None
    offset: int

    @property
    def end(self) -> int | None:
        """How many hits must be ranked."""
        return None if self.limit is None else self.offset + self.limit

    def of(self, rows: list[show.Row]) -> list[show.Row]:
        """The rows of this page."""
        return rows[self.offset : self.end]


def search(
    connection: apsw.Connection,
    query: str,
    filters: Filters = Filters(),  # noqa: B008 (a NamedTuple, never changed)
    *,
    mode: str = "fast",
    exact: bool = False,
    limit: int = 10,
    offset: int = 0,
    explain: bool = False,
    engine: EngineSource | None = None,
    prefix: bool = False,
    zone: "Zone | None" = None,
) -> Found:
    """Items for a query, best first. `limit` 0 means all; `engine` opens the model when a mode needs it; with
    `prefix` the last word may be unfinished; `zone` is where the times that a deep search reads are counted.

    Raises `UsageError` for a blank query, an unknown mode or a negative number, `UnavailableError` when `mode` is
    meaning and there is no model; in mode fast that is a notice, and words are searched.
    """
    terms = query_terms(query, prefix=prefix)
    query = query.strip()
    if not query:
        raise UsageError("nothing to search for", "give a word, a sentence or any part of a text")
    if mode not in MODES:
        raise UsageError(f"no search mode `{mode}`", f"modes are {', '.join(MODES)}")
    if limit < 0 or offset < 0:
        raise UsageError("a limit or offset cannot be negative", "`--limit 0` shows everything")
    scope, page = scope_of(connection, filters), Page(limit or None, offset)
    if exact or not has_words(query):
        return _literal(scope, query, page, explain)
    run = _Run(scope, query, terms, mode, page, _deep(scope, query, filters, zone) if mode == "deep" else None)
    ordered, notices = run.ranked(engine)
    ordered, into = show.folded(connection, ordered)
    hits = show.hits(connection, page.of(ordered), query, terms, into)
    return Found(tuple(hits), tuple(notices), run.explained() if explain else None)


def _deep(scope: Scope, query: str, filters: Filters, zone: "Zone | None") -> "Deep":
    from memhub.search.deep import Deep

    return Deep(scope, query, filters, zone)


def _literal(scope: Scope, query: str, page: Page, explain: bool) -> Found:
    rows = [
        _literal_row(n, rank)
        for rank, n in enumerate(literal.scan(scope.connection, query, scope.where, scope.params), 1)
    ]
    hits = show.hits(scope.connection, page.of(rows), query, ())
    told = {"mode": "exact", "query": query, "total": len(rows)} if explain else None
    return Found(tuple(hits), (), told)


def _literal_row(n: int, rank: int) -> show.Row:
    return show.Row(n, 1.0, (Why("exact", rank, 1.0),))


class _Run:
    """The steps of one ranked search, with what `explain` tells about them."""

    def __init__(self, scope: Scope, query: str, terms: list[Term], mode: str, page: Page, deep: "Deep | None") -> None:
        self.scope, self.query, self.terms, self.mode, self.page = scope, query, terms, mode, page
        self.deep = deep
        self.lexical: Lexical = _NOTHING
        self.meaning: Meaning | None = None
        self.labelled: dict[int, float] = {}
        self.spoken_of: dict[int, float] = {}
        self.names: list[str] = []
        self.notices: list[str] = []
        self.scored: list[Scored] = []

    def ranked(self, engine: EngineSource | None) -> tuple[list[show.Row], list[str]]:
        """Every hit in order, and the notices."""
        depth = self._depth()
        if self.mode != "meaning":
            self.lexical = by_words(self.scope, self.query, self.terms, depth)
        if self.mode in ("fast", "deep"):
            self.labelled = by_label(self.scope, self.query, depth)
        if self.mode == "deep":
            self._by_entity(depth)
        if self.mode != "words":
            self.meaning = self._by_meaning(engine, depth)
        if self.deep:
            self.lexical, self.meaning = self.deep.widened(self.lexical, self.meaning, self.terms, depth)
        rows = self._fused()
        if self.deep:
            rows = self.deep.ranked(rows)
            self.notices += self.deep.notices
        if self.mode != "meaning":
            rows = self._with_literal(rows)
        return rows, self.notices

    def _by_entity(self, depth: int) -> None:
        from memhub.search.by_entity import by_entity  # the other modes need none of it

        found = by_entity(self.scope, self.query, depth)
        self.spoken_of, self.names = found.items, found.names
        if found.unseen:
            self.notices.append(f"not looked through for names yet: {found.unseen}; `mh entity list --all` does that")

    def _depth(self) -> int:
        if self.page.end is None:
            return max(DEPTH, int(self.scope.connection.execute("SELECT count(*) FROM item").get))
        return max(DEPTH, self.page.end)

    def _by_meaning(self, engine: EngineSource | None, depth: int) -> Meaning | None:
        try:
            if engine is None:
                raise UnavailableError("search by meaning is off", "`mh config show` tells the setting")
            found = by_meaning(self.scope, self.query, engine(), depth)
        except UnavailableError as error:
            if self.mode == "meaning":
                raise
            self.notices.append(f"{error.message}; words only")
            return None
        if found.fresh.missing:
            self.notices.append(
                f"{found.fresh.missing} texts can be found by their words only so far; `mh index` completes them"
            )
        return found

    def _fused(self) -> list[show.Row]:
        candidates = {*self.lexical.bm25, *self.lexical.phrase, *self.labelled, *self.spoken_of}
        near = complete(self.scope, self.meaning, candidates) if self.meaning else {}
        candidates |= set(near)
        look = look_at(self.scope, self.query, candidates)
        self.scored = fuse(
            Evidence(
                bm25=self.lexical.bm25,
                idf=(*self.lexical.idf, self.lexical.asked),
                cosines={n: hit.cosine for n, hit in near.items()},
                floor=self.meaning.floor if self.meaning else 0.0,
                foreign=look.foreign if self.mode in ("fast", "deep") else (),
                phrase=frozenset(self.lexical.phrase),
                titled=look.titled if self.mode != "meaning" else (),
                labelled=self.labelled,
                spoken_of=self.spoken_of,
                all_near=self.mode == "meaning",
            )
        )
        ranks = {
            "words": {n: rank for rank, n in enumerate(self.lexical.bm25, 1)},
            "meaning": {n: rank for rank, n in enumerate(self.meaning.near if self.meaning else (), 1)},
            "label": {n: rank for rank, n in enumerate(sorted(self.labelled, key=lambda n: -self.labelled[n]), 1)},
            "entity": {n: rank for rank, n in enumerate(self.spoken_of, 1)},
            "phrase": {n: rank for rank, n in enumerate(self.lexical.phrase, 1)},
        }
        return [
            show.Row(one.n, one.score, _why(one, ranks), near[one.n].chunk if one.n in near else None)
            for one in self.scored
        ]

    def _with_literal(self, rows: list[show.Row]) -> list[show.Row]:
        """Items that hold the query as it stands: first when it has symbols, which words cannot see; last when words
        mode found fewer than asked for. A large file is scanned only on request."""
        symbols = literal.has_symbols(self.query)
        few = self.mode == "words" and (self.page.end is None or len(rows) < self.page.end)
        if not symbols and not few:
            return rows
        if not literal.is_small(self.scope.connection):
            self.notices.append("parts of words and symbols were not looked for in this many items; `--exact` does")
            return rows
        found = literal.scan(self.scope.connection, self.query, self.scope.where, self.scope.params)
        ranks = {n: rank for rank, n in enumerate(found, 1)}
        known = {row.n for row in rows}
        new = [_literal_row(n, ranks[n]) for n in found if n not in known]
        marked = [
            row._replace(why=(*row.why, Why("exact", ranks[row.n], 1.0))) if row.n in ranks else row for row in rows
        ]
        if not symbols:
            lowest = min((row.score for row in rows), default=1.0)
            return [*marked, *(row._replace(score=lowest) for row in new)]
        first = [row._replace(score=1.0) for row in marked if row.n in ranks]
        return [*first, *new, *(row for row in marked if row.n not in ranks)]

    def explained(self) -> dict[str, Any]:
        """How the ranking came about."""
        best = max(self.lexical.bm25.values(), default=0.0)
        return {
            "mode": self.mode,
            "terms": [
                {"term": _shown(term), "idf": round(idf, 4)}
                for term, idf in zip(self.lexical.terms, self.lexical.idf, strict=True)
            ],
            "left_out": [_shown(term) for term in self.lexical.left_out],
            "coverage": round(coverage(best, (*self.lexical.idf, self.lexical.asked)), 4),
            "entities": self.names,
            "model": self.meaning.model if self.meaning else None,
            **(self.deep.explained() if self.deep else {}),
            "candidates": {
                "words": len(self.lexical.bm25),
                "meaning": len(self.meaning.near) if self.meaning else 0,
                "label": len(self.labelled),
                "entity": len(self.spoken_of),
                "phrase": len(self.lexical.phrase),
            },
            "weights": {
                "words": WORDS_SHARE if self.meaning else 1.0,
                "meaning": round(1 - WORDS_SHARE, 3) if self.meaning else 0.0,
                "other_script": FOREIGN_SHARE,
                "phrase_lift": PHRASE_LIFT,
                "title_lift": TITLE_LIFT,
                "entity_lift": ENTITY_LIFT,
                "recency": 0.0,
                "importance": 0.0,
            },
        }


def _shown(term: Term) -> str:
    return f"{term.text}*" if term.prefix else term.text


def _why(one: Scored, ranks: dict[str, dict[int, int]]) -> tuple[Why, ...]:
    parts = {"words": one.lexical, "meaning": one.meaning, "label": one.label, "entity": one.entity, "phrase": 1.0}
    return tuple(Why(way, ranks[way][one.n], round(score, 4)) for way, score in parts.items() if one.n in ranks[way])
