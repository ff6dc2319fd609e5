"""Cuts a source into what a model reads in one call."""

import re
from collections.abc import Callable
from datetime import date
from typing import Any, NamedTuple

from memhub.model.judging import Source, Text
from memhub.text.redact import find_secrets

_BREAKS = ("\n\n", "\n", "。", ". ", "！", "？", "! ", "? ", "；", "，", ", ", " ")
SMALLEST = 200
"""Characters below which no window goes, whatever the setting says."""


class Piece(NamedTuple):
    """Characters `start` to `stop` of the text with number `text` of a source."""

    text: int
    start: int
    stop: int


def windows(source: Source, size: int, wanted: Callable[[Text], bool]) -> list[list[Piece]]:
    """The wanted texts in order, in groups of at most `size` characters; only a text that is longer alone is cut."""
    size = max(size, SMALLEST)
    found: list[list[Piece]] = []
    room = 0
    for number, text in enumerate(source.texts):
        if not wanted(text) or not text.content.strip():
            continue
        start = 0
        while start < len(text.content):
            left = len(text.content) - start
            if not found or room < min(left, size):
                found.append([])
                room = size
            stop = start + left if left <= room else _break(text.content, start, start + room)
            found[-1].append(Piece(number, start, stop))
            room -= stop - start
            start = stop
    return found


def turns(source: Source, pieces: list[Piece]) -> dict[str, Any]:
    """What a model is shown of a window; turn `t1` is the first text of the source."""
    return {"turns": [_turn(source.texts[piece.text], piece) for piece in pieces]}


def _turn(text: Text, piece: Piece) -> dict[str, str]:
    shown: dict[str, str] = {"id": f"t{piece.text + 1}", "role": text.role}
    if text.speaker:
        shown["speaker"] = text.speaker
    if text.at:
        shown["at"] = _day(text.at)
    return {**shown, "text": _visible(text, piece)}


def _visible(text: Text, piece: Piece) -> str:
    """The piece without injected context and without secrets, also such as begin or end outside it."""
    covered = [(start, stop, " … ") for start, stop in text.hidden]
    covered += [(secret.start, secret.stop, f"[masked {secret.name}]") for secret in find_secrets(text.content)]
    parts, at = [], piece.start
    for start, stop, instead in sorted(covered):
        if start < piece.stop and stop > at:
            parts += [text.content[at : max(at, start)], instead]
            at = min(stop, piece.stop)
    return "".join([*parts, text.content[at : piece.stop]])


def _day(at: str) -> str:
    """The day with its weekday, without which a small model cannot tell what Friday means."""
    if not re.match(r"\d{4}-\d\d-\d\d", at):
        return at
    try:
        return f"{at[:10]} {date.fromisoformat(at[:10]):%A}"
    except ValueError:
        return at


def _break(text: str, start: int, limit: int) -> int:
    """Where to end a piece that may reach to `limit`: at the last good break of its second half."""
    for mark in _BREAKS:
        at = text.rfind(mark, start + (limit - start) // 2, limit)
        if at >= 0:
            return at + len(mark)
    return limit
