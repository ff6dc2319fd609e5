"""How things hang together around something."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple


class Node(NamedTuple):
    """An item, a conversation or an entity. `type` is the kind of an item, `thread`, or the type of an entity.

    `label` is one line of text as it is stored; `depth` counts the steps from where the graph begins; `more` are its
    neighbours that were left out.
    """

    id: str
    what: str
    type: str
    label: str
    state: str
    at: str | None
    depth: int
    more: int = 0


class Link(NamedTuple):
    """One edge; both ends are nodes of the graph."""

    src: str
    relation: str
    dst: str


class Branch(NamedTuple):
    """A line of the graph as a tree: `node` behind the twigs of `indent`, reached by `link` from the one above it.

    `is_again`: the node stands farther up already. With `more` the line stands for so many neighbours of `node`.
    """

    indent: str
    link: Link | None
    node: Node
    is_again: bool = False
    more: int = 0


@dataclass(frozen=True)
class Graph:
    """`roots` are the ids at which it begins; nodes in the order in which they were reached."""

    roots: tuple[str, ...]
    nodes: tuple[Node, ...]
    edges: tuple[Link, ...]
    notices: tuple[str, ...] = ()

    def tree(self) -> list[Branch]:
        """A line for each node, below the one it was reached from, and for each other edge one that says where to."""
        return list(_Tree(self).lines())


class _Tree:
    def __init__(self, graph: Graph) -> None:
        self._nodes = {node.id: node for node in graph.nodes}
        self._roots = graph.roots
        self._at: dict[str, list[Link]] = {}
        for link in graph.edges:
            for end in dict.fromkeys((link.src, link.dst)):
                self._at.setdefault(end, []).append(link)
        self._shown: set[str] = set()
        self._drawn: set[Link] = set()
        self._parents = self._reached_from()

    def _reached_from(self) -> dict[str, str]:
        """The node below which each one stands: the first, nearest to a root, that leads to it."""
        parents: dict[str, str] = {}
        front = list(self._roots)
        seen = set(front)
        while front:
            following = []
            for identifier in front:
                for link in self._at.get(identifier, ()):
                    other = link.dst if link.src == identifier else link.src
                    if other not in seen:
                        seen.add(other)
                        parents[other] = identifier
                        following.append(other)
            front = following
        return parents

    def lines(self) -> Iterator[Branch]:
        """From the roots down."""
        for root in self._roots:
            self._shown.add(root)
            yield Branch("", None, self._nodes[root])
            yield from self._below(root, "")

    def _below(self, identifier: str, indent: str) -> Iterator[Branch]:
        """The lines of everything that hangs at a node."""
        links = [link for link in self._at.get(identifier, ()) if link not in self._drawn]
        rows: list[tuple[Link, str]] = []
        for link in links:
            other = link.dst if link.src == identifier else link.src
            if other in self._shown or self._parents.get(other) == identifier:
                self._drawn.add(link)
                rows.append((link, other))
        node = self._nodes[identifier]
        for place, (link, other) in enumerate(rows):
            is_last = place == len(rows) - 1 and not node.more
            branch, deeper = ("└─ ", "   ") if is_last else ("├─ ", "│  ")
            is_again = other in self._shown
            self._shown.add(other)
            yield Branch(indent + branch, link, self._nodes[other], is_again)
            if not is_again:
                yield from self._below(other, indent + deeper)
        if node.more:
            yield Branch(f"{indent}└─ ", None, node, more=node.more)
