"""Links: an item in the middle, what it hangs together with around it, and a walk from one to the next."""

from typing import NamedTuple

from rich.segment import Segment

from memhub.text.clean import one_line, terminal_safe
from memhub.workspace import Memory
from memhub_tui import item_view
from memhub_tui.actions import bindings
from memhub_tui.item_view import Shown
from memhub_tui.screens.split import SplitScreen
from memhub_tui.widgets.lines import line
from memhub_tui.widgets.virtual_list import Fixed, VirtualList


class Neighbour(NamedTuple):
    """An item one step away, or a stage of an evolution. `id` is unique in the list, `item` is the item's."""

    id: str
    item: str
    relation: str
    title: str
    note: str = ""


class NeighbourList(VirtualList[Neighbour]):
    """Neighbours, the item's own links first."""

    def draw(self, entry: Neighbour, width: int) -> list[Segment]:
        """Relation and title."""
        return line(f"{entry.relation[:18]:18} ", entry.title, entry.note, width, self.style)


class LinksScreen(SplitScreen[Neighbour]):
    """`path` is the way walked so far; its end is the centre."""

    BINDINGS = bindings("links")

    def __init__(self, identifier: str) -> None:
        super().__init__()
        self.path = [identifier]
        self._is_evolution = False

    def make_list(self) -> NeighbourList:
        """Neighbours."""
        return NeighbourList(empty="Nothing is linked to it.", id="entries")

    async def source(self) -> Fixed[Neighbour]:
        """The neighbours of the centre, or its evolution."""
        centre, read = self.path[-1], _evolution if self._is_evolution else _neighbours
        names, found = await self.backend.view.run(lambda memory: (_names(memory, self.path), read(memory, centre)))
        self.top_bar.tell(" › ".join(one_line(name, 24) for name in names[-3:]) + " ")
        return Fixed(found)

    async def shown(self, entry: Neighbour) -> Shown:
        """The neighbour."""
        return item_view.shown(await self.backend.view.run(lambda memory: item_view.load(memory, entry.item)))

    def on_virtual_list_chosen(self) -> None:
        """A click on a line goes there."""
        self.action_follow()

    def action_follow(self) -> None:
        """Make the neighbour the centre."""
        entry = self.entries.entry
        if entry is not None and entry.item != self.path[-1]:
            self.path.append(entry.item)
            self._is_evolution = False
            self.read_list()

    def action_back(self) -> None:
        """One step back on the way."""
        if len(self.path) > 1:
            self.path.pop()
            self._is_evolution = False
            self.read_list()
        else:
            self.action_leave()

    def action_evolution(self) -> None:
        """The stages of the statement, oldest first; again: its links."""
        self._is_evolution = not self._is_evolution
        self.read_list()

    def action_open(self) -> None:
        """Open the neighbour on a screen of its own."""
        from memhub_tui.screens.item import ItemScreen

        if self.entries.entry is not None:
            self.app.push_screen(ItemScreen(self.entries.entry.item))


def _names(memory: Memory, path: list[str]) -> list[str]:
    return [terminal_safe(item.title or item.content) for item in memory.get_many(path)]


def _neighbours(memory: Memory, centre: str) -> list[Neighbour]:
    found = []
    for edge in memory.links(centre):
        is_own = edge.src == centre
        other, title = (edge.dst, edge.dst_title) if is_own else (edge.src, edge.src_title)
        sign = "→" if is_own else "←"
        found.append(Neighbour(f"{edge.src} {edge.relation} {edge.dst}", other, f"{sign} {edge.relation}", title))
    return found


def _evolution(memory: Memory, centre: str) -> list[Neighbour]:
    return [
        Neighbour(f"{n}", step.item, step.relation or "first", step.text, f"{(step.at or '')[:10]} {step.state}")
        for n, step in enumerate(memory.evolves(centre))
    ]
