"""The small app of `mh pick`: one screen below the prompt, which answers with the ids that were chosen."""

from collections.abc import Callable

from textual import on

from memhub.config import Config
from memhub.text.dates import Zone
from memhub.workspace import Memory
from memhub_tui import keymap
from memhub_tui.backend import Backend
from memhub_tui.errors import Failed, words_of
from memhub_tui.screens.pick import PickScreen
from memhub_tui.themes import Themed
from memhub_tui.tty import TtyDriver

Ids = tuple[str, ...]


class PickApp(Themed[Ids | None]):
    """Made by `memhub_tui.run`; answers None when the user left."""

    TITLE = "mh pick"
    CSS_PATH = "screens/pick.tcss"  # Textual reads that of a screen only when it is pushed
    ENABLE_COMMAND_PALETTE = False

    def __init__(
        self,
        make: Callable[[str | None], Memory],
        config: Config,
        zone: Zone,
        *,
        query: str = "",
        space: str | None = None,
        several: bool = True,
    ) -> None:
        super().__init__(driver_class=TtyDriver)
        self.backend = Backend(make, space)
        self.config = config
        self.zone = zone
        self.query_given = query
        self.several = several

    def get_default_screen(self) -> PickScreen:
        """The one screen."""
        return PickScreen(self.query_given, several=self.several)

    def on_load(self) -> None:
        """Take the user's colours and keys; `mh tui` says what is wrong with them."""
        self.take_themes()
        self.set_keymap(keymap.read(keymap.file()).keymap)

    async def on_unmount(self) -> None:
        """Close the file."""
        await self.backend.close()

    @on(Failed)
    def failed(self, event: Failed) -> None:
        """Say what could not be done where the count stands."""
        title, _ = words_of(event.error)
        self.query_one(PickScreen).tell(title)
