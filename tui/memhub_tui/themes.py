"""Themes: those of Textual, one of high contrast, and the user's own."""

import tomllib
from pathlib import Path

from textual.theme import BUILTIN_THEMES, Theme

from memhub.paths import config_folder

HIGH_CONTRAST = Theme(
    name="high-contrast", dark=True, primary="#00ffff", secondary="#ffff00", accent="#ff8cff", foreground="#ffffff",
    background="#000000", surface="#000000", panel="#262626", boost="#1a1a1a", success="#00ff00", warning="#ffff00",
    error="#ff6060",
)  # fmt: skip


def folder() -> Path:
    """Where the user's own lie: a TOML file each, with the colours that Textual's themes have."""
    return config_folder() / "themes"


def all_themes() -> tuple[dict[str, Theme], list[str]]:
    """Every theme by name, and what could not be read."""
    themes, faults = {**BUILTIN_THEMES, HIGH_CONTRAST.name: HIGH_CONTRAST}, []
    for path in sorted(folder().glob("*.toml")):
        try:
            theme = Theme(**{"name": path.stem, **tomllib.loads(path.read_text("utf-8-sig"))})
            theme.to_color_system().generate()
        except Exception as error:  # a file of the user's: a wrong colour, word or type in it stops nothing
            faults.append(f"{path.name}: {error}")
        else:
            themes[theme.name] = theme
    return themes, faults
