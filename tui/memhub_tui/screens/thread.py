"""One conversation: its turns in a list, and the one under the cursor with what was said next."""

import asyncio
from bisect import bisect_left, bisect_right
from collections.abc import Collection, Sequence

from textual import on, work

from memhub.export.conversation import thread_markdown
from memhub.export.save import save as write_file
from memhub.llm.settings import is_configured
from memhub.model.item import Item
from memhub.paths import without_tilde
from memhub.text.clean import one_line, terminal_safe
from memhub.text.dates import show_time
from memhub.workspace import Memory
from memhub_tui import item_view
from memhub_tui.actions import bindings
from memhub_tui.backend import Lane
from memhub_tui.exporting import may_write_over
from memhub_tui.item_view import Shown
from memhub_tui.screens.base import MhScreen
from memhub_tui.screens.confirm import ConfirmScreen
from memhub_tui.screens.prompt import PromptScreen
from memhub_tui.screens.split import SplitScreen
from memhub_tui.verbs import ItemVerbs
from memhub_tui.widgets.lines import TurnList, speaker
from memhub_tui.widgets.pages import Wanted
from memhub_tui.works import distilling

READ_ON = 3  # turns that are shown below the one under the cursor
MOST_SHOWN = 4000  # characters of them all together


class Turns:
    """Pages of the turns of a conversation that has so many."""

    def __init__(self, lane: Lane, identifier: str, length: int) -> None:
        self._lane = lane
        self._id = identifier
        self._length = length

    async def page(self, wanted: Wanted[Item]) -> Sequence[Item]:
        """See `Source`."""
        limit, offset = wanted.limit, wanted.offset
        return (await self._lane.run(lambda memory: memory.thread(self._id, limit=limit, offset=offset))).turns

    async def count(self) -> int:
        """See `Source`."""
        return self._length


class ThreadScreen(SplitScreen[Item], ItemVerbs):
    """Begins at `turn`; `found` are the ids of turns to go through. Where they stand is looked up when it is wanted."""

    BINDINGS = [*bindings("thread"), *bindings("items")]

    def __init__(self, identifier: str, turn: str = "", found: Collection[str] = ()) -> None:
        super().__init__()
        self.thread_id = identifier
        self._first = turn
        self._found = frozenset(found)
        self._places: list[int] = []
        self._find = ""
        self._heading = ""
        self._length = 0

    def make_list(self) -> TurnList:
        """Turns."""
        return TurnList(empty="No turns.", id="entries")

    async def source(self) -> Turns:
        """All turns in their order."""
        thread = await self.backend.view.run(lambda memory: memory.thread(self.thread_id, limit=1))
        self._heading = one_line(terminal_safe(thread.title), 40)
        self._length = thread.length
        return Turns(self.backend.view, self.thread_id, thread.length)

    def filled(self) -> None:
        """Say what it is, and go to the turn that was asked for."""
        self._tell()
        if self._first or self._found:
            self.locate()

    @work(exclusive=True, group="find", exit_on_error=False)
    async def locate(self) -> None:
        """Where the turns stand that are to be gone through."""
        wanted = {self._first, *self._found}
        places = await self.backend.search.run(lambda memory: _places(memory, self.thread_id, wanted))
        if self._first in places:
            self.entries.cursor = places[self._first]
        self._first = ""
        self._mark({identifier: place for identifier, place in places.items() if identifier in self._found})

    def _mark(self, places: dict[str, int]) -> None:
        self._places = sorted(places.values())
        self._found = self.query_one(TurnList).found = frozenset(places)
        self.entries.refresh()
        self._tell()

    def _tell(self) -> None:
        found = f"{len(self._places):,} found · " if self._places else ""
        self.top_bar.tell(f"{found}{self._heading} · {self._length:,} turns ")

    async def shown(self, entry: Item) -> Shown:
        """The turn, and those after it, so that a question stands over its answer."""
        place = self.entries.cursor
        after = [self.entries.at(place + n) for n in range(1, READ_ON + 1)] if self.entries.at(place) == entry else []
        parts = [item_view.body(entry)]
        for turn in after:
            room = MOST_SHOWN - sum(len(part) for part in parts)
            if turn is None or room < 200:
                break
            parts.append(f"**{self._said(turn)}**\n\n{item_view.body(turn, room)}")
        head = f"{self._said(entry)} · turn {place + 1:,} of {self._length:,}"
        return Shown("", head, "\n\n---\n\n".join(parts), key=entry.id)

    def _said(self, turn: Item) -> str:
        return " · ".join(part for part in (speaker(turn), show_time(turn.created_at, self.mh.zone)) if part)

    def targets(self) -> Sequence[Item]:
        """The turns that verbs work on."""
        return self.entries.chosen

    @on(TurnList.Chosen)
    def chosen(self, event: TurnList.Chosen) -> None:
        """Open the turn as an item."""
        self.mh.open_item(event.entry.id, self.entries)

    @work(exclusive=True, group="find", exit_on_error=False)
    async def action_find(self) -> None:
        """Ask for words and go to the next turn with them."""
        answer = await self.app.push_screen_wait(PromptScreen("Find in this conversation", self._find))
        if answer is None:
            return
        self._find, words = answer, answer.strip().casefold()
        self._mark(await self.backend.search.run(lambda memory: _with_words(memory, self.thread_id, words)))
        if self._places:
            self.entries.cursor = self._places[bisect_left(self._places, self.entries.cursor) % len(self._places)]
        elif words:
            self.notify(f"no turn says “{one_line(terminal_safe(answer), 40)}”", timeout=3, markup=False)

    def action_find_next(self) -> None:
        """The next turn that was found; after the last one comes the first."""
        self._go(bisect_right(self._places, self.entries.cursor))

    def action_find_before(self) -> None:
        """The turn before that was found; before the first one comes the last."""
        self._go(bisect_left(self._places, self.entries.cursor) - 1)

    def _go(self, number: int) -> None:
        if self._places:
            self.entries.cursor = self._places[number % len(self._places)]
        else:
            self.notify("/ finds words in this conversation", timeout=3)

    @work(exit_on_error=False)
    async def action_save_as(self) -> None:
        """Write the conversation as Markdown."""
        await save_as(self, self.thread_id)

    @work(exit_on_error=False)
    async def action_distill(self) -> None:
        """Draw what is worth keeping from it, in Activity."""
        await distill(self, [self.thread_id])

    @work(exit_on_error=False)
    async def action_remove(self) -> None:
        """Remove the whole conversation."""
        if await remove(self, [self.thread_id]):
            self.action_leave()


def _places(memory: Memory, identifier: str, wanted: Collection[str]) -> dict[str, int]:
    return {turn.id: place for place, turn in enumerate(memory.thread(identifier).turns) if turn.id in wanted}


def _with_words(memory: Memory, identifier: str, words: str) -> dict[str, int]:
    turns = memory.thread(identifier).turns if words else ()
    return {turn.id: place for place, turn in enumerate(turns) if words in turn.content.casefold()}


async def save_as(screen: MhScreen[None], identifier: str) -> None:
    """Ask for a file, and write a conversation into it; one that is there is written over only when one says so."""
    file = await screen.app.push_screen_wait(PromptScreen("Write as Markdown to", f"thread-{identifier[-6:]}.md"))
    if not file or not file.strip():
        return
    is_there = without_tilde(file).is_file()
    if is_there and not await may_write_over(screen, f"{file} is there already."):
        return
    zone = screen.mh.zone
    thread = await screen.backend.view.run(lambda memory: memory.thread(identifier))
    text = thread_markdown(thread, lambda at: show_time(at, zone))
    await asyncio.to_thread(write_file, file, [text], force=is_there)
    screen.notify(f"{thread.length:,} turns written to {file}", markup=False)


async def distill(screen: MhScreen[None], ids: Sequence[str]) -> None:
    """Draw what is worth keeping from conversations, as a job; with a model configured one says whether it is asked."""
    level: str | None = "swift"
    if is_configured(screen.mh.config):
        answers = {"swift": "Rules alone", "full": "Ask the model", "no": "Cancel"}
        level = await screen.app.push_screen_wait(ConfirmScreen("What draws the statements?", answers))
    if level in ("swift", "full"):
        screen.mh.jobs.start(f"distill {_counted(len(ids))}", distilling(ids, level))
        screen.notify("distilling; 5 shows how far it is", timeout=3)


async def remove(screen: MhScreen[None], ids: Sequence[str]) -> bool:
    """Ask, and remove conversations with all their turns; whether that was done."""
    question = f"Remove {_counted(len(ids))} with all turns? Undo brings them back."
    answer = await screen.app.push_screen_wait(ConfirmScreen(question, {"remove": "Remove", "no": "Leave"}))
    if answer == "remove":
        await screen.save(lambda memory: memory.thread_drop(ids), f"removed {_counted(len(ids))}")
    return answer == "remove"


def _counted(count: int) -> str:
    return f"{count:,} conversation{'' if count == 1 else 's'}"
