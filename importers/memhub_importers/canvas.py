"""JSON Canvas boards: each text card is an item, each arrow from it a relation."""

import json
from collections.abc import Iterator
from typing import Any

from memhub.model.record import Link, Record, Skipped
from memhub.text.clean import clean
from memhub.text.labels import find_labels
from memhub.text.masks import mask_markup
from memhub_importers.files import Found
from memhub_importers.links import Names, find_links


def read_canvas(found: Found, text: str, names: Names) -> Iterator[Record | Skipped]:
    """The text cards of one board, in file order. Cards that are files, links or groups are no items of their own."""
    try:
        board = json.loads(text)
    except (ValueError, RecursionError) as error:
        yield Skipped(found.name, f"no JSON that can be read ({type(error).__name__})", failed=True)
        return
    nodes = _objects(board, "nodes")
    if not nodes:
        yield Skipped(found.name, "a board without cards")
        return
    edges = _objects(board, "edges")
    by_id = {str(node.get("id")): node for node in nodes}
    for number, node in enumerate(nodes):
        if node.get("type") != "text":
            continue
        name = clean(str(node.get("id") or f"card-{number + 1}"))
        content = clean(node["text"]).strip() if isinstance(node.get("text"), str) else ""
        if not content:
            yield Skipped(f"{found.name}#{name}", "empty card")
            continue
        masked = mask_markup(content)
        links = find_links(content, masked, found.name, names)
        yield Record(
            external_id=f"path:{found.name}#{name}",
            content=content,
            title=f"{found.stem} / {name}",
            labels=find_labels(content, masked),
            updated_at=found.changed_at,
            path=found.name,
            links=(*links, *_arrows(name, edges, by_id, found.name, names)),
        )


def _arrows(
    name: str, edges: list[dict[str, Any]], by_id: dict[str, dict[str, Any]], board: str, names: Names
) -> Iterator[Link]:
    """Arrows that begin at the card; also those that come to it from a file, which has no record here to carry them."""
    for edge in edges:
        start, end = str(edge.get("fromNode")), str(edge.get("toNode"))
        label = clean(edge["label"]).strip() if isinstance(edge.get("label"), str) else ""
        if start == name:
            yield Link("relation", label or "related", _node_id(end, by_id, board, names))
        elif end == name and by_id.get(start, {}).get("type") == "file":
            yield Link("relation", label or "related", _node_id(start, by_id, board, names), {"direction": "in"})


def _node_id(node_id: str, by_id: dict[str, dict[str, Any]], board: str, names: Names) -> str | None:
    node = by_id.get(node_id, {})
    if node.get("type") == "text":
        return f"path:{board}#{clean(node_id)}"
    file = node.get("file")
    return names.find("/" + file, board)[0] if isinstance(file, str) and file else None


def _objects(board: Any, key: str) -> list[dict[str, Any]]:
    found = board.get(key) if isinstance(board, dict) else None
    return [entry for entry in found if isinstance(entry, dict)] if isinstance(found, list) else []
