"""Finds the blocks of a long text (headings, paragraphs, fences, tables, list items) for the chunker.

Markdown of ordinary size is parsed by markdown-it-py, which is loaded only here. Plain text, and Markdown so large or
so broken into lines that a parser would take seconds, is cut at blank lines, ATX headings and fences by one scan.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

PARSE_CHARS = 1_000_000
PARSE_LINES = 40_000
_GATHER = 300  # the plain scan joins paragraphs up to this size, so that 50 MB give no millions of blocks
_HEADING_CHARS = 200
_GAP = re.compile(r"\n[ \t]*\n\s*|\n(?=#{1,6}[ \t]|`{3}|~{3})")
_ATX = re.compile(r"(#{1,6})[ \t]+([^\n]*)")
_FENCE = re.compile(r"(`{3,}|~{3,})[^\n]*")


class Block(NamedTuple):
    """One block, `text[start:stop]`; blocks follow each other without a gap.

    `kind` is heading, paragraph, fence, table, or `lines` for what may be cut at line ends (list item, quote, code,
    HTML). `level` and `heading` are set for headings.
    """

    start: int
    stop: int
    kind: str
    level: int = 0
    heading: str = ""


def blocks(text: str, markdown: bool) -> Iterator[Block]:
    """The blocks of `text` in order; together they cover all of it."""
    if markdown and len(text) <= PARSE_CHARS and text.count("\n") <= PARSE_LINES:
        return _parsed(text)
    return _scanned(text, markdown)


def _parsed(text: str) -> Iterator[Block]:
    from markdown_it import MarkdownIt

    parser = MarkdownIt("commonmark").enable("table").disable(["reference"])
    parser.core.ruler.disable("inline")
    tokens = parser.parse(text)
    line_starts = [0]
    line_starts.extend(found.end() for found in re.finditer("\n", text))
    line_starts.append(len(text))
    before: Block | None = None
    for number, token in enumerate(tokens):
        kind = _KINDS.get(token.type)
        if kind is None or token.map is None or token.level > (1 if token.type == "list_item_open" else 0):
            continue
        start = line_starts[min(token.map[0], len(line_starts) - 1)]
        level, heading = 0, ""
        if kind == "heading":
            level, heading = int(token.tag[1]), _short(tokens[number + 1].content)
        if before is None:
            start = 0
        elif start <= before.start:
            continue
        else:
            yield before._replace(stop=start)
        before = Block(start, len(text), kind, level, heading)
    yield before or Block(0, len(text), "paragraph")


_KINDS = {
    "heading_open": "heading",
    "paragraph_open": "paragraph",
    "fence": "fence",
    "table_open": "table",
    "list_item_open": "lines",
    "blockquote_open": "lines",
    "code_block": "lines",
    "html_block": "lines",
    "hr": "lines",
}


def _scanned(text: str, markdown: bool) -> Iterator[Block]:
    start = position = 0
    while position < len(text):
        here = position
        head = _ATX.match(text, here) if markdown else None
        fence = _FENCE.match(text, here) if markdown and not head else None
        if (head or fence) and start < here:
            yield Block(start, here, "paragraph")
            start = here
        if fence:
            position = _fence_end(text, fence)
            yield Block(here, position, "fence")
            start = position
            continue
        gap = _GAP.search(text, here)
        position = gap.end() if gap else len(text)
        if head:
            position = min(position, text.find("\n", here) + 1 or len(text))
            yield Block(here, position, "heading", len(head[1]), _short(head[2].rstrip("# \t")))
            start = position
        elif position - start >= _GATHER:
            yield Block(start, position, "paragraph")
            start = position
    if start < len(text) or not text:
        yield Block(start, len(text), "paragraph")


def _fence_end(text: str, fence: re.Match[str]) -> int:
    """Where the fence that opens at `fence` ends: after its closing line, or at the end of the text."""
    close = text.find("\n" + fence[1], fence.end())
    if close < 0:
        return len(text)
    return text.find("\n", close + 1) + 1 or len(text)


def _short(heading: str) -> str:
    return " ".join(heading[: 4 * _HEADING_CHARS].split())[:_HEADING_CHARS]
