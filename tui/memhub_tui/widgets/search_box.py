"""The search box: arrows move the list's cursor while one types, and filters are completed."""

from collections.abc import Sequence

from textual import work
from textual.binding import Binding
from textual.suggester import Suggester

from memhub.workspace import Memory
from memhub_tui.backend import Backend
from memhub_tui.errors import ReportsErrors
from memhub_tui.query_line import completed
from memhub_tui.widgets.in_order import Line
from memhub_tui.widgets.virtual_list import VirtualList

PLACEHOLDER = "Search    #label kind:note since:3d"


class SearchBox(ReportsErrors, Line):
    """Belongs to the one list of its screen."""

    BINDINGS = [
        Binding("down,ctrl+n", "list('down')", "Next", show=False),
        Binding("up", "list('up')", "Before", show=False),
        Binding("pagedown", "list('page_down')", "Page down", show=False),
        Binding("pageup", "list('page_up')", "Page up", show=False),
    ]

    def __init__(self, value: str = "", *, placeholder: str = PLACEHOLDER, id: str | None = None) -> None:
        super().__init__(value, placeholder=placeholder, id=id, select_on_focus=False)
        self.known: dict[str, Sequence[str]] = {}
        self.suggester = _Filters(self)

    def on_mount(self) -> None:
        """Completion needs the names in the file."""
        self.learn()

    @work(exclusive=True, group="names", exit_on_error=False)
    async def learn(self) -> None:
        """Read the names of labels, spaces and projects."""
        backend: Backend = self.app.backend  # type: ignore[attr-defined]
        self.known = await backend.view.run(_names)

    def action_list(self, move: str) -> None:
        """Move in the list."""
        getattr(self.screen.query_one(VirtualList), f"action_{move}")()


class _Filters(Suggester):
    """Completes `#tra` to `#travel` and `ki` to `kind:`."""

    def __init__(self, box: SearchBox) -> None:
        super().__init__(use_cache=False, case_sensitive=True)
        self._box = box

    async def get_suggestion(self, value: str) -> str | None:
        """The line with its last word completed."""
        return completed(value, lambda name: self._box.known.get(name, ()))


def _names(memory: Memory) -> dict[str, Sequence[str]]:
    return {
        "label": [label.name for label in memory.labels()],
        "in": [space.name for space in memory.spaces()],
        "project": memory.projects(),
    }
