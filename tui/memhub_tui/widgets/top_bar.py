"""The line on top: where one is, in which space, and what is wrong with the file if anything is."""

from textual import events
from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.content import Content
from textual.widgets import Static

from memhub_tui.modes import MODES

WIDE = 120


class TopBar(Horizontal):
    """`here` is the mode to mark."""

    DEFAULT_CSS = """
    TopBar {
        dock: top;
        height: 1;
        background: $panel;
        & > #modes { width: auto; }
        & > #jobs { width: auto; color: $accent; padding: 0 1; }
        & > #status { width: 1fr; text-align: right; color: $foreground 70%; }
        & > #status.alert { color: $error; text-style: bold; }
    }
    """

    def __init__(self, here: str) -> None:
        super().__init__()
        self._here = here
        self._is_narrow = False

    def compose(self) -> ComposeResult:
        """Modes left, state right."""
        yield Static(self._modes(), id="modes")
        yield Static(getattr(self.app, "jobs_in_bar", ""), id="jobs", markup=False)
        yield Static("", id="status", markup=False)

    def on_resize(self, event: events.Resize) -> None:
        """A narrow window has room for the name of one mode."""
        if (event.size.width < WIDE) != self._is_narrow:
            self._is_narrow = not self._is_narrow
            self.query_one("#modes", Static).update(self._modes())

    def _modes(self) -> Content:
        parts: list[tuple[str, str] | str] = [(" mh ", "bold $primary")]
        for mode in MODES:
            is_here = mode.name == self._here
            words = f" {mode.key} {mode.words} " if is_here or not self._is_narrow else f" {mode.key} "
            parts.append((words, "bold reverse" if is_here else ""))
        return Content.assemble(*parts)

    def tell(self, words: str, *, alert: bool = False) -> None:
        """What stands at the right."""
        status = self.query_one("#status", Static)
        status.update(Content(words))
        status.set_class(alert, "alert")

    def tell_jobs(self, words: str) -> None:
        """How far the long work is; nothing when none runs."""
        for jobs in self.query("#jobs").results(Static):  # a bar that is just being made asks itself
            jobs.update(Content(words))
