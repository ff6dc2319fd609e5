"""One question with a few answers."""

from collections.abc import Mapping

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Horizontal, Vertical
from textual.screen import ModalScreen
from textual.widgets import Button, Label


class ConfirmScreen(ModalScreen[str | None]):
    """Answers with the name of the chosen button, or None after Escape. `answers` are name → words."""

    CSS_PATH = "confirm.tcss"
    BINDINGS = [
        Binding("escape", "dismiss(None)", "Cancel"),
        Binding("left", "app.focus_previous", show=False),
        Binding("right", "app.focus_next", show=False),
    ]

    def __init__(self, question: str, answers: Mapping[str, str]) -> None:
        super().__init__()
        self._question = question
        self._answers = answers
        for name, words in answers.items():
            self._bindings.bind(words[0].lower(), f"dismiss('{name}')", words, show=False)

    def compose(self) -> ComposeResult:
        """The question over its answers; the first letter of each answers too."""
        with Vertical(id="box"):
            yield Label(self._question, markup=False)
            with Horizontal():
                for name, words in self._answers.items():
                    yield Button(words, id=name, compact=True)

    @on(Button.Pressed)
    def pressed(self, event: Button.Pressed) -> None:
        """Answer."""
        self.dismiss(event.button.id)
