"""The picker of an importance: a number from 0 to 1, or none."""

from collections.abc import Sequence

from textual.content import Content

from memhub_tui.screens.picker import PickerScreen

NONE = "none"
STEPS = ("1", "0.9", "0.8", "0.7", "0.6", "0.5", "0.4", "0.3", "0.2", "0.1", "0", NONE)


class ImportanceScreen(PickerScreen[str]):
    """Answers with a number as it was typed, or `NONE`."""

    def __init__(self, question: str, now: float | None) -> None:
        super().__init__(question, "0 to 1")
        self._now = NONE if now is None else f"{now:g}"

    def on_mount(self) -> None:
        """All steps, what holds now under the cursor."""
        self.fill()
        if self._now in self.shown:
            self.query_one("#options").highlighted = self.shown.index(self._now)  # type: ignore[attr-defined]

    def offered(self, typed: str) -> Sequence[str]:
        """The number that was typed, if it is one."""
        if not typed:
            return STEPS
        fits = [step for step in STEPS if step.startswith(typed)]
        return list(dict.fromkeys([*([typed] if _is_importance(typed) else []), *fits]))

    def words(self, name: str) -> Content:
        """The number and a bar."""
        if name == NONE:
            return Content(name)
        return Content.assemble(f"{name:5} ", ("━" * round(float(name) * 30), "$accent"))

    def take(self, name: str) -> None:
        """Answer."""
        self.dismiss(name)


def _is_importance(typed: str) -> bool:
    try:
        return 0 <= float(typed) <= 1
    except ValueError:
        return False
