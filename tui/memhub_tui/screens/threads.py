"""Threads: the conversations, newest first, and one of them turn by turn."""

import asyncio
from collections.abc import Sequence
from pathlib import Path

from textual import on, work

from memhub.export.conversation import thread_markdown
from memhub.model.item import Item
from memhub.model.thread import Thread
from memhub.text.clean import one_line, terminal_safe
from memhub.workspace import Memory
from memhub_tui import item_view
from memhub_tui.actions import bindings
from memhub_tui.backend import Lane
from memhub_tui.item_view import Shown
from memhub_tui.jobs import Tell
from memhub_tui.screens.confirm import ConfirmScreen
from memhub_tui.screens.prompt import PromptScreen
from memhub_tui.screens.split import SplitScreen
from memhub_tui.verbs import ItemVerbs
from memhub_tui.widgets.lines import ThreadList, TurnList, speaker
from memhub_tui.widgets.virtual_list import Fixed, Wanted

MOST_FOUND = 100
FIRST_TURNS = 6  # shown of a conversation before it is opened


class Threads:
    """Pages of conversations."""

    def __init__(self, lane: Lane) -> None:
        self._lane = lane

    async def page(self, wanted: Wanted[Thread]) -> Sequence[Thread]:
        """See `Source`."""
        return await self._lane.run(lambda memory: memory.threads(limit=wanted.limit, offset=wanted.offset))

    async def count(self) -> int:
        """See `Source`."""
        return await self._lane.run(lambda memory: memory.thread_count())


class ThreadsScreen(SplitScreen[Thread]):
    """The second mode."""

    BINDINGS = bindings("threads")
    name_in_bar = "threads"
    _query = ""

    def make_list(self) -> ThreadList:
        """Conversations."""
        return ThreadList(empty="No conversations. `mh import` finds those of your tools.", id="entries")

    async def source(self) -> Threads | Fixed[Thread]:
        """All, or those in which something was found."""
        query = self._query
        if not query:
            return Threads(self.backend.view)
        found = await self.backend.search.run(lambda memory: memory.thread_search(query, limit=MOST_FOUND))
        return Fixed([one.thread for one in found.threads])

    async def shown(self, entry: Thread) -> Shown:
        """Its beginning."""
        thread = await self.backend.view.run(lambda memory: memory.thread(entry.id, limit=FIRST_TURNS))
        head = " · ".join(
            part
            for part in (entry.platform, entry.chat_name, entry.project, _plain(entry.started_at), entry.folder)
            if part
        )
        text = "\n\n".join(f"**{speaker(turn)}**\n\n{item_view.body(turn, 1500)}" for turn in thread.turns)
        more = thread.length - FIRST_TURNS
        return Shown(terminal_safe(entry.title), head, text, f"{more:,} more turns: Enter" if more > 0 else "")

    @on(ThreadList.Chosen)
    def chosen(self, event: ThreadList.Chosen) -> None:
        """Read it."""
        self.app.push_screen(ThreadScreen(event.entry.id))

    @work(exit_on_error=False)
    async def action_search(self) -> None:
        """Look for words in conversations."""
        answer = await self.app.push_screen_wait(PromptScreen("Look for in conversations", self._query))
        if answer is not None:
            self._query = answer.strip()
            self.read_list()

    @work(exit_on_error=False)
    async def action_drop(self) -> None:
        """Remove the chosen conversations; undo brings them back."""
        ids = [thread.id for thread in self.entries.chosen]
        if not ids:
            return
        question = f"Remove {len(ids)} conversation{'s' if len(ids) > 1 else ''} with all turns? Undo brings them back."
        if await self.app.push_screen_wait(ConfirmScreen(question, {"remove": "Remove", "no": "Leave"})) == "remove":
            await self.save(lambda memory: memory.thread_drop(ids), "removed")

    @work(exit_on_error=False)
    async def action_distill(self) -> None:
        """Draw what is worth keeping from the chosen conversations, in Activity."""
        ids = [thread.id for thread in self.entries.chosen]
        if ids:
            self.mh.jobs.start("distill", lambda memory, tell: _distill(memory, ids, tell))
            self.notify("distilling; 5 shows how far it is", timeout=3)


def _distill(memory: Memory, ids: Sequence[str], tell: Tell) -> str:
    report = memory.distill(ids, progress=lambda done, total, _: tell(done, total))
    results = [line for source in (report.judged.judged if report.judged else ()) for line in source.results]
    skipped = sum(not one.is_worth for one in report.threads)
    return f"{len(results)} statements" + (f"; {skipped} not worth it" if skipped else "")


def _plain(at: str | None) -> str:
    return (at or "")[:16].replace("T", " ")


class ThreadScreen(ItemVerbs, SplitScreen[Item]):
    """One conversation: its turns at the left, the one under the cursor at the right."""

    BINDINGS = [*bindings("thread"), *bindings("items")]

    def __init__(self, identifier: str, turn: str | None = None) -> None:
        super().__init__()
        self.thread_id = identifier
        self._turn = turn
        self._find = ""
        self._turns: tuple[Item, ...] = ()

    def make_list(self) -> TurnList:
        """Turns."""
        return TurnList(empty="No turns.", id="entries")

    async def source(self) -> Fixed[Item]:
        """All turns in their order."""
        thread = await self.backend.view.run(lambda memory: memory.thread(self.thread_id))
        self.top_bar.tell(f"{one_line(terminal_safe(thread.title), 40)} · {len(thread.turns):,} turns ")
        self._turns = thread.turns
        return Fixed(thread.turns)

    def filled(self) -> None:
        """Begin at the turn that was asked for."""
        turn, self._turn = self._turn, None
        at = next((n for n, one in enumerate(self._turns) if one.id == turn), None)
        if at is not None:
            self.entries.cursor = at

    async def shown(self, entry: Item) -> Shown:
        """The turn."""
        head = f"{speaker(entry)} · {(entry.created_at or '')[:16].replace('T', ' ')}"
        return Shown("", head, item_view.body(entry))

    def targets(self) -> Sequence[Item]:
        """The turns that verbs work on."""
        return self.entries.chosen

    @on(TurnList.Chosen)
    def chosen(self, event: TurnList.Chosen) -> None:
        """Open the turn as an item."""
        self.open_item(event.entry.id)

    @work(exit_on_error=False)
    async def action_find(self) -> None:
        """Ask for words and go to the next turn with them."""
        answer = await self.app.push_screen_wait(PromptScreen("Find in this conversation", self._find))
        if answer:
            self._find = answer.casefold()
            self._go(1, include=True)

    def action_find_next(self) -> None:
        """The next turn with the words."""
        self._go(1)

    def action_find_before(self) -> None:
        """The turn before with the words."""
        self._go(-1)

    def _go(self, step: int, *, include: bool = False) -> None:
        count, here = len(self._turns), self.entries.cursor
        for n in range(0 if include else 1, count):
            at = (here + step * n) % count
            if self._find and self._find in self._turns[at].content.casefold():
                self.entries.cursor = at
                return
        self.notify("not found", timeout=2)

    @work(exit_on_error=False)
    async def action_save_as(self) -> None:
        """Write the conversation as Markdown."""
        answer = await self.app.push_screen_wait(PromptScreen("Write as Markdown to", f"{self.thread_id[-6:]}.md"))
        if answer:
            path = Path(answer).expanduser()
            if path.exists():
                question = f"{path} is there already."
                if (
                    await self.app.push_screen_wait(
                        ConfirmScreen(question, {"over": "Write over it", "no": "Leave it"})
                    )
                    != "over"
                ):
                    return
            text = await self.backend.view.run(lambda memory: thread_markdown(memory.thread(self.thread_id), _plain))
            await asyncio.to_thread(path.write_text, text, "utf-8")
            self.notify(f"written to {path}", markup=False)
