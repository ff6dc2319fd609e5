"""The label picker: type to find or make a label, Enter sets or clears it on the chosen items."""

from collections.abc import Sequence
from typing import NamedTuple

from textual import work
from textual.content import Content

from memhub.model.item import Item
from memhub.model.row import Row
from memhub_tui.backend import Backend
from memhub_tui.screens.picker import PickerScreen, fitting


class LabelChange(NamedTuple):
    """Labels to add and to remove."""

    add: tuple[str, ...]
    remove: tuple[str, ...]


class LabelScreen(PickerScreen[LabelChange]):
    """Answers with the change, or None."""

    BINDINGS = [("ctrl+s", "done", "Done")]
    hint = "Enter sets or clears · Ctrl+S done · Esc cancels"

    def __init__(self, chosen: Sequence[Row | Item]) -> None:
        super().__init__(f"Labels of {len(chosen):,} item{'s' if len(chosen) > 1 else ''}", "find or make a label")
        self._on = {name for item in chosen for name in item.labels}
        self._all = set.intersection(*(set(item.labels) for item in chosen)) if chosen else set()
        self._add: set[str] = set()
        self._remove: set[str] = set()
        self._known: list[str] = sorted(self._on)

    def on_mount(self) -> None:
        """Fetch the labels there are."""
        self.fetch()

    @work(exit_on_error=False)
    async def fetch(self) -> None:
        """Every label, the most used first."""
        backend: Backend = self.app.backend  # type: ignore[attr-defined]
        known: list[str] = await backend.view.run(lambda memory: [label.name for label in memory.labels()])
        self._known = list(dict.fromkeys([*sorted(self._on), *known]))
        self.fill()

    def offered(self, typed: str) -> Sequence[str]:
        """The labels that fit, and a new one."""
        return fitting(typed.lstrip("#"), self._known)

    def words(self, name: str) -> Content:
        """A box: on all, on some, on none."""
        box = "[-]" if self._is_on(name) and self._is_some(name) else "[x]" if self._is_on(name) else "[ ]"
        return Content(f"{box} #{name}{'' if name in self._known or name in self._add else '  (new)'}")

    def _is_on(self, name: str) -> bool:
        return (name in self._on or name in self._add) and name not in self._remove

    def _is_some(self, name: str) -> bool:
        return name not in self._add and name not in self._all

    def enter(self) -> None:
        """Enter when nothing was typed or looked for is the end of it."""
        if self.typed or self.is_moved:
            super().enter()
        else:
            self.action_done()

    def take(self, name: str) -> None:
        """Set or clear a label on all the items."""
        was_on, some = self._is_on(name), self._is_some(name)
        self._add.discard(name)
        self._remove.discard(name)
        if was_on and not some:
            self._remove.update({name} & self._on)
        elif name not in self._all:
            self._add.add(name)
        if name not in self._known:
            self._known.insert(0, name)
        self.redraw(name)
        if self.typed:
            self.query_one("#name").value = ""  # type: ignore[attr-defined]

    def action_done(self) -> None:
        """Answer."""
        self.dismiss(LabelChange(tuple(sorted(self._add)), tuple(sorted(self._remove))))
