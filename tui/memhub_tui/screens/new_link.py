"""A new link: type to find the other item, then say what the link means."""

import asyncio
import contextlib
from typing import NamedTuple

from textual import on, work
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.suggester import SuggestFromList
from textual.widgets import Input, Label
from textual.worker import WorkerError

from memhub.errors import MhError
from memhub_tui.backend import Backend
from memhub_tui.errors import ReportsErrors
from memhub_tui.query_line import parse
from memhub_tui.screens.picker import PickerLine
from memhub_tui.sources import source_of
from memhub_tui.widgets.in_order import Line
from memhub_tui.widgets.item_list import ItemList
from memhub_tui.widgets.pages import Fixed

DEFAULT = "related"


class NewLink(NamedTuple):
    """The other item, and the relation."""

    item: str
    relation: str


class NewLinkScreen(ReportsErrors, ModalScreen[NewLink | None]):
    """Answers with the link, or None."""

    CSS_PATH = "new_link.tcss"
    BINDINGS = [
        Binding("escape", "dismiss(None)", "Cancel"),
        Binding("enter", "enter", show=False, priority=True),  # before the keys after it, which belong to the relation
        Binding("down,ctrl+n", "move('down')", show=False),
        Binding("up,ctrl+p", "move('up')", show=False),
        Binding("pagedown", "move('page_down')", show=False),
        Binding("pageup", "move('page_up')", show=False),
    ]

    def __init__(self, centre: str) -> None:
        super().__init__()
        self._centre = centre

    def compose(self) -> ComposeResult:
        """Words over the items found, and the relation."""
        with Vertical(id="box"):
            yield Label("Link it to", id="title")
            yield PickerLine(placeholder="words of the other item", id="words")
            found = ItemList(empty="Nothing found.", id="found")
            found.can_focus = False
            yield found
            yield Line(DEFAULT, placeholder="relation", id="relation")
            yield Label("↑ ↓ choose · Enter goes on · → completes · Esc cancels", id="keys")

    def on_mount(self) -> None:
        """The newest items, and the relations there are."""
        self.typed()
        self.learn()

    @property
    def _backend(self) -> Backend:
        found: Backend = self.app.backend  # type: ignore[attr-defined]
        return found

    @property
    def _words(self) -> Input:
        return self.query_one("#words", Input)

    @work(exit_on_error=False)
    async def learn(self) -> None:
        """The relations in use, for completion."""
        known = await self._backend.view.run(lambda memory: memory.relations())
        self.query_one("#relation", Input).suggester = SuggestFromList(dict.fromkeys([*known, DEFAULT]))

    @on(Input.Changed, "#words")
    def typed(self) -> None:
        """Look for it."""
        self._sought = self._words.value
        self._finding = self.find(self._sought)

    @work(exclusive=True, group="find", exit_on_error=False)
    async def find(self, words: str) -> None:
        """The items that fit what was typed; the centre is none of them."""
        found = self.query_one("#found", ItemList)
        try:
            source = await source_of(self._backend.search, parse(words, self.app.zone))  # type: ignore[attr-defined]
        except MhError:  # half-typed filters are no mistake yet
            return
        if isinstance(source, Fixed):
            source.entries = [row for row in source.entries if row.id != self._centre]
        await found.show(source)

    def action_move(self, move: str) -> None:
        """Move in the list while one types."""
        getattr(self.query_one("#found", ItemList), f"action_{move}")()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """In the second field Enter is its own."""
        return action != "enter" or self.focused is self._words

    @on(ItemList.Chosen)
    def action_enter(self) -> None:
        """On to the relation, at once: what is typed next belongs there."""
        relation = self.query_one("#relation", Input)
        self.set_focus(relation)
        relation.action_select_all()

    @on(Input.Submitted, "#relation")
    @work(exclusive=True, group="submit", exit_on_error=False)
    async def submitted(self, event: Input.Submitted) -> None:
        """Answer, once the list is that of the words typed: all of them, those too that their field has yet to take."""
        taken = asyncio.Event()
        self._words.call_later(taken.set)
        await taken.wait()
        if self._sought != self._words.value:
            self.typed()
        while not self._finding.is_finished:
            with contextlib.suppress(WorkerError):  # another search may have taken its place
                await self._finding.wait()
        entry = self.query_one("#found", ItemList).entry
        if entry is not None:
            self.dismiss(NewLink(entry.id, event.value.strip() or DEFAULT))
