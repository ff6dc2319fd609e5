"""Breaks a paragraph into lines of a terminal: between words, and between any two letters of Chinese or Japanese."""

import re
from collections.abc import Iterator

from memhub.text.clean import display_width

_PIECE = re.compile(r"\s+|[^\s\u2e80-\u9fff\uac00-\ud7a3\uff00-\uff60]+|.[，。、；：！？）」』”’]*")
_WIDEST = 100


def wrapped(text: str, columns: int | None) -> list[str]:
    """The lines of a paragraph; one line where nothing is cut."""
    return [text] if columns is None else list(_lines(text, min(columns, _WIDEST)))


def _lines(text: str, columns: int) -> Iterator[str]:
    line = ""
    for piece in _PIECE.findall(text):
        if line and display_width(line + piece.rstrip()) > columns:
            yield line.rstrip()
            line = piece.lstrip()
        else:
            line += piece
    if line.strip():
        yield line.rstrip()
