"""Reads a JSON list of objects one object at a time, so that an export of any size needs the memory of its largest one.

The text is parsed piece by piece: where an object does not end within what was read, more is read and it is tried
again. Behind a damaged object the next one that looks like a record is looked for.
"""

import codecs
import json
import re
from collections.abc import Iterator
from typing import IO, Any

from memhub.model.record import Skipped

MAX_OBJECT = 64 * 1024 * 1024
_PIECE = 1 << 18
_EDGE = 16  # an error this near to the end of what was read may come from what was not
_NEXT = re.compile(r"[,\[]\s*(?=\{)")
_GAP = re.compile(r"[\s,\ufeff\0]*")
_MOST_TRIES = 2_000
_DECODER = json.JSONDecoder()


class _Damage(Exception):
    """What is at the position is no JSON value."""


class _Text:
    """The text of a stream, as far as it is needed: what was passed is forgotten."""

    def __init__(self, stream: IO[bytes]) -> None:
        self._stream = stream
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self.text = ""
        self.at = 0
        self.is_all = False

    def more(self, size: int = _PIECE) -> bool:
        """Reads at least something; False at the end. Raises what the stream raises."""
        if self.is_all:
            return False
        if self.at:
            self.text, self.at = self.text[self.at :], 0
        pieces, got = [], 0
        while got < size and not self.is_all:
            data = self._stream.read(_PIECE)
            self.is_all = not data
            pieces.append(self._decoder.decode(data, final=self.is_all))
            got += len(data)
        self.text += "".join(pieces)
        return True

    def gap(self) -> bool:
        """Passes white space and commas; False at the end of the text."""
        while True:
            match = _GAP.match(self.text, self.at)
            self.at = match.end() if match else self.at
            if self.at < len(self.text):
                return True
            if not self.more():
                return False

    def value(self, most: int = MAX_OBJECT) -> Any:
        """The JSON value here; passes it. Raises `_Damage`, and then the position stays."""
        while True:
            try:
                value, self.at = _DECODER.raw_decode(self.text, self.at)
                return value
            except json.JSONDecodeError as error:
                is_open = error.msg.startswith("Unterminated string") or error.pos >= len(self.text) - _EDGE
                size = len(self.text) - self.at
                if not is_open or size > most or not self.more(max(_PIECE, size)):
                    is_cut = error.msg.startswith("Unterminated string") or error.pos >= len(self.text)
                    ends = "the file ends within a record" if is_cut and self.is_all else f"no JSON: {error.msg}"
                    raise _Damage(ends if size <= most else f"a record over {most >> 20} MiB") from error
            except RecursionError as error:
                raise _Damage("JSON nested too deep") from error
            except ValueError as error:
                raise _Damage(f"no JSON: {error}") from error


def objects(stream: IO[bytes], name: str, marks: tuple[str, ...]) -> Iterator[dict[str, Any] | Skipped]:
    """The objects of the list in `stream`, in order, and a `Skipped` for each bad place (`name#n`, from 1).

    An object that is not in a list counts as a list of one. After damage an object counts as a record when it has one
    of the keys `marks`. Raises what the stream raises, and nothing for what is in it.
    """
    text = _Text(stream)
    if not text.gap():
        yield Skipped(name, "empty", failed=True)
        return
    if text.text[text.at] == "[":
        text.at += 1
    number = 0
    while text.gap() and text.text[text.at] != "]":
        number += 1
        try:
            value = text.value()
        except _Damage as damage:
            yield Skipped(f"{name}#{number}", str(damage), failed=True)
            value = _next(text, marks)
            if value is None:
                return
        if isinstance(value, dict):
            yield value
        else:
            yield Skipped(f"{name}#{number}", "no JSON object", failed=True)


def _next(text: _Text, marks: tuple[str, ...]) -> dict[str, Any] | None:
    """The first record behind a damaged place, or None."""
    tries = 0
    text.at += 1
    while tries < _MOST_TRIES:
        found = _NEXT.search(text.text, text.at)
        if found is None:
            text.at = max(text.at, len(text.text) - _PIECE // 4)  # a comma and its brace may lie across the edge
            if not text.more():
                return None
            continue
        text.at = found.end()
        tries += 1
        try:
            value = text.value(most=8 << 20)
        except _Damage:
            continue
        if isinstance(value, dict) and any(mark in value for mark in marks):
            return value
    return None
