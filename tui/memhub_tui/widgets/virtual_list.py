"""A list of any length that holds only the pages near the window.

Textual's own lists make an object for every line: with 100,000 lines the fastest takes four seconds to appear. Here a
line is drawn when it comes into view, and kept until something of it changes; its page of 200 entries is fetched a bit
before the cursor comes to it. A page beside one that is already there is asked for by its neighbour's entry, which
costs the same anywhere; only a jump into the middle counts lines.
"""

from collections.abc import Sequence
from textwrap import wrap
from typing import Any, Generic, Self

from rich.segment import Segment
from rich.style import Style
from textual import events, work
from textual.geometry import Region, Size
from textual.message import Message
from textual.reactive import reactive
from textual.scroll_view import ScrollView
from textual.scrollbar import ScrollBar
from textual.strip import Strip

from memhub_tui.actions import bindings
from memhub_tui.errors import ReportsErrors
from memhub_tui.widgets.pages import PAGE, E, Fixed, Source, Wanted

MOST_PAGES = 12  # kept; what was fetched longest ago is fetched again
AHEAD = 100  # lines from the cursor to the end of its page from which the page beside is fetched
MOST_LINES = 1000  # drawn ones that are kept


class OfEntry(Message):
    """Something about an entry of a list."""

    def __init__(self, list_: "VirtualList[Any]", entry: Any) -> None:
        super().__init__()
        self.list, self.entry = list_, entry

    @property
    def control(self) -> "VirtualList[Any]":
        """The list."""
        return self.list


class VirtualList(ReportsErrors, ScrollView, Generic[E], can_focus=True):
    """Shows the entries of a source, one to a line. A subclass draws them: see `draw`."""

    BINDINGS = bindings("list")
    COMPONENT_CLASSES = {
        "list--cursor", "list--cursor-blurred", "list--mark", "list--dim", "list--label", "list--alert", "list--match",
    }  # fmt: skip
    DEFAULT_CSS = """
    VirtualList {
        background: $surface;
        color: $foreground;
        overflow-x: hidden;
        scrollbar-size-vertical: 1;
        & > .list--cursor { background: $block-cursor-background; color: $block-cursor-foreground; text-style: bold; }
        & > .list--cursor-blurred { background: $panel; }
        & > .list--mark { color: $text-accent; text-style: bold; }
        & > .list--dim { color: $foreground 60%; }
        & > .list--label { color: $text-secondary; }
        & > .list--alert { color: $text-warning; }
        & > .list--match { text-style: underline; }
    }
    """
    cursor = reactive(0, init=False, repaint=False)  # two lines change, not all

    class Highlighted(OfEntry):
        """The cursor came to another entry, or the list to another one under it; None when it is empty."""

    class Chosen(OfEntry):
        """Enter or a second click on an entry."""

    class Counted(Message):
        """How many entries there are, once that is known; how many are marked."""

        def __init__(self, list_: "VirtualList[Any]", total: int, marked: int) -> None:
            super().__init__()
            self.list, self.total, self.marked = list_, total, marked

    def __init__(self, *, empty: str = "", id: str | None = None) -> None:
        super().__init__(id=id)
        self.empty = empty
        self.total = 0
        self.marked: dict[str, E] = {}
        self._source: Source[E] = Fixed(())
        self._pages: dict[int, Sequence[E]] = {}
        self._asked: set[int] = set()
        self._styles: dict[str, Style] = {}
        self._lines: dict[int, Strip] = {}  # drawn ones, without the look of the cursor
        self._base = Style.null()
        self.is_loaded = False
        self._is_counted = False
        self._is_for_last = False  # to the last line was asked before it was known which that is

    # ---- what is shown

    async def show(self, source: Source[E], *, keep: bool = False) -> None:
        """Show another source from its first line; with `keep`, the same one read again under the same entry."""
        held = self.entry if keep else None
        first = max(self.cursor // PAGE - 1, 0) if held else 0
        last = self.cursor // PAGE + 1 if held else 0
        total = await source.count() if first else 0  # a place far down is counted from the end as it is now
        first = min(first, max(total - 1, 0) // PAGE)
        pages: dict[int, Sequence[E]] = {}
        for number in range(first, last + 1):
            before = pages.get(number - 1)
            after = before[-1] if before else None
            pages[number] = await source.page(Wanted(number * PAGE, PAGE, total, after))
            if len(pages[number]) < PAGE:
                break
        held = held and (self.entry or held)  # the cursor may have moved meanwhile
        self._source, self._pages, self._asked = source, pages, set()
        self.marked = self.marked if keep else {}
        end = max(pages)
        is_whole = self._is_counted = len(pages[end]) < PAGE
        self._set_total(end * PAGE + len(pages[end]) if is_whole else max(total, (end + 1) * PAGE))
        self.is_loaded = True
        self._settle(held)
        if not is_whole:
            self._set_total(await source.count())
            self._is_counted = True
        if self._is_for_last:
            self.action_last()
        self._tell_count()

    def _settle(self, held: E | None) -> None:
        """Put the cursor back on what it was on, wherever that went; without it, stay near or go to the top."""
        if held is None:
            self.cursor = 0
            self.scroll_to(y=0, animate=False)
        else:
            at = next((page * PAGE + i for page, entries in self._pages.items() for i, entry in enumerate(entries)
                       if entry.id == held.id), self.cursor)  # fmt: skip
            moved = min(at, max(self.total - 1, 0)) - self.cursor
            if moved:
                self.scroll_to(y=self.scroll_offset.y + moved, animate=False)
                self.set_reactive(VirtualList.cursor, self.cursor + moved)
        self.refresh()
        self._tell()

    def _set_total(self, total: int) -> None:
        self.total = total
        self.virtual_size = Size(self.size.width, total)
        self.cursor = min(self.cursor, max(total - 1, 0))
        self.refresh()

    @property
    def entry(self) -> E | None:
        """What the cursor is on, if it is there yet."""
        return self.at(self.cursor)

    def at(self, index: int) -> E | None:
        """The entry on a line, if its page is there."""
        page = self._pages.get(index // PAGE)
        place = index % PAGE
        return page[place] if page is not None and place < len(page) else None

    @property
    def chosen(self) -> list[E]:
        """What a verb is to work on: the marked entries, else the one under the cursor."""
        return list(self.marked.values()) or ([self.entry] if self.entry is not None else [])

    def _want(self, page: int) -> None:
        if page not in self._asked and page not in self._pages:
            self._asked.add(page)
            self._fetch_later(self._source, page)

    @work(exit_on_error=False)
    async def _fetch_later(self, source: Source[E], page: int) -> None:
        await self._fetch(source, page)

    async def _fetch(self, source: Source[E], page: int) -> None:
        before, after = self._pages.get(page - 1), self._pages.get(page + 1)
        wanted = Wanted(
            page * PAGE, PAGE, self.total, before[-1] if before else None, after[0] if after and not before else None
        )
        try:
            entries = await source.page(wanted)
        finally:
            self._asked.discard(page)
        if source is not self._source:
            return
        self._pages[page] = entries
        here = self.scroll_offset.y // PAGE
        old = [one for one in self._pages if abs(one - here) > 1]
        for one in old[: max(len(self._pages) - MOST_PAGES, 0)]:
            del self._pages[one]
        self._lines = {}  # some may have been drawn of this page as it was before
        if page in self._pages_in_view():
            self.refresh(self.size.region)
        if page == self.cursor // PAGE:
            self._tell()

    def _pages_in_view(self) -> range:
        first = self.scroll_offset.y
        return range(first // PAGE, (first + self.size.height) // PAGE + 1)

    def _tell(self) -> None:
        entry = self.entry
        if entry is not None or not self.total:
            self.post_message(self.Highlighted(self, entry))

    def _tell_count(self) -> None:
        self.post_message(self.Counted(self, self.total, len(self.marked)))

    # ---- drawing

    def draw(self, entry: E, width: int) -> list[Segment]:
        """The line of an entry in at most `width` columns; styles come from `self.style`."""
        raise NotImplementedError

    def style(self, name: str) -> Style:
        """The style of a component class (`dim`, `label` …)."""
        if name not in self._styles:
            color = self.get_component_styles(f"list--{name}").color
            self._styles[name] = self.get_component_rich_style(f"list--{name}", partial=True)
            if 0 < color.a < 1:  # Rich knows no colours that let through what is below
                self._styles[name] += Style(color=(self.background_colors[1] + color).rich_color)
        return self._styles[name]

    def refresh(self, *regions: Region, repaint: bool = True, layout: bool = False, recompose: bool = False) -> Self:
        """Draw again: the lines anew when no regions are named, else what was drawn of them before."""
        if not regions:
            self._lines = {}
        return super().refresh(*regions, repaint=repaint, layout=layout, recompose=recompose)

    def notify_style_update(self) -> None:
        """Work the styles out anew."""
        self._styles, self._lines = {}, {}
        super().notify_style_update()

    def render_lines(self, crop: Region) -> list[Strip]:
        """The lines of a region, whose pages are asked for; what was drawn over another style, or is too much to keep,
        is drawn anew."""
        if self.rich_style != self._base or len(self._lines) > MOST_LINES:
            self._base = self.rich_style
            self._styles, self._lines = {}, {}
        for page in self._pages_in_view():
            if page * PAGE < self.total and page not in self._pages and page not in self._asked:
                self.call_later(self._want, page)
        return super().render_lines(crop)

    def render_line(self, y: int) -> Strip:
        """One line of the window."""
        index = self.scroll_offset.y + y
        width = self.scrollable_content_region.width
        if index >= self.total:
            words = wrap(self.empty, max(width - 2, 1)) if not self.total and self.is_loaded else []
            return self._line([Segment(f" {words[y]}" if y < len(words) else "", self.style("dim"))], width)
        entry = self.at(index)
        if entry is None:
            return self._line([Segment("  …", self.style("dim"))], width)
        line = self._lines.get(index)
        if line is None or line.cell_length != width:
            mark = Segment("▌" if entry.id in self.marked else " ", self.style("mark"))
            line = self._lines[index] = self._line([mark, *self.draw(entry, width - 1)], width)
        if index == self.cursor:  # its look wins, so that the line can always be read
            cursor = self.style("cursor" if self.has_focus else "cursor-blurred")
            return Strip(Segment.apply_style(line, post_style=cursor), width)
        return line

    def _line(self, parts: list[Segment], width: int) -> Strip:
        """Parts over the style of the list."""
        return Strip(parts).adjust_cell_length(width).apply_style(self._base)

    # ---- moving

    def validate_cursor(self, cursor: int) -> int:
        """A line that exists."""
        return max(0, min(cursor, self.total - 1))

    def watch_cursor(self, old: int, new: int) -> None:
        """Bring the line into view, and fetch what comes next on the way."""
        self._is_for_last = False
        self.scroll_to_region(Region(0, new, 1, 1), animate=False, force=True)
        for line in (old, new):
            self.refresh_line(line)
        if self.entry is not None:
            for line in (new - AHEAD, new + AHEAD):
                if 0 <= line < self.total:
                    self._want(line // PAGE)
        self._tell()

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        """The bar, which is as long as the window, is drawn anew when that shows: seldom beside a long list."""
        bar = self.vertical_scrollbar
        if self._bar_step(old_value) == self._bar_step(new_value):
            bar.set_reactive(ScrollBar.position, new_value)
        super().watch_scroll_y(old_value, new_value)

    def _bar_step(self, y: float) -> int:
        """Where the bar begins, in the eighths of a line that it is drawn in."""
        height, total = self.size.height, max(self.virtual_size.height, 1)
        room = height - max(1, height * height / total)
        return int(8 * room * y / max(total - height, 1))

    def on_focus(self) -> None:
        """The cursor line changes its colour."""
        self.refresh_line(self.cursor)

    on_blur = on_focus

    def action_down(self) -> None:
        """Next line."""
        self.cursor += 1

    def action_up(self) -> None:
        """Line before."""
        self.cursor -= 1

    def action_page_down(self) -> None:
        """One window down."""
        self.cursor += max(self.size.height - 1, 1)

    def action_page_up(self) -> None:
        """One window up."""
        self.cursor -= max(self.size.height - 1, 1)

    def action_first(self) -> None:
        """First line."""
        self.cursor = 0

    def action_last(self) -> None:
        """Last line, as soon as it is known which that is."""
        self.cursor = self.total - 1
        self._is_for_last = not self._is_counted

    async def arrived(self) -> E | None:
        """What the cursor is on, which is fetched first if it is not there."""
        if self.entry is None and self.total:
            await self._fetch(self._source, self.cursor // PAGE)
        return self.entry

    def action_choose(self) -> None:
        """Open what the cursor is on."""
        if self.entry is not None:
            self.post_message(self.Chosen(self, self.entry))

    def on_click(self, event: events.Click) -> None:
        """The first click puts the cursor, one on the cursor opens; with ctrl it marks."""
        line = self.scroll_offset.y + event.y
        if line >= self.total:
            return
        was_here, self.cursor = line == self.cursor, line
        if event.ctrl:
            self._toggle()
        elif was_here and event.chain > 1:
            self.action_choose()

    # ---- marking

    def action_mark(self) -> None:
        """Mark or unmark this line and go on."""
        self._toggle()
        self.cursor += 1

    def _toggle(self) -> None:
        entry = self.entry
        if entry is not None:
            if self.marked.pop(entry.id, None) is None:
                self.marked[entry.id] = entry
            self._lines.pop(self.cursor, None)
            self.refresh_line(self.cursor)
            self._tell_count()

    async def action_mark_all(self) -> None:
        """Mark everything that the list holds."""
        entries = await self._source.page(Wanted(0, self.total))
        self.marked = {entry.id: entry for entry in entries}
        self.refresh()
        self._tell_count()

    def unmark(self) -> bool:
        """Forget every mark; whether there were any."""
        had, self.marked = bool(self.marked), {}
        self.refresh()
        self._tell_count()
        return had
