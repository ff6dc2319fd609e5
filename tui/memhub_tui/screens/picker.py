"""The shape of what is picked from: a line to type over a list that narrows, moved through while one types."""

from collections.abc import Sequence
from typing import Generic, TypeVar

from rapidfuzz import process
from textual import on
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Input, Label, OptionList
from textual.widgets.option_list import Option

from memhub_tui.errors import ReportsErrors
from memhub_tui.widgets.in_order import Line

MOST = 50
A = TypeVar("A")


class PickerLine(Line):
    """Enter takes, and arrows move in the list, at their place among the letters."""

    BINDINGS = [
        ("down,ctrl+n", "screen.move('down')", "Next"),
        ("up,ctrl+p", "screen.move('up')", "Before"),
        ("pagedown", "screen.move('page_down')", "Page down"),
        ("pageup", "screen.move('page_up')", "Page up"),
    ]

    async def action_submit(self) -> None:
        """Take what is typed by now."""
        await self.screen.run_action("enter")


class PickerScreen(ReportsErrors, ModalScreen[A | None], Generic[A]):
    """Answers None after Escape. A subclass says what is offered, how it looks and what taking one does."""

    CSS_PATH = "picker.tcss"
    BINDINGS = [("escape", "dismiss(None)", "Cancel")]
    hint = "Enter takes · Esc cancels"

    def __init__(self, question: str, placeholder: str = "") -> None:
        super().__init__()
        self.question = question
        self._placeholder = placeholder
        self.shown: list[str] = []
        self.is_moved = False

    def compose(self) -> ComposeResult:
        """Question, line, list, keys."""
        with Vertical(id="box"):
            yield Label(self.question, id="title", markup=False)
            yield PickerLine(placeholder=self._placeholder, id="name")
            options = OptionList(id="options")
            options.can_focus = False
            yield options
            yield Label(self.hint, id="keys", markup=False)

    def offered(self, typed: str) -> Sequence[str]:
        """What fits, best first."""
        raise NotImplementedError

    def words(self, name: str) -> Content:
        """How one is shown."""
        return Content(name)

    def take(self, name: str) -> None:
        """Enter or a click on one."""
        raise NotImplementedError

    @property
    def typed(self) -> str:
        """What stands in the line."""
        return self.query_one("#name", Input).value.strip()

    @on(Input.Changed, "#name")
    def fill(self) -> None:
        """Show what fits, the best one under the cursor."""
        self.shown = list(self.offered(self.typed))[:MOST]
        options = self.query_one("#options", OptionList)
        options.set_options([Option(self.words(name)) for name in self.shown])
        options.highlighted = 0 if self.shown else None
        self.is_moved = False

    def redraw(self, name: str) -> None:
        """Show one again, which looks otherwise now."""
        index = self.shown.index(name)
        self.query_one("#options", OptionList).replace_option_prompt_at_index(index, self.words(name))

    def action_move(self, move: str) -> None:
        """Go through the list."""
        name = move if move.startswith("page") else f"cursor_{move}"
        getattr(self.query_one("#options", OptionList), f"action_{name}")()
        self.is_moved = True

    def action_enter(self) -> None:
        """Enter, which may be faster than the messages that make the list follow what is typed."""
        if not self.is_moved:
            self.fill()
        self.enter()

    def enter(self) -> None:
        """Take what the cursor is on."""
        if self.shown:
            self.take(self.shown[self.query_one("#options", OptionList).highlighted or 0])

    @on(OptionList.OptionSelected)
    def selected(self, event: OptionList.OptionSelected) -> None:
        """Take what was clicked on."""
        self.take(self.shown[event.option_index])


def fitting(typed: str, known: Sequence[str]) -> list[str]:
    """Names that have what was typed in them, then (when none is just that) what was typed, then what is like it."""
    if not typed:
        return list(known)
    small = typed.casefold()
    inside = sorted((name for name in known if small in name.casefold()), key=lambda name: _nearness(name, small))
    near = [name for name, *_ in process.extract(typed, known, limit=MOST, score_cutoff=60)]
    new = [] if typed in known else [typed]
    return list(dict.fromkeys([*inside, *new, *near]))


def _nearness(name: str, small: str) -> int:
    return 0 if name.casefold() == small else 1 if name.casefold().startswith(small) else 2
