"""Brief: the page of a day, and beside it what its lines rest on."""

from datetime import date, timedelta
from typing import NamedTuple

from rich.segment import Segment
from textual import on, work
from textual.widgets import Markdown

from memhub import stamp
from memhub.errors import MhError, NotFoundError
from memhub.model.briefing import Briefing
from memhub.text.clean import display_width, one_line, terminal_safe
from memhub.text.dates import Zone, show_time
from memhub.workspace import Memory
from memhub_tui.actions import bindings
from memhub_tui.errors import words_of
from memhub_tui.item_view import Shown
from memhub_tui.screens.edit import EditScreen
from memhub_tui.screens.split import SplitScreen
from memhub_tui.widgets.pages import Fixed
from memhub_tui.widgets.preview import Preview
from memhub_tui.widgets.virtual_list import VirtualList

LOOKING = "Looking at what there was …"


class Evidence(NamedTuple):
    """An item or conversation that a section of the page names, or (without a `target`) the heading of these."""

    id: str
    section: int
    words: str
    target: str = ""
    note: str = ""


class EvidenceList(VirtualList[Evidence]):
    """What the page rests on, in its order."""

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """A heading opens nothing."""
        return action != "choose" or (self.entry is not None and bool(self.entry.target))

    def draw(self, entry: Evidence, width: int) -> list[Segment]:
        """A heading, or the words of an item below one."""
        if not entry.target:
            words = one_line(terminal_safe(entry.words), max(width - len(entry.note) - 2, 1))
            return [Segment(words, self.style("label")), Segment("  "), Segment(entry.note, self.style("dim"))]
        words = one_line(terminal_safe(entry.words).lstrip("# "), max(width - 2, 1))
        gap = width - 2 - display_width(words) - len(entry.note)
        parts = [Segment("  "), Segment(words)]
        return [*parts, Segment(" " * gap), Segment(entry.note, self.style("dim"))] if gap >= 2 else parts


class BriefScreen(SplitScreen[Evidence]):
    """`day` None is today, whichever day that is by then."""

    CSS_PATH = ["split.tcss", "brief.tcss"]
    BINDINGS = bindings("brief")
    name_in_bar = "brief"
    day: str | None = None
    page: Briefing | None = None

    def make_list(self) -> EvidenceList:
        """What it rests on."""
        return EvidenceList(empty="The page names nothing.", id="entries")

    async def source(self) -> Fixed[Evidence]:
        """What the page names. The page is written when there is none."""
        day, zone = self.day, self.mh.zone
        if self.page is None:
            await self.query_one(Preview).show(Shown(head=LOOKING))
        elif self.page.day != (day or self._today()):
            self.top_bar.tell(f"{LOOKING} ")
        try:
            page, found = await self.backend.apart(lambda memory: _read(memory, day, zone))
        except MhError as error:
            self.page = None
            self.top_bar.tell(f"{day or self._today()} ")
            await self.query_one(Preview).show(Shown(*words_of(error)))
            return Fixed([])
        self.page = page
        self.top_bar.tell(f"{page.day} · {page.space} ")
        self._warn(page)
        self.refresh_bindings()
        return Fixed(found)

    def filled(self) -> None:
        """Show the page, also when it names nothing."""
        self.read_entry(self.entries.entry)

    async def show(self, entry: Evidence | None) -> None:
        """The page; the line that names what the cursor is on is marked."""
        if self.page is not None:
            await self.query_one(Preview).show(_shown(self.page, self.mh.zone, is_today=self.page.day == self._today()))
            self._mark_line()

    @on(Preview.Put)
    def _mark_line(self) -> None:
        """Mark the line that the cursor is on the evidence of, and bring it, or a heading, into view."""
        entry, section = self.entries.entry, -1
        text = self.query_one("#preview #text", Markdown)
        headings = set(text.query("MarkdownH2"))
        for block in text.query("MarkdownH2, MarkdownParagraph"):
            is_heading = block in headings
            section += is_heading
            is_meant = entry is not None and entry.section == section and is_heading != bool(entry.target)
            is_here = is_meant and entry is not None and (is_heading or entry.target[-6:] in str(block.render()))
            block.set_class(is_here, "-here")
            if is_here:
                block.scroll_visible(animate=False)

    @on(EvidenceList.Highlighted)
    def arrived(self) -> None:
        """A heading opens nothing."""
        self.refresh_bindings()

    @on(EvidenceList.Chosen)
    @work(exit_on_error=False)
    async def chosen(self, event: EvidenceList.Chosen) -> None:
        """Open the item or conversation."""
        await self.mh.open_target(event.entry.target)

    def centre(self) -> str | None:
        """The item under the cursor."""
        entry = self.entries.entry
        return (entry.target or None) if entry else None

    def action_edit(self) -> None:
        """Edit the page."""
        if self.page is not None:
            self.app.push_screen(EditScreen(self.page.id))

    @work(exclusive=True, group="again", exit_on_error=False)
    async def action_again(self) -> None:
        """Write the page again."""
        day = self.day
        self.top_bar.tell("writing it again … ")
        try:
            page = await self.backend.apart(lambda memory: memory.brief(day, again=True))
        finally:
            self.file_changed()
        self.notify("written again" if page.is_new else "It would say the same.", timeout=3)
        self._warn(page)
        self.mh.changed()

    def _warn(self, page: Briefing) -> None:
        for notice in page.notices:
            self.notify(notice, severity="warning", markup=False)

    def action_before(self) -> None:
        """The day before."""
        self._step(-1)

    def action_after(self) -> None:
        """The day after."""
        self._step(1)

    def action_today(self) -> None:
        """Today."""
        self._go(None)

    def _step(self, days: int) -> None:
        today = self._today()
        there = date.fromisoformat(self.day or today) + timedelta(days=days)
        if there.isoformat() <= today:
            self._go(None if there.isoformat() == today else there.isoformat())

    def _go(self, day: str | None) -> None:
        self.day = day
        self.reading = self.read_list()
        self.refresh_bindings()

    def _today(self) -> str:
        return "{:04d}-{:02d}-{:02d}".format(*self.mh.zone._replace(now_ms=stamp.now_ms()).today())

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """No page is written of a day that is still to come."""
        return None if action == "after" and (self.day is None or self.day == self._today()) else True


def _read(memory: Memory, day: str | None, zone: Zone) -> tuple[Briefing, list[Evidence]]:
    """The page, and what it names under the headings of its sections."""
    page = memory.brief(day)
    ids = {one for section in page.sections for one in section.ids}
    names = {
        item.id: (item.title or item.content, show_time(item.created_at, zone)[:10]) for item in memory.get_many(ids)
    }
    found = []
    for place, section in enumerate(page.sections):
        found.append(Evidence(f"# {place}", place, section.title, note="yours" if section.is_yours else ""))
        for identifier in section.ids:
            words, at = names.get(identifier) or _talk(memory, identifier, zone)
            found.append(Evidence(f"{place} {identifier}", place, words, identifier, at))
    return page, found


def _talk(memory: Memory, identifier: str, zone: Zone) -> tuple[str, str]:
    try:
        thread = memory.thread(identifier, limit=1)
    except NotFoundError:
        return f"…{identifier[-6:]} is gone", ""
    return thread.title, show_time(thread.started_at, zone)[:10]


def _shown(page: Briefing, zone: Zone, *, is_today: bool) -> Shown:
    yours = [section.title for section in page.sections if section.is_yours]
    since = f"{page.changes:,} change{'' if page.changes == 1 else 's'} since" if is_today and page.changes else ""
    parts = (f"written {show_time(page.written_at, zone)[:16]}", since, f"yours: {', '.join(yours)}" if yours else "")
    head = " · ".join(terminal_safe(part) for part in parts if part)
    return Shown("", head, terminal_safe(page.content), key=f"{page.id} {page.day}")
