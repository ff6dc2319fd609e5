"""The command palette: every action of the screen, the modes, themes, spaces; any item by its title, and any name."""

import asyncio
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from rapidfuzz import fuzz, process
from textual.binding import Binding
from textual.command import DiscoveryHit, Hit, Hits, Provider
from textual.content import Content

from memhub.text.clean import one_line, terminal_safe
from memhub.workspace import Memory
from memhub_tui.actions import ACTIONS
from memhub_tui.keymap import keys_of

if TYPE_CHECKING:
    from memhub_tui.app import MhApp

MOST_TITLES = 20_000  # the newest items, whose titles are looked through by likeness
MOST_ITEMS = 8
MOST_NAMES = 4
_MOVES = {"down", "up", "page_down", "page_up", "first", "last"}


class Entry(NamedTuple):
    """A line of the palette: `key` is shown beside the words."""

    words: str
    help: str
    run: partial[Any]
    key: str = ""


class Entries(Provider):
    """For things that are all known: a subclass names them."""

    def entries(self) -> list[Entry]:
        """All of them, in order."""
        raise NotImplementedError

    @property
    def mh(self) -> "MhApp":
        """The app."""
        return cast("MhApp", self.app)

    async def discover(self) -> Hits:
        """Everything."""
        for entry in self.entries():
            yield DiscoveryHit(_shown(entry, Content(entry.words)), entry.run, text=entry.words, help=entry.help)

    async def search(self, query: str) -> Hits:
        """What fits."""
        matcher = self.matcher(query)
        for entry in self.entries():
            score = max(matcher.match(entry.words), matcher.match(entry.help) * 0.8)
            if score > 0:
                words = _shown(entry, matcher.highlight(entry.words))
                yield Hit(score, words, entry.run, text=entry.words, help=entry.help)


class Commands(Entries):
    """What can be done here, where to work, and the colours, of which the one under the cursor is shown at once."""

    async def startup(self) -> None:
        """Read the names of the spaces."""
        self._spaces = await self.mh.backend.view.run(lambda memory: [space.name for space in memory.spaces()])

    def entries(self) -> list[Entry]:
        """The actions of the table whose keys do something now; spaces, the default one first; themes."""
        active = {one.binding.id: one for one in self.screen.active_bindings.values()}
        keys = keys_of(self.mh.keys.keymap)
        actions = [
            Entry(
                action.words,
                action.help,
                partial(self.app.run_action, action.name, active[action.id].node),
                self.app.get_key_display(Binding(keys[action.id][0], "")),
            )
            for action in ACTIONS
            if action.id in active and active[action.id].enabled and action.name not in (*_MOVES, "command_palette")
        ]
        spaces = [
            Entry(f"Space: {name}", "Work in this space and what it reads", partial(self.mh.enter, name))
            for name in self._spaces
        ]
        themes = [
            Entry(f"Theme: {name}", "Change the colours", partial(self.mh.choose_theme, name))
            for name in sorted(self.app.available_themes)
        ]
        return [*actions, *spaces, *themes]


class Items(Provider):
    """Jump to an item by its title or first words, even mistyped; by words in it when few are like that."""

    async def startup(self) -> None:
        """Read the titles once."""
        app = cast("MhApp", self.app)
        self._titles = await app.backend.view.run(_titles)

    async def search(self, query: str) -> Hits:
        """The nearest titles."""
        app = cast("MhApp", self.app)
        found = await asyncio.to_thread(
            process.extract, query, self._titles, scorer=fuzz.WRatio, limit=MOST_ITEMS, score_cutoff=60
        )
        if len(found) < MOST_ITEMS:
            named = {identifier for _, _, identifier in found}
            more = await app.backend.search.run(lambda memory: _with_words(memory, query))
            found += [(title, 50.0, identifier) for identifier, title in more.items() if identifier not in named]
        for title, score, identifier in found[:MOST_ITEMS]:
            yield Hit(
                score / 100, Content(title), partial(app.open_item, identifier), text=title, help="Open this item"
            )


class Names(Provider):
    """Jump to what hangs together around somebody or something that texts speak of."""

    async def search(self, query: str) -> Hits:
        """Those whose names have these letters."""
        app, matcher = cast("MhApp", self.app), self.matcher(query)
        found = await app.backend.view.run(lambda memory: memory.entities(query, limit=MOST_NAMES))
        for one in found:
            words = _title(one.name)
            score = max(matcher.match(words), 0.5)
            yield Hit(
                score, Content(words), partial(app.open_graph, one.id), text=words, help=f"Graph of this {one.type}"
            )


def _titles(memory: Memory) -> dict[str, str]:
    return {row.id: _title(row.title or row.head) for row in memory.rows(sort="updated", limit=MOST_TITLES)}


def _with_words(memory: Memory, query: str) -> dict[str, str]:
    found = memory.search(query, mode="words", limit=MOST_ITEMS, prefix=True)
    return {hit.item.id: _title(hit.item.title or hit.item.content) for hit in found.hits}


def _title(text: str) -> str:
    return one_line(terminal_safe(text).lstrip("# "), 70)


def _shown(entry: Entry, words: Content) -> Content:
    return Content.assemble(words, (f"  {entry.key}", "bold $text-accent")) if entry.key else words
