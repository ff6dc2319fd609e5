"""Browse: a search box that narrows the list as one types, and the item under the cursor beside it."""

import asyncio
import contextlib
from collections.abc import Sequence

from textual import on, work
from textual.app import ComposeResult
from textual.widgets import Input
from textual.worker import Worker, WorkerError

from memhub.errors import MhError
from memhub.model.row import Row
from memhub_tui import item_view
from memhub_tui.actions import bindings
from memhub_tui.opening import open_item
from memhub_tui.query_line import parse
from memhub_tui.screens.base import MhScreen
from memhub_tui.sources import Hits, source_of
from memhub_tui.verbs import ItemVerbs, counted
from memhub_tui.widgets.item_list import ItemList
from memhub_tui.widgets.panes import Panes
from memhub_tui.widgets.preview import Preview
from memhub_tui.widgets.search_box import SearchBox
from memhub_tui.widgets.top_bar import TopBar

TYPING_PAUSE = 0.06  # seconds without a key before a search starts
READING_PAUSE = 0.05  # seconds on a line before its item is read
EMPTY = "Nothing here. Escape forgets the search, n writes a note."


class BrowseScreen(ItemVerbs, MhScreen[None]):
    """The first screen."""

    CSS_PATH = "browse.tcss"
    BINDINGS = [*bindings("browse"), *bindings("items")]
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (100, "-wide")]
    name_in_bar = "browse"
    _notices: Sequence[str] = ()
    _reading: Worker[None] | None = None

    def content(self) -> ComposeResult:
        """Search box over list and preview."""
        yield SearchBox(self.mh.start_query, id="search")
        yield Panes(ItemList(empty=EMPTY, id="items"), Preview(id="preview"), self.mh.share, id="panes")

    @property
    def items(self) -> ItemList:
        """The list."""
        return self.query_one("#items", ItemList)

    def on_mount(self) -> None:
        """Fill the list."""
        self._reading = self.read_list()

    def file_changed(self) -> None:
        """Read the list again under the cursor."""
        self.query_one(SearchBox).learn()
        self.read_list(keep=True)

    @on(Input.Changed, "#search")
    def typed(self) -> None:
        """Search, after a short pause."""
        self._reading = self.read_list(pause=TYPING_PAUSE)

    @work(exclusive=True, group="list", exit_on_error=False)
    async def read_list(self, *, keep: bool = False, pause: float = 0) -> None:
        """Show what the search box asks for; a later call takes the place of an earlier one."""
        await asyncio.sleep(pause)
        box = self.query_one(SearchBox)
        try:
            asked = parse(box.value, self.mh.zone, box.known.get("label", ()))
            source = await source_of(self.backend.search, asked)
        except MhError as error:  # half-typed filters are no mistakes yet: said in the bar, not as a notification
            self.query_one(TopBar).tell(error.message, alert=True)
            return
        self._notices = source.notices if isinstance(source, Hits) else ()
        await self.items.show(source, keep=keep)

    @on(ItemList.Counted)
    def counted(self, event: ItemList.Counted) -> None:
        """How many there are and what is to be known of the search, in the bar."""
        marked = f"{event.marked:,} marked" if event.marked else ""
        parts = (*self._notices[:1], marked, counted(event.total), self.backend.space)
        self.query_one(TopBar).tell(" · ".join(part for part in parts if part) + " ")

    @on(ItemList.Highlighted)
    def moved(self, event: ItemList.Highlighted) -> None:
        """Show the item that the cursor came to."""
        self.read_item(event.entry)

    @work(exclusive=True, group="preview", exit_on_error=False)
    async def read_item(self, row: Row | None) -> None:
        """Show an item in the preview, once the cursor rests."""
        await asyncio.sleep(READING_PAUSE)
        view = await self.backend.view.run(lambda memory: item_view.load(memory, row.id, self.mh.zone)) if row else None
        await self.query_one(Preview).show(item_view.shown(view) if row else item_view.Shown())

    @on(ItemList.Chosen)
    def chosen(self, event: ItemList.Chosen) -> None:
        """Open the item."""
        open_item(self, event.entry.id, self.items)

    @on(Input.Submitted, "#search")
    @work(exclusive=True, group="submit", exit_on_error=False)
    async def submitted(self) -> None:
        """Enter in the search box opens what the cursor is on, once the list is that of the words typed."""
        if self._reading is not None:
            with contextlib.suppress(WorkerError):
                await self._reading.wait()
        self.items.action_choose()

    def targets(self) -> list[Row]:
        """What the verbs work on."""
        return self.items.chosen

    def action_search(self) -> None:
        """Go to the search box, at once: what is typed next belongs there."""
        self.set_focus(self.query_one(SearchBox))

    def action_leave(self) -> None:
        """From the search box to the list; there, unmark; then forget the search."""
        box = self.query_one(SearchBox)
        if box.has_focus:
            self.set_focus(self.items)
        elif not self.items.unmark():
            box.value = ""
