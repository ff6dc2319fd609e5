"""What deep mode adds to words, meaning, label and entity: who is asked about, when, and what hangs together.

The order matters: people and times change which hits are first; from these the graph and the communities start.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from memhub import stamp
from memhub.model.found import Why
from memhub.model.query import Filters
from memhub.search import by_community, by_graph
from memhub.search.by_speaker import said_by_named
from memhub.search.fusion import COMMUNITY_LIFT, GRAPH_LIFT, SPEAKER_LIFT, TIME_LIFT
from memhub.search.show import Row
from memhub.search.times import named_time
from memhub.search.ways import Lexical, Meaning, Scope, by_words, scope_of
from memhub.store import vectors
from memhub.store.canonical import dumps
from memhub.store.connection import query as rows_of
from memhub.text.analyse import Term
from memhub.text.dates import Zone

FIRST = 10
"""Hits from which the graph and the communities start."""


class Deep:
    """The steps of one deep search, with what `explain` tells about them."""

    def __init__(self, scope: Scope, query: str, filters: Filters, zone: Zone | None) -> None:
        """A time that the filters ask for leaves no room for one in the query."""
        zone = zone or Zone("", stamp.now_ms())
        self.time = named_time(query, zone) if filters.created is None else None
        self.scope, self.query = scope, query
        self.inside: Scope | None = None
        if self.time:
            self.inside = scope_of(scope.connection, filters._replace(created=self.time.range(zone)))
        self.ways: dict[str, dict[int, float]] = {}
        self.notices: list[str] = []

    def widened(
        self, lexical: Lexical, meaning: Meaning | None, terms: Sequence[Term], depth: int
    ) -> tuple[Lexical, Meaning | None]:
        """With the best items of the time, which need not be among the best of all."""
        if self.inside is None:
            return lexical, meaning
        more = by_words(self.inside, self.query, terms, depth)
        bm25 = sorted({**more.bm25, **lexical.bm25}.items(), key=lambda pair: (-pair[1], pair[0]))
        phrase = tuple(dict.fromkeys((*lexical.phrase, *more.phrase)))
        lexical = lexical._replace(bm25=dict(bm25), phrase=phrase)
        if meaning is None or meaning.fresh.model is None:
            return lexical, meaning
        index = vectors.ExactScan(self.scope.connection, meaning.fresh.model)
        hits = index.nearest(meaning.query, self.inside.spaces, self.inside.where, self.inside.params, depth)
        near = {**{hit.n: hit for hit in hits}, **meaning.near}.values()
        ordered = sorted(near, key=lambda hit: (-hit.cosine, hit.n))
        return lexical, meaning._replace(near={hit.n: hit for hit in ordered})

    def ranked(self, rows: Sequence[Row]) -> list[Row]:
        """The rows, and those that the first of them lead to, in their new order."""
        scores = {row.n: row.score for row in rows}
        said = dict.fromkeys(said_by_named(self.scope, self.query, scores), 1.0)
        _lift(scores, {n: SPEAKER_LIFT * scores[n] for n in said})
        then = self._in_time(scores)
        _lift(scores, dict.fromkeys(then, TIME_LIFT))
        first = {n: scores[n] for n in sorted(scores, key=lambda n: (-scores[n], n))[:FIRST]}
        along = self._along(first, scores)
        group = by_community.together(self.scope, first, scores)
        _lift(scores, along)
        _lift(scores, {n: COMMUNITY_LIFT * share for n, share in group.items()})
        self.ways = {"speaker": said, "time": then, "graph": along, "community": group}
        return self._rows(rows, scores)

    def _in_time(self, scores: Mapping[int, float]) -> dict[int, float]:
        if self.time is None or self.inside is None:
            return {}
        rows = rows_of(
            self.scope.connection,
            f"SELECT item.n FROM item WHERE item.n IN (SELECT value FROM json_each(?)) AND ({self.inside.where})",
            (dumps(list(scores)), *self.inside.params),
        )
        found = "comes first" if rows else "has nothing for this; searched without a time"
        self.notices.append(f"the time {self.time.told} {found}")
        return {n: 1.0 for (n,) in rows}

    def _along(self, first: Mapping[int, float], scores: dict[int, float]) -> dict[int, float]:
        """What the graph gives to each item; those that it alone found join the scores. Turns that only stand near a
        hit do not."""
        reached = by_graph.steps(self.scope, first)
        total = dict(reached.linked)
        for n, score in reached.beside.items():
            if n in scores or n in total:
                total[n] = total.get(n, 0.0) + score
        scores |= {n: 0.0 for n in total if n not in scores}
        return {n: min(1.0, GRAPH_LIFT * score) for n, score in total.items()}

    def _rows(self, rows: Sequence[Row], scores: Mapping[int, float]) -> list[Row]:
        ranks = {
            way: {n: rank for rank, n in enumerate(sorted(found, key=lambda n: (-found[n], n)), 1)}
            for way, found in self.ways.items()
        }
        known = {row.n: row for row in rows}

        def row(n: int) -> Row:
            more = (Why(way, ranks[way][n], round(found[n], 4)) for way, found in self.ways.items() if n in found)
            before = known.get(n, Row(n, 0.0, ()))
            return before._replace(score=min(1.0, scores[n]), why=(*before.why, *more))

        return sorted(map(row, scores), key=lambda one: (-one.score, one.n))

    def explained(self) -> dict[str, Any]:
        """How the ranking changed."""
        time = self.time
        return {
            "time": [str(end) if end else None for end in (time.first, time.last)] if time else None,
            "deep": {way: len(found) for way, found in self.ways.items()},
            "deep_weights": {"speaker_lift": SPEAKER_LIFT, "time_lift": TIME_LIFT, "graph_lift": GRAPH_LIFT,
                             "community_lift": COMMUNITY_LIFT},
        }  # fmt: skip


def _lift(scores: dict[int, float], by: Mapping[int, float]) -> None:
    """Move each score part of the way to 1."""
    for n, part in by.items():
        scores[n] += part * (1.0 - scores[n])
