"""Reads JSON Lines and JSON documents that other programs write, also while they write, without stumbling over damage.

Lines end at `\\n` only: U+2028 and its kin occur inside strings. A line may be tens of megabytes; the file is streamed.
A last line without its end is unfinished: what is whole in it is read, the rest is left for the next run.
"""

import json
import os
import re
import stat
from collections.abc import Callable, Iterator
from typing import Any, BinaryIO, cast

from memhub.model.record import Skipped
from memhub_importers.files import why

MAX_LINE = 256 * 1024 * 1024
MAX_DOCUMENT = 512 * 1024 * 1024
_BOM = b"\xef\xbb\xbf"
_START = re.compile(r'\{\s*"')
_SPACE = re.compile(r"[\s\0]*")
_DEEP = 10_000  # characters that an attempt counts for when it ended in nesting that is too deep
_DECODER = json.JSONDecoder()


def lines(
    path: str | os.PathLike[str], name: str = "", *, wanted: Callable[[bytes], bool] | None = None
) -> Iterator[tuple[int, dict[str, Any]] | Skipped]:
    """(line number from 1, object) for each record of a JSON Lines file, and a `Skipped` for each bad place.

    `name` is what the file is called in `Skipped.where` (`name:line`). `wanted` sees the raw bytes of a line and may
    pass it over before it is parsed. Objects glued into one line share its number. Never raises for what is in a file.
    """
    name = name or os.path.basename(path)
    try:
        with open_regular(path) as file:
            yield from stream(file, name, wanted=wanted)
    except (OSError, ValueError) as error:
        yield Skipped(name, why(error), failed=True)


def stream(
    file: BinaryIO, name: str, *, wanted: Callable[[bytes], bool] | None = None
) -> Iterator[tuple[int, dict[str, Any]] | Skipped]:
    """`lines` of what is open already. Raises what reading `file` raises."""
    for number, raw, is_whole in _raw_lines(file):
        if raw is None:
            yield Skipped(f"{name}:{number}", f"a line over {MAX_LINE >> 20} MiB", failed=True)
        elif wanted is None or wanted(raw):
            yield from _records(raw, number, name, is_whole)


def document(path: str | os.PathLike[str], name: str = "") -> Any:
    """The value of a JSON file, or a `Skipped` that says why there is none. Never raises for what is in a file."""
    name = name or os.path.basename(path)
    try:
        with open_regular(path) as file:
            data = file.read(MAX_DOCUMENT + 1)
    except (OSError, ValueError) as error:
        return Skipped(name, why(error), failed=True)
    if len(data) > MAX_DOCUMENT:
        return Skipped(name, f"larger than {MAX_DOCUMENT >> 20} MiB", failed=True)
    try:
        return json.loads(data.removeprefix(_BOM).decode("utf-8", "replace"))
    except (ValueError, RecursionError) as error:
        return Skipped(name, _fault(error), failed=True)


def open_regular(path: str | os.PathLike[str]) -> BinaryIO:
    """A regular file opened to read its bytes; not a pipe or a link put in its place. Raises OSError or ValueError."""
    flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    file = open(os.open(path, flags), "rb", buffering=1 << 18)  # noqa: SIM115 - the caller closes it
    if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
        file.close()
        raise ValueError("no regular file")
    return file


def _raw_lines(file: BinaryIO) -> Iterator[tuple[int, bytes | None, bool]]:
    """(number, bytes without the line end, whether it has one); None for bytes of a line that is too long to hold."""
    number = 0
    while raw := file.readline(MAX_LINE):
        number += 1
        is_whole = raw.endswith(b"\n")
        if len(raw) == MAX_LINE and not is_whole:
            while (more := file.readline(1 << 20)) and not more.endswith(b"\n"):
                pass
            yield number, None, True
            continue
        if number == 1:
            raw = raw.removeprefix(_BOM)
        raw = raw.strip(b" \t\r\n\0")
        if raw:
            yield number, raw, is_whole


def _records(raw: bytes, number: int, name: str, is_whole: bool) -> Iterator[tuple[int, dict[str, Any]] | Skipped]:
    text = raw.decode("utf-8", "replace")
    try:
        value = json.loads(text)
    except (ValueError, RecursionError) as error:
        found, lost = _salvage(text)
        for value in found:
            yield number, value
        if lost and not is_whole:
            yield Skipped(f"{name}:{number}", "unfinished line at the end")
        elif lost:
            reason = "the start of a record, torn off; what follows was read" if found else _fault(error)
            yield Skipped(f"{name}:{number}", reason, failed=True)
        return
    if isinstance(value, dict):
        yield number, value
    else:
        yield Skipped(f"{name}:{number}", "no JSON object", failed=True)


def _salvage(text: str) -> tuple[list[dict[str, Any]], bool]:
    """The whole objects of a damaged line, and whether anything of it was lost.

    Two faults are known: objects glued as `}{`, and a torn record with whole ones after it. After a tear only objects
    that reach to the end of the line count, so that no inner part of the torn record is taken for a record.
    """
    found, end, spent = _run(text, 0)
    if end == len(text):
        return found, False
    budget = 4 * len(text) + 1_000_000 - spent
    for place in _START.finditer(text, end + 1):
        more, stop, spent = _run(text, place.start())
        if more and stop == len(text):
            return found + more, True
        budget -= spent
        if budget < 0:
            break
    return found, True


def _run(text: str, start: int) -> tuple[list[dict[str, Any]], int, int]:
    """The objects that follow each other from `start`, where the last of them ends, and the characters looked at."""
    found: list[dict[str, Any]] = []
    first, spent = start, 0
    while start < len(text) and text[start] == "{":
        try:
            value, start = _DECODER.raw_decode(text, start)
        except json.JSONDecodeError as error:
            spent = error.pos - start + error.pos // 8  # the error counts lines from the start of the text
            break
        except (ValueError, RecursionError):
            spent = _DEEP
            break
        found.append(value)
        start = cast(re.Match[str], _SPACE.match(text, start)).end()
    return found, start, start - first + spent


def _fault(error: Exception) -> str:
    if isinstance(error, RecursionError):
        return "JSON nested too deep"
    if isinstance(error, json.JSONDecodeError):
        what = error.msg.removesuffix(" at")  # "Unterminated string starting at"
        return f"no JSON: {what[:1].lower()}{what[1:]} at character {error.pos + 1}"
    return "no JSON: a number with too many digits"
