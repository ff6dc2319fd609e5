"""The table of modes: the screens that a number key leads to, each loaded when it is first gone to."""

from collections.abc import Callable
from importlib import import_module
from typing import Any, NamedTuple

from textual.screen import Screen


class Mode(NamedTuple):
    """One row. `target` is "module:class" of its screen."""

    key: str
    name: str
    words: str
    target: str

    @property
    def make(self) -> Callable[[], Screen[Any]]:
        """Makes the screen."""

        def load() -> Screen[Any]:
            module, _, name = self.target.partition(":")
            screen: Screen[Any] = getattr(import_module(f"memhub_tui.screens.{module}"), name)()
            return screen

        return load


MODES = (
    Mode("1", "browse", "Browse", "browse:BrowseScreen"),
    Mode("2", "threads", "Threads", "threads:ThreadsScreen"),
    Mode("3", "review", "Review", "review:ReviewScreen"),
    Mode("4", "log", "Log", "log:LogScreen"),
    Mode("5", "activity", "Activity", "activity:ActivityScreen"),
    Mode("6", "settings", "Settings", "settings:SettingsScreen"),
    Mode("7", "brief", "Brief", "brief:BriefScreen"),
    Mode("8", "persona", "Persona", "persona:PersonaScreen"),
)
