"""How things hang together around something."""

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


@dataclass(frozen=True)
class Graph:
    """`roots` are the ids at which it begins; nodes in the order in which they were reached."""

    roots: tuple[str, ...]
    nodes: tuple[Node, ...]
    edges: tuple[Link, ...]
    notices: tuple[str, ...] = ()
