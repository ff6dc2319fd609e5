"""Activity: long work with its progress, and what waits to be judged."""

import time
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from rich.segment import Segment
from textual import work

from memhub.model.judged import QueueRow
from memhub.text.clean import one_line, terminal_safe
from memhub.workspace import Memory
from memhub_tui.actions import bindings
from memhub_tui.backend import Lane
from memhub_tui.item_view import Shown
from memhub_tui.jobs import RUNNING, Job, Tell, Work
from memhub_tui.screens.prompt import PromptScreen
from memhub_tui.screens.split import SplitScreen
from memhub_tui.widgets.job_bar import job_bar
from memhub_tui.widgets.lines import line
from memhub_tui.widgets.virtual_list import VirtualList, Wanted


class Doing(NamedTuple):
    """A job, or something in the queue."""

    id: str
    job: Job | None
    queued: QueueRow | None


class DoingList(VirtualList[Doing]):
    """Jobs over the queue."""

    def draw(self, entry: Doing, width: int) -> list[Segment]:
        """What it is, and how far."""
        if entry.job:
            job = entry.job
            return line(f"{job.state:10}", f"{job_bar(job)}  {job.title}".strip(), job.message, width, self.style)
        assert entry.queued
        row = entry.queued
        tries = f"{row.attempts} tries" if row.attempts else ""
        return line(f"{row.state:10}", row.title, tries, width, self.style)


class Doings:
    """The jobs, then pages of the queue."""

    def __init__(self, lane: Lane, jobs: Sequence[Job]) -> None:
        self._lane = lane
        self._jobs = [Doing(job.id, job, None) for job in jobs]

    async def page(self, wanted: Wanted[Doing]) -> Sequence[Doing]:
        """See `Source`."""
        jobs = self._jobs[wanted.offset : wanted.offset + wanted.limit]
        limit, offset = wanted.limit - len(jobs), max(wanted.offset - len(self._jobs), 0)
        queued = await self._lane.run(lambda memory: memory.queue(limit=limit, offset=offset)) if limit else []
        return [*jobs, *(Doing(row.source, None, row) for row in queued)]

    async def count(self) -> int:
        """See `Source`."""
        return len(self._jobs) + await self._lane.run(lambda memory: memory.queue_count())


class ActivityScreen(SplitScreen[Doing]):
    """The fifth mode."""

    BINDINGS = bindings("activity")
    name_in_bar = "activity"
    _shown_jobs: Sequence[str] = ()

    def make_list(self) -> DoingList:
        """Jobs and queue."""
        return DoingList(empty="Nothing runs, nothing waits.", id="entries")

    async def source(self) -> Doings:
        """Jobs first, the newest on top."""
        self._shown_jobs = [job.state for job in self.mh.jobs.all]
        return Doings(self.backend.view, self.mh.jobs.all)

    def filled(self) -> None:
        """Say how much runs and waits."""
        waiting = self.entries.total - len(self._shown_jobs)
        self.top_bar.tell(f"{len(self.mh.jobs.running)} running · {waiting:,} waiting ")

    def jobs_moved(self) -> None:
        """Draw the bars; read again only when a job began or ended."""
        if self._shown_jobs != [job.state for job in self.mh.jobs.all]:
            self.read_list(keep=True)
        else:
            self.entries.refresh()
            self.read_entry(self.entries.entry)

    async def shown(self, entry: Doing) -> Shown:
        """Everything known of it."""
        if entry.job:
            job = entry.job
            rate = job.done / max(time.monotonic() - job.started, 0.001) if job.state == RUNNING else 0
            head = f"{job.state} · {job.done:,}{f' of {job.total:,}' if job.total else ''}"
            return Shown(job.title, head + (f" · {rate:,.0f} a second" if rate else ""), "", terminal_safe(job.message))
        assert entry.queued
        row = entry.queued
        head = f"{row.kind} · {row.state} · {row.attempts} tries · next {row.next_try or 'at once'}"
        return Shown(terminal_safe(one_line(row.title)), head, "", terminal_safe(row.error or ""))

    @work(exit_on_error=False)
    async def action_import(self) -> None:
        """Ask for a folder or file, and bring it in."""
        answer = await self.app.push_screen_wait(PromptScreen("Import a folder or file"))
        if answer and answer.strip():
            path = Path(answer.strip()).expanduser()
            self._start(f"import {path}", lambda memory, tell: _import(memory, path, tell))

    def action_index(self) -> None:
        """Compute what is pending."""
        self._start("index", _index)

    def action_judge(self) -> None:
        """Work off the queue."""
        self._start("judge", _judge)

    def _start(self, title: str, work: Work) -> None:
        self.mh.jobs.start(title, work)
        self.read_list()  # from the top, where it stands

    def action_cancel(self) -> None:
        """Stop the job under the cursor."""
        entry = self.entries.entry
        if entry and entry.job and entry.job.state == RUNNING:
            self.mh.jobs.cancel(entry.job)

    @work(exit_on_error=False)
    async def action_retry(self) -> None:
        """Try the waiting ones at once."""
        names = [entry.id for entry in self.entries.chosen if entry.queued]
        if names:
            await self.save(lambda memory: memory.queue_retry(names), "to be tried again")

    @work(exit_on_error=False)
    async def action_drop(self) -> None:
        """Take them out of the queue."""
        names = [entry.id for entry in self.entries.chosen if entry.queued]
        if names:
            await self.save(lambda memory: memory.queue_drop(names), "taken out of the queue")


def _import(memory: Memory, path: Path, tell: Tell) -> str:
    report = memory.import_(path, progress=lambda done, _: tell(done, 0))
    parts = {"new": report.created, "changed": report.updated, "turns": report.turns, "skipped": len(report.skipped)}
    words = ", ".join(f"{count:,} {name}" for name, count in parts.items() if count)
    return words or "nothing new"


def _index(memory: Memory, tell: Tell) -> str:
    found = memory.index(progress=tell)
    return f"{found.done:,} vectors"


def _judge(memory: Memory, tell: Tell) -> str:
    report = memory.judge(progress=lambda done, total, _: tell(done, total))
    return f"{len(report.judged):,} judged, {report.waiting:,} waiting"
