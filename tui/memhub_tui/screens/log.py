"""Log: what was done, newest first; any operation can be taken back, and brought back."""

from collections.abc import Sequence

from textual import on, work

from memhub.errors import ConflictError
from memhub.text.clean import one_line, terminal_safe
from memhub.workspace import Memory
from memhub_tui.actions import bindings
from memhub_tui.backend import Lane
from memhub_tui.item_view import Shown
from memhub_tui.screens.confirm import ConfirmScreen
from memhub_tui.screens.split import SplitScreen
from memhub_tui.verbs import counted
from memhub_tui.widgets.lines import Done, OperationList
from memhub_tui.widgets.pages import Wanted

MOST_NAMED = 200  # items whose names are shown


class Operations:
    """Pages of the log."""

    def __init__(self, lane: Lane) -> None:
        self._lane = lane

    async def page(self, wanted: Wanted[Done]) -> Sequence[Done]:
        """See `Source`."""
        return await self._lane.run(lambda memory: _page(memory, wanted.limit, wanted.offset))

    async def count(self) -> int:
        """See `Source`."""
        return await self._lane.run(lambda memory: memory.operation_count())


class LogScreen(SplitScreen[Done]):
    """The fourth mode."""

    BINDINGS = bindings("log")
    name_in_bar = "log"

    def make_list(self) -> OperationList:
        """Operations."""
        return OperationList(empty="Nothing was done yet.", id="entries")

    async def source(self) -> Operations:
        """The whole log."""
        return Operations(self.backend.view)

    async def shown(self, line: Done) -> Shown:
        """What it did, and to which items."""
        entry = line.operation
        ids = entry.items[:MOST_NAMED]
        items = await self.backend.view.run(lambda memory: memory.get_many(ids))
        names = [f"- {_escape(one_line(terminal_safe(item.title or item.content), 100))}" for item in items]
        if len(entry.items) > len(ids):
            names.append(f"- … and {len(entry.items) - len(ids):,} more")
        head = f"{entry.at[:19].replace('T', ' ')} · {entry.who} · {counted(len(entry.items))} · {entry.id[-8:]}"
        state = "taken back" if entry.undone else "takes something back" if entry.undoes else ""
        return Shown(f"{entry.command}  {terminal_safe(entry.summary)}", head, "\n".join(names), state)

    @on(OperationList.Chosen)
    def chosen(self, event: OperationList.Chosen) -> None:
        """Open the item, when there is one."""
        if event.entry.operation.items:
            self.mh.open_item(event.entry.operation.items[0])

    @work(exit_on_error=False)
    async def action_undo_this(self) -> None:
        """Take back the operation under the cursor."""
        await self._back("undo")

    @work(exit_on_error=False)
    async def action_redo_this(self) -> None:
        """Bring back what was taken back."""
        await self._back("redo")

    async def _back(self, verb: str, *, force: bool = False) -> None:
        entry = self.entries.entry
        if entry is None:
            return
        name, command = entry.id, entry.operation.command
        try:
            await self.save(lambda memory: getattr(memory, verb)(name, force=force), f"{verb}: {command}")
        except ConflictError as error:
            if force:
                raise
            answer = await self.app.push_screen_wait(
                ConfirmScreen(f"{error.message}.", {"force": "Do it all the same", "no": "Leave it"})
            )
            if answer == "force":
                await self._back(verb, force=True)


def _page(memory: Memory, limit: int, offset: int) -> list[Done]:
    found = memory.operations(limit=limit, offset=offset)
    firsts = memory.get_many([one.items[0] for one in found if one.items])
    names = {item.id: item.title or item.content[:200] for item in firsts}
    return [Done(one, names.get(one.items[0], "") if one.items else "") for one in found]


def _escape(text: str) -> str:
    """Words that Markdown takes as they are."""
    return "".join(f"\\{letter}" if letter in "\\`*_{}[]<>#|~!" else letter for letter in text)
