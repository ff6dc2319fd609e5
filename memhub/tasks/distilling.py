"""Distills conversations: a look at what is new in each, and the way through judging for those that are worth it."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

import apsw

from memhub.errors import ConflictError, UnavailableError
from memhub.llm.call import BudgetSpentError
from memhub.model.distilled import Triaged
from memhub.model.judged import JudgedSource, JudgeReport, ResultLine
from memhub.model.judging import Source
from memhub.model.thread import Thread
from memhub.pipeline import queue
from memhub.pipeline.decide import Decider
from memhub.pipeline.execute import Outcome, outcome_of
from memhub.pipeline.queue import Waiting
from memhub.pipeline.sources import sources_of
from memhub.pipeline.triage import triage
from memhub.store import threads
from memhub.store.store import Store
from memhub.tasks.judging import Run, judge_queue, left_over

if TYPE_CHECKING:
    from memhub.search.ways import EngineSource

Progress = Callable[[int, int, float], None]


class Look(NamedTuple):
    """One conversation as triage saw it, and its new turns."""

    seen: Triaged
    turns: tuple[Waiting, ...]


def look_into(
    connection: apsw.Connection, found: Iterable[Thread], *, with_model: bool, limit: int | None, force: bool
) -> Iterator[Look]:
    """Each conversation with its verdict, until `limit` are worth it. `force` takes all that have something new."""
    taken = 0
    for thread in found:
        if limit is not None and taken >= limit:
            return
        look = _look(connection, thread, with_model, force)
        taken += look.seen.is_worth
        yield look


def _look(connection: apsw.Connection, thread: Thread, with_model: bool, force: bool) -> Look:
    new = threads.new_turns(connection, thread.id, with_model=with_model)
    rows = tuple(Waiting(item, thread.id, space, "waiting", 0, None, 0, 0) for item, space in new)
    if not rows:
        return Look(Triaged(thread.id, thread.title, 0, 0, False, "nothing new"), ())
    sources, _ = sources_of(connection, list(rows))
    verdict = triage(sources)
    reason = f"{verdict.reason}; asked for all the same" if force and not verdict.is_worth else verdict.reason
    seen = Triaged(thread.id, thread.title, len(rows), verdict.words, verdict.is_worth or force, reason)
    return Look(seen, rows)


def rehearse(
    store: Store,
    decider: Decider,
    engine: "EngineSource | None",
    looks: Sequence[Look],
    progress: Progress | None = None,
) -> JudgeReport:
    """What would come of the conversations, one after the other; writes nothing."""
    sources, _ = sources_of(store.connection, _rows(looks))
    done = []
    for number, source in enumerate(sources, 1):
        done.append(_rehearsed(store.connection, decider, engine, source))
        if progress is not None:
            progress(number, len(sources), decider.cost)
    return JudgeReport(
        tuple(done), left_over(store.connection, with_model=decider.has_model), decider.calls, decider.tokens_in,
        decider.tokens_out, decider.cost,
    )  # fmt: skip


def carry_out(store: Store, run: Run, looks: Sequence[Look]) -> JudgeReport:
    """Put the turns on the queue and judge them; what could not be judged stays there. Only then are they done with."""
    rows = _rows(looks)
    with store.writing():
        for row in rows:
            queue.enqueue(store.connection, [row.item], row.space, row.thread)
        queue.retry(store.connection, [row.item for row in rows])
    run.only = frozenset(row.thread for row in rows if row.thread)
    try:
        return judge_queue(run)
    finally:
        with store.writing():
            turns = [row.item for row in rows]
            threads.note_distilled(store.connection, turns, with_model=run.decider.has_model)


def _rows(looks: Sequence[Look]) -> list[Waiting]:
    return [row for look in looks if look.seen.is_worth for row in look.turns]


def _rehearsed(
    connection: apsw.Connection, decider: Decider, engine: "EngineSource | None", source: Source
) -> JudgedSource:
    title = source.texts[0].content.strip().split("\n")[0][:80]
    try:
        judged = decider.decide(connection, source, decider.candidates(source), engine)
    except (UnavailableError, ConflictError, BudgetSpentError) as error:
        return JudgedSource(source.key, title, (), error.message)
    outcomes = [outcome for one in judged if (outcome := outcome_of(connection, source, one)) is not None]
    return JudgedSource(source.key, title, tuple(_line(outcome) for outcome in outcomes))


def _line(outcome: Outcome) -> ResultLine:
    ruling, candidate = outcome.ruling, outcome.candidate
    return ResultLine(
        ruling.action, candidate.kind, candidate.content, outcome.item, ruling.targets, ruling.reason,
        ruling.difference, ruling.judge if ruling.reason or ruling.targets else "",
    )  # fmt: skip
