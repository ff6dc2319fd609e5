"""Help: what every key does, those of the screen before it first; typing narrows it."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from rich.segment import Segment
from textual import on, work
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import Input, Label

from memhub.text.clean import display_width, one_line
from memhub_tui.actions import ACTIONS, Action
from memhub_tui.errors import ReportsErrors
from memhub_tui.widgets.in_order import Line
from memhub_tui.widgets.pages import Fixed
from memhub_tui.widgets.virtual_list import VirtualList

SCOPES = {
    "browse": "Browse", "item": "An item", "links": "Links", "threads": "Threads", "thread": "A conversation",
    "review": "Review", "log": "Log", "activity": "Activity", "import": "Import", "settings": "Settings",
    "brief": "Brief", "persona": "Persona", "graph": "Graph",
    "items": "Items, wherever they are chosen", "list": "Every list", "view": "Beside a preview", "app": "Everywhere",
    "pick": "mh pick",
}  # fmt: skip
_KEYS = 18  # columns


class HelpLine(NamedTuple):
    """An action with its keys, or (without an action) the name of a scope."""

    id: str
    action: Action | None
    words: str


class HelpList(VirtualList[HelpLine]):
    """Actions under their scopes."""

    def draw(self, entry: HelpLine, width: int) -> list[Segment]:
        """A heading, or keys and words."""
        if entry.action is None:
            return [Segment(one_line(entry.words, width), self.style("label"))]
        keys = one_line(entry.words, _KEYS - 1)
        gap = " " * (_KEYS - display_width(keys))
        return [
            Segment(f"{keys}{gap}", self.style("mark")),
            Segment(one_line(entry.action.help, max(width - _KEYS, 1))),
        ]


class HelpScreen(ReportsErrors, ModalScreen[None]):
    """Over the screen whose `scopes` come first; `keys` are action id → keys as they are shown."""

    CSS_PATH = "help.tcss"
    BINDINGS = [
        ("escape,f1", "dismiss", "Back"),
        ("down,ctrl+n", "move('down')", "Next"),
        ("up", "move('up')", "Before"),
        ("pagedown", "move('page_down')", "Page down"),
        ("pageup", "move('page_up')", "Page up"),
    ]

    def __init__(self, scopes: Sequence[str], keys: Mapping[str, str]) -> None:
        super().__init__()
        self._order = list(dict.fromkeys([*scopes, *SCOPES]))
        self._keys = keys

    def compose(self) -> ComposeResult:
        """A line to type over the keys."""
        with Vertical(id="box"):
            yield Line(placeholder="What do you want to do?", id="words")
            yield HelpList(empty="No key does that.", id="keys")
            yield Label("Esc goes back · keys.toml changes keys · Ctrl+P finds actions by name", id="hint")

    def on_mount(self) -> None:
        """All of them."""
        self.fill()

    def action_move(self, move: str) -> None:
        """Go through the list while one types."""
        getattr(self.query_one(HelpList), f"action_{move}")()

    @on(Input.Changed)
    def fill(self) -> None:
        """Those that have the typed words."""
        typed = self.query_one("#words", Input).value.casefold().split()
        lines: list[HelpLine] = []
        for scope in self._order:
            fits = [action for action in ACTIONS if action.scope == scope and self._fits(action, typed)]
            if fits:
                lines.append(HelpLine(scope, None, SCOPES.get(scope, scope)))
                lines += [HelpLine(action.id, action, self._keys.get(action.id, "")) for action in fits]
        self._show(lines)

    @work(exclusive=True, exit_on_error=False)
    async def _show(self, lines: list[HelpLine]) -> None:
        await self.query_one(HelpList).show(Fixed(lines))

    def _fits(self, action: Action, typed: Sequence[str]) -> bool:
        text = f"{action.words} {action.help} {self._keys.get(action.id, '')} {action.id}".casefold()
        return all(word in text for word in typed)
