"""The app: its modes, what works everywhere, and the watch over the file."""

from collections.abc import Callable

from textual import on, work
from textual.app import App

from memhub import stamp
from memhub.config import Config
from memhub.errors import MhError, NotFoundError
from memhub.text.clean import one_line, terminal_safe
from memhub.text.dates import Zone
from memhub.workspace import Memory
from memhub_tui.actions import bindings
from memhub_tui.backend import Backend, Change
from memhub_tui.errors import Failed, words_of
from memhub_tui.modes import MODES
from memhub_tui.screens.base import MhScreen
from memhub_tui.screens.confirm import ConfirmScreen
from memhub_tui.screens.edit import EditScreen
from memhub_tui.widgets.top_bar import TopBar

WATCH = 0.5  # seconds between two looks at the file


class MhApp(App[None]):
    """Made by `memhub_tui.run`."""

    TITLE = "mh"
    MODES = {mode.name: mode.make for mode in MODES}
    DEFAULT_MODE = "browse"
    BINDINGS = bindings("app")

    def __init__(
        self,
        make: Callable[[str | None], Memory],
        config: Config,
        zone: Zone,
        *,
        query: str = "",
        space: str | None = None,
    ) -> None:
        super().__init__()
        self.backend = Backend(make, space)
        self.config = config
        self.zone = zone
        self.start_query = query

    async def on_load(self) -> None:
        """See the file as it is before anything is read from it: what changes from here on is noticed."""
        await self.look().wait()

    def on_mount(self) -> None:
        """Begin to watch the file, and offer what was typed and not saved."""
        self.set_interval(WATCH, self.look)
        self.offer_drafts()

    @work(exit_on_error=False)
    async def offer_drafts(self) -> None:
        """Ask about each text that an earlier run left unsaved; what is not answered is asked again next time."""
        for draft in await self.backend.drafts.left():
            first = terminal_safe(one_line(draft.title or draft.content, 40)) or "an empty text"
            when = stamp.iso(draft.at)[:16].replace("T", " ")
            answer = await self.push_screen_wait(
                ConfirmScreen(
                    f"“{first}” was typed {when} UTC and not saved.",
                    {"open": "Open it", "later": "Not now", "throw": "Throw it away"},
                )
            )
            if answer == "open":
                await self.push_screen_wait(EditScreen(draft.item, draft))
            elif answer == "throw":
                await self.backend.drafts.forget(draft.key)

    async def action_quit(self) -> None:
        """Leave; what is being typed stays as a draft and is offered at the next start."""
        for stack in self._screen_stacks.values():
            for screen in stack:
                if isinstance(screen, EditScreen):
                    await screen.keep_draft_now()
        self.exit()

    async def on_unmount(self) -> None:
        """Close the file."""
        await self.backend.close()

    @work(exclusive=True, group="watch", exit_on_error=False)
    async def look(self) -> None:
        """Has anyone changed the file, taken it away, or put another one in its place?"""
        try:
            change = await self.backend.look()
        except MhError as error:
            self.tell(error.message)
            return
        if change is Change.GONE:
            self.tell(f"{self.backend.path} is gone; nothing can be saved until it is back")
        elif change is Change.CHANGED:
            self.changed()

    def tell(self, words: str) -> None:
        """Put what is wrong with the file into the bar."""
        for bar in self.screen.query(TopBar):
            bar.tell(words, alert=True)

    def changed(self) -> None:
        """Let the screen in front read again now, and the others when they come to the front."""
        for stack in self._screen_stacks.values():
            for screen in stack:
                if isinstance(screen, MhScreen):
                    if screen is self.screen:
                        screen.file_changed()
                    else:
                        screen.is_stale = True

    @on(Failed)
    def failed(self, event: Failed) -> None:
        """Say what could not be done."""
        title, words = words_of(event.error)
        self.notify(words or title, title=title if words else "", severity="error", timeout=8, markup=False)
        self.log(event.error)

    async def action_go(self, mode: str) -> None:
        """Go to a mode."""
        await self.switch_mode(mode)

    @work(exit_on_error=False)
    async def action_undo(self) -> None:
        """Take back the last change."""
        await self._back("undo")

    @work(exit_on_error=False)
    async def action_redo(self) -> None:
        """Take back the last undo."""
        await self._back("redo")

    async def _back(self, verb: str) -> None:
        try:
            done = await self.backend.change(lambda memory: getattr(memory, verb)())
        except (MhError, NotFoundError) as error:
            self.post_message(Failed(error))
            return
        self.notify(f"{verb}: {done.summary or done.command}", timeout=3, markup=False)
        self.changed()

    def action_help(self) -> None:
        """What every key does."""
        self.action_show_help_panel() if not self.screen.query("HelpPanel") else self.action_hide_help_panel()
