"""Turns the links of imported records into edges: by which relation, which way, and which of an earlier import go.

Words that decide about items here (`replaces` hides what it points to) are for rulings and the user alone. For such a
word of a source stands another one, which says the same to a reader and does nothing.
"""

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

import apsw

from memhub.model.entry import Draft
from memhub.model.record import Link
from memhub.store import log
from memhub.store.connection import query
from memhub.store.evaluate import edge_key, edge_state
from memhub.text.relations import as_relation

LINKS_TO = "links_to"
RELATED = "related"
_HARMLESS = {
    "replaces": "supersedes",
    "enriches": "extends",
    "confirms": "supports",
    "challenges": "contradicts",
    "evidence_of": "evidence_for",
}
_BY_TYPE = {"parent": "parent"}
_BY_HAND = "unlink"


class Tie(NamedTuple):
    """One link of a record as an edge to or, when `is_incoming`, from the item of another external id."""

    relation: str
    external_id: str
    is_incoming: bool = False


class Edge(NamedTuple):
    """The two ends of an edge, and the relation between them."""

    src: str
    relation: str
    dst: str


def ties_of(links: Iterable[Link]) -> tuple[Tie, ...]:
    """The edges that links stand for, each once, in order; links that lead nowhere here give none."""
    ties = (Tie(_relation(link), link.to, link.attrs.get("direction") == "in") for link in links if link.to)
    return tuple(dict.fromkeys(ties))


def edge_drafts(connection: apsw.Connection, item: str, wanted: set[Edge], rev: int | None = None) -> list[Draft]:
    """What the edges of one imported item take: new ones are put, those that its source no longer has are dropped.

    What the user linked or unlinked by hand stays so. `rev` is for a note that was written from here: the clock then.
    Such a file may show a part of the edges, so that none is dropped, and what was there at that clock is not new.
    """
    have = set(_written_by(connection, item))
    said = {edge for edge in wanted if edge.src != edge.dst}
    said = {_harmless(connection, edge) if edge.relation in _HARMLESS else edge for edge in said}
    new = [edge for edge in sorted(said - have) if _is_new(connection, edge_key(*edge), rev)]
    gone = sorted(have - said) if rev is None else ()
    return [
        *(Draft("edge.put", edge_key(*edge), {**edge._asdict(), "attrs": _attrs(edge, item)}) for edge in new),
        *(Draft("edge.drop", edge_key(*edge), edge._asdict()) for edge in gone),
    ]


def _attrs(edge: Edge, item: str) -> dict[str, Any]:
    return {"by": "import", "of": "src" if edge.src == item else "dst"}


def _relation(link: Link) -> str:
    """The word of the source for a link; `links_to` where the format has none."""
    word: Any = link.attrs.get("relation") or _BY_TYPE.get(link.type)
    if link.type == "relation":
        return as_relation(link.target) or RELATED
    if link.type == "property":
        word = link.attrs.get("property")
    return (as_relation(word) if isinstance(word, str) else "") or LINKS_TO


def _written_by(connection: apsw.Connection, item: str) -> Iterator[Edge]:
    """The edges that imports of this item's source wrote; older ones do not say at which end it is."""
    rows = query(
        connection,
        """SELECT src, relation, dst FROM edge WHERE src = ?1
             AND (attrs ->> 'of' = 'src' OR (relation = ?2 AND attrs ->> 'by' = 'import' AND attrs ->> 'of' IS NULL))
           UNION ALL SELECT src, relation, dst FROM edge WHERE dst = ?1 AND attrs ->> 'of' = 'dst'""",
        (item, LINKS_TO),
    )
    return (Edge(*row) for row in rows)


def _harmless(connection: apsw.Connection, edge: Edge) -> Edge:
    """The edge by another word, unless a ruling or the user wrote it as it is."""
    is_there = query(connection, "SELECT 1 FROM edge WHERE src = ? AND relation = ? AND dst = ?", edge)
    return edge if is_there else edge._replace(relation=_HARMLESS[edge.relation])


def _is_new(connection: apsw.Connection, key: str, rev: int | None) -> bool:
    """Whether an edge is to be put: it is not there, nobody removed it by hand, and no export knew it."""
    entries = log.entries_of(connection, key)
    if not entries:
        return True
    if edge_state(entries) is not None or (rev is not None and any(entry.hlc <= rev for entry in entries)):
        return False
    last = max(entries, key=lambda entry: (entry.hlc, entry.device))
    command = connection.execute("SELECT command FROM operation WHERE id = ?", (last.operation,)).get
    return bool(command != _BY_HAND)
