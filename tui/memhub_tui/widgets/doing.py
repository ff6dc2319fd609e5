"""The list of Activity: jobs over what waits in the queue."""

from collections.abc import Sequence
from typing import NamedTuple

from rich.segment import Segment

from memhub.model.judged import QueueRow
from memhub.text.clean import display_width, fit, one_line, terminal_safe
from memhub_tui.backend import Lane
from memhub_tui.jobs import FAILED, RUNNING, Job
from memhub_tui.widgets.job_bar import job_bar, job_state
from memhub_tui.widgets.lines import line
from memhub_tui.widgets.pages import Wanted
from memhub_tui.widgets.virtual_list import VirtualList

_WIDE = 100


class Doing(NamedTuple):
    """A job, or something in the queue."""

    id: str
    job: Job | None
    queued: QueueRow | None


class Doings:
    """Jobs first, the newest on top; then pages of the queue."""

    def __init__(self, lane: Lane, jobs: Sequence[Job]) -> None:
        self._lane = lane
        self.jobs = [Doing(job.id, job, None) for job in jobs]

    async def page(self, wanted: Wanted[Doing]) -> Sequence[Doing]:
        """See `Source`."""
        own = self.jobs[wanted.offset : wanted.offset + wanted.limit]
        limit, offset = wanted.limit - len(own), max(wanted.offset - len(self.jobs), 0)
        if not limit:
            return own
        rows = await self._lane.run(lambda memory: memory.queue(limit=limit, offset=offset))
        return [*own, *(Doing(row.source, None, row) for row in rows)]

    async def count(self) -> int:
        """See `Source`."""
        return len(self.jobs) + await self._lane.run(lambda memory: memory.queue_count())


class DoingList(VirtualList[Doing]):
    """What a job or a source is, and how far it is."""

    def draw(self, entry: Doing, width: int) -> list[Segment]:
        """State, bar and title, and what came of it."""
        if entry.job:
            return self._job(entry.job, width)
        assert entry.queued
        row = entry.queued
        more = row.error or (f"next try {row.next_try[11:16]}" if row.next_try else row.kind)
        first = f"{row.state:10}"
        parts = line(first, row.title, more, width, self.style, is_quiet=row.state == "doubt")
        return [Segment(first, self.style("alert")), *parts[1:]] if row.error else parts

    def _job(self, job: Job, width: int) -> list[Segment]:
        state, bar = f"{job_state(job):10}", job_bar(job, 20 if width >= _WIDE else 8)
        rate = f"{job.rate:,.0f}/s" if job.state == RUNNING and job.done else ""
        more = fit(one_line(terminal_safe(job.message or job.step or rate)), max(width // 2, 0)) if width >= 50 else ""
        room = max(width - 10 - display_width(bar) - 2 * bool(bar) - display_width(more) - 2 * bool(more), 1)
        title = one_line(terminal_safe(job.title), room)
        style = "alert" if job.state == FAILED else "label" if job.state == RUNNING else "dim"
        parts = [Segment(state, self.style(style)), Segment(f"{bar}  " if bar else "", self.style("label"))]
        parts.append(Segment(title))
        gap = width - 10 - display_width(bar) - 2 * bool(bar) - display_width(title) - display_width(more)
        return [*parts, Segment(" " * max(gap, 1)), Segment(more, self.style("dim"))] if more else parts
