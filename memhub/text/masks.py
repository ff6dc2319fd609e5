"""Blanks out what is not prose in Markdown (code, math, HTML), so that labels and links are looked for in prose alone.

Not a parser: one pass over lines for blocks, one over backticks for code spans, then math and HTML. It never raises,
keeps every offset, and takes linear time.
"""

import re
from bisect import bisect_right

MASK = "\0"  # stored text holds no NUL, and it is neither white space nor part of a label
_FENCE = re.compile(r"(?P<prefix>[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)?)(?P<mark>`{3,}|~{3,})(?P<info>[^\n]*)")
_ITEM = re.compile(r"[ \t]*(?:[-*+]|\d{1,9}[.)])(?:[ \t]|$)")
_BOUNDARY = re.compile(r"[ \t]*(?:$|#{1,6}[ \t]|[-*+][ \t]|\d{1,9}[.)][ \t]|\|)")
_RUN = re.compile(r"`+")
# A tag, and neither an address in angle brackets nor a link target, `](<with spaces.md>)`.
_TAG = re.compile(r"(?<!\]\()<(?![a-z][a-z0-9+.-]{1,30}:)[A-Za-z/!?][^<>\n]{0,2000}>")
_RAW = re.compile(r"<(script|style|pre|code)\b[^<>]{0,500}>", re.IGNORECASE)
_MATH = re.compile(r"(?<![\\$\w])\$(?![\s$])[^$\n]{1,500}(?<![\s\\])\$(?![\d$])")


def mask_markup(text: str) -> str:
    """`text` with code, math, HTML tags and HTML comments replaced by `MASK`; same length, newlines kept."""
    spans, paragraphs = _blocks(text)
    for start, stop in paragraphs:
        if "`" in text[start:stop]:
            spans.extend(_code_spans(text, start, stop))
    masked = _blank(text, sorted(spans))
    if "<" in masked:
        masked = _blank(masked, _between(masked, "<!--", "-->"))
        masked = _blank(masked, _raw_elements(masked))
        masked = _blank(masked, [found.span() for found in _TAG.finditer(masked)])
    if "$" in masked:
        masked = _blank(masked, _between(masked, "$$", "$$"))
        masked = _blank(masked, [found.span() for found in _MATH.finditer(masked)])
    return masked


def _blank(text: str, spans: list[tuple[int, int]]) -> str:
    if not spans:
        return text
    parts: list[str] = []
    position = 0
    for start, stop in spans:
        start = max(start, position)
        if stop <= start:
            continue
        parts.append(text[position:start])
        inside = text[start:stop]
        parts.append("\n".join(MASK * len(line) for line in inside.split("\n")))
        position = stop
    parts.append(text[position:])
    return "".join(parts)


def _blocks(text: str) -> tuple[list[tuple[int, int]], list[tuple[int, int]]]:
    """The spans of code blocks, and of the paragraphs between them (a code span does not leave its paragraph)."""
    code: list[tuple[int, int]] = []
    paragraphs: list[tuple[int, int]] = []
    begin = position = 0
    fence: tuple[str, bool] | None = None  # its mark, and whether it stands in a quote
    is_after_gap, is_in_list = True, False
    for line in text.split("\n"):
        start, position = position, position + len(line) + 1
        stop = start + len(line)
        if fence:
            rest = line.lstrip(" \t>")
            if fence[1] and not line.lstrip().startswith(">"):
                fence = None  # the quote ended, and its fence with it
            else:
                code.append((start, stop))
                if rest.startswith(fence[0]) and not rest.strip(" \t" + fence[0][0]):
                    fence = None
                begin, is_after_gap = position, False
                continue
        opening = _FENCE.match(line) if "```" in line or "~~~" in line else None
        if opening and not (opening["mark"][0] == "`" and "`" in opening["info"]):
            paragraphs.append((begin, start))
            code.append((start, stop))
            fence = opening["mark"], ">" in opening["prefix"]
            begin = position
            continue
        is_blank = not line.strip()
        is_indented = line.startswith(("    ", "\t"))
        if is_indented and not is_blank and is_after_gap and not is_in_list:
            paragraphs.append((begin, start))
            code.append((start, stop))
            begin = position
            continue  # the next line may go on with the code block: `is_after_gap` stays
        if _BOUNDARY.match(line):
            paragraphs.append((begin, start))
            begin = start
        if _ITEM.match(line):
            is_in_list = True
        elif not is_blank and is_after_gap and not line.startswith((" ", "\t")):
            is_in_list = False
        is_after_gap = is_blank
    paragraphs.append((begin, len(text)))
    return code, [span for span in paragraphs if span[0] < span[1]]


def _code_spans(text: str, start: int, stop: int) -> list[tuple[int, int]]:
    """Backtick runs paired as CommonMark pairs them: a run closes the next run of the same length."""
    runs = [found.span() for found in _RUN.finditer(text, start, stop)]
    by_length: dict[int, list[int]] = {}
    for begin, end in runs:
        by_length.setdefault(end - begin, []).append(begin)
    spans: list[tuple[int, int]] = []
    position = start
    for begin, end in runs:
        if begin < position:
            continue
        if begin > start and _is_escaped(text, begin):
            begin += 1
        same = by_length.get(end - begin, [])
        index = bisect_right(same, end - 1)
        if begin < end and index < len(same):
            position = same[index] + end - begin
            spans.append((begin, position))
    return spans


def _is_escaped(text: str, position: int) -> bool:
    count = 0
    while count < position and text[position - 1 - count] == "\\":
        count += 1
    return count % 2 == 1


def _between(text: str, opening: str, closing: str) -> list[tuple[int, int]]:
    spans: list[tuple[int, int]] = []
    start = text.find(opening)
    while start >= 0:
        end = text.find(closing, start + len(opening))
        if end < 0:
            break
        spans.append((start, end + len(closing)))
        start = text.find(opening, end + len(closing))
    return spans


def _raw_elements(text: str) -> list[tuple[int, int]]:
    """Elements whose content is code: from the tag to its closing tag; one that is never closed counts for nothing."""
    spans: list[tuple[int, int]] = []
    lower = text.lower() if _RAW.search(text) else ""
    if len(lower) != len(text):
        return spans
    never: set[str] = set()
    position = 0
    for found in _RAW.finditer(text):
        name = found[1].lower()
        if found.start() < position or name in never:
            continue
        end = lower.find(f"</{name}", found.end())
        if end < 0:
            never.add(name)
            continue
        spans.append((found.start(), end))
        position = end
    return spans
