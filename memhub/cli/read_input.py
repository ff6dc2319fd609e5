"""Standard input as notes: whole, by line, by paragraph, or JSON Lines as people really have them.

Nothing is guessed into an item: a record that cannot be one is named with its line and a reason, and the rest goes on.
"""

import json
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Literal

from memhub.cli import options as opt
from memhub.errors import MhError, UsageError
from memhub.model.record import Skipped
from memhub.model.result import NewNote

if TYPE_CHECKING:
    from memhub.text.dates import Zone

Split = Literal["line", "blank", "jsonl"]
_KEYS = {
    *("content", "title", "labels", "tags", "kind", "importance", "created_at", "date"),
    *("project", "source", "request_id", "attrs"),
}


def stdin_bytes() -> bytes:
    """All of standard input; a terminal is refused, because nobody means to type there."""
    if sys.stdin is None:
        return b""
    try:
        return sys.stdin.buffer.read()
    except OSError as error:
        raise unreadable(error) from error


def unreadable(error: OSError) -> MhError:
    """What a folder given as standard input is called."""
    return MhError(f"cannot read standard input: {error.strerror}")


def lines_of(stream: Any) -> Iterator[tuple[int, str]]:
    """The lines of a byte stream as they come, numbered from 1, without their ends."""
    try:
        for number, raw in enumerate(stream, 1):
            yield number, raw.decode("utf-8-sig" if number == 1 else "utf-8", "replace").rstrip("\r\n")
    except OSError as error:
        raise unreadable(error) from error


def notes(split: Split, zone: "Zone") -> Iterator[NewNote | Skipped]:
    """The notes on standard input, cut as `split` says."""
    lines = lines_of(sys.stdin.buffer if sys.stdin else ())
    if split == "line":
        return _by_line(lines)
    return _by_blank(lines) if split == "blank" else _by_record(lines, zone)


def _by_line(lines: Iterator[tuple[int, str]]) -> Iterator[NewNote | Skipped]:
    for number, line in lines:
        if line.strip():
            yield NewNote(line, where=f"line {number}")


def _by_blank(lines: Iterator[tuple[int, str]]) -> Iterator[NewNote | Skipped]:
    block: list[str] = []
    start = 0
    for number, line in lines:
        if line.strip():
            start = start if block else number
            block.append(line)
        elif block:
            yield NewNote("\n".join(block), where=f"line {start}")
            block = []
    if block:
        yield NewNote("\n".join(block), where=f"line {start}")


def _by_record(lines: Iterator[tuple[int, str]], zone: "Zone") -> Iterator[NewNote | Skipped]:
    first = True
    for number, line in lines:
        if not line.strip():
            continue
        where = f"line {number}"
        try:
            record = json.loads(line)
        except (ValueError, RecursionError) as error:
            if first:
                _refuse_shape(where, line)
            record, reason = None, _json_reason(error)
        else:
            if first and isinstance(record, list):
                raise UsageError(f"{where} is a whole JSON array", "`jq -c '.[]'` makes one record a line")
            reason = "" if isinstance(record, dict) else f"{_type_name(record)}, not a record"
        first = False
        if reason:
            yield Skipped(where, reason, failed=True)
            continue
        try:
            yield _note(record, where, zone)
        except MhError as error:
            yield Skipped(where, error.message, failed=True)


def _refuse_shape(where: str, line: str) -> None:
    """The first line shows when the whole input has another shape; then nothing is stored at all."""
    bare = line.strip()
    if bare.startswith("["):
        raise UsageError(f"{where} begins a JSON array, not a record", "`jq -c '.[]'` makes one record a line")
    if bare == "{" or (bare.startswith("{") and bare[-1] in "{[,"):
        raise UsageError(f"{where} is not a whole JSON record", "`jq -c .` makes one record a line")


def _json_reason(error: Exception) -> str:
    if isinstance(error, json.JSONDecodeError):
        return f"not valid JSON ({error.msg.lower()} at column {error.colno})"
    return "not valid JSON"


def _type_name(value: object) -> str:
    names = {bool: "true or false", int: "a number", float: "a number", str: "a string", list: "an array"}
    return names.get(type(value), "null")


def _note(record: dict[str, Any], where: str, zone: "Zone") -> NewNote:
    """A record as a note; keys that nobody knows are kept in `attrs`."""
    content = record.get("content")
    if content is None:
        others = ", ".join(f"`{key}`" for key in list(record)[:4])
        raise UsageError(f"no `content` (there is {others})" if others else "no `content`")
    if not isinstance(content, str):
        raise UsageError(f"`content` is {_type_name(content)}, not text")
    if not content.strip():
        raise UsageError("`content` is empty")
    attrs = record.get("attrs") or {}
    if not isinstance(attrs, dict):
        raise UsageError("`attrs` is not an object")
    date = _text(record, "created_at") or _text(record, "date")
    if date:
        from memhub.text.dates import parse_date

        date = parse_date(date, zone)
    return NewNote(
        content,
        title=_text(record, "title"),
        labels=_labels(record),
        kind=opt.kind(_text(record, "kind")),
        importance=_number(record),
        created_at=date,
        project=_text(record, "project"),
        source=_text(record, "source"),
        attrs={**attrs, **{key: value for key, value in record.items() if key not in _KEYS}},
        request_id=_text(record, "request_id"),
        where=where,
    )


def _text(record: dict[str, Any], key: str) -> str | None:
    value = record.get(key)
    if value is not None and not isinstance(value, str):
        raise UsageError(f"`{key}` is {_type_name(value)}, not text")
    return value or None


def _labels(record: dict[str, Any]) -> tuple[str, ...]:
    given = record.get("labels")
    given = record.get("tags") if given is None else given
    if given is None:
        return ()
    if isinstance(given, str):
        given = [given]
    if not isinstance(given, list) or not all(isinstance(label, str) for label in given):
        raise UsageError("`labels` is not a list of texts")
    return tuple(given)


def _number(record: dict[str, Any]) -> float | None:
    value = record.get("importance")
    if value is not None and (isinstance(value, bool) or not isinstance(value, int | float)):
        raise UsageError(f"`importance` is {_type_name(value)}, not a number")
    return opt.importance(value)
