"""A list with a search box over it, which narrows it as one types."""

import asyncio
import contextlib
from typing import ClassVar

from textual import on, work
from textual.app import ComposeResult
from textual.types import CSSPathType
from textual.widgets import Input
from textual.worker import WorkerError

from memhub.errors import MhError
from memhub_tui.query_line import Asked, parse
from memhub_tui.screens.split import SplitScreen
from memhub_tui.widgets.pages import E, Source
from memhub_tui.widgets.search_box import SearchBox

TYPING_PAUSE = 0.06  # seconds without a key before a search starts


class SearchScreen(SplitScreen[E]):
    """A subclass answers with a source for what is `asked`."""

    CSS_PATH: ClassVar[CSSPathType | None] = ["split.tcss", "search.tcss"]

    def make_box(self) -> SearchBox:
        """The search box."""
        return SearchBox(id="search")

    def content(self) -> ComposeResult:
        """Search box over list and text."""
        yield self.make_box()
        yield from super().content()

    @property
    def box(self) -> SearchBox:
        """The search box."""
        return self.query_one(SearchBox)

    @property
    def asked(self) -> Asked:
        """What the box asks for."""
        return parse(self.box.value, self.mh.zone, self.box.known.get("label", ()))

    def file_changed(self) -> None:
        """Read the list again under the cursor."""
        self.box.learn()
        super().file_changed()

    @on(Input.Changed, "#search")
    def typed(self) -> None:
        """Search, after a short pause."""
        self.reading = self.read_list(pause=TYPING_PAUSE)

    @work(exclusive=True, group="list", exit_on_error=False)
    async def read_list(self, *, keep: bool = False, pause: float = 0) -> None:
        """Show what the search box asks for; a later call takes the place of an earlier one."""
        await asyncio.sleep(pause)
        source: Source[E] | None
        try:
            source = await self.source()
        except MhError as error:
            source = self.misread(error)
        if source is not None:
            await self.entries.show(source, keep=keep)
            self.filled()

    def misread(self, error: MhError) -> Source[E] | None:
        """What to show while the box asks for nothing known. Half-typed is no mistake yet: it is said in the bar."""
        self.top_bar.tell(error.message, alert=True)
        return None

    @on(Input.Submitted, "#search")
    @work(exclusive=True, group="submit", exit_on_error=False)
    async def submitted(self) -> None:
        """Enter in the search box is one in the list, once that is the list of the words typed."""
        while self.reading is not None and not self.reading.is_finished:
            with contextlib.suppress(WorkerError):  # another reading may have taken its place
                await self.reading.wait()
        self.enter()

    def enter(self) -> None:
        """Open what the cursor is on."""
        self.entries.action_choose()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """In the box its key is a sign like any other."""
        return not (action == "search" and self.is_mounted and self.box.has_focus)

    def action_search(self) -> None:
        """Go to the search box, at once: what is typed next belongs there."""
        self.set_focus(self.box)

    def action_leave(self) -> None:
        """From the search box to the list; there, unmark; then forget the search."""
        if self.box.has_focus:
            self.set_focus(self.entries)
        elif not self.entries.unmark():
            self.box.value = ""
