"""The app: its modes, what works everywhere, and the watch over the file."""

from collections.abc import Callable

from textual import on, work
from textual.app import App
from textual.notifications import SeverityLevel as Severity

from memhub import config as settings
from memhub import stamp
from memhub.config import Config
from memhub.errors import MhError
from memhub.text.clean import one_line, terminal_safe
from memhub.text.dates import Zone
from memhub.workspace import Memory
from memhub_tui import keymap
from memhub_tui.actions import bindings
from memhub_tui.backend import Backend, Change
from memhub_tui.errors import Failed, ReportsErrors, words_of
from memhub_tui.jobs import FAILED, RUNNING, Jobs
from memhub_tui.modes import MODES
from memhub_tui.palette import Actions, Items
from memhub_tui.screens.base import MhScreen
from memhub_tui.screens.confirm import ConfirmScreen
from memhub_tui.screens.edit import EditScreen
from memhub_tui.screens.help import SCOPES, HelpScreen
from memhub_tui.themes import all_themes
from memhub_tui.widgets.job_bar import job_bar
from memhub_tui.widgets.top_bar import TopBar

WATCH = 0.5  # seconds between two looks at the file
JOBS_SHOWN = 0.2  # seconds between two looks at the jobs


class MhApp(ReportsErrors, App[None]):
    """Made by `memhub_tui.run`."""

    TITLE = "mh"
    MODES = {mode.name: mode.make for mode in MODES}
    DEFAULT_MODE = "browse"
    BINDINGS = bindings("app")
    COMMANDS = {Actions, Items}

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
        self._faults: list[str] = []
        self._jobs_moved = False
        self._told: set[str] = set()
        self.jobs = Jobs(self.backend.new_memory, self._job_changed)

    async def on_load(self) -> None:
        """See the file as it is before anything is read from it: what changes from here on is noticed."""
        await self.look().wait()
        themes, self._faults = all_themes()
        for theme in themes.values():
            self.register_theme(theme)
        self.settings_changed()
        keys = keymap.read(keymap.file())
        self.set_keymap(keys.keymap)
        self._faults += keys.faults

    def on_mount(self) -> None:
        """Begin to watch the file, and offer what was typed and not saved."""
        self.set_interval(WATCH, self.look)
        self.set_interval(JOBS_SHOWN, self._show_jobs)
        for fault in self._faults:
            self.notify(fault, severity="warning", timeout=10, markup=False)
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
        if running := self.jobs.running:
            question = f"{running[0].title} is still running. What is done of it stays."
            self._ask_to_leave(question)
            return
        await self._leave()

    @work(exit_on_error=False)
    async def _ask_to_leave(self, question: str) -> None:
        if await self.push_screen_wait(ConfirmScreen(question, {"leave": "Leave", "stay": "Stay"})) == "leave":
            await self._leave()

    async def _leave(self) -> None:
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
        done = await self.backend.change(lambda memory: getattr(memory, verb)())
        self.notify(f"{verb}: {done.summary or done.command}", timeout=3, markup=False)
        self.changed()

    def action_help(self) -> None:
        """What every key does."""
        scopes = [
            type_.split(".")[0] for type_ in (one.binding.id or "" for one in self.screen.active_bindings.values())
        ]
        order = [scope for scope in dict.fromkeys(scopes) if scope in SCOPES and scope not in ("app", "list", "items")]
        self.push_screen(HelpScreen(order))

    @work(exit_on_error=False)
    async def action_space(self) -> None:
        """Work in another space."""
        from memhub_tui.screens.spaces import SpaceScreen

        space = await self.push_screen_wait(SpaceScreen("Work in"))
        if space:
            self.backend.enter(space)
            self.changed()

    def open_item(self, identifier: str) -> None:
        """Open an item over the screen in front."""
        from memhub_tui.screens.item import ItemScreen

        self.push_screen(ItemScreen(identifier))

    # ---- jobs and settings

    def _job_changed(self) -> None:
        """Called in a job's thread."""
        self._jobs_moved = True

    def _show_jobs(self) -> None:
        """Let the screens show how far the jobs are; what is over is told once."""
        if not self._jobs_moved:
            return
        self._jobs_moved = False
        for job in self.jobs.all:
            if job.state != RUNNING and job.id not in self._told:
                self._told.add(job.id)
                severity: Severity = "error" if job.state == FAILED else "information"
                self.notify(f"{job.title}: {job.message}", severity=severity, markup=False)
        bar = "  ".join(f"{job.title.split(' ')[0]} {job_bar(job)}" for job in self.jobs.running)
        for screen in self.screen_stack:
            for top in screen.query(TopBar):
                top.tell_jobs(bar)
        if isinstance(self.screen, MhScreen):
            self.screen.jobs_moved()

    def settings_changed(self) -> None:
        """Take what the settings say of the screen."""
        if self.config.text("tui.theme") in self.available_themes:
            self.theme = self.config.text("tui.theme")
        self.animation_level = "none" if self.config.text("tui.motion") == "off" else "full"

    @work(exit_on_error=False)
    async def choose_theme(self, name: str) -> None:
        """Change the colours, and remember that."""
        self.theme = name
        await self.backend.view.run(lambda _: settings.write(self.config.file, "tui.theme", name))
        self.config.forget()
