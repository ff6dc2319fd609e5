"""Cuts an item longer than 2,000 characters into the pieces that get a vector each; the words stay one row an item.

The rule, in characters: cut at headings and join small sections to the one before; cut a long section between blocks;
keep fences and tables whole up to `atomic`; cut a long paragraph at sentence ends, else spaces, and only there repeat
a little. Every character is in some chunk. Time grows with the length of the text, whatever is in it.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from memhub.text.blocks import Block, blocks


class Chunk(NamedTuple):
    """`text[start:stop]` of the stored text, under `heading_path`; `page` is set for paged sources.

    `lead` is what an embedder puts before a later part of a long fence or table: the fence line or the table's head.
    """

    ordinal: int
    start: int
    stop: int
    heading_path: tuple[str, ...] = ()
    page: int | None = None
    lead: str = ""


class Limits(NamedTuple):
    """Sizes in characters; about four make a token of English, one and a half of Chinese."""

    target: int = 1200
    max: int = 2000
    min: int = 200
    overlap: int = 150
    atomic: int = 4000


DEFAULT = Limits()
SMALL_MODEL = Limits(target=700, max=900)  # for models that read 256 tokens
_SENTENCE = re.compile(r"[.!?…][\"'”’)\]]{0,8}\s+|[。！？][\"”’」』）]{0,8}\s*")
_LEAD_CHARS = 500


class _Piece(NamedTuple):
    start: int
    stop: int
    level: int
    path: tuple[str, ...]
    lead: str = ""


class _Section(NamedTuple):
    level: int
    path: tuple[str, ...]
    blocks: list[Block]


def chunks(text: str, content_type: str = "markdown", limits: Limits = DEFAULT) -> tuple[Chunk, ...]:
    """The chunks of `text` in order; a text up to `limits.max` is one. `content_type` is `markdown` or `text`."""
    if len(text) <= limits.max:
        return (Chunk(0, 0, len(text)),)
    pieces: list[_Piece] = []
    for section in _sections(blocks(text, markdown=content_type == "markdown")):
        _place(text, section, pieces, limits)
    return tuple(
        Chunk(number, piece.start, piece.stop, piece.path, None, piece.lead) for number, piece in enumerate(pieces)
    )


def embedding_text(text: str, chunk: Chunk, title: str | None = None) -> str:
    """What a vector is made of: `title › H1 › H2` on a line, then the chunk. Not for display."""
    body = chunk.lead + text[chunk.start : chunk.stop]
    names = [title, *chunk.heading_path] if title and title not in chunk.heading_path[:1] else list(chunk.heading_path)
    prefix = " › ".join(name for name in names if name)
    return f"{prefix}\n{body}" if prefix else body


def _sections(found: Iterator[Block]) -> Iterator[_Section]:
    """Blocks gathered under the heading before them; the path holds the headings above, outermost first."""
    trail: list[tuple[int, str]] = []
    section = _Section(0, (), [])
    for block in found:
        if block.kind == "heading":
            if section.blocks:
                yield section
            trail = [entry for entry in trail if entry[0] < block.level]
            trail.append((block.level, block.heading))
            section = _Section(block.level, tuple(name for _, name in trail if name), [])
        section.blocks.append(block)
    if section.blocks:
        yield section


def _place(text: str, section: _Section, pieces: list[_Piece], limits: Limits) -> None:
    """Joins `section` to the last piece, adds it as one, or adds its parts."""
    start, stop = section.blocks[0].start, section.blocks[-1].stop
    level, path = section.level, section.path
    if pieces:
        last = pieces[-1]
        both = stop - last.start
        is_small = last.stop - last.start < limits.min
        if (both <= limits.target and level > last.level) or (is_small and both <= limits.max):
            pieces[-1] = last._replace(stop=stop)
            return
        if is_small and stop - start > limits.max and level > last.level and not last.lead:
            pieces.pop()  # a heading alone is no chunk: the first part of what it heads takes it along
            start, level, path = last.start, last.level, last.path
    if stop - start <= limits.max:
        pieces.append(_Piece(start, stop, level, path))
        return
    first = len(pieces)
    for part_start, part_stop, lead in _parts(text, start, section.blocks, limits):
        own = path if len(pieces) == first else section.path
        pieces.append(_Piece(part_start, part_stop, section.level, own, lead))
    _join_remainder(pieces, first, limits)


def _join_remainder(pieces: list[_Piece], first: int, limits: Limits) -> None:
    if len(pieces) - first < 2:
        return
    last, before = pieces[-1], pieces[-2]
    if last.stop - last.start < limits.min and last.stop - before.start <= limits.max and not last.lead:
        pieces[-2:] = [before._replace(stop=last.stop)]


def _parts(text: str, start: int, section: list[Block], limits: Limits) -> Iterator[tuple[int, int, str]]:
    """A long section as (start, stop, lead), cut between blocks, and inside a block only where it alone is too long."""
    for block in section:
        size, pending = block.stop - block.start, block.start - start
        is_whole = block.kind in ("fence", "table")
        ceiling = limits.atomic if is_whole else limits.max
        if size > ceiling:
            if pending >= limits.min:
                yield start, block.start, ""
                start = block.start
            yield from _cut(text, start, block, limits)
            start = block.stop
        elif pending and pending + size > limits.target and (pending >= limits.min or pending + size > ceiling):
            yield start, block.start, ""
            start = block.start
    if start < section[-1].stop:
        yield start, section[-1].stop, ""


def _cut(text: str, start: int, block: Block, limits: Limits) -> Iterator[tuple[int, int, str]]:
    """One block that is too long, from `start` (at or a little before it), at lines or at sentences."""
    lead = _lead(text, block)
    position, stop = start, block.stop
    while stop - position > limits.target + limits.min:
        cut, is_line = _break(text, position, block.kind != "paragraph", limits)
        yield position, cut, lead if position > block.start else ""
        position = cut if is_line else _overlap(text, cut, limits)
    yield position, stop, lead if position > block.start else ""


def _lead(text: str, block: Block) -> str:
    lines = {"fence": 1, "table": 2}.get(block.kind, 0)
    stop = block.start
    for _ in range(lines):
        stop = text.find("\n", stop, block.stop) + 1
        if not stop:
            return ""
    return text[block.start : stop] if stop - block.start <= _LEAD_CHARS else ""


def _break(text: str, position: int, at_lines: bool, limits: Limits) -> tuple[int, bool]:
    """Where to end the part that begins at `position`, and whether that is a line end of a block made of lines."""
    low, target, high = position + limits.min, position + limits.target, position + limits.max
    if at_lines:
        line = text.rfind("\n", low, target) + 1 or text.find("\n", target, high) + 1
        if line:
            return line, True
    cut = 0
    for found in _SENTENCE.finditer(text, low, target):
        cut = found.end()
    if not cut:
        later = _SENTENCE.search(text, target, high)
        cut = later.end() if later else max(text.rfind(" ", low, high), text.rfind("\n", low, high)) + 1
    if not cut:
        cut = high
        while cut > high - 16 and _continues(text, cut):
            cut -= 1
    return cut, False


def _continues(text: str, position: int) -> bool:
    """Whether the character at `position` belongs to the one before it (a mark, a joiner, or after a joiner)."""
    from unicodedata import category

    return position < len(text) and (text[position - 1] == "\u200d" or category(text[position]) in ("Mn", "Me", "Cf"))


def _overlap(text: str, cut: int, limits: Limits) -> int:
    """Where the part after `cut` begins: at a sentence within the overlap, else at a word, else at the cut."""
    low = cut - limits.overlap
    for found in _SENTENCE.finditer(text, low - 1, cut):
        if low <= found.end() < cut:
            return found.end()
    if _SENTENCE.search(text, max(0, cut - 12), cut):
        return cut  # the sentence before is longer than the overlap
    space = text.find(" ", low, cut - 1)
    return space + 1 if space >= 0 else cut
