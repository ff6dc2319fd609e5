"""Takes fields out of foreign JSON: a value of another type than expected counts as missing."""

import re
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from memhub.model import EMPTY
from memhub.text.clean import clean
from memhub_importers.dates import source_time
from memhub_importers.files import Found

_INSTANT = re.compile(r"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.\d+)?Z")
_MOST_MS = 253_402_300_799_999  # the end of the year 9999


def text(record: Any, key: str) -> str:
    """The string under `key` as it may be stored (no control characters, no lone surrogates), or an empty one."""
    value = record.get(key) if isinstance(record, dict) else None
    if not isinstance(value, str):
        return ""
    return value if value.isascii() and value.isprintable() else clean(value)


def table(record: Any, key: str) -> Mapping[str, Any]:
    """The object under `key`, or an empty one."""
    value = record.get(key) if isinstance(record, dict) else None
    return value if isinstance(value, dict) else EMPTY


def entries(record: Any, key: str) -> list[Any]:
    """The list under `key`, or an empty one."""
    value = record.get(key) if isinstance(record, dict) else None
    return value if isinstance(value, list) else []


def instant(value: Any) -> str | None:
    """A time of the source in ISO 8601 UTC with `Z`, fractions of a second cut off; None when it is none.

    Strings are ISO 8601 (without a zone: UTC) or digits; numbers are seconds, milli-, micro- or nanoseconds since 1970
    by their size.
    """
    if isinstance(value, bool) or value is None:
        return None
    if isinstance(value, int | float):
        return _since_1970(value)
    if not isinstance(value, str):
        return None
    if (found := _INSTANT.fullmatch(value)) and (read := source_time(found[1] + "Z")):
        return read
    read = source_time(value)
    if read is None or "T" not in read:
        return None
    read = read.removesuffix("Z").partition(".")[0]
    return (read if len(read) == 19 else read + ":00") + "Z"


def first_line(content: str, limit: int = 80) -> str:
    """What a thread without a title goes by: the first line of `content`, cut to `limit` characters."""
    return content.strip().partition("\n")[0].strip()[:limit]


def file_state(found: Found) -> str:
    """The cursor of a file that is read as a whole: `<mtime in ns>:<size>`."""
    return f"{found.mtime_ns}:{found.size}"


def _since_1970(value: int | float) -> str | None:
    if not 0 < value < 1e20:  # NaN is left out too
        return None
    ms = value * 1000 if value < 1e11 else value if value < 1e14 else value / 1e3 if value < 1e17 else value / 1e6
    if ms > _MOST_MS:
        return None
    return datetime.fromtimestamp(int(ms) // 1000, UTC).strftime("%Y-%m-%dT%H:%M:%S").zfill(19) + "Z"
