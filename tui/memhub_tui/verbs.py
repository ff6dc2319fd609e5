"""What can be done with items, wherever they are chosen: the actions of the scope `items`."""

from collections.abc import Callable, Sequence
from typing import Protocol, TypeVar

from textual import work

from memhub.model.item import Item
from memhub.model.row import Row
from memhub.workspace import Memory
from memhub_tui.screens.base import MhScreen

R = TypeVar("R")


class Target(Protocol):
    """What a verb needs to know of an item."""

    @property
    def id(self) -> str:
        """The whole id."""
        ...


class ItemVerbs(MhScreen[None]):
    """For screens where items are chosen. Each verb works on all of `targets`, under one operation."""

    def targets(self) -> Sequence[Row | Item]:
        """The chosen items."""
        raise NotImplementedError

    def open_item(self, identifier: str) -> None:
        """Open one item on a screen of its own."""
        from memhub_tui.screens.item import ItemScreen

        self.app.push_screen(ItemScreen(identifier))

    @work(exit_on_error=False)
    async def do(self, change: "Callable[[Memory, list[str]], object]", done: str) -> None:
        """Change the chosen items and say so."""
        ids = [target.id for target in self.targets()]
        if ids:
            await self.save(lambda memory: change(memory, ids), f"{done} {counted(len(ids))}")

    def action_edit(self) -> None:
        """Edit the first of the chosen items."""
        from memhub_tui.screens.edit import EditScreen

        if chosen := self.targets():
            self.app.push_screen(EditScreen(chosen[0].id))

    def action_new(self) -> None:
        """Write a new note."""
        from memhub_tui.screens.edit import EditScreen

        self.app.push_screen(EditScreen(None))

    def action_pin(self) -> None:
        """Pin, or unpin when all are pinned."""
        pinned = not all(target.pinned for target in self.targets())
        self.do(lambda memory, ids: memory.set(ids, pinned=pinned), "pinned" if pinned else "unpinned")

    def action_archive(self) -> None:
        """Archive, or take out when all are archived."""
        archived = not all(target.state == "archived" for target in self.targets())
        self.do(lambda memory, ids: memory.set(ids, archived=archived), "archived" if archived else "unarchived")

    def action_drop(self) -> None:
        """Delete, or bring back when all are deleted."""
        if all(target.state == "dropped" for target in self.targets()):
            self.do(lambda memory, ids: memory.restore(ids), "restored")
        else:
            self.do(lambda memory, ids: memory.drop(ids), "deleted")

    @work(exit_on_error=False)
    async def action_label(self) -> None:
        """Add and remove labels."""
        from memhub_tui.screens.labels import LabelScreen

        chosen = list(self.targets())
        if not chosen:
            return
        ids = [target.id for target in chosen]
        change = await self.app.push_screen_wait(LabelScreen(chosen))
        if change and (change.add or change.remove):
            words = " ".join([*(f"+#{name}" for name in change.add), *(f"-#{name}" for name in change.remove)])
            await self.save(
                lambda memory: memory.label(ids, add=change.add, remove=change.remove),
                f"{words} on {counted(len(ids))}",
            )


def counted(count: int) -> str:
    """`1 item`, `2 items`."""
    return f"{count:,} item{'' if count == 1 else 's'}"
