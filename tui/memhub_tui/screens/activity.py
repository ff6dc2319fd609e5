"""Activity: long work with its progress, and what waits to be judged."""

from textual import on, work
from textual.content import Content
from textual.widgets import Static

from memhub.model.judged import QueueRow
from memhub.text.clean import one_line, terminal_safe
from memhub_tui import works
from memhub_tui.actions import bindings
from memhub_tui.item_view import Shown
from memhub_tui.jobs import RUNNING, Job, Work
from memhub_tui.screens.import_sources import ImportScreen
from memhub_tui.screens.split import SplitScreen
from memhub_tui.widgets.doing import Doing, DoingList, Doings
from memhub_tui.widgets.job_bar import job_head


class ActivityScreen(SplitScreen[Doing]):
    BINDINGS = bindings("activity")
    name_in_bar = "activity"
    _states: tuple[tuple[str, str], ...] = ()
    _is_behind = False
    _is_begun = False

    def make_list(self) -> DoingList:
        """Jobs and queue."""
        return DoingList(empty="Nothing runs, nothing waits.", id="entries")

    async def source(self) -> Doings:
        """Jobs first, the newest on top."""
        waiting = await self.backend.view.run(lambda memory: memory.queue_count())
        self._states = self._now()
        self.top_bar.tell(f"{len(self.mh.jobs.running)} running · {waiting:,} waiting ")
        return Doings(self.backend.view, self.mh.jobs.all)

    def file_changed(self) -> None:
        """Read again, once what is being read is there: a job that writes changes the file twice a second."""
        if self.reading is not None and self.reading.is_running:
            self._is_behind = True
        else:
            super().file_changed()

    def filled(self) -> None:
        """Go to what was just begun, and read again when something changed meanwhile."""
        if self._is_begun and self._states == self._now():
            self._is_begun = False
            self.entries.cursor = 0
        if self._is_behind:
            self._is_behind = False
            self.call_after_refresh(self.file_changed)

    def jobs_moved(self) -> None:
        """Draw the bars anew; read the list again when a job began or ended."""
        if self._now() != self._states:
            self._states = self._now()
            self.file_changed()
            return
        self.entries.refresh()
        entry = self.entries.entry
        if entry and entry.job:
            self.query_one("#preview #head", Static).update(Content(job_head(entry.job)))

    def _now(self) -> tuple[tuple[str, str], ...]:
        return tuple((job.id, job.state) for job in self.mh.jobs.all)

    async def shown(self, entry: Doing) -> Shown:
        """Everything known of it."""
        if entry.job:
            return _of_job(entry.job)
        assert entry.queued
        return _of_row(entry.queued)

    @on(DoingList.Chosen)
    def chosen(self, event: DoingList.Chosen) -> None:
        """Open what waits: the item, or the conversation."""
        row = event.entry.queued
        if row:
            (self.mh.open_item if row.kind == "note" else self.mh.open_thread)(row.source)

    @work(exit_on_error=False)
    async def action_import(self) -> None:
        """Ask what to bring in."""
        if await self.app.push_screen_wait(ImportScreen()):
            self._begun()

    def action_index(self) -> None:
        """Compute what is pending."""
        self._start("index", works.index)

    def action_judge(self) -> None:
        """Work off the queue."""
        self._start("judge", works.judge)

    def action_digest(self) -> None:
        """Find what many items have in common; in every space unless one works in one."""
        self._start("digest", works.digesting(every_space=self.backend.space is None))

    @work(exit_on_error=False)
    async def _start(self, title: str, work: Work) -> None:
        self.mh.jobs.start(title, work, is_single=True)
        self._begun()

    def _begun(self) -> None:
        self._is_begun = True
        self.file_changed()

    def action_cancel(self) -> None:
        """Stop the jobs that were chosen."""
        for entry in self.entries.chosen:
            if entry.job and entry.job.state == RUNNING:
                self.mh.jobs.cancel(entry.job)

    @work(exit_on_error=False)
    async def action_retry(self) -> None:
        """Try the waiting ones at once."""
        names = [entry.id for entry in self.entries.chosen if entry.queued]
        if names:
            await self.save(lambda memory: memory.queue_retry(names), lambda count: f"{count:,} to be tried again")

    @work(exit_on_error=False)
    async def action_drop(self) -> None:
        """Take them out of the queue, and jobs that are over off the list."""
        chosen = self.entries.chosen
        for entry in chosen:
            if entry.job:
                self.mh.jobs.forget(entry.job)
        names = [entry.id for entry in chosen if entry.queued]
        if names:
            await self.save(lambda memory: memory.queue_drop(names), lambda count: f"{count:,} taken out of the queue")


def _of_job(job: Job) -> Shown:
    lines = [terminal_safe(job.message), *job.lines]
    return Shown(terminal_safe(job.title), job_head(job), "", "\n".join(line for line in lines if line))


def _of_row(row: QueueRow) -> Shown:
    tries = f"{row.attempts} {'try' if row.attempts == 1 else 'tries'}"
    when = f"next {row.next_try[:16].replace('T', ' ')}" if row.next_try else "next time"
    doubt = "The rules could not tell; a language model may (`llm.model`)." if row.state == "doubt" else ""
    head = f"{row.kind} · {row.state} · {tries} · {when} · in {row.space} since {row.added[:16].replace('T', ' ')}"
    return Shown(terminal_safe(one_line(row.title)), head, doubt, terminal_safe(row.error or ""))
