"""The label picker: type to find or make a label, space to set or clear it on the chosen items."""

from collections.abc import Sequence
from typing import NamedTuple

from rapidfuzz import process
from textual import on, work
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Input, Label, OptionList
from textual.widgets.option_list import Option

from memhub.model.item import Item
from memhub.model.row import Row
from memhub_tui.errors import ReportsErrors

MOST = 50


class LabelChange(NamedTuple):
    """Labels to add and to remove."""

    add: tuple[str, ...]
    remove: tuple[str, ...]


class LabelScreen(ReportsErrors, ModalScreen[LabelChange | None]):
    """Answers with the change, or None."""

    CSS_PATH = "labels.tcss"
    BINDINGS = [
        ("escape", "dismiss(None)", "Cancel"),
        ("ctrl+s", "done", "Done"),
    ]

    def __init__(self, chosen: Sequence[Row | Item]) -> None:
        super().__init__()
        self._count = len(chosen)
        self._on = {name for item in chosen for name in item.labels}
        self._all = set.intersection(*(set(item.labels) for item in chosen)) if chosen else set()
        self._add: set[str] = set()
        self._remove: set[str] = set()
        self._known: list[str] = sorted(self._on)

    def compose(self) -> ComposeResult:
        """A box with an input over the labels."""
        with Vertical(id="box"):
            yield Label(f"Labels of {self._count} item{'s' if self._count > 1 else ''}", id="title")
            yield Input(placeholder="find or make a label", id="name")
            yield OptionList(id="labels")
            yield Label("Enter sets or clears · Ctrl+S done · Esc cancels", id="keys")

    def on_mount(self) -> None:
        """Fetch the labels there are."""
        self.fetch()

    @work(exit_on_error=False)
    async def fetch(self) -> None:
        """Every label, the most used first."""
        backend = self.app.backend  # type: ignore[attr-defined]
        known: list[str] = await backend.view.run(lambda memory: [label.name for label in memory.labels()])
        self._known = list(dict.fromkeys([*sorted(self._on), *known]))
        self.fill()

    @on(Input.Changed, "#name")
    def fill(self) -> None:
        """The labels that fit what was typed, and a new one."""
        typed = self._typed()
        names = self._known
        if typed:
            names = [name for name, *_ in process.extract(typed, names, limit=MOST, score_cutoff=50)]
            if typed not in self._known:
                names = [typed, *names]
        options = self.query_one("#labels", OptionList)
        options.clear_options()
        options.add_options([Option(self._words(name), id=None) for name in names[:MOST]])
        self._shown = names[:MOST]
        if names:
            options.highlighted = 0

    def _typed(self) -> str:
        return self.query_one("#name", Input).value.strip().lstrip("#")

    def _words(self, name: str) -> Content:
        is_on = (name in self._on or name in self._add) and name not in self._remove
        some = is_on and name not in self._add and name not in self._all
        new = name not in self._known and name not in self._add
        return Content(f"{'[-]' if some else '[x]' if is_on else '[ ]'} #{name}{'  (new)' if new else ''}")

    @on(Input.Submitted, "#name")
    def submitted(self) -> None:
        """Enter: toggle the first, or finish when nothing is typed."""
        if not self._typed():
            self.action_done()
            return
        self.toggle(self.query_one("#labels", OptionList).highlighted or 0)
        self.query_one("#name", Input).value = ""

    @on(OptionList.OptionSelected)
    def selected(self, event: OptionList.OptionSelected) -> None:
        """Toggle one of the list."""
        self.toggle(event.option_index)

    def toggle(self, index: int) -> None:
        """Set or clear a label on all the items."""
        name = self._shown[index]
        is_on = (name in self._on or name in self._add) and name not in self._remove
        some = is_on and name not in self._add and name not in self._all
        self._add.discard(name)
        self._remove.discard(name)
        if is_on and not some:
            if name in self._on:
                self._remove.add(name)
        elif name not in self._all:
            self._add.add(name)
        if name not in self._known:
            self._known.insert(0, name)
        self.query_one("#labels", OptionList).replace_option_prompt_at_index(index, self._words(name))

    def action_done(self) -> None:
        """Answer."""
        self.dismiss(LabelChange(tuple(sorted(self._add)), tuple(sorted(self._remove))))
