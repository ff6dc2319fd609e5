"""Threads: the conversations, newest first, and a search box that narrows them as one types."""

from collections.abc import Sequence

from textual import on, work

from memhub.model.found import Hit
from memhub.model.query import Filters
from memhub.model.thread import Thread
from memhub.text.clean import one_line, terminal_safe
from memhub.text.dates import show_time
from memhub_tui import item_view
from memhub_tui.actions import bindings
from memhub_tui.backend import Lane
from memhub_tui.item_view import Shown
from memhub_tui.screens.search import SearchScreen
from memhub_tui.screens.thread import distill, remove
from memhub_tui.widgets.lines import Talk, ThreadList, speaker
from memhub_tui.widgets.pages import Fixed, Wanted
from memhub_tui.widgets.search_box import SearchBox

MOST_FOUND = 100
FIRST_TURNS = 6  # shown of a conversation before it is opened
FOUND_TURNS = 20  # shown of those that a search found in it
MOST_OF_A_TURN = 1500  # characters


class Talks:
    """Pages of conversations."""

    def __init__(self, lane: Lane, filters: Filters) -> None:
        self._lane = lane
        self._filters = filters

    async def page(self, wanted: Wanted[Talk]) -> Sequence[Talk]:
        """See `Source`."""
        limit, offset = wanted.limit, wanted.offset
        found = await self._lane.run(lambda memory: memory.threads(self._filters, limit=limit, offset=offset))
        return [Talk(thread) for thread in found]

    async def count(self) -> int:
        """See `Source`."""
        return await self._lane.run(lambda memory: memory.thread_count(self._filters))


class ThreadsScreen(SearchScreen[Talk]):
    """The second mode."""

    BINDINGS = bindings("threads")
    name_in_bar = "threads"

    def make_box(self) -> SearchBox:
        """Words that were said."""
        return SearchBox(placeholder="Search conversations    project:NAME since:3d", id="search")

    def make_list(self) -> ThreadList:
        """Conversations."""
        return ThreadList(empty="No conversations here. `i` in Activity brings in those of your tools.", id="entries")

    async def source(self) -> Talks | Fixed[Talk]:
        """All, or those in which something was found."""
        asked, mode = self.asked, self.mh.config.text("search.mode")
        if not asked.words.strip():
            return Talks(self.backend.view, asked.filters)
        found = await self.backend.search.run(
            lambda memory: memory.thread_search(
                asked.words, asked.filters, mode=mode, exact=asked.exact, limit=MOST_FOUND, prefix=True
            )
        )
        return Fixed([Talk(one.thread, one.hits) for one in found.threads])

    @on(ThreadList.Counted)
    def counted(self, event: ThreadList.Counted) -> None:
        """How many there are, in the bar."""
        marked = f"{event.marked:,} marked · " if event.marked else ""
        self.top_bar.tell(f"{marked}{event.total:,} conversation{'' if event.total == 1 else 's'} ")

    async def shown(self, entry: Talk) -> Shown:
        """Its beginning, or the turns that were found."""
        if entry.hits:
            thread, text, foot = entry.thread, _found(entry.hits), "Enter goes to the first of these turns"
        else:
            thread = await self.backend.view.run(lambda memory: memory.thread(entry.id, limit=FIRST_TURNS))
            text = "\n\n".join(
                f"**{speaker(turn)}**\n\n{item_view.body(turn, MOST_OF_A_TURN)}" for turn in thread.turns
            )
            more = thread.length - FIRST_TURNS
            foot = f"{more:,} more turns: Enter" if more > 0 else ""
        return Shown(one_line(terminal_safe(thread.title)), self._head(thread), text, foot, entry.id)

    def _head(self, thread: Thread) -> str:
        turns = f"{thread.length:,} turn{'' if thread.length == 1 else 's'}"
        parts = (thread.platform, thread.chat_name, thread.project, show_time(thread.started_at, self.mh.zone), turns)
        lines = " · ".join(terminal_safe(part) for part in parts if part), terminal_safe(thread.folder or "")
        return "\n".join(line for line in lines if line)

    @on(ThreadList.Chosen)
    def chosen(self, event: ThreadList.Chosen) -> None:
        """Read it, from the best turn on."""
        hits = [hit.item.id for hit in event.entry.hits]
        self.mh.open_thread(event.entry.id, hits[0] if hits else "", hits)

    def centre(self) -> str | None:
        """The conversation under the cursor."""
        return self.entries.entry.id if self.entries.entry else None

    @work(exit_on_error=False)
    async def action_drop(self) -> None:
        """Remove the chosen conversations; undo brings them back."""
        if ids := [one.id for one in self.entries.chosen]:
            await remove(self, ids)

    @work(exit_on_error=False)
    async def action_distill(self) -> None:
        """Draw what is worth keeping from the chosen conversations, in Activity."""
        if ids := [one.id for one in self.entries.chosen]:
            await distill(self, ids)


def _found(hits: Sequence[Hit]) -> str:
    parts = [f"**{speaker(hit.item)}**\n\n{item_view.body(hit.item, MOST_OF_A_TURN)}" for hit in hits[:FOUND_TURNS]]
    return "\n\n---\n\n".join(parts)
