"""The command palette: every action of the screen in front, the modes, themes and spaces, and any item by its title."""

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any, cast

from rapidfuzz import fuzz, process
from textual.command import DiscoveryHit, Hit, Hits, Provider

from memhub.text.clean import one_line, terminal_safe
from memhub_tui.actions import ACTIONS

if TYPE_CHECKING:
    from memhub_tui.app import MhApp

Row = tuple[str, str, Callable[[], Any]]
MOST_TITLES = 5000  # the newest items, whose titles are looked through
MOST_ITEMS = 8


class Actions(Provider):
    """What can be done here."""

    async def discover(self) -> Hits:
        """Everything."""
        for words, help, run in self._all():
            yield DiscoveryHit(words, run, help=help)

    async def search(self, query: str) -> Hits:
        """What fits."""
        matcher = self.matcher(query)
        for words, help, run in self._all():
            if (score := max(matcher.match(words), matcher.match(help))) > 0:
                yield Hit(score, matcher.highlight(words), run, help=help)

    def _all(self) -> list[Row]:
        app = cast("MhApp", self.app)
        active = {binding.binding.id: binding for binding in self.screen.active_bindings.values()}
        found: list[Row] = [
            (action.words, action.help, partial(app.run_action, action.name, active[action.id].node))
            for action in ACTIONS
            if action.id in active and active[action.id].enabled and action.scope not in ("list",)
        ]
        found += [
            (f"Theme: {name}", "Change the colours", partial(app.choose_theme, name)) for name in app.available_themes
        ]
        found.append(("Space", "Work in another space", partial(app.run_action, "space", app)))
        return found


class Items(Provider):
    """Jump to an item by its title or first words."""

    async def startup(self) -> None:
        """Read the titles once."""
        app = cast("MhApp", self.app)
        rows = await app.backend.view.run(lambda memory: memory.rows(sort="updated", limit=MOST_TITLES))
        self._titles = {row.id: terminal_safe(one_line(row.title or row.head, 70)) for row in rows}

    async def search(self, query: str) -> Hits:
        """The nearest titles."""
        app = cast("MhApp", self.app)
        for title, score, identifier in process.extract(
            query, self._titles, scorer=fuzz.WRatio, limit=MOST_ITEMS, score_cutoff=60
        ):
            yield Hit(score / 100, _plain(title), partial(app.open_item, identifier), help="Open this item")


def _plain(title: str) -> str:
    return title.replace("[", "\\[")
