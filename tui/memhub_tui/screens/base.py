"""What every screen has: the bar on top, the keys below, the backend, and a call when the file changed."""

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar, cast

from textual import events
from textual.app import ComposeResult
from textual.screen import Screen
from textual.widgets import Footer

from memhub.workspace import Memory
from memhub_tui.backend import Backend
from memhub_tui.errors import ReportsErrors
from memhub_tui.widgets.top_bar import TopBar

if TYPE_CHECKING:
    from memhub_tui.app import MhApp

PATIENCE = 1.0  # seconds that a change may take before one hears why
R = TypeVar("R")
S = TypeVar("S")


class MhScreen(ReportsErrors, Screen[R]):
    """`name_in_bar` is the mode that the bar marks."""

    name_in_bar = ""
    is_stale = False

    @property
    def mh(self) -> "MhApp":
        """The app."""
        return cast("MhApp", self.app)

    @property
    def backend(self) -> Backend:
        """The core."""
        return self.mh.backend

    @property
    def top_bar(self) -> TopBar:
        """The line on top."""
        return self.query_one(TopBar)

    def compose(self) -> ComposeResult:
        """Bar, content, keys."""
        yield TopBar(self.name_in_bar)
        yield from self.content()
        yield Footer()

    def content(self) -> ComposeResult:
        """What is between bar and keys."""
        yield from ()

    async def on_event(self, event: events.Event) -> None:
        """A screen that is taken away before it was filled, as when the app ends, begins nothing."""
        if not (isinstance(event, events.Mount) and self._pruning):
            await super().on_event(event)

    def file_changed(self) -> None:
        """The file, or the space, is another one now: read again, without moving what the user looks at."""

    def centre(self) -> str | None:
        """What a graph that is asked for here begins at: an id, or None where nothing is chosen."""
        return None

    def jobs_moved(self) -> None:
        """A job began, went on or ended."""

    def on_screen_resume(self) -> None:
        """What changed while another screen was in front."""
        if self.is_stale:
            self.is_stale = False
            self.file_changed()

    async def save(self, work: Callable[[Memory], S], told: Callable[[S], str] | str = "") -> S:
        """Change something in the writing lane, say it, and let every screen read again."""
        writing = asyncio.ensure_future(self.backend.change(work))
        done, _ = await asyncio.wait({writing}, timeout=PATIENCE)
        if not done:
            self.notify("Another program is writing to the file; this waits for it.", timeout=5)
        result = await writing
        words = told if isinstance(told, str) else told(result)
        if words:
            self.notify(words, timeout=3, markup=False)
        self.mh.changed()
        return result
