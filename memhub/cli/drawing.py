"""A graph as a tree for a terminal, as Graphviz dot, as Mermaid: foreign text is escaped for each of them."""

from itertools import groupby
from typing import TYPE_CHECKING

from memhub.cli.lines import safe
from memhub.cli.style import DIM, ID, LABEL, paint
from memhub.text.clean import display_width, fit
from memhub.text.dates import show_time

if TYPE_CHECKING:
    from memhub.cli.session import Session
    from memhub.model.graph import Branch, Graph, Node

_LABEL = 80  # columns of a label in a picture
_WIDEST = 100
_MOST_AGAIN, _NAMED_AGAIN = 4, 2


def tree(session: "Session", graph: "Graph") -> list[str]:
    """A line for each node, below the one it was reached from; `↑` marks one that stands farther up already."""
    return _Tree(session, graph).lines()


class _Tree:
    def __init__(self, session: "Session", graph: "Graph") -> None:
        self._session = session
        self._graph = graph
        self._colour = session.output.colour
        self._columns = min(session.output.columns or _WIDEST, _WIDEST) if session.output.is_terminal else None
        self._short = session.memory.suffix([node.id for node in graph.nodes])

    def lines(self) -> list[str]:
        """Of many in a row that stand farther up already the first two are named, and the rest counted."""
        found: list[str] = []
        for (_, is_again), run in groupby(self._graph.tree(), lambda branch: (branch.indent[:-3], branch.is_again)):
            some = list(run)
            is_long = is_again and len(some) > _MOST_AGAIN
            found += map(self._line, some[:_NAMED_AGAIN] if is_long else some)
            if is_long:
                found.append(f"{some[-1].indent}… {len(some) - _NAMED_AGAIN:,} more ↑")
        return found

    def _line(self, branch: "Branch") -> str:
        indent, link, node, again, more = branch
        if more:
            return f"{indent}… {more:,} more"
        head = ""
        if link is not None:
            relation = safe(link.relation, 30)
            head = f"← {relation} " if link.src == node.id else f"{relation} → "
        short = self._short.get(node.id, node.id[-6:])
        marks = " ↑" if again else ""
        facts = [] if node.type in ("note", "thread") and node.what != "thread" else [node.type]
        facts += [show_time(node.at, self._session.zone)[:10]] if node.at else []
        facts += [node.state] if node.state != "live" else []
        tail = f"  ({', '.join(facts)})" if facts else ""
        label = safe(node.label) or "(empty)"
        if again:
            tail, label = "", fit(label, 30)
        if self._columns is not None:
            used = sum(map(display_width, (indent, head, short, marks, tail))) + 2
            label = fit(label, max(self._columns - used, 16))
        name = paint(short, ID) if self._colour else short
        shown_tail = paint(tail, DIM) if self._colour and tail else tail
        relation = paint(head, LABEL) if self._colour and head else head
        return f"{indent}{relation}{name}  {label}{shown_tail}{marks}"


def dot(graph: "Graph") -> str:
    """The graph for Graphviz."""
    names = {node.id: f"n{number}" for number, node in enumerate(graph.nodes)}
    lines = ["digraph mh {", "  rankdir=LR;", '  node [shape=box, fontname="sans-serif"];']
    for node in graph.nodes:
        more = ", style=bold" if node.id in graph.roots else ", shape=ellipse" if node.what == "entity" else ""
        lines.append(f"  {names[node.id]} [label={_in_dot(_label(node))}, tooltip={_in_dot(node.id)}{more}];")
    for link in graph.edges:
        lines.append(f"  {names[link.src]} -> {names[link.dst]} [label={_in_dot(safe(link.relation))}];")
    return "\n".join([*lines, "}"])


def _in_dot(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def mermaid(graph: "Graph") -> str:
    """The graph for Mermaid, as Markdown pages show it."""
    names = {node.id: f"n{number}" for number, node in enumerate(graph.nodes)}
    lines = ["graph LR"]
    for node in graph.nodes:
        opened, closed = (
            ("([", "])") if node.what == "entity" else ("[[", "]]") if node.what == "thread" else ("[", "]")
        )
        lines.append(f"  {names[node.id]}{opened}{_in_mermaid(_label(node))}{closed}")
    for link in graph.edges:
        lines.append(f"  {names[link.src]} -->|{_in_mermaid(safe(link.relation))}| {names[link.dst]}")
    return "\n".join(lines)


def _in_mermaid(text: str) -> str:
    """In quotes, with the signs that mean something to Mermaid or HTML as its entities."""
    escaped = "".join(f"#{ord(letter)};" if letter in '"#&<>`\\[](){}|;' else letter for letter in text)
    return f'"{escaped}"'


def _label(node: "Node") -> str:
    return fit(safe(node.label), _LABEL) or "(empty)"
