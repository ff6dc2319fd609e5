"""A text of any length, as it is: only the lines in the window are drawn.

Textual's own text area needs a second for every key in a text of 1 MB, and its Markdown minutes to appear.
"""

import asyncio

from rich.segment import Segment
from textual import events, work
from textual.geometry import Size
from textual.scroll_view import ScrollView
from textual.strip import Strip

from memhub.text.clean import display_width, terminal_safe
from memhub_tui.errors import ReportsErrors
from memhub_tui.widgets.moves import Scrolls, moves

FIRST = 20_000  # characters whose lines are there at once; the rest follows from a thread
TAB = 4

Rows = list[tuple[int, int]]


class LongText(ReportsErrors, Scrolls, ScrollView, can_focus=True):
    """Wraps at words."""

    BINDINGS = moves()
    DEFAULT_CSS = """
    LongText {
        padding: 0 1;
        color: $foreground;
        background: transparent;
        overflow-x: hidden;
        overflow-y: scroll;
        scrollbar-size-vertical: 1;
    }
    """

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.text = ""
        self.rows: Rows = []
        self._width = 0

    def load(self, text: str) -> None:
        """Show a text from its top; the one that is shown already stays where it is."""
        text = terminal_safe(text).expandtabs(TAB)
        if text != self.text:
            self.text = text
            self.scroll_home(animate=False)
            self._wrap()

    def on_resize(self, event: events.Resize) -> None:
        """Other lines, with the same words on top."""
        if self.scrollable_content_region.width != self._width:
            self._wrap()

    @work(exclusive=True, group="wrap", exit_on_error=False)
    async def _wrap(self) -> None:
        self._width = width = self.scrollable_content_region.width
        if width <= 0:
            return
        top = self.rows[self.scroll_offset.y][0] if self.scroll_offset.y < len(self.rows) else 0
        if not top and len(self.text) > FIRST:
            self._show(wrap(self.text[:FIRST], width), 0)
        self._show(await asyncio.to_thread(wrap, self.text, width), top)

    def _show(self, rows: Rows, top: int) -> None:
        self.rows = rows
        self.virtual_size = Size(self._width, len(rows))
        line = next((n for n, (start, _) in enumerate(rows) if start >= top), 0) if top else 0
        if top:
            self.scroll_to(y=line, animate=False, force=True)
        self.refresh()

    def render_line(self, y: int) -> Strip:
        """One line of the window."""
        line = self.scroll_offset.y + y
        start, end = self.rows[line] if line < len(self.rows) else (0, 0)
        strip = Strip([Segment(self.text[start:end], self.rich_style)])
        return strip.adjust_cell_length(self.scrollable_content_region.width, self.rich_style)


def wrap(text: str, width: int) -> Rows:
    """The lines of a text in a window, as places in the text: cut at a space where there is one, else anywhere."""
    rows: Rows = []
    start = 0
    for line in text.split("\n"):
        end = start + len(line)
        while start < end:
            stop = _cut(text, start, end, width)
            rows.append((start, stop))
            start = stop
        if not line:
            rows.append((start, start))
        start = end + 1
    return rows


def _cut(text: str, start: int, end: int, width: int) -> int:
    """Where a line that begins at `start` has to end."""
    stop = min(start + width, end)
    while (wide := display_width(text[start:stop])) > width and stop > start + 1:
        stop = start + max((stop - start) * width // wide, 1)
    if stop < end and _is_inside_word(text, stop):
        space = text.rfind(" ", start + 1, stop)
        return space + 1 if space > start else stop
    return stop + (stop < end and text[stop] == " ")


def _is_inside_word(text: str, place: int) -> bool:
    """Whether a cut here would part a word; scripts without spaces may be cut anywhere."""
    return all(letter not in " \t" and display_width(letter) < 2 for letter in text[place - 1 : place + 1])
