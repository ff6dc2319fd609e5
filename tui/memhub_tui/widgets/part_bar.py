"""The line of parts over an item: each with its key and how many lines it has; a click goes there."""

from collections.abc import Mapping

from textual import events
from textual.content import Content
from textual.widgets import Static

WIDE = 90


class PartBar(Static):
    """`parts` are name → words; the screen carries out the action of the name."""

    DEFAULT_CSS = """
    PartBar { height: 1; background: $boost; padding: 0 1; }
    """

    def __init__(self, parts: Mapping[str, str], *, id: str | None = None) -> None:
        super().__init__("", id=id, markup=False)
        self._parts = parts
        self._ends: list[tuple[int, str]] = []

    def tell(self, here: str, keys: Mapping[str, str], counts: Mapping[str, int]) -> None:
        """Show where one is; what has no lines is dim."""
        shown = Content("")
        self._ends = []
        for name, words in self._parts.items():
            count = f" {counts[name]:,}" if counts.get(name) else ""
            style = "bold reverse" if name == here else "" if counts.get(name, 1) else "$foreground 50%"
            part = Content.assemble(
                " ", (keys.get(name, ""), "" if name == here else "$text-accent"), f" {words}{count} "
            )
            shown += part.stylize(style) if style else part
            shown += Content("  " if self.app.size.width >= WIDE else "")
            self._ends.append((shown.cell_length, name))
        self.update(shown)

    async def on_click(self, event: events.Click) -> None:
        """Go there."""
        name = next((name for end, name in self._ends if event.x - 1 < end), None)
        if name:
            await self.screen.run_action(name)
