"""What can be done with items, wherever they are chosen: the actions of the scope `items`."""

from collections.abc import Callable, Sequence

from textual import work

from memhub.errors import UsageError
from memhub.model.item import Item
from memhub.model.row import Row
from memhub.text.clean import one_line, terminal_safe
from memhub.workspace import Memory
from memhub_tui.jobs import Tell
from memhub_tui.screens.base import MhScreen

MANY = 500  # items from which a change is a job
MOST_COPIED = 1_000_000  # characters; terminals refuse more, some of them much less


class ItemVerbs(MhScreen[None]):
    """For screens where items are chosen. Each verb works on all of `targets`, under one operation."""

    def targets(self) -> Sequence[Row | Item]:
        """The chosen items."""
        raise NotImplementedError

    def centre(self) -> str | None:
        """The first of the chosen items."""
        return next((target.id for target in self.targets()), None)

    def do(self, change: Callable[[Memory, list[str]], object], done: str) -> None:
        """Change the chosen items under one operation, and say so."""
        self.change([target.id for target in self.targets()], change, done)

    @work(exit_on_error=False)
    async def change(self, ids: list[str], change: Callable[[Memory, list[str]], object], done: str) -> None:
        """See `do`. Many items are a job: it shows how far it is, and the screen goes on meanwhile."""
        if len(ids) > MANY:
            self.mh.jobs.start(done.rstrip(":"), lambda memory, tell: _job(memory, ids, change, tell))
        elif ids:
            await self.save(lambda memory: _on_present(memory, ids, change), lambda gone: f"{done} {_words(ids, gone)}")

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
        ids = [target.id for target in chosen]
        change = await self.app.push_screen_wait(LabelScreen(chosen)) if chosen else None
        if change and (change.add or change.remove):
            words = " ".join([*(f"+#{name}" for name in change.add), *(f"-#{name}" for name in change.remove)])
            self.change(ids, lambda memory, ids: memory.label(ids, add=change.add, remove=change.remove), f"{words} on")

    @work(exit_on_error=False)
    async def action_importance(self) -> None:
        """Set the importance."""
        from memhub_tui.screens.importance import NONE, ImportanceScreen

        chosen = list(self.targets())
        ids = [target.id for target in chosen]
        question = f"Importance of {counted(len(ids))}"
        answer = await self.app.push_screen_wait(ImportanceScreen(question, chosen[0].importance)) if ids else None
        if answer is not None:
            number = None if answer == NONE else float(answer)
            self.change(ids, lambda memory, ids: memory.set(ids, importance=number), f"importance {answer} for")

    @work(exit_on_error=False)
    async def action_move(self) -> None:
        """Move into another space."""
        from memhub_tui.screens.spaces import SpaceScreen

        ids = [target.id for target in self.targets()]
        space = await self.app.push_screen_wait(SpaceScreen(f"Move {counted(len(ids))} to")) if ids else None
        if space:
            self.change(ids, lambda memory, ids: memory.move(ids, space), f"moved to {space}:")

    @work(exit_on_error=False)
    async def action_edit_outside(self) -> None:
        """Change the text in the user's own editor."""
        from memhub_tui.outside import edit_outside

        if chosen := self.targets():
            await edit_outside(self, chosen[0].id)

    @work(exit_on_error=False)
    async def action_export(self) -> None:
        """Write Markdown files into a folder, or JSON Lines into a file."""
        from memhub_tui.exporting import export

        if ids := [target.id for target in self.targets()]:
            await export(self, ids)

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
        text = ("\n" if what == "id" else "\n\n").join(texts)
        if len(text) > MOST_COPIED:
            raise UsageError(f"{len(text):,} characters are too many for a clipboard", "`x` writes them into files")
        if texts:
            self.app.copy_to_clipboard(text)
            first = f": {one_line(terminal_safe(text), 40)}" if len(texts) == 1 else ""
            self.notify(f"copied the {what} of {counted(len(texts))}{first}", timeout=2, markup=False)

    @work(exit_on_error=False)
    async def action_open_source(self) -> None:
        """Open the page, file or conversation it came from."""
        from memhub_tui.outside import open_source

        if chosen := self.targets():
            await open_source(self, chosen[0].id)

    def action_links(self) -> None:
        """Walk along the links."""
        from memhub_tui.screens.links import LinksScreen

        if chosen := self.targets():
            self.app.push_screen(LinksScreen(chosen[0].id))


def _on_present(memory: Memory, ids: list[str], change: Callable[[Memory, list[str]], object]) -> int:
    """Change the items that are still there; how many are not."""
    present = [item.id for item in memory.get_many(ids) if item.state != "erased"]
    if present:
        change(memory, present)
    return len(ids) - len(present)


def _job(memory: Memory, ids: list[str], change: Callable[[Memory, list[str]], object], tell: Tell) -> str:
    memory.progress = tell
    return _words(ids, _on_present(memory, ids, change))


def _words(ids: list[str], gone: int) -> str:
    return counted(len(ids) - gone) + (f"; {gone:,} gone meanwhile" if gone else "")


def counted(count: int) -> str:
    """`1 item`, `2 items`."""
    return f"{count:,} item{'' if count == 1 else 's'}"
