"""A decider that rules as a test says, and what tests of judging share."""

from collections.abc import Callable, Sequence
from typing import Any

from memhub import Memory
from memhub.model.judged import JudgeReport
from memhub.model.judging import Candidate, Judged, Relative, Ruling, Slot, Source, Span
from memhub.tasks.judging import Run, judge_queue

Rule = Callable[[Candidate, Source], Ruling | None]


class Scripted:
    """Draws what `draw` says and rules what `rule` says; counts how often it was asked."""

    budget = None
    calls = tokens_in = tokens_out = 0
    cost = 0.0
    has_model = True
    is_spent = False

    def __init__(self, draw: Callable[[Source], list[Candidate]], rule: Rule, hook: Callable[[], None] | None = None):
        self.draw, self.rule, self.hook = draw, rule, hook
        self.asked = 0

    def candidates(self, source: Source) -> list[Candidate]:
        return self.draw(source)

    def decide(self, connection: Any, source: Source, candidates: Sequence[Candidate], engine: Any) -> list[Judged]:
        self.asked += 1
        judged = [self._judged(connection, source, candidate) for candidate in candidates]
        if self.hook is not None:
            self.hook()
        return judged

    def _judged(self, connection: Any, source: Source, candidate: Candidate) -> Judged:
        ruling = self.rule(candidate, source)
        versions = {
            target: connection.execute(
                "SELECT version.hash FROM item JOIN version ON version.n = item.shown WHERE item.id = ?", (target,)
            ).get
            for target in (ruling.targets if ruling else ())
        }
        relatives = tuple(Relative(t, v or "", "note", "", None, 0.9, 1.0) for t, v in versions.items())
        return Judged(candidate, relatives, ruling)


def whole(source: Source) -> list[Candidate]:
    """The typed note itself."""
    return [
        Candidate("note", text.content, Span(text.item, text.version, 0, len(text.content))) for text in source.texts
    ]


def quote(source: Source, words: str, kind: str = "fact", slot: Slot | None = None) -> Candidate:
    """A candidate for words that stand in one of the texts."""
    text = next(text for text in source.texts if words in text.content)
    start = text.content.index(words)
    return Candidate(kind, words, Span(text.item, text.version, start, start + len(words)), slot)


def run(memory: Memory, decider: Any, **more: Any) -> JudgeReport:
    """Judge everything that waits."""
    from memhub.store.store import Store, new_operation

    store = memory.store
    return judge_queue(
        Run(
            open_store=lambda: Store(store.path, store.snapshots),
            operation=new_operation("judge"),
            decider=decider,
            engine=None,
            **more,
        )
    )
