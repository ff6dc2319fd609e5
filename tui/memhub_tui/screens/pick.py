"""Pick: the search box and the list alone, in a few lines below the prompt, for `mh pick`."""

import asyncio
import contextlib
from typing import TYPE_CHECKING, cast

from textual import on, work
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Horizontal
from textual.content import Content
from textual.screen import Screen
from textual.widgets import Input, Static
from textual.worker import Worker, WorkerError

from memhub.errors import MhError
from memhub.model.row import Row
from memhub_tui import item_view
from memhub_tui.actions import bindings
from memhub_tui.errors import ReportsErrors
from memhub_tui.query_line import parse
from memhub_tui.sources import source_of
from memhub_tui.widgets.item_list import ItemList
from memhub_tui.widgets.preview import Preview
from memhub_tui.widgets.search_box import SearchBox
from memhub_tui.widgets.virtual_list import Fixed, Source

if TYPE_CHECKING:
    from memhub_tui.pick_app import PickApp

TYPING_PAUSE = 0.06  # seconds without a key before a search starts
READING_PAUSE = 0.05  # seconds on a line before its item is read


class PickBox(SearchBox):
    """Has the focus all the time, so every key is known here."""

    BINDINGS = [
        *bindings("pick"),
        Binding("ctrl+j", "list('down')", show=False),
        Binding("ctrl+p,ctrl+k", "list('up')", show=False),
    ]

    def action_mark(self) -> None:
        """Mark this line and go on to the next."""
        self._screen.mark(1)

    def action_mark_back(self) -> None:
        """Mark this line and go on to the one before."""
        self._screen.mark(-1)

    def action_leave(self) -> None:
        """Leave without choosing anything."""
        self.app.exit(None)

    @property
    def _screen(self) -> "PickScreen":
        return cast("PickScreen", self.screen)


class PickList(ItemList, can_focus=False):
    """Keeps what is marked while one looks for more."""

    async def show(self, source: Source[Row], *, keep: bool = False) -> None:
        """See `VirtualList`."""
        marked = self.marked
        await super().show(source, keep=keep)
        self.marked = marked
        self.refresh()
        self._tell_count()


class PickScreen(ReportsErrors, Screen[None]):
    """Leaves the app with the ids that were chosen."""

    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (100, "-wide")]
    VERTICAL_BREAKPOINTS = [(0, "-low"), (9, "-high")]

    def __init__(self, query: str, *, several: bool) -> None:
        super().__init__()
        self._query = query
        self._several = several
        self._reading: Worker[None] | None = None
        self._wrong = ""

    @property
    def mh(self) -> "PickApp":
        """The app."""
        return cast("PickApp", self.app)

    @property
    def items(self) -> PickList:
        """The list."""
        return self.query_one("#items", PickList)

    def compose(self) -> ComposeResult:
        """Search box and count over the list."""
        with Horizontal(id="line"):
            yield PickBox(self._query, id="search")
            yield Static(id="count", markup=False)
        with Horizontal(id="panes"):
            yield PickList(empty="Nothing found.", id="items")
            yield Preview(id="preview")
        mark = "Tab marks · " if self._several else ""
        yield Static(f"Enter takes · {mark}Esc leaves", id="keys", markup=False)

    def on_mount(self) -> None:
        """Fill the list."""
        self._reading = self.read_list()

    @on(Input.Changed, "#search")
    def typed(self) -> None:
        """Search, after a short pause."""
        self._reading = self.read_list(TYPING_PAUSE)

    @work(exclusive=True, group="list", exit_on_error=False)
    async def read_list(self, pause: float = 0) -> None:
        """Show what the search box asks for; a later call takes the place of an earlier one."""
        await asyncio.sleep(pause)
        source: Source[Row] = Fixed(())  # what cannot be meant finds nothing, so that Enter takes nothing
        self._wrong = ""
        try:
            source = await source_of(self.mh.backend.search, parse(self.query_one(PickBox).value, self.mh.zone))
        except MhError as error:
            self._wrong = error.message
        await self.items.show(source)

    def tell(self, words: str) -> None:
        """What stands at the right of the search box."""
        self.query_one("#count", Static).update(Content(words))

    @on(PickList.Counted)
    def counted(self, event: PickList.Counted) -> None:
        """How many there are, or what is wrong with the words."""
        marked = f"{event.marked:,} marked · " if event.marked else ""
        self.tell(self._wrong or f"{marked}{event.total:,}")

    @on(PickList.Highlighted)
    def moved(self, event: PickList.Highlighted) -> None:
        """Show the item that the cursor came to, where there is room for it."""
        if self.has_class("-wide"):
            self.read_item(event.entry)

    @work(exclusive=True, group="preview", exit_on_error=False)
    async def read_item(self, row: Row | None) -> None:
        """Show an item in the preview, once the cursor rests."""
        await asyncio.sleep(READING_PAUSE)
        view = (
            await self.mh.backend.view.run(lambda memory: item_view.load(memory, row.id, self.mh.zone)) if row else None
        )
        await self.query_one(Preview).show(item_view.shown(view) if view else item_view.Shown())

    @on(Input.Submitted, "#search")
    @on(PickList.Chosen)
    def chosen(self) -> None:
        """Enter, or a click on the line under the cursor."""
        self.take()

    @work(exclusive=True, group="take", exit_on_error=False)
    async def take(self) -> None:
        """Leave with what is marked, else with what the cursor is on, once the list is that of the words typed."""
        if self._reading is not None:
            with contextlib.suppress(WorkerError):
                await self._reading.wait()
        chosen = self.items.chosen
        if chosen:
            self.mh.exit(tuple(row.id for row in chosen))

    def mark(self, step: int) -> None:
        """Mark or unmark this line and go on."""
        if self._several:
            self.items._toggle()
            self.items.cursor += step
