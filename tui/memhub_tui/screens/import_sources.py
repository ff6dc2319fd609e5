"""Import: what lies in the usual places, or a path; first what would come in is shown, then it is brought in."""

import asyncio
import os

from rich.segment import Segment
from textual import on, work
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.content import Content
from textual.strip import Strip
from textual.suggester import Suggester
from textual.widgets import Input, SelectionList, Static
from textual.widgets.selection_list import Selection

from memhub.model.report import Discovered, ImportReport
from memhub.text.clean import display_width, fit, one_line, terminal_safe
from memhub.workspace import Memory
from memhub_tui.actions import bindings
from memhub_tui.jobs import DONE, RUNNING, Job, Tell
from memhub_tui.screens.base import MhScreen
from memhub_tui.widgets.in_order import Line
from memhub_tui.widgets.job_bar import job_head
from memhub_tui.works import Target, Wish, counts, faults, importing, look, records, targets_of

MOST_FAULTS = 50


class Places(SelectionList[Target]):
    """What was found, with ticks that can be told apart without colours, as in the other pickers."""

    def render_line(self, y: int) -> Strip:
        """In place of the three signs of the button before a line."""
        line = super().render_line(y)
        index = self.scroll_offset.y + y
        if index >= self.option_count:
            return line
        tick = "[x]" if self.get_option_at_index(index).value in self.selected else "[ ]"
        _, _, _, gap, *words = line
        return Strip([Segment(tick, gap.style), gap, *words])


class ImportScreen(MhScreen[bool]):
    """Answers whether an import was begun: it is a job, which goes on without this screen."""

    CSS_PATH = "import_sources.tcss"
    BINDINGS = bindings("import")
    name_in_bar = "activity"

    def __init__(self) -> None:
        super().__init__()
        self._wish: Wish | None = None
        self._reports: list[ImportReport] = []
        self._job: Job | None = None

    def content(self) -> ComposeResult:
        """What to bring in, over what would come of it."""
        with Vertical(id="form"):
            yield Line(placeholder="A folder, a file or a zip", suggester=_Paths(), id="path", select_on_focus=False)
            with Horizontal():
                yield Line(placeholder="Labels for what comes in", id="labels", select_on_focus=False)
                yield Line(self.backend.space or "", placeholder="Space", id="space", select_on_focus=False)
        yield Places(id="places")
        with VerticalScroll(id="report"):
            yield Static(id="told", markup=False)

    def on_mount(self) -> None:
        """Look into the usual places."""
        self.top_bar.tell("import ")
        self._tell("Looking into the usual places …")
        self.find()

    @work(exit_on_error=False)
    async def find(self) -> None:
        """List what lies in the usual places."""
        found = await self.backend.search.run(lambda memory: memory.discover())
        places = self.query_one(Places)
        places.add_options([Selection(_place(one), Target(one.path, one.importer)) for one in found])
        places.display = bool(found)
        places.highlighted = 0 if found else None
        here = "Type a path" + (
            ", or go with Tab to what was found, and tick with Space" if found else "; nothing lies in the usual places"
        )
        self._tell(f"{here}. Enter or Ctrl+S shows what would come in, and writes nothing yet.")

    @on(Input.Submitted)
    def submitted(self) -> None:
        """Enter goes on, too."""
        self.action_go_on()

    @work(exclusive=True, group="go", exit_on_error=False)
    async def action_go_on(self) -> None:
        """Show what would come in; when that is shown, bring it in."""
        wish = await self._asked()
        if not wish.targets:
            self.notify("Type a path, or tick a place.", severity="warning")
        elif wish == self._wish and self._job and self._job.state == DONE:
            total = sum(records(report) for report in self._reports)
            self.mh.jobs.start(wish.title, importing(wish, total), is_single=True)
            self._stop()
            self.dismiss(True)
        elif wish != self._wish or not self._job or self._job.state != RUNNING:
            self._look(wish)

    async def _asked(self) -> Wish:
        path, labels, space = (self.query_one(f"#{name}", Input).value.strip() for name in ("path", "labels", "space"))
        ticked = self.query_one(Places).selected
        typed = await asyncio.to_thread(targets_of, path) if path else []
        return Wish((*typed, *ticked), tuple(one.lstrip("#") for one in labels.split()), space or None)

    def _look(self, wish: Wish) -> None:
        self._stop()
        reports: list[ImportReport] = []

        def work(memory: Memory, tell: Tell) -> str:
            reports.extend(look(memory, wish, tell))
            return counts(reports)

        self._wish, self._reports = wish, reports
        self._job = self.mh.jobs.start(f"look: {wish.title}", work)
        self._job.is_told = True
        self.jobs_moved()

    def jobs_moved(self) -> None:
        """How far the look is, or what it saw."""
        job = self._job
        if job is None:
            return
        if job.state == RUNNING:
            self._tell(f"Looking, nothing is written … {job_head(job)}")
        elif job.state == DONE:
            self._tell("\n".join(self._seen()))
        else:
            self._tell(job.message)

    def _seen(self) -> list[str]:
        lines = ["Ctrl+S or Enter brings in:"]
        for one in self._reports:
            names = dict.fromkeys(terminal_safe(name) for name in (one.importer, one.scope))  # often the same
            lines.append(f"  {' '.join(names)}: {counts([one])}")
        every = [fault for report in self._reports for fault in faults(report)]
        lines += ["", *every[:MOST_FAULTS]] if every else []
        return [*lines, f"… and {len(every) - MOST_FAULTS:,} more"] if len(every) > MOST_FAULTS else lines

    def _tell(self, words: str) -> None:
        self.query_one("#told", Static).update(Content(words))

    def action_tick_all(self) -> None:
        """Tick every place, or none when all are."""
        places = self.query_one(Places)
        if len(places.selected) == places.option_count:
            places.deselect_all()
        else:
            places.select_all()

    def action_leave(self) -> None:
        """Back, and no more looking."""
        self._stop()
        self.dismiss(False)

    def _stop(self) -> None:
        if self._job and self._job.state == RUNNING:
            self.mh.jobs.cancel(self._job)
        if self._job and self._job.state != RUNNING:
            self.mh.jobs.forget(self._job)
        self._job = None


class _Paths(Suggester):
    """Completes the last part of a path."""

    def __init__(self) -> None:
        super().__init__(use_cache=False, case_sensitive=True)

    async def get_suggestion(self, value: str) -> str | None:
        """The path with its last part completed."""
        return await asyncio.to_thread(_completed, value)


def _completed(value: str) -> str | None:
    folder, name = os.path.split(value)
    try:
        names = sorted(os.listdir(os.path.expanduser(folder or ".")))
    except OSError:
        return None
    fitting = [one for one in names if one.startswith(name) and (name or not one.startswith(".")) and one != name]
    return value + fitting[0][len(name) :] if fitting and value else None


def _place(one: Discovered) -> Content:
    home = os.path.join(os.path.expanduser("~"), "")
    path = os.path.join("~", one.path.removeprefix(home)) if one.path.startswith(home) else one.path
    what = one.what.removesuffix("s") if one.count == 1 else one.what
    name = fit(one.importer, 14)
    gap = " " * max(14 - display_width(name), 0)
    return Content(f"{name}{gap} {one.count:>7,} {what:13} {one_line(terminal_safe(path), 200)}")
