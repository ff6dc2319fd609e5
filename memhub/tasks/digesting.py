"""Runs the steps of the digest: four spaces at a time, in order within one, under one operation and one lease."""

import threading
import time
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache, partial
from typing import TYPE_CHECKING, NamedTuple

import apsw

from memhub import stamp
from memhub.digest import marks, material
from memhub.digest.brief import brief
from memhub.digest.communities import communities
from memhub.digest.core import core
from memhub.digest.crystals import crystals
from memhub.digest.entities import entities
from memhub.digest.persona import persona
from memhub.digest.schemas import schemas
from memhub.digest.step import Step, Work
from memhub.errors import ConflictError, MhError, StoreError, UnavailableError, UsageError
from memhub.model.digested import StepReport
from memhub.pipeline import queue
from memhub.pipeline.decide import Decider
from memhub.store import vectors
from memhub.store.connection import query
from memhub.store.store import Operation, Store
from memhub.tasks import judging
from memhub.tasks.index import drain

if TYPE_CHECKING:
    from memhub.search.ways import EngineSource

PARALLEL = 4
STEP_MS = 30 * 60_000
"""Time that one step may take in one space; what is left is done by the next digest."""
_AGAIN_MS = 60_000
"""After so long a step that reports its progress renews the lease."""
LEASE = "digest"
"""The lease that keeps two digests from running at once; no space has this id."""


class Row(NamedTuple):
    """A step of the digest: the word for `--steps`, what does it (None: the queue is worked off), and its help."""

    name: str
    step: Step | None
    words: str


STEPS: tuple[Row, ...] = (
    Row("judge", None, "compares what is new with what is known"),
    Row("entities", entities, "finds out of whom and what texts speak"),
    Row("communities", communities, "finds which items belong together"),
    Row("schemas", schemas, "finds the themes that keep coming back"),
    Row("core", core, "finds ways of acting that show in unlike parts of life"),
    Row("crystals", crystals, "puts together what several independent sources establish"),
    Row("persona", persona, "writes down what the owner of the notes keeps doing"),
    Row("brief", brief, "writes the page of the day"),
)

Progress = Callable[[str, str, int, int], None]


@dataclass
class Digest:
    """What all spaces of one digest share. `progress(space, step, done, total)` is told how far a step is."""

    open_store: Callable[[], Store]
    operation: Operation
    decider: Decider
    engine: "EngineSource"
    steps: frozenset[str] = frozenset(row.name for row in STEPS)
    since: int | None = None
    dry_run: bool = False
    is_dual: bool = True
    timezone: str = ""
    progress: Progress | None = None
    reports: list[StepReport] = field(default_factory=list)
    lock: threading.Lock = field(default_factory=threading.Lock)
    taken_ms: int = 0
    holder: str = field(default_factory=queue.new_holder)
    stopped: MhError | None = None


def checked_steps(names: Iterable[str] | None) -> frozenset[str]:
    """The steps asked for; all when none is named."""
    known = [row.name for row in STEPS]
    wanted = list(names) if names is not None else known
    for name in wanted:
        if name not in known:
            raise UsageError(f"there is no step `{name}`", f"steps are {', '.join(known)}")
    return frozenset(wanted)


def run(digest: Digest, spaces: Sequence[str]) -> tuple[StepReport, ...]:
    """Digest these spaces. Stopping at any point loses nothing and repeats nothing.

    Raises `ConflictError` when another digest is at it.
    """
    store = digest.open_store()
    try:
        _take(digest, store)
        try:
            _all(digest, store, spaces)
            if any(report.new or report.renewed for report in digest.reports):
                _index(digest, store)  # what was derived can be found by meaning at once
        finally:
            if not digest.dry_run:
                with store.writing():
                    queue.end_lease(store.connection, LEASE, digest.holder)
                store.flush()
    finally:
        store.close()
    order = {space: number for number, space in enumerate(spaces)}
    return tuple(sorted(digest.reports, key=lambda one: order[one.space]))


def _take(digest: Digest, store: Store) -> None:
    """Get the lease, or keep it for longer; a dry run writes nothing and needs none."""
    if digest.dry_run:
        return
    with store.writing():
        if not queue.take_lease(store.connection, LEASE, digest.holder):
            raise ConflictError("another digest is running", "it looks at everything that is new; wait for its end")
        digest.taken_ms = stamp.now_ms()


def _all(digest: Digest, store: Store, spaces: Sequence[str]) -> None:
    if len(spaces) == 1:
        _space(digest, store, spaces[0])
        return
    with ThreadPoolExecutor(PARALLEL) as pool:
        works = [pool.submit(_space_alone, digest, space) for space in spaces]
        try:
            for work in works:
                work.result()
        except BaseException:
            digest.stopped = digest.stopped or MhError("it was interrupted")
            raise


def _space_alone(digest: Digest, space: str) -> None:
    store = digest.open_store()
    try:
        _space(digest, store, space)
    finally:
        store.close()


def _space(digest: Digest, store: Store, space: str) -> None:
    """Every step in one space, in the order of the table; one that fails does not keep the next from its work."""
    work: Work | None = None
    for row in STEPS:
        if row.name not in digest.steps or not (digest.is_dual or row.step is None) or digest.stopped:
            continue
        _take(digest, store)
        began = time.monotonic()
        if row.step is not None and work is None:
            work = _work(digest, store, space)
        report = _step(digest, store, space, row, work)
        with digest.lock:
            digest.reports.append(_timed(report, time.monotonic() - began))
    if digest.is_dual and not digest.dry_run:
        with store.writing():
            store.connection.execute("DELETE FROM digest_space WHERE space = ?", (space,))


def _work(digest: Digest, store: Store, space: str) -> Work:
    """What all steps in one space work with; their marks do not pass the clock from before the vectors were made."""
    clock = marks.clock(store.connection)
    _index(digest, store)
    return Work(
        store, space, digest.operation, 0, digest.engine, digest.decider.llm, dry_run=digest.dry_run,
        timezone=digest.timezone, clock=clock,
        statements=cache(partial(material.load, store.connection, space, digest.engine)),
    )  # fmt: skip


def _timed(report: StepReport, seconds: float) -> StepReport:
    from dataclasses import replace

    return replace(report, seconds=round(seconds, 3))


def _step(digest: Digest, store: Store, space: str, row: Row, work: Work | None) -> StepReport:
    try:
        if row.step is None or work is None:
            return _judge(digest, store, space, row.name)
        return _derive(digest, work, row.name, row.step)
    except (StoreError, apsw.Error):
        raise
    except MhError as error:
        return _pending(digest, store, space, row.name, error.message)
    except Exception as error:  # a fault of mh in one step: the others do their work all the same
        return _pending(digest, store, space, row.name, f"mh failed on it: {type(error).__name__}: {error}")


def _derive(digest: Digest, work: Work, name: str, step: Step) -> StepReport:
    """One step that derives, from its mark on; the mark moves when it came to its end."""
    store, space = work.store, work.space
    mark = marks.read(store.connection, space, name)
    since = mark.clock if digest.since is None else min(mark.clock, digest.since << 16)

    def told(done: int, total: int) -> None:
        if stamp.now_ms() - digest.taken_ms > _AGAIN_MS:
            _take(digest, store)
        if digest.progress is not None:
            digest.progress(space, name, done, total)

    done = step(work._replace(mark=since, until=stamp.now_ms() + STEP_MS, progress=told))
    error = None if done.is_complete else "there was no time for all of it"
    if not digest.dry_run and (error or done.mark != mark.clock or mark.error):
        with store.writing():
            if error:
                marks.failed(store.connection, space, name, error)
            else:
                marks.finished(store.connection, space, name, done.mark)
    return StepReport(space, name, done.new, done.renewed, done.stale, error)


def _index(digest: Digest, store: Store) -> None:
    """Compute what vectors are missing; without a model of embedding the step itself says so."""
    with digest.lock, suppress(UnavailableError):
        if not digest.dry_run and vectors.pending_count(store.connection, 1):
            drain(store, digest.engine())


def _pending(digest: Digest, store: Store, space: str, step: str, error: str) -> StepReport:
    if not digest.dry_run:
        with store.writing():
            marks.failed(store.connection, space, step, error)
    return StepReport(space, step, error=error)


def _judge(digest: Digest, store: Store, space: str, name: str) -> StepReport:
    """Work off the queue of one space."""

    def told(done: int, total: int, _: float) -> None:
        if digest.progress is not None:
            digest.progress(space, name, done, total)

    run = judging.Run(
        open_store=digest.open_store, operation=digest.operation, decider=digest.decider, engine=digest.engine,
        dry_run=digest.dry_run, is_dual=digest.is_dual, spaces=(space,), progress=told,
    )  # fmt: skip
    report = judging.judge_queue(run)
    new = dict.fromkeys(line.item for source in report.judged for line in source.results if line.item)
    errors = [source.error for source in report.judged if source.error]
    error = report.stopped or (f"{len(errors)} waiting: {errors[0]}" if errors else None)
    if not digest.dry_run:
        with store.writing():
            if error:
                marks.failed(store.connection, space, name, error)
            elif marks.read(store.connection, space, name).error:
                marks.finished(store.connection, space, name, 0)
    return StepReport(space, name, tuple(new), error=error)


def every_space(connection: apsw.Connection) -> list[str]:
    """Ids of all spaces that hold anything, aliases followed."""
    return [
        identifier
        for (identifier,) in query(
            connection,
            """SELECT DISTINCT end.id FROM item JOIN space ON space.n = item.space
               JOIN space AS end ON end.n = space.resolved ORDER BY end.n""",
        )
    ]
