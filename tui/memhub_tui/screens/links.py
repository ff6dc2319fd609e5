"""Links: an item in the middle, what it hangs together with around it, and a walk from one to the next."""

from typing import NamedTuple

from rich.segment import Segment
from textual import on, work
from textual.app import ComposeResult
from textual.content import Content
from textual.widgets import Static

from memhub.model.trail import Edge
from memhub.text.clean import one_line, terminal_safe
from memhub.text.dates import Zone, show_time
from memhub.workspace import Memory
from memhub_tui import item_view
from memhub_tui.actions import bindings
from memhub_tui.item_parts import note_of, relation_column
from memhub_tui.item_view import Shown
from memhub_tui.screens.split import SplitScreen
from memhub_tui.widgets.lines import line
from memhub_tui.widgets.moves import moves
from memhub_tui.widgets.pages import Fixed
from memhub_tui.widgets.virtual_list import VirtualList

CRUMB = 24  # columns of a step in the line on top
MOST_CRUMBS = 5


class Neighbour(NamedTuple):
    """An item one step away, or a stage of an evolution. `id` is unique in the list, `item` is the item's.

    The first of those with one relation and direction bears its name.
    """

    id: str
    item: str
    first: str
    title: str
    note: str = ""
    edge: Edge | None = None
    is_quiet: bool = False


class NeighbourList(VirtualList[Neighbour], inherit_bindings=False):
    """Neighbours by relation and direction, the item's own links first."""

    BINDINGS = moves()

    def draw(self, entry: Neighbour, width: int) -> list[Segment]:
        """Relation and title."""
        return line(relation_column(entry.first), entry.title, entry.note, width, self.style, is_quiet=entry.is_quiet)


class LinksScreen(SplitScreen[Neighbour]):
    """`path` is the way walked so far; its end is the centre."""

    CSS_PATH = ["split.tcss", "links.tcss"]
    BINDINGS = bindings("links")

    def __init__(self, identifier: str) -> None:
        super().__init__()
        self.path = [identifier]
        self.is_evolution = False

    def content(self) -> ComposeResult:
        """The way, the centre, and what is around it."""
        yield Static(id="crumbs", markup=False)
        yield Static(id="centre", markup=False)
        yield from super().content()

    def make_list(self) -> NeighbourList:
        """Neighbours."""
        return NeighbourList(empty="Nothing is linked to it.", id="entries")

    async def source(self) -> Fixed[Neighbour]:
        """The neighbours of the centre, or its evolution."""
        path, zone = list(self.path), self.mh.zone
        read = _evolution if self.is_evolution else _neighbours
        names, centre, found = await self.backend.view.run(
            lambda memory: (_names(memory, path), item_view.load(memory, path[-1], zone), read(memory, path[-1], zone))
        )
        way = self.query_one("#crumbs", Static)
        way.update(crumbs(names))
        way.display = len(path) > 1
        head = item_view.head(centre).replace("\n", "  ") if centre else "This item is gone."
        self.query_one("#centre", Static).update(Content.assemble((names[-1], "bold"), "\n", (head, "$foreground 60%")))
        what = "stage" if self.is_evolution else "link"
        self.top_bar.tell(f"{len(found):,} {what}{'' if len(found) == 1 else 's'} ")
        return Fixed(found)

    async def shown(self, entry: Neighbour) -> Shown:
        """The neighbour."""
        return await self.backend.view.run(lambda memory: item_view.shown_of(memory, entry.item, self.mh.zone))

    @on(NeighbourList.Chosen)
    @work(exclusive=True, group="walk", exit_on_error=False)
    async def action_follow(self) -> None:
        """Make the neighbour the centre; a conversation is opened."""
        entry = self.entries.entry
        if entry is None or entry.item == self.path[-1]:
            return
        target = entry.item
        if await self.backend.view.run(lambda memory: item_view.is_thread(memory, target)):
            await self.mh.open_target(target)
        else:
            self._go([*self.path, target])

    def centre(self) -> str:
        """The neighbour under the cursor; without one, the centre."""
        return self.entries.entry.item if self.entries.entry else self.path[-1]

    def action_back(self) -> None:
        """One step back on the way; at its beginning, back to where one came from."""
        if len(self.path) > 1:
            self._go(self.path[:-1])
        else:
            self.action_leave()

    def _go(self, path: list[str]) -> None:
        self.path, self.is_evolution = path, False
        self.read_list()

    def action_evolution(self) -> None:
        """The stages of the statement, oldest first; again: its links."""
        self.is_evolution = not self.is_evolution
        self.read_list()

    @work(exit_on_error=False)
    async def action_open(self) -> None:
        """Open the neighbour on a screen of its own; without one, the centre."""
        entry = self.entries.entry
        await self.mh.open_target(entry.item if entry else self.path[-1])

    @work(exit_on_error=False)
    async def action_add(self) -> None:
        """Link the centre to another item."""
        from memhub_tui.screens.new_link import NewLinkScreen

        centre = self.path[-1]
        made = await self.app.push_screen_wait(NewLinkScreen(centre))
        if made is not None:
            self.is_evolution = False
            await self.save(lambda memory: memory.link(centre, made.relation, made.item), f"linked: {made.relation}")

    @work(exit_on_error=False)
    async def action_remove(self) -> None:
        """Remove the link under the cursor; both items stay."""
        entry = self.entries.entry
        if entry is not None and entry.edge is not None:
            edge = entry.edge
            await self.save(
                lambda memory: memory.unlink(edge.src, edge.relation, edge.dst), f"removed: {edge.relation}"
            )

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """A stage of an evolution is no link."""
        return None if action == "remove" and self.is_evolution else True


def _names(memory: Memory, path: list[str]) -> list[str]:
    known = {item.id: one_line(terminal_safe(item.title or item.content), 200) for item in memory.get_many(set(path))}
    return [known.get(identifier, f"…{identifier[-6:]}") for identifier in path]


def crumbs(names: list[str]) -> Content:
    """The way to the centre, its last steps."""
    shown = [one_line(name, CRUMB) for name in names[-MOST_CRUMBS:]]
    if len(names) > len(shown):
        shown.insert(0, "…")
    return Content.assemble((" › ".join(shown[:-1]) + " › " * (len(shown) > 1), "$foreground 60%"), shown[-1])


def _neighbours(memory: Memory, centre: str, zone: Zone) -> list[Neighbour]:
    found: list[Neighbour] = []
    group = ""
    for edge in memory.links(centre):
        is_own = edge.src == centre
        sign, other, title = ("→", edge.dst, edge.dst_title) if is_own else ("←", edge.src, edge.src_title)
        name = f"{sign} {edge.relation}"
        identifier = f"{edge.src} {edge.relation} {edge.dst}"
        found.append(Neighbour(identifier, other, "" if name == group else name, title, note_of(edge.attrs), edge))
        group = name
    return found


def _evolution(memory: Memory, centre: str, zone: Zone) -> list[Neighbour]:
    """The stages, oldest first; what a stage did to the one before stands before it."""
    steps = memory.evolves(centre)
    return [
        Neighbour(
            f"{number} {step.item}", step.item, f"{'●' if step.item == centre else '│'} {step.relation or 'first'}",
            step.text, " · ".join(part for part in (show_time(step.at, zone)[:10], step.state) if part),
            is_quiet=step.state != "live",
        )
        for number, step in enumerate(steps)
    ]  # fmt: skip
