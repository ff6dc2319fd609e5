"""One line to type."""

from textual import on
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import Input, Label

from memhub_tui.widgets.in_order import Line


class PromptScreen(ModalScreen[str | None]):
    """Answers with what was typed, or None after Escape."""

    CSS_PATH = "prompt.tcss"
    BINDINGS = [("escape", "dismiss(None)", "Cancel")]

    def __init__(self, question: str, value: str = "") -> None:
        super().__init__()
        self._question = question
        self._value = value

    def compose(self) -> ComposeResult:
        """A question over a line."""
        with Vertical(id="box"):
            yield Label(self._question, markup=False)
            yield Line(self._value, select_on_focus=False)

    @on(Input.Submitted)
    def submitted(self, event: Input.Submitted) -> None:
        """Answer."""
        self.dismiss(event.value)
