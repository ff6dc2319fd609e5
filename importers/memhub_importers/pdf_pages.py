"""Takes the text out of the pages of a PDF and cleans what typesetting put in: hyphens, ligatures, running headers."""

import ctypes
import re
from collections import Counter
from typing import Any, NamedTuple

from memhub.text.clean import clean
from memhub_importers.documents import library

_LIGATURES = {
    "\ufb00": "ff",
    "\ufb01": "fi",
    "\ufb02": "fl",
    "\ufb03": "ffi",
    "\ufb04": "ffl",
    "\ufb05": "st",
    "\ufb06": "st",
}
_LIGATURE = re.compile("[\ufb00-\ufb06]")
_HYPHEN = re.compile(r"(?<=[a-zà-öø-ÿ])-\n(?=[a-zà-öø-ÿ])")
_JOINED = re.compile(r"\ufffe(?=[a-zà-öø-ÿ])")
_DIGITS = re.compile(r"\d+")
_SPACES = re.compile(r"\n{3,}")
_FEWEST_PAGES = 5
_EDGE = 3  # running headers and footers stand among the first and last lines of a page
_LOOKED_AT = 3000


class Pages(NamedTuple):
    """The text of each page in order, the largest writing on the first page, and the numbers of unreadable pages."""

    texts: list[str]
    heading: str
    unread: list[int]


def pages_text(document: Any, count: int, most: int) -> Pages:
    """The first `count` pages, fewer when they hold more than `most` characters."""
    error = library("pypdfium2", "PDF").PdfiumError
    texts: list[str] = []
    unread: list[int] = []
    heading, size = "", 0
    for number in range(count):
        page = text_page = None
        try:
            page = document[number]
            text_page = page.get_textpage()
            raw = str(text_page.get_text_range())
            if number == 0:
                heading = _largest(text_page)
        except (error, ValueError, ctypes.ArgumentError):
            raw = ""
            unread.append(number + 1)
        finally:
            for opened in (text_page, page):
                if opened is not None:
                    opened.close()
        texts.append(_clean(raw))
        size += len(texts[-1])
        if size > most:
            break
    return Pages(_without_headers(texts), heading, unread)


def _clean(raw: str) -> str:
    """PDFium marks a hyphen at the end of a line with U+FFFE and joins the halves; before a capital it was meant."""
    text = _JOINED.sub("", raw.replace("\r\n", "\n")).replace("\ufffe", "-")
    text = clean(text.replace("\x02", "").replace("\0", ""))
    text = _LIGATURE.sub(lambda found: _LIGATURES[found[0]], text)
    text = _HYPHEN.sub("", text.replace("\xad", ""))
    return _SPACES.sub("\n\n", "\n".join(line.rstrip() for line in text.split("\n"))).strip()


def _without_headers(texts: list[str]) -> list[str]:
    """Pages without the lines that more than half of them have at an edge, whatever number is in them."""
    if len(texts) < _FEWEST_PAGES:
        return texts
    counts: Counter[str] = Counter()
    pages = [text.split("\n") for text in texts]
    for lines in pages:
        counts.update({_masked(lines[place]) for place in _edges(lines)})
    common = {line for line, count in counts.items() if line and count * 2 > len(texts)}
    cleaned = []
    for lines in pages:
        dropped = {place for place in _edges(lines) if _masked(lines[place]) in common}
        cleaned.append("\n".join(line for place, line in enumerate(lines) if place not in dropped).strip())
    return cleaned


def _edges(lines: list[str]) -> set[int]:
    places = range(len(lines))
    return {*places[:_EDGE], *places[-_EDGE:]}


def _masked(line: str) -> str:
    return _DIGITS.sub("0", " ".join(line.split()))


def _largest(text_page: Any) -> str:
    """The first line in the largest writing of a page."""
    raw = library("pypdfium2.raw", "PDF")
    count = min(int(text_page.count_chars()), _LOOKED_AT)
    sizes = [float(raw.FPDFText_GetFontSize(text_page, place)) for place in range(count)]
    letters = [chr(code) if (code := int(raw.FPDFText_GetUnicode(text_page, place))) else " " for place in range(count)]
    shown = [size for size, letter in zip(sizes, letters, strict=True) if letter.isalnum()]
    if not shown or max(shown) <= min(shown):
        return ""
    largest = max(shown)
    line: list[str] = []
    for size, letter in zip(sizes, letters, strict=True):
        if letter in "\r\n" and line:
            break
        if size == largest or (line and letter == " "):
            line.append(letter)
        elif line and letter.strip():
            break
    return _clean("".join(line))
