"""The space picker: type to find or make one."""

from collections.abc import Sequence

from textual import work
from textual.content import Content

from memhub_tui.backend import Backend
from memhub_tui.screens.picker import PickerScreen, fitting


class SpaceScreen(PickerScreen[str]):
    """Answers with the name of a space that exists."""

    def __init__(self, question: str) -> None:
        super().__init__(question, "find or make a space")
        self._known: dict[str, str] = {}

    @property
    def backend(self) -> Backend:
        """The core."""
        backend: Backend = self.app.backend  # type: ignore[attr-defined]
        return backend

    def on_mount(self) -> None:
        """Fetch the spaces there are."""
        self.fetch()

    @work(exit_on_error=False)
    async def fetch(self) -> None:
        """All of them, with how much is in each."""
        spaces = await self.backend.view.run(lambda memory: memory.spaces())
        self._known = {space.name: _note(space.items, space.reads) for space in spaces}
        self.fill()

    def offered(self, typed: str) -> Sequence[str]:
        """Those that fit what was typed, and a new one."""
        return fitting(typed, list(self._known))

    def words(self, name: str) -> Content:
        """Name, then what there is to know of it."""
        return Content.assemble(name, (f"  {self._known.get(name, '(new)')}", "dim"))

    @work(exit_on_error=False)
    async def take(self, name: str) -> None:  # type: ignore[override]
        """Make it when it is new, and answer."""
        if name not in self._known:
            await self.backend.change(lambda memory: memory.space_new(name))
        self.dismiss(name)


def _note(items: int, reads: Sequence[str]) -> str:
    return f"{items:,} items" + (f", reads {', '.join(reads)}" if reads else "")
