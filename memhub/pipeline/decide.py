"""Draws candidates from a source and rules on them: by rules always, by a model where there is one."""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any, Protocol

import apsw

from memhub.model.judging import Candidate, Judged, Relative, Ruling, Source
from memhub.pipeline import extract_rules, judge_rules
from memhub.pipeline.relatives import relatives_of, threshold_of
from memhub.pipeline.statements import normalise

if TYPE_CHECKING:
    from memhub.llm.call import Llm
    from memhub.search.ways import EngineSource


class Decider(Protocol):
    """Who extracts and rules, and what that has cost so far."""

    @property
    def budget(self) -> int | None:
        """Tokens that may be spent; None is no limit."""
        ...

    @property
    def calls(self) -> int:
        """Calls so far."""
        ...

    @property
    def tokens_in(self) -> int:
        """Tokens sent so far."""
        ...

    @property
    def tokens_out(self) -> int:
        """Tokens received so far."""
        ...

    @property
    def cost(self) -> float:
        """US dollars so far."""
        ...

    @property
    def has_model(self) -> bool:
        """Whether a model is asked."""
        ...

    @property
    def llm(self) -> "Llm | None":
        """The model that is asked, if any."""
        ...

    @property
    def is_spent(self) -> bool:
        """Whether the budget is used up."""
        ...

    def candidates(self, source: Source) -> list[Candidate]:
        """The statements of a source."""
        ...

    def decide(
        self,
        connection: apsw.Connection,
        source: Source,
        candidates: Sequence[Candidate],
        engine: "EngineSource | None",
    ) -> list[Judged]:
        """Relatives and ruling of each candidate."""
        ...

    def close(self, *, is_done: bool) -> None:
        """The run is over; `is_done` when nothing of it has to be asked again."""
        ...


class Rules:
    """The decider without a model: costs nothing, and says when it cannot tell."""

    budget: int | None = None
    calls = tokens_in = tokens_out = 0
    cost = 0.0
    has_model = False
    llm: "Llm | None" = None
    is_spent = False

    def candidates(self, source: Source) -> list[Candidate]:
        """What the rules draw from a source."""
        return extract_rules.extract(source)

    def decide(
        self,
        connection: apsw.Connection,
        source: Source,
        candidates: Sequence[Candidate],
        engine: "EngineSource | None",
    ) -> list[Judged]:
        """What the rules say; candidates without relatives are appended without a ruling."""
        threshold = threshold_of(engine)
        found = []
        for candidate in candidates:
            relatives = relatives_of(connection, source, candidate, engine)
            ruling = judge_rules.judge(candidate, relatives, threshold=threshold) if relatives else None
            found.append(Judged(candidate, relatives, ruling))
        return found

    def close(self, *, is_done: bool) -> None:
        """Holds nothing."""


SAME = 0.5
"""Share of the longer of two passages from which two extractors mean the same one."""
_FAMILY = {"event": "fact", "intent": "fact"}


def merged(one: Sequence[Candidate], other: Sequence[Candidate]) -> list[Candidate]:
    """Candidates of two extractors, each statement of a text once; the first extractor's stays."""
    found = list(one)
    for candidate in other:
        if not any(_is_same(known, candidate) for known in one):
            found.append(candidate)
    return list({_identity(candidate): candidate for candidate in reversed(found)}.values())[::-1]


def _is_same(one: Candidate, other: Candidate) -> bool:
    """Whether two candidates state the same passage: the same words, or mostly the same characters of the text."""
    if _identity(one) == _identity(other):
        return True
    if _identity(one)[:2] != _identity(other)[:2] or "note" in (one.kind, other.kind):
        return False
    shared = min(one.span.stop, other.span.stop) - max(one.span.start, other.span.start)
    longer = max(one.span.stop - one.span.start, other.span.stop - other.span.start)
    if one.slot is not None and other.slot is not None and one.slot.key != other.slot.key:
        return False
    return shared >= SAME * longer


def _identity(candidate: Candidate) -> tuple[str, str, str]:
    kind = _FAMILY.get(candidate.kind, candidate.kind)
    return candidate.span.item, kind, normalise(candidate.content)


def cache_key(candidate: Candidate, relatives: Sequence[Relative], judge: str) -> str:
    """The hash under which a ruling is kept: the statement, what it is held against, and who judges."""
    said = [candidate.kind, normalise(candidate.content), [(r.item, r.version) for r in relatives], judge]
    return hashlib.sha256(json.dumps(said, ensure_ascii=False).encode("utf-8", "surrogatepass")).hexdigest()


def cached(connection: apsw.Connection, key: str) -> Ruling | None:
    """A ruling given before on the same ground."""
    row = connection.execute("SELECT value FROM ruling_cache WHERE key = ?", (key,)).get
    if row is None:
        return None
    fields: dict[str, Any] = json.loads(row)
    return Ruling(**{**fields, "targets": tuple(fields["targets"])})


def keep_cached(connection: apsw.Connection, rulings: dict[str, Ruling]) -> None:
    """Keep rulings for the next time. Inside a transaction."""
    rows = [(key, json.dumps(asdict(ruling), ensure_ascii=False)) for key, ruling in rulings.items()]
    connection.executemany("INSERT OR REPLACE INTO ruling_cache VALUES (?,?)", rows)
