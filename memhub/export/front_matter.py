"""Writes front matter that every YAML reader takes alike: strings quoted by JSON rules, lists as blocks."""

import hashlib
import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

_UNPRINTABLE = re.compile("[\x7f-\x9f\u2028\u2029\ud800-\udfff\ufeff\ufffe\uffff]")


def block(values: Mapping[str, Any]) -> str:
    """The block between its two `---` lines, ended by LF. None, "" and empty lists are left out."""
    return "\n".join(["---", *_lines(values), "---", ""])


def text_digest(text: str) -> str:
    """The digest of a note's text without the front matter, by which an edit is recognised."""
    return hashlib.sha256(text.strip().encode("utf-8", "replace")).hexdigest()[:16]


def _lines(values: Mapping[str, Any]) -> Iterator[str]:
    for name, value in values.items():
        if isinstance(value, list):
            if value:
                yield f"{name}:"
                for entry in value:
                    yield from _entry(entry)
        elif value not in (None, ""):
            yield f"{name}: {_scalar(value)}"


def _entry(entry: Any) -> Iterator[str]:
    if not isinstance(entry, Mapping):
        yield f"  - {_scalar(entry)}"
        return
    for number, (name, value) in enumerate(entry.items()):
        yield f"  {' ' if number else '-'} {name}: {_scalar(value)}"


def _scalar(value: Any) -> str:
    """A number as it is; anything else as a JSON string, with what YAML does not allow in a text escaped."""
    if isinstance(value, bool | int | float):
        return json.dumps(value)
    quoted = json.dumps(str(value), ensure_ascii=False)
    return _UNPRINTABLE.sub(lambda found: f"\\u{ord(found.group()):04x}", quoted)
