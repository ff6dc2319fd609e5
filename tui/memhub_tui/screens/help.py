"""Help: what every key does, those of the screen before it first; typing narrows it."""

from collections.abc import Sequence

from rich.segment import Segment
from textual import on
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import Input

from memhub_tui.actions import ACTIONS, Action
from memhub_tui.widgets.in_order import Line
from memhub_tui.widgets.lines import line
from memhub_tui.widgets.virtual_list import Fixed, VirtualList

SCOPES = {
    "app": "everywhere", "list": "in lists", "items": "on items", "browse": "Browse", "item": "an item",
    "links": "Links", "threads": "Threads", "thread": "a conversation", "review": "Review",
    "log": "Log", "activity": "Activity",     "settings": "Settings", "pick": "mh pick",
}  # fmt: skip
_KEYS = {"slash": "/", "question_mark": "?", "greater_than_sign": ">", "less_than_sign": "<", "delete": "del"}


class HelpList(VirtualList[Action]):
    """Actions."""

    def draw(self, entry: Action, width: int) -> list[Segment]:
        """Keys, words, scope."""
        keys = " ".join(_KEYS.get(key, key.replace("ctrl+", "^")) for key in entry.keys.split(","))
        return line(f"{keys:16}", entry.help, SCOPES.get(entry.scope, entry.scope), width, self.style)


class HelpScreen(ModalScreen[None]):
    """Over the screen whose `scopes` come first."""

    CSS_PATH = "help.tcss"
    BINDINGS = [("escape,question_mark,f1", "dismiss", "Back")]

    def __init__(self, scopes: Sequence[str]) -> None:
        super().__init__()
        self._scopes = scopes

    def compose(self) -> ComposeResult:
        """A line to type over the keys."""
        with Vertical(id="box"):
            yield Line(placeholder="What do you want to do?", id="words")
            yield HelpList(empty="No key does that.", id="keys")

    def on_mount(self) -> None:
        """All of them."""
        self.fill()

    @on(Input.Changed)
    def fill(self) -> None:
        """Those that have the typed words."""
        typed = self.query_one("#words", Input).value.casefold().split()
        order = [*self._scopes, *(scope for scope in SCOPES if scope not in self._scopes)]
        found = [
            action
            for action in sorted(ACTIONS, key=lambda action: order.index(action.scope))
            if all(word in f"{action.words} {action.help} {action.keys}".casefold() for word in typed)
        ]
        self.run_worker(self.query_one("#keys", HelpList).show(Fixed(found)), exclusive=True, exit_on_error=False)
