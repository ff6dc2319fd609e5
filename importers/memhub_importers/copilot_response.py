"""Puts the visible answer of Copilot Chat together from the pieces in which it was streamed."""

import re
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from memhub_importers.values import table, text

_MARKDOWN = ("markdownContent", "markdownVuln")
_TOOLS = ("toolInvocationSerialized", "toolInvocation", "prepareToolInvocation")
_EDITS = ("textEditGroup", "notebookEditGroup", "codeblockUri")
_FENCE = re.compile(r"\s*(?:```|~~~)[\w+#.-]*\s*")


class Answer(NamedTuple):
    """The text, and whether some of it came after the last call of a tool."""

    content: str
    is_final: bool


def answer_of(items: Sequence[Any], stop: str = "") -> Answer:
    """Neighbouring pieces of text as they are; a paragraph begins where anything else stood between.

    With `stop`, only what came before the undo stop of that id.
    """
    if stop:
        ids = [item.get("id") if isinstance(item, dict) and item.get("kind") == "undoStop" else None for item in items]
        items = items[: ids.index(stop)] if stop in ids else items
    paragraphs: list[list[str]] = [[]]
    is_final = False
    for position, item in enumerate(items):
        piece = _piece(item)
        if piece is None:
            paragraphs.append([])
            is_final = is_final and _kind(item) not in _TOOLS
        elif not (_FENCE.fullmatch(piece) and _is_beside_an_edit(items, position)):
            paragraphs[-1].append(piece)
            is_final = is_final or bool(piece.strip())
    texts = ("".join(pieces).strip() for pieces in paragraphs)
    return Answer("\n\n".join(part for part in texts if part), is_final)


def _piece(item: Any) -> str | None:
    """What an item adds to the text; None for what is no text."""
    kind = _kind(item)
    if not kind:
        return _value(item, "value") if isinstance(item, dict) else None
    if kind in _MARKDOWN:
        return _value(item, "content")
    return _reference(item) if kind == "inlineReference" else None


def _kind(item: Any) -> str:
    return text(item, "kind") or ("?" if not isinstance(item, dict) or "kind" in item else "")


def _value(item: Mapping[str, Any], key: str) -> str:
    """A string, or an object with the string in `value`."""
    return text(item, key) or text(table(item, key), "value")


def _reference(item: Mapping[str, Any]) -> str:
    """The chip inside a sentence: its name, else the last part of the path that it leads to."""
    target = table(item, "inlineReference")
    if name := text(item, "name") or text(target, "name"):
        return name
    for place in (target, table(target, "uri"), table(table(target, "location"), "uri")):
        if path := text(place, "path") or text(place, "fsPath"):
            return re.split(r"[/\\]", path.rstrip("/\\"))[-1]
    return ""


def _is_beside_an_edit(items: Sequence[Any], position: int) -> bool:
    """Whether a lone fence marker is decoration: before or after it stands an edit."""
    beside = (items[position - 1] if position else None, items[position + 1] if position + 1 < len(items) else None)
    return any(_kind(item) in _EDITS for item in beside if item is not None)
