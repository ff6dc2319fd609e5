"""What hangs together around an item, a conversation, an entity: edges both ways, threads, sources, mentions."""

from collections.abc import Sequence
from typing import NamedTuple

import apsw

from memhub.model.graph import Graph, Link, Node
from memhub.store import refs, threads
from memhub.store.connection import query
from memhub.store.evaluate import fold
from memhub.text.analyse import fold as compatible
from memhub.text.clean import one_line

DEPTHS = (1, 2, 3)
MOST_NODES = 400
_LABEL = 160
_ORDER = ("replaces", "enriches", "confirms", "challenges", "evidence_of", "crystallized_from")
_LAST = ("part_of", "related", "mentions", "same_source")
SAME_SOURCE = "same_source"


class Around(NamedTuple):
    """Where to look: the spaces (row numbers) that may be read, and how many neighbours of one node are followed."""

    connection: apsw.Connection
    spaces: tuple[int, ...]
    most: int

    @property
    def readable(self) -> str:
        """SQL over `item`: what a graph may show."""
        return f"item.is_present AND item.kind <> 'briefing' AND item.space IN ({','.join(map(str, self.spaces))})"


def neighbourhood(around: Around, roots: Sequence[str], depth: int) -> Graph:
    """The graph around these ids, `depth` steps wide; a node is followed once, and never more than `most` ways."""
    nodes: dict[str, Node] = {}
    for root in roots:
        node = _node(around, root, 0)
        if node is not None:
            nodes[root] = node
    begun = tuple(nodes)
    edges: dict[Link, None] = {}
    front = list(nodes)
    for step in range(1, depth + 1):
        following: list[str] = []
        for identifier in front:
            left_out = _follow(around, nodes, edges, following, identifier, step)
            nodes[identifier] = nodes[identifier]._replace(more=left_out)
        front = following
    return Graph(begun, tuple(nodes.values()), tuple(edges))


def _follow(around: Around, nodes: dict[str, Node], edges: dict[Link, None], following: list[str], identifier: str,
            step: int) -> int:  # fmt: skip
    """Take in the neighbours of one node; returns how many were left out."""
    taken = left_out = 0
    for link in _links(around, nodes[identifier], is_root=step == 1):
        other = link.dst if link.src == identifier else link.src
        if link in edges or other == identifier:
            continue
        if other not in nodes:
            if (around.most and taken >= around.most) or len(nodes) >= MOST_NODES:
                left_out += 1
                continue
            node = _node(around, other, step)
            if node is None:
                continue
            nodes[other] = node
            following.append(other)
            taken += 1
        edges[link] = None
    return left_out


def named(around: Around, name: str) -> str | None:
    """The id of the entity that goes by this name, when something that may be read speaks of it."""
    row = around.connection.execute(
        f"""SELECT whole.id FROM entity_name JOIN entity ON entity.n = entity_name.entity
            JOIN entity AS whole ON whole.n = entity.resolved JOIN mention ON mention.entity = whole.n
            JOIN item ON item.n = mention.item
            WHERE entity_name.name = ? AND NOT whole.is_dropped AND {around.readable}
            GROUP BY whole.n ORDER BY sum(mention.times) DESC, whole.id LIMIT 1""",
        (fold(" ".join(compatible(name).split())),),
    ).fetchone()
    return str(row[0]) if row else None


def looks_like_id(text: str) -> bool:
    """Whether a word is meant as an id: as long as those that lists show, and with a digit in it as nearly all have."""
    word = text.strip().lstrip("…")
    return word.isascii() and word.isalnum() and len(word) >= refs.MIN_SUFFIX and any(map(str.isdigit, word))


def _node(around: Around, identifier: str, depth: int) -> Node | None:
    """The node of an id: of an item that may be read, a conversation or an entity; None for anything else."""
    row = around.connection.execute(
        f"""SELECT item.kind, item.title, substr(version.content, 1, 400), item.state, item.created_at, item.merged
            FROM item LEFT JOIN version ON version.n = item.shown WHERE item.id = ? AND {around.readable}""",
        (identifier,),
    ).fetchone()
    if row is not None:
        kind, title, content, state, at, _ = row
        return Node(identifier, "item", kind, one_line(title or content or "", _LABEL), state, at, depth)
    thread = _thread(around, identifier)
    if thread is not None:
        return thread._replace(depth=depth)
    row = around.connection.execute(
        "SELECT name, type FROM entity WHERE id = ? AND NOT is_dropped", (identifier,)
    ).fetchone()
    if row is None:
        return None
    return Node(identifier, "entity", row[1], one_line(row[0], _LABEL), "live", None, depth)


def _thread(around: Around, identifier: str) -> Node | None:
    marks = ",".join("?" * len(around.spaces))
    known = around.connection.execute(
        f"SELECT 1 FROM thread WHERE id = ? AND NOT is_dropped AND space IN ({marks})", (identifier, *around.spaces)
    ).get
    found = threads.thread_by_id(around.connection, identifier) if known else None
    if found is None:
        return None
    return Node(identifier, "thread", "thread", one_line(found.title, _LABEL), "live", found.updated_at, 0)


def _links(around: Around, node: Node, *, is_root: bool) -> list[Link]:
    """Every edge at a node, what changed it first, then what speaks for it, then the rest."""
    rows = query(
        around.connection,
        """SELECT src, relation, dst, ordinal FROM edge WHERE src = ?1
           UNION SELECT src, relation, dst, ordinal FROM edge WHERE dst = ?1""",
        (node.id,),
    )
    rows.sort(key=lambda row: (*_rank(row[1]), row[0] != node.id, row[3] or 0, row[2], row[0]))
    links = [Link(src, relation, dst) for src, relation, dst, _ in rows]
    if node.what == "item":
        links += _mentioned(around, node.id)
        links += _of_same_source(around, node.id) if is_root else []
    elif node.what == "entity":
        links += _mentioning(around, node.id)
    return list(dict.fromkeys(links))


def _rank(relation: str) -> tuple[int, str]:
    """The user's own relations stand between what was ruled and what only lies beside."""
    if relation in _ORDER:
        return _ORDER.index(relation), ""
    return (len(_ORDER) + 1 + _LAST.index(relation), "") if relation in _LAST else (len(_ORDER), relation)


def _mentioned(around: Around, item: str) -> list[Link]:
    rows = query(
        around.connection,
        """SELECT whole.id, sum(mention.times) AS times FROM item JOIN mention ON mention.item = item.n
           JOIN entity ON entity.n = mention.entity JOIN entity AS whole ON whole.n = entity.resolved
           WHERE item.id = ? AND NOT whole.is_dropped GROUP BY whole.n ORDER BY times DESC, whole.id""",
        (item,),
    )
    return [Link(item, "mentions", entity) for entity, _ in rows]


def _mentioning(around: Around, entity: str) -> list[Link]:
    """The items that speak of an entity, those that do most often first, then the newest."""
    rows = query(
        around.connection,
        f"""SELECT item.id, sum(mention.times) AS times FROM entity JOIN entity AS whole ON whole.n = entity.resolved
            JOIN mention ON mention.entity = entity.n JOIN item ON item.n = mention.item
            WHERE whole.id = ? AND item.state = 'live' AND {around.readable}
            GROUP BY item.n ORDER BY times DESC, coalesce(item.created_ms, item.updated_ms) DESC, item.id LIMIT 1000""",
        (entity,),
    )
    return [Link(item, "mentions", entity) for item, _ in rows]


def _of_same_source(around: Around, item: str) -> list[Link]:
    """Other items of the same file or page, where one holds several."""
    rows = query(
        around.connection,
        f"""SELECT item.id FROM version AS own JOIN item AS mine ON mine.shown = own.n AND mine.id = ?1
            JOIN version ON version.meta -> 'source' ->> 'kind' = own.meta -> 'source' ->> 'kind'
              AND version.meta -> 'source' ->> 'scope' IS own.meta -> 'source' ->> 'scope'
              AND version.meta -> 'source' ->> 'path' = own.meta -> 'source' ->> 'path'
            JOIN item ON item.shown = version.n
            WHERE own.meta -> 'source' ->> 'path' IS NOT NULL AND item.id <> ?1 AND item.state = 'live'
              AND {around.readable} ORDER BY item.n LIMIT 500""",
        (item,),
    )
    return [Link(min(item, other), SAME_SOURCE, max(item, other)) for (other,) in rows]
