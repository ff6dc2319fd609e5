"""Settings: every one with its value and where that comes from; keys by name alone."""

from typing import NamedTuple

from rich.segment import Segment
from textual import on, work

from memhub import config as settings
from memhub.config import Config
from memhub.secrets import list_keys
from memhub_tui.actions import bindings
from memhub_tui.item_view import Shown
from memhub_tui.screens.prompt import PromptScreen
from memhub_tui.screens.split import SplitScreen
from memhub_tui.widgets.lines import line
from memhub_tui.widgets.moves import moves
from memhub_tui.widgets.pages import Fixed
from memhub_tui.widgets.virtual_list import VirtualList


class Line(NamedTuple):
    """A setting, or (without words to change it) a key or a place."""

    id: str
    value: str
    origin: str
    words: str
    is_setting: bool


class SettingList(VirtualList[Line], inherit_bindings=False):
    """Settings, keys and places. Enter is the screen's."""

    BINDINGS = moves()

    def draw(self, entry: Line, width: int) -> list[Segment]:
        """Name, value, origin."""
        return line(f"{entry.id:18}", entry.value or "–", entry.origin.split(" ")[0], width, self.style)


class SettingsScreen(SplitScreen[Line]):
    """The sixth mode."""

    BINDINGS = bindings("settings")
    name_in_bar = "settings"

    def make_list(self) -> SettingList:
        """All of them."""
        return SettingList(id="entries")

    async def source(self) -> Fixed[Line]:
        """Read anew from flags, environment and file."""
        return Fixed(await self.backend.view.run(lambda memory: _lines(self.mh.config, str(memory.path))))

    async def shown(self, entry: Line) -> Shown:
        """What it does and where its value comes from."""
        return Shown(entry.id, f"{entry.value or '–'}  ·  {entry.origin}", "", entry.words)

    @work(exit_on_error=False)
    async def action_change(self) -> None:
        """Ask for a value and write it into the file."""
        entry = self.entries.entry
        if entry is None or not entry.is_setting:
            return
        setting = settings.known(entry.id)
        words = f" ({', '.join(setting.kind)})" if isinstance(setting.kind, tuple) else ""
        answer = await self.app.push_screen_wait(PromptScreen(f"{entry.id}{words}", entry.value))
        if answer is not None:
            value = settings.parse(setting, answer, "this line")
            await self.backend.view.run(lambda _: settings.write(self.mh.config.file, entry.id, value))
            self._written(entry.id)

    @work(exit_on_error=False)
    async def action_reset(self) -> None:
        """Take it out of the file."""
        entry = self.entries.entry
        if entry is not None and entry.is_setting:
            await self.backend.view.run(lambda _: settings.write(self.mh.config.file, entry.id, None))
            self._written(entry.id)

    @on(SettingList.Chosen)
    def chosen(self) -> None:
        """A double click changes, too."""
        self.action_change()

    def _written(self, name: str) -> None:
        self.mh.config.forget()
        self.notify(f"{name} = {self.mh.config[name] or '–'}", timeout=3, markup=False)
        self.mh.settings_changed()
        self.read_list(keep=True)


def _lines(config: Config, database: str) -> list[Line]:
    words = {setting.name: setting.words.replace("`", "") for setting in settings.SETTINGS}
    found = [Line(one.name, str(one.value), one.origin, words[one.name], True) for one in config.all()]
    found += [Line(f"key {key.name}", "set", key.origin, "`mh key set` changes it", False) for key in list_keys()]
    return [
        *found,
        Line("database", database, "", "the file in use", False),
        Line("config", str(config.file), "", "", False),
    ]
