"""mh-export version 1 as a file: UTF-8 JSON Lines, ended by LF, `.gz` by name, one record a line.

| type | fields |
|---|---|
| `header` (first) | `format` "mh-export", `version` 1, `exported_at`, `tool`, `spaces` (names), `filter`?, `counts` |
| `version` | `hash`, `item`, `title`, `content`, `meta`; an erased one has `hash` and `item` only |
| `entry` | `device`, `seq`, `hlc`, `at` (Unix ms), `kind`, `key`, `payload`, `operation`, `request`? |
| `thread` | flat: `id`, `title`, `platform`, `chat_type`, `chat_name`, `bot_name`, `space` |
| `item` | flat: the keys of `mh show --json` |
| `edge` | flat: `from`, `relation`, `to`, `metadata` |
| `footer` (last) | `counts` again |

`counts` is {type: number of records}. `version` and `entry` are lossless. The flat records are a view for other
programs; they count only in a file that has no `entry`. Records of other types are kept as they came, and come out
again.
"""

import gzip
import io
import json
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any, BinaryIO

FORMAT = "mh-export"
MAJOR = 1
_SURROGATE = re.compile("[\ud800-\udfff]")
KNOWN = ("header", "version", "entry", "item", "thread", "edge", "footer")


def encode(record: dict[str, Any]) -> str:
    """One line without its LF: keys sorted, text as it is but for U+2028 and U+2029."""
    return escaped(json.dumps(record, ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False))


def escaped(line: str) -> str:
    """A line of JSON that no reader can cut in two."""
    if line.isascii():
        return line
    line = line.replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")
    return _SURROGATE.sub(lambda found: f"\\u{ord(found.group()):04x}", line)


def open_reading(path: Path) -> IO[bytes]:
    """The bytes of an export, unpacked when its name ends in `.gz`."""
    if path.name.endswith(".gz"):
        return io.BufferedReader(gzip.GzipFile(path, "rb"))
    return path.open("rb")


def open_writing(path: Path) -> BinaryIO | gzip.GzipFile:
    """A new file for an export, mode 0600, packed when its name (without `.part`) ends in `.gz`; no time goes in."""
    raw = open(path, "wb", opener=_private)  # noqa: SIM115
    if path.name.removesuffix(".part").endswith(".gz"):
        return _Packed(raw)
    return raw


def _private(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)


class _Packed(gzip.GzipFile):
    """A gzip stream that closes the file below it."""

    def __init__(self, raw: BinaryIO) -> None:
        super().__init__(filename="", mode="wb", fileobj=raw, mtime=0)
        self._raw = raw

    def close(self) -> None:
        super().close()
        self._raw.close()


def is_export(path: Path) -> bool:
    """Whether a file begins as an mh-export does; cheap, and never raises."""
    if not path.name.endswith((".jsonl", ".jsonl.gz", ".ndjson", ".ndjson.gz", ".json")) or not path.is_file():
        return False
    try:
        with open_reading(path) as file:
            first = json.loads(file.readline(1 << 20))
    except (OSError, EOFError, ValueError):
        return False
    return isinstance(first, dict) and first.get("format") == FORMAT


def lines_of(path: Path) -> Iterator[tuple[int, bytes]]:
    """Number (from 1) and bytes of each line that is not empty; only LF ends one."""
    with open_reading(path) as file:
        for number, line in enumerate(file, 1):
            if line.strip():
                yield number, line
