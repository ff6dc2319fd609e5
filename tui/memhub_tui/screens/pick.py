"""Pick: the search box and the list alone, in a few lines below the prompt, for `mh pick`."""

from typing import TYPE_CHECKING, cast

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Horizontal
from textual.content import Content
from textual.widgets import Static

from memhub.errors import MhError
from memhub.model.row import Row
from memhub_tui import item_view
from memhub_tui.actions import bindings
from memhub_tui.item_view import Shown
from memhub_tui.screens.search import SearchScreen
from memhub_tui.sources import source_of
from memhub_tui.widgets.item_list import ItemList
from memhub_tui.widgets.pages import Fixed, Source
from memhub_tui.widgets.preview import Preview
from memhub_tui.widgets.search_box import SearchBox

if TYPE_CHECKING:
    from memhub_tui.pick_app import PickApp


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


class PickScreen(SearchScreen[Row]):
    """Leaves the app with the ids that were chosen."""

    CSS_PATH = None  # that of the app
    AUTO_FOCUS = "#search"
    VERTICAL_BREAKPOINTS = [(0, "-low"), (9, "-high")]
    _wrong = ""

    def __init__(self, query: str, *, several: bool) -> None:
        super().__init__()
        self._query = query
        self._several = several

    @property
    def mh(self) -> "PickApp":  # type: ignore[override]
        """The app."""
        return cast("PickApp", self.app)

    @property
    def items(self) -> PickList:
        """The list."""
        return cast(PickList, self.entries)

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

    async def source(self) -> Source[Row]:
        """All under the filters, or what is found."""
        self._wrong = ""
        return await source_of(self.backend.search, self.asked)

    def misread(self, error: MhError) -> Source[Row]:
        """What cannot be meant finds nothing, so that Enter takes nothing."""
        self._wrong = error.message
        return Fixed(())

    async def shown(self, entry: Row) -> Shown:
        """The item."""
        return await self.backend.view.run(lambda memory: item_view.shown_of(memory, entry.id, self.mh.zone))

    def tell(self, words: str) -> None:
        """What stands at the right of the search box."""
        self.query_one("#count", Static).update(Content(words))

    @on(PickList.Counted)
    def counted(self, event: PickList.Counted) -> None:
        """How many there are, or what is wrong with the words."""
        marked = f"{event.marked:,} marked · " if event.marked else ""
        self.tell(self._wrong or f"{marked}{event.total:,}")

    async def show(self, entry: Row | None) -> None:
        """Show an item where there is room for it."""
        if self.has_class("-wide"):
            await super().show(entry)

    @on(PickList.Chosen)
    def enter(self) -> None:
        """Leave with what is marked, else with what the cursor is on."""
        chosen = self.items.chosen
        if chosen:
            self.mh.exit(tuple(row.id for row in chosen))

    def mark(self, step: int) -> None:
        """Mark or unmark this line and go on."""
        if self._several:
            self.items._toggle()
            self.items.cursor += step
