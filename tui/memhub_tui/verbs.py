"""What can be done with items, wherever they are chosen: the actions of the scope `items`."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Protocol, TypeVar

from textual import work

from memhub.errors import UsageError
from memhub.model.item import Item
from memhub.model.row import Row
from memhub.model.trail import Edge
from memhub.workspace import Memory
from memhub_tui.screens.base import MhScreen
from memhub_tui.screens.prompt import PromptScreen

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

    @work(exit_on_error=False)
    async def action_importance(self) -> None:
        """Set the importance."""
        answer = await self.app.push_screen_wait(PromptScreen("Importance, from 0 to 1 (empty: none)"))
        if answer is not None:
            number = _number(answer)
            self.do(lambda memory, ids: memory.set(ids, importance=number), f"importance {answer or 'none'} for")

    @work(exit_on_error=False)
    async def action_move(self) -> None:
        """Move into another space."""
        from memhub_tui.screens.spaces import SpaceScreen

        space = await self.app.push_screen_wait(SpaceScreen("Move to"))
        if space:
            self.do(lambda memory, ids: memory.move(ids, space), f"moved to {space}:")

    @work(exit_on_error=False)
    async def action_edit_outside(self) -> None:
        """Change the text in the user's own editor."""
        from memhub_tui.outside import edit_outside

        if chosen := self.targets():
            await edit_outside(self, chosen[0].id)

    @work(exit_on_error=False)
    async def action_export(self) -> None:
        """Write Markdown files into a new folder."""
        ids = [target.id for target in self.targets()]
        answer = await self.app.push_screen_wait(
            PromptScreen(f"Write {counted(len(ids))} as Markdown into", "mh-export")
        )
        if not answer or not ids:
            return
        written = await self.backend.view.run(lambda memory: memory.export_folder(answer, refs=ids))
        self.notify(f"{counted(written.written + written.unchanged)} in {written.folder}", markup=False)

    def action_copy_id(self) -> None:
        """Copy the ids, one a line."""
        self._copy([target.id for target in self.targets()], "id")

    @work(exit_on_error=False)
    async def action_copy_texts(self) -> None:
        """Copy the texts."""
        self._copy([item.content for item in await self._read_targets()], "text")

    @work(exit_on_error=False)
    async def action_copy_markdown(self) -> None:
        """Copy the texts under their titles."""
        items = await self._read_targets()
        self._copy([f"# {item.title}\n\n{item.content}" if item.title else item.content for item in items], "Markdown")

    async def _read_targets(self) -> list[Item]:
        ids = [target.id for target in self.targets()]
        return await self.backend.view.run(lambda memory: memory.get_many(ids))

    def _copy(self, texts: Sequence[str], what: str) -> None:
        if texts:
            self.app.copy_to_clipboard(("\n" if what == "id" else "\n\n").join(texts))
            self.notify(f"{what} of {counted(len(texts))} copied", timeout=2)

    @work(exit_on_error=False)
    async def action_open_source(self) -> None:
        """Open the page, file or conversation it came from."""
        items = await self._read_targets()
        source = items[0].source if items else None
        thread = (
            next((e.dst for e in await self._edges(items[0].id) if e.relation == "part_of"), None) if items else None
        )
        if thread:
            from memhub_tui.screens.threads import ThreadScreen

            self.app.push_screen(ThreadScreen(thread))
        elif source and source.url and source.url.startswith(("http://", "https://")):
            self.app.open_url(source.url)
        elif source and source.path and Path(source.path).exists():
            self.app.open_url(Path(source.path).resolve().as_uri())
        else:
            self.notify("It was typed here, or its source is no longer where it was.", severity="warning")

    async def _edges(self, identifier: str) -> list[Edge]:
        return await self.backend.view.run(lambda memory: memory.links(identifier))

    def action_links(self) -> None:
        """Walk along the links."""
        from memhub_tui.screens.links import LinksScreen

        if chosen := self.targets():
            self.app.push_screen(LinksScreen(chosen[0].id))


def _number(answer: str) -> float | None:
    if not answer.strip():
        return None
    try:
        return float(answer)
    except ValueError:
        raise UsageError(f"`{answer}` is no number from 0 to 1") from None


def counted(count: int) -> str:
    """`1 item`, `2 items`."""
    return f"{count:,} item{'' if count == 1 else 's'}"
