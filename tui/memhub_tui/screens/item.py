"""One item on a screen of its own."""

from collections.abc import Sequence

from textual import work
from textual.app import ComposeResult

from memhub.model.item import Item
from memhub.model.row import Row
from memhub_tui import item_view
from memhub_tui.actions import bindings
from memhub_tui.item_view import ItemView
from memhub_tui.verbs import ItemVerbs
from memhub_tui.widgets.preview import Preview


class ItemScreen(ItemVerbs):
    """Shows an item."""

    BINDINGS = [*bindings("item"), *bindings("items")]

    def __init__(self, identifier: str) -> None:
        super().__init__()
        self.item_id = identifier
        self._view: ItemView | None = None

    def content(self) -> ComposeResult:
        """The preview, full size."""
        yield Preview(id="preview")

    def on_mount(self) -> None:
        """Read it."""
        self.file_changed()

    def file_changed(self) -> None:
        """Read it again."""
        self.read_item()

    @work(exclusive=True, exit_on_error=False)
    async def read_item(self) -> None:
        """Show the item as it is now."""
        self._view = await self.backend.view.run(lambda memory: item_view.load(memory, self.item_id))
        await self.query_one(Preview).show(self._view, "This item is gone.")

    def targets(self) -> Sequence[Row | Item]:
        """The item."""
        return [self._view.item] if self._view else []

    def action_leave(self) -> None:
        """Back."""
        self.dismiss(None)
