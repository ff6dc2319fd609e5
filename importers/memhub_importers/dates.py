"""Reads the dates that notes carry, and keeps no more than the source knew."""

import re
from datetime import UTC, datetime, timedelta

_DAY = re.compile(r"(\d{4})[-/.](\d{1,2})(?:[-/.](\d{1,2}))?")
_COMPACT = re.compile(r"((?:19|20)\d\d)(\d\d)(\d\d)(?:[T ]?(\d\d)(\d\d)(\d\d)?)?")
_MOMENT = re.compile(
    r"(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})[T ]{1,2}(\d{1,2}):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?"
    r"\s?(Z|z|UTC|[+-]\d\d:?(?:\d\d)?)?"
)
_UNITS = ((1e11, 1.0), (1e14, 1e3), (1e17, 1e6))
_NUMBER = re.compile(r"\d{1,19}(?:\.\d{1,9})?")


def source_time(raw: str) -> str | None:
    """A date as the source wrote it, in ISO 8601 of the same precision; None when it cannot be read.

    `2024-03-05` stays a date and `2020-03` a month; with an offset the instant in UTC with `Z`, without one naive.
    Numbers are seconds, milliseconds, micro- or nanoseconds since 1970 by their size.
    """
    raw = raw.strip().strip("\"'[]")
    if len(raw) > 64:
        return None
    try:
        if found := _MOMENT.fullmatch(raw):
            return _moment(found)
        if found := _DAY.fullmatch(raw):
            return _date(found[1], found[2], found[3])
        if (found := _COMPACT.fullmatch(raw)) and (compact := _compact(found)):
            return compact
        if _NUMBER.fullmatch(raw):
            return _number(raw)
        return _mail(raw)
    except (ValueError, OverflowError, TypeError, IndexError):
        return None


def _date(year: str, month: str, day: str | None) -> str:
    whole = datetime(int(year), int(month), int(day or 1))
    return whole.strftime("%Y-%m-%d" if day else "%Y-%m").zfill(10 if day else 7)


def _moment(found: re.Match[str]) -> str:
    year, month, day, hour, minute = (int(part) for part in found.group(1, 2, 3, 4, 5))
    moment = datetime(year, month, day, hour, minute, int(found[6] or 0))
    fraction = (found[7] or "").rstrip("0")
    zone = found[8]
    if zone and zone.upper() not in ("Z", "UTC"):
        sign = -1 if zone[0] == "-" else 1
        minutes = int(zone[1:3]) * 60 + int(zone[3:].lstrip(":") or 0)
        moment -= sign * timedelta(minutes=minutes)
    text = moment.isoformat(timespec="seconds" if found[6] else "minutes")
    if zone and not found[6]:
        text += ":00"
    return text + (f".{fraction}" if fraction else "") + ("Z" if zone else "")


def _compact(found: re.Match[str]) -> str | None:
    """`20240305` and `202403051430`, as Zettelkasten names write them; None when the digits are no date."""
    try:
        moment = datetime(*(int(part or 0) for part in found.groups()))  # type: ignore[arg-type]
    except ValueError:
        return None
    if found[4] is None:
        return moment.strftime("%Y-%m-%d")
    return moment.isoformat(timespec="seconds" if found[6] else "minutes")


def _number(raw: str) -> str | None:
    value = float(raw)
    if value <= 0 or len(raw.partition(".")[0]) <= 4:
        return None  # nothing, or a bare year, which is no date to sort by
    divisor = next((size for limit, size in _UNITS if value < limit), 1e9)
    moment = datetime.fromtimestamp(value / divisor, UTC).replace(tzinfo=None)
    millis = moment.microsecond // 1000
    return moment.strftime("%Y-%m-%dT%H:%M:%S") + (f".{millis:03d}".rstrip("0") if millis else "") + "Z"


def _mail(raw: str) -> str | None:
    """`Tue, 05 Mar 2024 10:00:00 +0100`."""
    from email.utils import parsedate_to_datetime

    moment = parsedate_to_datetime(raw)
    if moment.tzinfo is None:
        return moment.isoformat(timespec="seconds")
    return moment.astimezone(UTC).replace(tzinfo=None).isoformat(timespec="seconds") + "Z"
