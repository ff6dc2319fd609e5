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
from memhub.pipeline.relatives import space_of
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
    """What all spaces of one run share. `only` limits it to these sources, `spaces` to these spaces; `moved` are
    spaces into which a source was moved while it was judged."""

    open_store: Callable[[], Store]
    operation: Operation
    decider: Decider
    engine: "EngineSource | None"
    limit: int | None = None
    dry_run: bool = False
    is_dual: bool = False
    only: frozenset[str] | None = None
    spaces: tuple[str, ...] | None = None
    progress: Progress | None = None
    results: list[JudgedSource] = field(default_factory=list)
    stopped: str | None = None
    lock: threading.Lock = field(default_factory=threading.Lock)
    moved: set[str] = field(default_factory=set)
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


class _LeaseLostError(MhError):
    """Another process has the space now."""


class _MovedError(MhError):
    """The source is in another space now, or gone; whoever judges that space takes it up."""


def judge_queue(run: Run) -> JudgeReport:
    """Judge what is due, of all spaces. Stopping at any point loses nothing and repeats nothing."""
    store = run.open_store()
    try:
        spaces = [s for s in queue.spaces(store.connection) if run.spaces is None or s in run.spaces]
        run.total = sum(len(queue.due(store.connection, s, with_model=run.decider.has_model)) for s in spaces)
        for _ in range(TRIES):
            run.moved.clear()
            _all(run, store, spaces)
            spaces = sorted(run.moved)
            if not spaces:
                break
        left = left_over(store.connection, with_model=run.decider.has_model)
    finally:
        store.close()
    spent = run.decider
    return JudgeReport(
        tuple(run.results), left, spent.calls, spent.tokens_in, spent.tokens_out, spent.cost, run.stopped
    )


def left_over(connection: apsw.Connection, *, with_model: bool) -> int:
    """How many sources the next run would look at; those in doubt wait for a model and for nothing else."""
    rows = queue.waiting(connection)
    return len({row.thread or row.item for row in rows if with_model or row.state != "doubt"})


def _all(run: Run, store: Store, spaces: list[str]) -> None:
    if len(spaces) == 1:
        _space(run, store, spaces[0])
        return
    with ThreadPoolExecutor(PARALLEL) as pool:
        works = [pool.submit(_space_alone, run, space) for space in spaces]
        try:
            for work in works:
                work.result()
        except BaseException:
            run.stopped = run.stopped or "it was interrupted"  # the other spaces end after the source they are at
            raise


def _space_alone(run: Run, space: str) -> None:
    store = run.open_store()
    try:
        _space(run, store, space)
    finally:
        store.close()


def _space(run: Run, store: Store, space: str) -> None:
    """Everything due in one space, while nobody else is at it."""
    holder = queue.new_holder()
    if not _take_lease(run, store, space, holder):
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
            if not run.take() or not _take_lease(run, store, space, holder):
                break
            try:
                run.note(_judge_source(run, store, source, holder))
            except _MovedError:
                run.moved.update(row.space for row in queue.of_items(store.connection, members_of(source)))
            except _LeaseLostError:
                break
    finally:
        if not run.dry_run:
            with store.writing():
                queue.end_lease(store.connection, space, holder)


def _take_lease(run: Run, store: Store, space: str, holder: str) -> bool:
    """Get the space, or keep it for longer; a dry run writes nothing and needs none."""
    if run.dry_run:
        return True
    with store.writing():
        return queue.take_lease(store.connection, space, holder)


def _judge_source(run: Run, store: Store, source: Source, holder: str) -> JudgedSource:
    title = _title(store.connection, source)
    candidates: list[Candidate] | None = None
    try:
        for _ in range(TRIES):
            epochs = _epochs(store.connection, source.space)
            if candidates is None:
                candidates = run.decider.candidates(source)
            judged = run.decider.decide(store.connection, source, candidates, run.engine)
            try:
                outcomes = _carry_out(run, store, source, judged, holder, epochs)
            except ConflictError:  # what was read has changed: look again
                fresh = _read_again(store.connection, source)
                candidates = candidates if fresh == source else None
                source = fresh
                continue
            lines = tuple(_line(outcome) for outcome in outcomes)
            return JudgedSource(source.key, title, lines, in_doubt=_is_in_doubt(run, judged))
        raise ConflictError("what it was compared with kept changing", "`mh judge` tries again later")
    except BudgetSpentError as error:
        run.stopped = error.message
        return JudgedSource(source.key, title, (), error.message)
    except (UnavailableError, ConflictError) as error:
        if isinstance(error, ModelError) and error.is_setup:
            run.stopped = error.message
        return _keep_waiting(run, store, source, title, error.message)
    except (MhError, apsw.Error):
        raise
    except Exception as error:  # a fault of mh in one source: the others are judged all the same
        return _keep_waiting(run, store, source, title, f"mh failed on it: {type(error).__name__}: {error}")


def _epochs(connection: apsw.Connection, space: str) -> dict[str, int]:
    """The epoch of a space, read before the plan that rests on it."""
    return {space: int(connection.execute("SELECT epoch FROM scope WHERE space = ?", (space,)).get or 0)}


def _read_again(connection: apsw.Connection, source: Source) -> Source:
    """The source as it is now. Raises `_MovedError` when it is in another space, or no longer there."""
    sources, _ = sources_of(connection, queue.of_items(connection, members_of(source)))
    if len(sources) != 1 or sources[0].space != source.space:
        raise _MovedError("the source was moved or removed meanwhile")
    return sources[0]


def _carry_out(
    run: Run, store: Store, source: Source, judged: Sequence[Judged], holder: str, epochs: dict[str, int]
) -> list[Outcome]:
    """All effects of one source in one commit, the queue's included; refused when its ground has moved."""
    connection = store.connection
    if run.dry_run:
        return _outcomes(connection, source, judged)
    outcomes: list[Outcome] = []
    members = members_of(source)

    def plan(connection: apsw.Connection) -> list[Draft]:
        if not queue.take_lease(connection, source.space, holder):
            raise _LeaseLostError("another process took over this space")
        if not queue.of_items(connection, members):
            raise _MovedError("it was judged or taken off the queue meanwhile")
        fresh = [one for one in judged if not is_carried_out(connection, source, one)]
        _check_ground(connection, source, fresh)
        outcomes[:] = _outcomes(connection, source, fresh)
        if run.is_dual:
            queue.register(connection, source.space)
        if _is_in_doubt(run, judged):
            queue.in_doubt(connection, members)
        else:
            queue.done(connection, members)
        return [draft for outcome in outcomes for draft in outcome.drafts]

    store.commit(run.operation, plan, expect=Expect(epochs=epochs))
    return outcomes


def _is_in_doubt(run: Run, judged: Sequence[Judged]) -> bool:
    return not run.decider.has_model and any(one.ruling and one.ruling.is_doubtful for one in judged)


def _outcomes(connection: apsw.Connection, source: Source, judged: Sequence[Judged]) -> list[Outcome]:
    found = (outcome_of(connection, source, one) for one in judged)
    return [outcome for outcome in found if outcome is not None]


def _check_ground(connection: apsw.Connection, source: Source, judged: Sequence[Judged]) -> None:
    """The source and whatever a ruling names must be as they were read: live, in this space, in the same version."""
    for text in source.texts:
        item = read.item_by_id(connection, text.item)
        is_there = item is not None and item.version == text.version and item.state not in ("dropped", "erased")
        if not is_there or space_of(connection, text.item) != source.space:
            raise ConflictError("the source changed meanwhile")
    for one in judged:
        versions = {relative.item: relative.version for relative in one.relatives}
        for target in one.ruling.targets if one.ruling else ():
            item = read.item_by_id(connection, target)
            is_same = item is not None and item.version == versions.get(target, item.version) and item.state == "live"
            if not is_same or space_of(connection, target) != source.space:
                raise ConflictError("what it was compared with changed meanwhile")


def _keep_waiting(run: Run, store: Store, source: Source, title: str, error: str) -> JudgedSource:
    if not run.dry_run:
        with store.writing():
            queue.failed(store.connection, members_of(source), error)
    return JudgedSource(source.key, title, (), error)


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
