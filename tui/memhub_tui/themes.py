"""Themes: those of Textual, one of high contrast, and the user's own; which one counts, and a look at another."""

import difflib
import tomllib
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from textual import on, work
from textual.app import App
from textual.command import Command, CommandPalette
from textual.theme import BUILTIN_THEMES, Theme

from memhub import config as settings
from memhub.config import Config
from memhub.paths import config_folder

if TYPE_CHECKING:
    from memhub_tui.backend import Backend

R = TypeVar("R")
HIGH_CONTRAST = Theme(
    name="high-contrast", dark=True, primary="#00ffff", secondary="#ffff00", accent="#ff8cff", foreground="#ffffff",
    background="#000000", surface="#000000", panel="#303030", boost="#1c1c1c", success="#00ff00", warning="#ffff00",
    error="#ff8080",
    variables={
        "block-cursor-background": "#ffff00", "block-cursor-foreground": "#000000", "block-cursor-text-style": "bold",
        "footer-key-foreground": "#ffff00", "input-cursor-background": "#ffff00", "border": "#ffffff",
    },
)  # fmt: skip


def folder() -> Path:
    """Where the user's own lie: a TOML file each, with the colours that Textual's themes have."""
    return config_folder() / "themes"


def own_themes() -> tuple[list[Theme], list[str]]:
    """The user's themes, and what could not be read."""
    themes, faults = [], []
    for path in sorted(folder().glob("*.toml")):
        try:
            theme = Theme(**{"name": path.stem, **tomllib.loads(path.read_text("utf-8-sig"))})
            theme.to_color_system().generate()
        except Exception as error:  # a file of the user's: a wrong colour, word or type in it stops nothing
            faults.append(f"{path.name}: {error}")
        else:
            themes.append(theme)
    return themes, faults


class Themed(App[R]):
    """An app whose colours the setting `tui.theme` names; going over one in the palette shows it."""

    config: Config
    backend: "Backend"

    def take_themes(self) -> list[str]:
        """Learn the themes there are and take the one that counts; what is wrong with one of them."""
        themes, faults = own_themes()
        for theme in (HIGH_CONTRAST, *themes):
            self.register_theme(theme)
        name = self.config.text("tui.theme")
        if name not in self.available_themes:
            near = difflib.get_close_matches(name, self.available_themes, 1)
            faults.append(f"no theme {name}" + (f"; did you mean {near[0]}?" if near else "; the palette shows them"))
        self.settings_changed()
        return faults

    def settings_changed(self) -> None:
        """Take what the settings say of the screen."""
        if self.config.text("tui.theme") in self.available_themes:
            self.theme = self.config.text("tui.theme")
        self.animation_level = "none" if self.config.text("tui.motion") == "off" else "full"

    @work(exit_on_error=False)
    async def choose_theme(self, name: str) -> None:
        """Change the colours, and remember that."""
        self.theme = name
        await self.remember("tui.theme", name)

    async def remember(self, name: str, value: str | int) -> None:
        """Write a setting into the file."""
        await self.backend.view.run(lambda _: settings.write(self.config.file, name, value))
        self.config.forget()

    @on(CommandPalette.OptionHighlighted)
    def look_at(self, event: CommandPalette.OptionHighlighted) -> None:
        """Show the theme that the cursor of the palette is on."""
        option = event.highlighted_event.option
        command = option.hit.command if isinstance(option, Command) else None
        is_theme = isinstance(command, partial) and command.func == self.choose_theme
        self.theme = command.args[0] if isinstance(command, partial) and is_theme else self._own_theme

    @on(CommandPalette.Closed)
    def look_away(self, event: CommandPalette.Closed) -> None:
        """Back to the theme that counts, unless another was chosen."""
        if not event.option_selected:
            self.theme = self._own_theme

    @property
    def _own_theme(self) -> str:
        name = self.config.text("tui.theme")
        return name if name in self.available_themes else next(iter(BUILTIN_THEMES))
