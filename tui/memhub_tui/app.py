"""The app: its modes, what works everywhere, and the watch over the file."""

import asyncio
from collections.abc import Callable, Collection
from functools import partial
from importlib import import_module
from typing import Any

from textual import on, work
from textual.binding import Binding
from textual.command import Provider
from textual.notifications import SeverityLevel as Severity

from memhub import stamp
from memhub.config import Config
from memhub.errors import MhError
from memhub.text.clean import one_line, terminal_safe
from memhub.text.dates import Zone
from memhub.workspace import Memory
from memhub_tui import item_view, keymap
from memhub_tui.actions import bindings
from memhub_tui.backend import Backend, Change
from memhub_tui.errors import Failed, ReportsErrors, words_of
from memhub_tui.jobs import FAILED, RUNNING, Jobs
from memhub_tui.modes import MODES
from memhub_tui.screens.base import MhScreen
from memhub_tui.screens.confirm import ConfirmScreen
from memhub_tui.screens.edit import EditScreen
from memhub_tui.themes import Themed
from memhub_tui.widgets.job_bar import job_bar
from memhub_tui.widgets.panes import Panes
from memhub_tui.widgets.top_bar import TopBar
from memhub_tui.widgets.virtual_list import VirtualList

WATCH = 0.5  # seconds between two looks at the file
NEAREST = {"items": 1, "view": 2, "list": 3, "app": 4}  # scopes after that of the screen, as the help shows them
JOBS_SHOWN = 0.2  # seconds between two looks at the jobs


def _provider(name: str) -> type[Provider]:
    """A part of the palette, which nobody needs to load before it opens."""
    found: type[Provider] = getattr(import_module("memhub_tui.palette"), name)
    return found


class MhApp(ReportsErrors, Themed[None]):
    """Made by `memhub_tui.run`."""

    TITLE = "mh"
    CSS = "CommandPalette SearchIcon { display: none; }"
    MODES = {mode.name: mode.make for mode in MODES}
    DEFAULT_MODE = "browse"
    BINDINGS = bindings("app")
    COMMANDS = {partial(_provider, name) for name in ("Commands", "Items", "Names")}

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
        self.share = config.number("tui.list")
        self._faults: list[str] = []
        self.keys = keymap.Keys({}, ())
        self._jobs_moved = False
        self.jobs = Jobs(self.backend.new_memory, self._job_changed)

    async def on_load(self) -> None:
        """See the file as it is before anything is read from it: what changes from here on is noticed."""
        await self.look().wait()
        self.keys = keymap.read(keymap.file())
        self.set_keymap(self.keys.keymap)
        self._faults = [*self.take_themes(), *self.keys.faults]

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
        """Let the jobs come to a stop, and close the file."""
        await asyncio.to_thread(self.jobs.stop)
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
        """What every key does, those that are there now first."""
        from memhub_tui.screens.help import HelpScreen

        ids = (one.binding.id or "" for one in self.screen.active_bindings.values())
        scopes = sorted({name.split(".")[0] for name in ids if name}, key=lambda scope: NEAREST.get(scope, 0))
        words = {
            name: " ".join(self.get_key_display(Binding(key, "")) for key in keys)
            for name, keys in keymap.keys_of(self.keys.keymap).items()
        }
        self.push_screen(HelpScreen(scopes, words))

    def get_key_display(self, binding: Binding) -> str:
        """A key as people write it; nothing for an action that has none."""
        return "" if binding.key == keymap.NO_KEY else super().get_key_display(binding)

    @work(exit_on_error=False)
    async def action_space(self) -> None:
        """Work in another space, with what it reads."""
        from memhub_tui.screens.spaces import SpaceScreen

        space = await self.push_screen_wait(SpaceScreen("Work in, with what it reads"))
        if space:
            self.enter(space)

    def enter(self, space: str) -> None:
        """Work in a space."""
        self.backend.enter(space)
        self.changed()
        self.notify(f"working in {space}", timeout=3, markup=False)

    @on(Panes.Moved)
    @work(exit_on_error=False)
    async def panes_moved(self, event: Panes.Moved) -> None:
        """The line between list and preview lies there on every screen, and next time."""
        self.share = event.share
        for stack in self._screen_stacks.values():
            for screen in stack:
                for panes in screen.query(Panes):
                    panes.take(event.share)
        await self.remember("tui.list", event.share)

    def open_item(self, identifier: str, among: VirtualList[Any] | None = None) -> None:
        """Open an item over the screen in front; there one goes on in the list `among`, whose entries are items."""
        from memhub_tui.screens.item import ItemScreen

        self.push_screen(ItemScreen(identifier, among))

    async def open_target(self, identifier: str) -> None:
        """Open what an id stands for: an item or a conversation."""
        if await self.backend.view.run(lambda memory: item_view.is_thread(memory, identifier)):
            self.open_thread(identifier)
        else:
            self.open_item(identifier)

    def open_thread(self, identifier: str, turn: str = "", found: Collection[str] = ()) -> None:
        """Open a conversation at a turn; `found` are those to go through."""
        from memhub_tui.screens.thread import ThreadScreen

        self.push_screen(ThreadScreen(identifier, turn, found))

    def action_graph(self) -> None:
        """Show what hangs together around what is chosen on the screen in front."""
        self.open_graph(self.screen.centre() if isinstance(self.screen, MhScreen) else None)

    def open_graph(self, around: str | None) -> None:
        """Show what hangs together around an item, a conversation, an entity, or (None) what one was on."""
        from memhub_tui.screens.graph import GraphScreen

        self.push_screen(GraphScreen(around))

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
            if job.state != RUNNING and not job.is_told:
                job.is_told = True
                severity: Severity = "error" if job.state == FAILED else "information"
                self.notify(f"{job.title}: {job.message}", severity=severity, markup=False)
        for stack in self._screen_stacks.values():
            for screen in stack:
                for top in screen.query(TopBar):
                    top.tell_jobs(self.jobs_in_bar)
        for screen in self.screen_stack:
            if isinstance(screen, MhScreen):
                screen.jobs_moved()

    @property
    def jobs_in_bar(self) -> str:
        """How far the long work is, for the line on top."""
        return "  ".join(f"{job.title.split(' ')[0]} {job_bar(job)}" for job in self.jobs.running)
