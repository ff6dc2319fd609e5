"""The shape of most screens: a list at the left, and at the right what its cursor is on."""

from functools import partial
from typing import ClassVar, Generic

from textual import on, work
from textual.app import ComposeResult
from textual.types import CSSPathType
from textual.worker import Worker

from memhub_tui.item_view import Shown
from memhub_tui.screens.base import MhScreen
from memhub_tui.widgets.pages import E, Source
from memhub_tui.widgets.panes import Panes
from memhub_tui.widgets.preview import Preview
from memhub_tui.widgets.rest import Rest
from memhub_tui.widgets.virtual_list import VirtualList


class SplitScreen(MhScreen[None], Generic[E]):
    """A subclass says what the list is, where its entries come from and what is shown of one."""

    CSS_PATH: ClassVar[CSSPathType | None] = "split.tcss"
    AUTO_FOCUS = "VirtualList"
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (100, "-wide")]
    reading: Worker[None] | None = None

    def __init__(self) -> None:
        super().__init__()
        self.rest = Rest(self)

    def make_list(self) -> VirtualList[E]:
        """The list."""
        raise NotImplementedError

    async def source(self) -> Source[E]:
        """Where the entries come from now."""
        raise NotImplementedError

    async def shown(self, entry: E) -> Shown:
        """What is shown of an entry."""
        raise NotImplementedError

    def content(self) -> ComposeResult:
        """List and text."""
        yield Panes(self.make_list(), Preview(id="preview"), self.mh.share, id="panes")

    @property
    def entries(self) -> VirtualList[E]:
        """The list."""
        return self.query_one(VirtualList)

    def on_mount(self) -> None:
        """Fill the list."""
        self.reading = self.read_list()

    def file_changed(self) -> None:
        """Read the list again under the cursor."""
        self.reading = self.read_list(keep=True)

    @work(exclusive=True, group="list", exit_on_error=False)
    async def read_list(self, *, keep: bool = False) -> None:
        """Show the entries as they are now."""
        await self.entries.show(await self.source(), keep=keep)
        self.filled()

    def filled(self) -> None:
        """The list shows what there is now."""

    @on(VirtualList.Highlighted)
    def moved(self, event: VirtualList.Highlighted) -> None:
        """Show what the cursor came to, once it rests; what a held key passes over is not read."""
        self.rest.then(partial(self.read_entry, event.entry))

    @work(exclusive=True, group="preview", exit_on_error=False)
    async def read_entry(self, entry: E | None) -> None:
        """Show an entry."""
        await self.show(entry)

    async def show(self, entry: E | None) -> None:
        """Show an entry; None where there is none."""
        await self.query_one(Preview).show(Shown() if entry is None else await self.shown(entry))

    def action_leave(self) -> None:
        """Back to the screen before; a screen that a number leads to stays."""
        if len(self.app.screen_stack) > 1:
            self.dismiss(None)
