"""The space picker: type to find or make one."""

from rapidfuzz import process
from textual import on, work
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Input, Label, OptionList
from textual.widgets.option_list import Option

from memhub_tui.errors import ReportsErrors


class SpaceScreen(ReportsErrors, ModalScreen[str | None]):
    """Answers with the name of a space that exists, or None."""

    CSS_PATH = "labels.tcss"
    BINDINGS = [("escape", "dismiss(None)", "Cancel")]

    def __init__(self, question: str) -> None:
        super().__init__()
        self._question = question
        self._known: list[str] = []
        self._shown: list[str] = []

    def compose(self) -> ComposeResult:
        """A line over the spaces."""
        with Vertical(id="box"):
            yield Label(self._question, id="title")
            yield Input(placeholder="find or make a space", id="name")
            yield OptionList(id="labels")

    def on_mount(self) -> None:
        """Fetch the spaces there are."""
        self.fetch()

    @work(exit_on_error=False)
    async def fetch(self) -> None:
        """All of them."""
        backend = self.app.backend  # type: ignore[attr-defined]
        self._known = await backend.view.run(lambda memory: [space.name for space in memory.spaces()])
        self.fill()

    @on(Input.Changed)
    def fill(self) -> None:
        """Those that fit what was typed, and a new one."""
        typed = self.query_one("#name", Input).value.strip()
        self._shown = self._known
        if typed:
            self._shown = [name for name, *_ in process.extract(typed, self._known, limit=20, score_cutoff=50)]
            self._shown += [] if typed in self._known else [typed]
        options = self.query_one("#labels", OptionList)
        options.clear_options()
        options.add_options(
            [Option(Content(name if name in self._known else f"{name}  (new)")) for name in self._shown]
        )
        options.highlighted = 0 if self._shown else None

    @on(Input.Submitted)
    def submitted(self) -> None:
        """Enter takes the first, or the one under the cursor."""
        if self._shown:
            self.choose(self._shown[self.query_one("#labels", OptionList).highlighted or 0])

    @on(OptionList.OptionSelected)
    def selected(self, event: OptionList.OptionSelected) -> None:
        """Take it."""
        self.choose(self._shown[event.option_index])

    @work(exit_on_error=False)
    async def choose(self, name: str) -> None:
        """Make it when it is new, and answer."""
        if name not in self._known:
            await self.app.backend.change(lambda memory: memory.space_new(name))  # type: ignore[attr-defined]
        self.dismiss(name)
