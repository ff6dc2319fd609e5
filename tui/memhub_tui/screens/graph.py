"""Graph: what hangs together around an item, a conversation or an entity, as a tree to walk in."""

from typing import NamedTuple

from rich.segment import Segment
from textual import on, work
from textual.app import ComposeResult
from textual.content import Content
from textual.widgets import Static

from memhub.errors import NotFoundError
from memhub.model.entity import Entity
from memhub.model.graph import Branch, Graph, Node
from memhub.text.clean import display_width, one_line, terminal_safe
from memhub.text.dates import Zone, show_time
from memhub.workspace import Memory
from memhub_tui import item_view
from memhub_tui.actions import bindings
from memhub_tui.item_view import GONE, Shown
from memhub_tui.screens.links import crumbs
from memhub_tui.screens.prompt import PromptScreen
from memhub_tui.screens.split import SplitScreen
from memhub_tui.widgets.lines import zone_of
from memhub_tui.widgets.moves import moves
from memhub_tui.widgets.pages import Fixed
from memhub_tui.widgets.virtual_list import VirtualList

NEAREST, FARTHEST = 1, 3  # steps
MOST = 8  # neighbours of a node that are followed
FACTS = 60  # columns from which a line shows what it is and its date
MOST_ITEMS = 30  # of an entity
WHERE_ONE_IS = "What you were on"


class Twig(NamedTuple):
    """A line of the tree; its id is that of its node where that stands first."""

    id: str
    branch: Branch

    @property
    def node(self) -> Node:
        """What it stands for."""
        return self.branch.node


class GraphTree(VirtualList[Twig], inherit_bindings=False):
    """The tree, a line a node."""

    BINDINGS = moves()

    def draw(self, entry: Twig, width: int) -> list[Segment]:
        """Twigs, relation, what it says; what it is at the end. A name is coloured, what stands above already dim."""
        indent, link, node, is_again, more = entry.branch
        if more:
            return [Segment(one_line(f"{indent}… {more:,} more", width), self.style("dim"))]
        arrow = ""
        if link is not None:
            relation = terminal_safe(one_line(link.relation, 20)).replace("_", " ")
            arrow = f"← {relation}  " if link.src == node.id else f"{relation} →  "
        end = "↑ above" if is_again else _facts(node, zone_of(self)) if width >= FACTS else ""
        used = sum(map(display_width, (indent, arrow, end))) + 2 * bool(end)
        words = one_line(terminal_safe(node.label).lstrip("# ") or "(empty)", max(width - used, 8))
        quiet = is_again or node.state != "live"
        style = self.style("dim") if quiet else self.style("label") if node.what == "entity" else None
        parts = [Segment(indent, self.style("dim")), Segment(arrow, self.style("dim")), Segment(words, style)]
        if end:
            gap = width - used - display_width(words) + 2
            parts += [Segment(" " * max(gap, 2)), Segment(end, self.style("dim"))]
        return parts


class GraphScreen(SplitScreen[Twig]):
    """`path` is the way walked so far; its end is the centre, None where it began at what one was on."""

    CSS_PATH = ["split.tcss", "graph.tcss"]
    BINDINGS = bindings("graph")

    def __init__(self, around: str | None) -> None:
        super().__init__()
        self.path = [around]
        self._names: dict[str | None, str] = {}
        self.depth = 2
        self.is_whole = False

    def content(self) -> ComposeResult:
        """The way walked, over the tree and what its cursor is on."""
        yield Static(id="way", markup=False)
        yield from super().content()

    def make_list(self) -> GraphTree:
        """The tree."""
        return GraphTree(empty="Nothing hangs together here. / begins somewhere else.", id="entries")

    async def source(self) -> Fixed[Twig]:
        """The graph around the centre."""
        around, depth, limit = self.path[-1], self.depth, 0 if self.is_whole else MOST
        found = await self.backend.search.run(lambda memory: memory.graph(around, depth=depth, limit=limit))
        self._say(found)
        return Fixed(_twigs(found))

    def _say(self, found: Graph) -> None:
        """The way to the centre, when there was one, and how much is in reach."""
        if len(found.roots) == 1:
            self._names[self.path[-1]] = next(node.label for node in found.nodes if node.id == found.roots[0])
        way = self.query_one("#way", Static)
        way.update(crumbs([terminal_safe(self._names.get(one, one or WHERE_ONE_IS)) for one in self.path]))
        way.display = len(self.path) > 1 or len(found.roots) != 1
        steps = f"{self.depth} step{'' if self.depth == 1 else 's'}"
        parts = (*found.notices[:1], "all neighbours" if self.is_whole else "", f"{len(found.nodes):,} in reach", steps)
        self.top_bar.tell(" · ".join(part for part in parts if part) + " ")

    async def shown(self, entry: Twig) -> Shown:
        """The item, the conversation, or what is known of the name."""
        node, zone = entry.node, self.mh.zone
        read = _entity if node.what == "entity" else item_view.shown_of
        return await self.backend.view.run(lambda memory: read(memory, node.id, zone))

    def centre(self) -> str | None:
        """What the cursor is on."""
        return self.entries.entry.node.id if self.entries.entry else self.path[-1]

    @on(GraphTree.Chosen)
    def action_follow(self) -> None:
        """Make what the cursor is on the centre."""
        entry = self.entries.entry
        if entry is not None and entry.node.id != self.path[-1]:
            self._go([*self.path, entry.node.id])

    def action_back(self) -> None:
        """To the centre before; at the beginning of the way, back to where one came from."""
        if len(self.path) > 1:
            self._go(self.path[:-1])
        else:
            self.action_leave()

    def _go(self, path: list[str | None]) -> None:
        self.path = path
        self.reading = self.read_list()

    def action_farther(self) -> None:
        """One step more."""
        self._reach(self.depth + 1)

    def action_nearer(self) -> None:
        """One step less."""
        self._reach(self.depth - 1)

    def _reach(self, depth: int) -> None:
        if NEAREST <= depth <= FARTHEST:
            self.depth = depth
            self.file_changed()
            self.refresh_bindings()

    def action_all(self) -> None:
        """All neighbours of each, or the first ones."""
        self.is_whole = not self.is_whole
        self.file_changed()

    @work(exit_on_error=False)
    async def action_ask(self) -> None:
        """Begin somewhere else."""
        words = await self.app.push_screen_wait(PromptScreen("Around which name, id or words?"))
        if words and words.strip():
            self._go([*self.path, words.strip()])

    @work(exit_on_error=False)
    async def action_open(self) -> None:
        """Open the item or conversation under the cursor."""
        if self.entries.entry is not None:
            await self.mh.open_target(self.entries.entry.node.id)

    @on(GraphTree.Highlighted)
    def arrived(self) -> None:
        """What can be done depends on the line."""
        self.refresh_bindings()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """A name is no item to open; it goes one step at least and three at the most."""
        if action == "open" and self.is_mounted:
            entry = self.entries.entry
            return None if entry is None or entry.node.what == "entity" else True
        is_at_end = (action == "farther" and self.depth == FARTHEST) or (action == "nearer" and self.depth == NEAREST)
        return None if is_at_end else True


def _twigs(found: Graph) -> list[Twig]:
    return [
        Twig(f"{place} {branch.node.id}" if branch.is_again or branch.more else branch.node.id, branch)
        for place, branch in enumerate(found.tree())
    ]


def _facts(node: Node, zone: Zone) -> str:
    """What it is, when it was, and its state when that is unusual."""
    parts = ["conversation" if node.what == "thread" else node.type, show_time(node.at, zone)[:10]]
    return " · ".join(part for part in (*parts, node.state if node.state != "live" else "") if part)


def _entity(memory: Memory, identifier: str, zone: Zone) -> Shown:
    """A name: what it is, its other names, what it is related to, and the newest items that speak of it."""
    try:
        found = memory.entity(identifier, limit=MOST_ITEMS)
    except NotFoundError:
        return GONE
    count = f"in {found.count:,} item{'' if found.count == 1 else 's'}"
    head = [f"{found.type} · {count}", f"also: {', '.join(found.aliases)}" if found.aliases else ""]
    return Shown(
        one_line(terminal_safe(found.name)), "\n".join(one_line(terminal_safe(line)) for line in head if line),
        Content("\n".join(_lines(found, zone))), "", identifier,
    )  # fmt: skip


def _lines(found: Entity, zone: Zone) -> list[str]:
    related = [
        f"{'→' if one.is_outgoing else '←'} {one.relation.replace('_', ' ')}  {one.name}" for one in found.relations
    ]
    items = [f"{show_time(item.created_at, zone)[:10]:10}  {item.title or item.content}" for item in found.items]
    between = [""] if related and items else []
    return [one_line(terminal_safe(line), 300) if line else "" for line in (*related, *between, *items)]
