"""Finds `<memory-context …> … </memory-context>` blocks: what was put into a prompt from memory, and is no news to it.

A block that came back as if somebody had said it would confirm itself for ever, so the doubt goes to the block:

- blocks nest, and one that is never closed goes on to the end of the text (opened in a code fence: to its end);
- a closing tag that nothing opened ends a block whose beginning was cut off, so what stands before it is hidden too;
- a block quoted in a code fence is a block; a tag alone in inline code (`` `<memory-context>` ``) only speaks of one;
- escaped tags (`&lt;/memory-context&gt;`) are text of the block and close nothing.

Every pattern looks at a bounded distance, so the time grows with the length of the text alone.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

Spans = tuple[tuple[int, int], ...]

_NAME = "memory-context"
_TAG = r"(?i)<(/?)memory-context(?:(?=[\s/>])|\Z)(?:\s{0,20}>|\s{0,20}/>|)"
_ATTRIBUTES = r"[^<>]{0,1000}>"
_FENCE = r"(?m)^[ \t]{0,3}(`{3,}|~{3,})(.*)$"


class _Tag(NamedTuple):
    start: int
    stop: int
    closes: bool


def hidden(text: str) -> Spans:
    """The spans (start, stop) of `text` that are injected context, in order and apart; () for most texts."""
    tags = list(_tags(text)) if re.search(f"(?i){_NAME}", text) else []
    if not tags:
        return ()
    fences = list(_fences(text))
    spans: list[tuple[int, int]] = []
    depth = start = done = 0
    limit = len(text)
    position = 0
    for tag in tags:
        if depth and tag.start >= limit:  # it was opened in a code fence that ended without closing it
            spans.append((start, limit))
            depth, done = 0, limit
        while position < len(fences) and fences[position][1] <= tag.start:
            position += 1
        fence = fences[position] if position < len(fences) and fences[position][0] <= tag.start else None
        if not tag.closes:
            if not depth:
                start, limit = tag.start, fence[1] if fence else len(text)
            depth += 1
        elif depth > 1:
            depth -= 1
        else:
            begin = start if depth else max(done, fence[0] if fence else 0)
            spans.append((begin, tag.stop))
            depth, done = 0, tag.stop
    if depth:
        spans.append((start, limit))
    return _joined(spans)


def without(text: str) -> str:
    """`text` without its injected context; words that stood on both sides of a block stay apart."""
    position, pieces = 0, [""]
    for start, stop in (*hidden(text), (len(text), len(text))):
        piece = text[position:start]
        if piece:
            if pieces[-1] and not pieces[-1][-1].isspace() and not piece[0].isspace():
                piece = "\n" + piece
            pieces.append(piece)
        position = stop
    return "".join(pieces)


def _tags(text: str) -> Iterator[_Tag]:
    """Opening and closing tags in order; not those that close themselves, nor those alone in inline code."""
    for match in re.finditer(_TAG, text):
        stop = match.end()
        if not match[0].endswith(">"):
            attributes = re.compile(_ATTRIBUTES, re.S).match(text, stop)
            stop = attributes.end() if attributes else stop
        is_quoted = text[max(match.start() - 1, 0) : match.start()] == "`" == text[stop : stop + 1]
        if not is_quoted and not (not match[1] and _closes_itself(text[match.start() : stop])):
            yield _Tag(match.start(), stop, bool(match[1]))


def _closes_itself(tag: str) -> bool:
    """`<memory-context a="b" />`; a `/>` inside an open quotation is no end."""
    return tag.endswith("/>") and tag.count('"') % 2 == 0 == tag.count("'") % 2


def _fences(text: str) -> Iterator[tuple[int, int]]:
    """Code fences, from the line that opens one to the end of the line that closes it, or of the text."""
    opened: re.Match[str] | None = None
    for match in re.finditer(_FENCE, text):
        if opened is None:
            if match[1][0] == "~" or "`" not in match[2]:
                opened = match
        elif match[1][0] == opened[1][0] and len(match[1]) >= len(opened[1]) and not match[2].strip():
            yield opened.start(), match.end()
            opened = None
    if opened is not None:
        yield opened.start(), len(text)


def _joined(spans: list[tuple[int, int]]) -> Spans:
    """Spans that touch become one; empty ones go."""
    joined: list[tuple[int, int]] = []
    for start, stop in spans:
        if joined and start <= joined[-1][1]:
            joined[-1] = (joined[-1][0], max(stop, joined[-1][1]))
        elif stop > start:
            joined.append((start, stop))
    return tuple(joined)
