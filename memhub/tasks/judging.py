"""Works off the queue: four spaces at a time, one source after the other within a space, one commit a source."""

import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import apsw

from memhub.errors import ConflictError, MhError, UnavailableError
from memhub.llm.call import BudgetSpentError, ModelError
from memhub.model.entry import Draft, Expect
from memhub.model.judged import JudgedSource, JudgeReport, ResultLine
from memhub.model.judging import Candidate, Judged, Source
from memhub.pipeline import queue
from memhub.pipeline.decide import Decider
from memhub.pipeline.execute import Outcome, is_carried_out, outcome_of
from memhub.pipeline.sources import members_of, sources_of
from memhub.store import read
from memhub.store.store import Operation, Store

if TYPE_CHECKING:
    from memhub.search.ways import EngineSource

PARALLEL = 4
TRIES = 3
Progress = Callable[[int, int, float], None]


@dataclass
class Run:
    """What all spaces of one run share. `spent` are the model's uses, counted by the decider as they come."""

    open_store: Callable[[], Store]
    operation: Operation
    decider: Decider
    engine: "EngineSource | None"
    limit: int | None = None
    dry_run: bool = False
    is_dual: bool = False
    only: frozenset[str] | None = None
    progress: Progress | None = None
    results: list[JudgedSource] = field(default_factory=list)
    stopped: str | None = None
    lock: threading.Lock = field(default_factory=threading.Lock)
    taken: int = 0
    total: int = 0

    def take(self) -> bool:
        """Whether one more source may be judged."""
        with self.lock:
            if self.stopped is not None:
                return False
            if self.limit is not None and self.taken >= self.limit:
                self.stopped = f"the limit of {self.limit} sources"
                return False
            if self.decider.is_spent:
                self.stopped = f"the budget of {self.decider.budget} tokens"
                return False
            self.taken += 1
            return True

    def note(self, done: JudgedSource) -> None:
        """Keep the result of one source and tell about it."""
        with self.lock:
            self.results.append(done)
            if self.progress is not None:
                self.progress(len(self.results), max(self.total, len(self.results)), self.decider.cost)


def judge_queue(run: Run) -> JudgeReport:
    """Judge what is due, of all spaces. Stopping at any point loses nothing and repeats nothing."""
    store = run.open_store()
    try:
        spaces = queue.spaces(store.connection)
        run.total = sum(len(queue.due(store.connection, s, with_model=run.decider.has_model)) for s in spaces)
        if len(spaces) == 1:
            _space(run, store, spaces[0])
        else:
            with ThreadPoolExecutor(PARALLEL) as pool:
                for work in [pool.submit(_space_alone, run, space) for space in spaces]:
                    work.result()
        left = len(queue.waiting(store.connection))
    finally:
        store.close()
    spent = run.decider
    return JudgeReport(
        tuple(run.results), left, spent.calls, spent.tokens_in, spent.tokens_out, spent.cost, run.stopped
    )


def _space_alone(run: Run, space: str) -> None:
    store = run.open_store()
    try:
        _space(run, store, space)
    finally:
        store.close()


def _space(run: Run, store: Store, space: str) -> None:
    """Everything due in one space, while nobody else is at it."""
    holder = queue.new_holder()
    if not run.dry_run:
        with store.writing():
            if not queue.take_lease(store.connection, space, holder):
                return
    try:
        rows = queue.due(store.connection, space, with_model=run.decider.has_model)
        sources, gone = sources_of(store.connection, rows)
        if gone and not run.dry_run:
            with store.writing():
                queue.done(store.connection, gone)
        for source in sources:
            if run.only is not None and not run.only & {source.key, *members_of(source)}:
                continue
            if not run.take():
                break
            run.note(_judge_source(run, store, source, holder))
    finally:
        if not run.dry_run:
            with store.writing():
                queue.end_lease(store.connection, space, holder)


def _judge_source(run: Run, store: Store, source: Source, holder: str) -> JudgedSource:
    title = _title(store.connection, source)
    try:
        candidates = run.decider.candidates(source)
        for _ in range(TRIES):
            judged = run.decider.decide(store.connection, source, candidates, run.engine)
            try:
                outcomes = _carry_out(run, store, source, judged, holder)
            except ConflictError:
                continue  # what was read has changed: look again
            return JudgedSource(source.key, title, tuple(_line(outcome) for outcome in outcomes))
        raise ConflictError("what it was compared with kept changing", "`mh judge` tries again later")
    except BudgetSpentError as error:
        run.stopped = error.message
        return JudgedSource(source.key, title, (), error.message)
    except (UnavailableError, ConflictError) as error:
        if isinstance(error, ModelError) and error.is_setup:
            run.stopped = error.message
        return _keep_waiting(run, store, source, title, error)


def _carry_out(run: Run, store: Store, source: Source, judged: Sequence[Judged], holder: str) -> list[Outcome]:
    """All effects of one source in one commit, the queue's included; refused when its ground has moved."""
    connection = store.connection
    if run.dry_run:
        return _outcomes(connection, source, judged)
    outcomes: list[Outcome] = []
    epoch = int(connection.execute("SELECT epoch FROM scope WHERE space = ?", (source.space,)).get or 0)

    def plan(connection: apsw.Connection) -> list[Draft]:
        if not queue.holds_lease(connection, source.space, holder):
            raise ConflictError("another process took over this space", "it goes on with the rest")
        fresh = [one for one in judged if not is_carried_out(connection, source, one)]
        _check_ground(connection, source, fresh)
        outcomes[:] = _outcomes(connection, source, fresh)
        members = members_of(source)
        if run.is_dual:
            queue.register(connection, source.space)
        if run.decider.has_model or not any(one.ruling and one.ruling.is_doubtful for one in judged):
            queue.done(connection, members)
        else:
            queue.in_doubt(connection, members)
        return [draft for outcome in outcomes for draft in outcome.drafts]

    store.commit(run.operation, plan, expect=Expect(epochs={source.space: epoch}))
    return outcomes


def _outcomes(connection: apsw.Connection, source: Source, judged: Sequence[Judged]) -> list[Outcome]:
    found = (outcome_of(connection, source, one) for one in judged)
    return [outcome for outcome in found if outcome is not None]


def _check_ground(connection: apsw.Connection, source: Source, judged: Sequence[Judged]) -> None:
    """The source and whatever a ruling names must be as they were read: live, and in the same version."""
    for text in source.texts:
        item = read.item_by_id(connection, text.item)
        if item is None or item.version != text.version or item.state in ("dropped", "erased"):
            raise ConflictError("the source changed meanwhile")
    for one in judged:
        versions = {relative.item: relative.version for relative in one.relatives}
        for target in one.ruling.targets if one.ruling else ():
            item = read.item_by_id(connection, target)
            if item is None or item.version != versions.get(target, item.version) or item.state != "live":
                raise ConflictError("what it was compared with changed meanwhile")


def _keep_waiting(run: Run, store: Store, source: Source, title: str, error: MhError) -> JudgedSource:
    if not run.dry_run:
        with store.writing():
            queue.failed(store.connection, members_of(source), error.message)
    return JudgedSource(source.key, title, (), error.message)


def _title(connection: apsw.Connection, source: Source) -> str:
    item = read.item_by_id(connection, source.texts[0].item)
    words = (item.title or item.content if item else "").strip().split("\n")[0]
    return words[:80]


def _line(outcome: Outcome) -> ResultLine:
    candidate: Candidate = outcome.candidate
    ruling: Any = outcome.ruling
    return ResultLine(
        ruling.action, candidate.kind, candidate.content, outcome.item, ruling.targets, ruling.reason,
        ruling.difference, ruling.judge if ruling.reason or ruling.targets else "",
    )  # fmt: skip
