"""Browse: a search box that narrows the list as one types, and the item under the cursor beside it."""

from collections.abc import Sequence
from typing import cast

from textual import on

from memhub.model.row import Row
from memhub_tui import item_view
from memhub_tui.actions import bindings
from memhub_tui.item_view import Shown
from memhub_tui.screens.search import SearchScreen
from memhub_tui.sources import Hits, Rows, source_of
from memhub_tui.verbs import ItemVerbs, counted
from memhub_tui.widgets.item_list import ItemList
from memhub_tui.widgets.search_box import SearchBox

EMPTY = "Nothing is kept yet. Escape, then n writes a note; 5, then i brings in what other programs keep."
NOT_FOUND = "Nothing is found. Escape goes to the list; there it forgets the search."


class BrowseScreen(SearchScreen[Row], ItemVerbs):
    """The first screen."""

    AUTO_FOCUS = "#search"
    BINDINGS = [*bindings("browse"), *bindings("items")]
    name_in_bar = "browse"
    _notices: Sequence[str] = ()

    def make_box(self) -> SearchBox:
        """With what was asked for at the start."""
        return SearchBox(self.mh.start_query, id="search")

    def make_list(self) -> ItemList:
        """Items."""
        return ItemList(empty=EMPTY, id="items")

    @property
    def items(self) -> ItemList:
        """The list."""
        return cast(ItemList, self.entries)

    async def source(self) -> Rows | Hits:
        """All under the filters, or what is found."""
        source = await source_of(self.backend.search, self.asked)
        self.items.empty = NOT_FOUND if self.box.value.strip() else EMPTY
        self._notices = source.notices if isinstance(source, Hits) else ()
        return source

    async def shown(self, entry: Row) -> Shown:
        """The item."""
        return await self.backend.view.run(lambda memory: item_view.shown_of(memory, entry.id, self.mh.zone))

    @on(ItemList.Counted)
    def counted(self, event: ItemList.Counted) -> None:
        """How many there are and what is to be known of the search, in the bar."""
        marked = f"{event.marked:,} marked" if event.marked else ""
        parts = (*self._notices[:1], marked, counted(event.total), self.backend.space)
        self.top_bar.tell(" · ".join(part for part in parts if part) + " ")

    @on(ItemList.Chosen)
    def chosen(self, event: ItemList.Chosen) -> None:
        """Open the item."""
        self.mh.open_item(event.entry.id, self.entries)

    def targets(self) -> list[Row]:
        """What the verbs work on."""
        return self.entries.chosen
