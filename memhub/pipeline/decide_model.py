"""The decider with a model: rules and model draw candidates together, the model rules, the rules stand in for it."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import apsw

from memhub.llm.call import Budget, Llm, ModelError, Use
from memhub.model.judging import Candidate, Judged, Ruling, Source
from memhub.pipeline import extract_model, extract_rules, judge_model
from memhub.pipeline.answers import Answers
from memhub.pipeline.decide import cache_key, cached, keep_cached, merged
from memhub.pipeline.relatives import relatives_of
from memhub.pipeline.statements import normalise
from memhub.store.connection import transaction

if TYPE_CHECKING:
    from memhub.search.ways import EngineSource

SHORT = 200
"""Characters up to which the model is not asked what a typed note says."""
_GO_ON = ("answer", "length", "request")
"""Failures that another try would meet again: what the rules drew has to do. Others let the source wait."""


class WithModel:
    """Counts what the model took; `note` is the hook for a client's `on_use`.

    With a `path` answers are kept in that file, so that a run that was cut off does not pay for them again.
    """

    @property
    def has_model(self) -> bool:
        """A model is asked."""
        return True

    @property
    def llm(self) -> Llm:
        """The model, for whoever has other questions; counted and kept like those of judging."""
        return self._llm

    def __init__(
        self,
        open_llm: Callable[[Callable[[Use], None]], Llm],
        budget: Budget,
        batch: int,
        window: int,
        path: Path | None = None,
    ) -> None:
        llm = open_llm(self.note)
        self._answers = Answers(llm, path) if path is not None else None
        self._llm: Llm = self._answers or llm
        self._limit = budget
        self._batch = batch
        self._window = window
        self.budget = budget.tokens or None
        self.uses: list[Use] = []

    @property
    def calls(self) -> int:
        """Requests so far, repairs included."""
        return sum(use.calls for use in self.uses)

    @property
    def tokens_in(self) -> int:
        """Tokens sent so far."""
        return sum(use.tokens_in for use in self.uses)

    @property
    def tokens_out(self) -> int:
        """Tokens received so far."""
        return sum(use.tokens_out for use in self.uses)

    @property
    def cost(self) -> float:
        """US dollars so far; 0 for a local model."""
        return sum(use.cost for use in self.uses)

    @property
    def is_spent(self) -> bool:
        """Whether the budget is used up."""
        return bool(self._limit.tokens) and self._limit.spent >= self._limit.tokens

    def note(self, use: Use) -> None:
        """Hear what one call took."""
        self.uses.append(use)

    def close(self, *, is_done: bool) -> None:
        """Forget the kept answers when all that they led to is written down."""
        if self._answers is not None:
            if is_done:
                self._answers.forget()
            self._answers.close()

    def candidates(self, source: Source) -> list[Candidate]:
        """What rules and model draw from a source; what only repeats a typed note is left to the note itself."""
        by_rules = extract_rules.extract(source)
        if source.kind == "note" and len(source.texts[0].content) <= SHORT:
            return by_rules  # one thought: it is its own candidate, and its slot is the rules' work
        try:
            found = extract_model.extract(self._llm, source, window=self._window)
        except ModelError as error:
            if error.kind not in _GO_ON:
                raise
            return by_rules
        waiting = next((error for error in found.failed if error.kind not in _GO_ON), None)
        if waiting is not None:
            raise waiting
        whole = {normalise(text.content) for text in source.texts} if source.kind == "note" else set()
        drawn = [c for c in found.candidates if c.kind == "profile" or normalise(c.content) not in whole]
        return [*merged(by_rules, drawn), *self._refused(source, found.refused)]

    def _refused(self, source: Source, offered: Sequence[extract_model.Refused]) -> list[Candidate]:
        """What the model offered and nobody said: ruled to be ignored, with the reason."""
        contents = {text.item: text.content for text in source.texts}
        return [
            Candidate(
                "fact",
                contents[one.span.item][one.span.start : one.span.stop],
                one.span,
                by=self._llm.model,
                refused=one.reason,
            )
            for one in offered
            if one.span is not None
        ]

    def decide(
        self,
        connection: apsw.Connection,
        source: Source,
        candidates: Sequence[Candidate],
        engine: "EngineSource | None",
    ) -> list[Judged]:
        """One ruling for each candidate that has relatives; those ruled before on the same ground are not asked."""
        ignored = [
            Judged(one, (), Ruling("ignore", reason=one.refused, judge=one.by)) for one in candidates if one.refused
        ]
        taken = [candidate for candidate in candidates if not candidate.refused]
        held = [(candidate, relatives_of(connection, source, candidate, engine)) for candidate in taken]
        keys = [cache_key(candidate, relatives, self._llm.model) for candidate, relatives in held]
        rulings: dict[str, Ruling] = {}
        for key, (_, relatives) in zip(keys, held, strict=True):
            known = cached(connection, key) if relatives else None
            if known is not None:
                rulings[key] = known
        open_keys = [key for key, (_, relatives) in zip(keys, held, strict=True) if relatives and key not in rulings]
        asked = dict(zip(keys, held, strict=True))
        wanted = list(dict.fromkeys(open_keys))
        if wanted:
            given = judge_model.judge(self._llm, [asked[key] for key in wanted], self._batch)
            new = dict(zip(wanted, given, strict=True))
            rulings.update(new)
            with transaction(connection):
                keep_cached(connection, {key: ruling for key, ruling in new.items() if ruling.judge != "rules"})
        return [*(Judged(*one, rulings.get(key)) for key, one in zip(keys, held, strict=True)), *ignored]
