"""The line on top: where one is, in which space, and what is wrong with the file if anything is."""

from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.content import Content
from textual.widgets import Static

from memhub_tui.modes import MODES


class TopBar(Horizontal):
    """`here` is the mode to mark."""

    DEFAULT_CSS = """
    TopBar {
        dock: top;
        height: 1;
        background: $panel;
        & > #modes { width: auto; }
        & > #status { width: 1fr; text-align: right; color: $foreground 70%; }
        & > #status.alert { color: $error; text-style: bold; }
    }
    """

    def __init__(self, here: str) -> None:
        super().__init__()
        self._here = here

    def compose(self) -> ComposeResult:
        """Modes left, state right."""
        yield Static(self._modes(), id="modes")
        yield Static("", id="status", markup=False)

    def _modes(self) -> Content:
        parts: list[tuple[str, str] | str] = [(" mh ", "bold $primary")]
        for mode in MODES:
            parts.append((f" {mode.key} {mode.words} ", "bold reverse" if mode.name == self._here else ""))
        return Content.assemble(*parts)

    def tell(self, words: str, *, alert: bool = False) -> None:
        """What stands at the right."""
        status = self.query_one("#status", Static)
        status.update(Content(words))
        status.set_class(alert, "alert")
