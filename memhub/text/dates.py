"""Dates as people type them, days as the user lives them.

A day is the user's day: it begins at midnight in the zone of the user (setting `timezone`, else the zone of the
system, which `TZ` changes) and may have 23 or 25 hours. A plain date is no instant and is never moved elsewhere.
Without a named zone the C library answers, so that zoneinfo is not loaded for it.
"""

import re
import time
from typing import TYPE_CHECKING, NamedTuple

from memhub.errors import UsageError
from memhub.model.query import Range

if TYPE_CHECKING:
    from zoneinfo import ZoneInfo

# Patterns are strings: re compiles one when it is first used, and showing a list uses none.
_DATE = r"(\d{4})(?:-(\d{1,2})(?:-(\d{1,2}))?)?"
_INSTANT = r"(\d{4}-\d{2}-\d{2})[Tt ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?\s*([Zz]|[+-]\d{2}(?::?\d{2})?)?"
_AGO = r"(\d{1,5})([hdwHDW])"
_MONTH_DAYS = (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
_FIRST_MS, _END_MS = -62_135_596_800_000, 253_402_300_800_000  # the years 1 to 9999, which ISO 8601 can write
_HINT = "write a date as 2026-02-10, a month as 2026-02, a time as 2026-02-10T20:00, or today, yesterday, 3d, 2w"
Day = tuple[int, int, int]


class Zone(NamedTuple):
    """The user's time zone: an IANA `name`, or "" for the zone of the system; `now_ms` is what `3d` counts from."""

    name: str = ""
    now_ms: int = 0

    def to_ms(self, day: Day, hour: int = 0, minute: int = 0, second: int = 0) -> int:
        """Unix ms of a local time; one that the clock skips becomes the first moment after the gap."""
        if self.name:
            from datetime import datetime

            local = datetime(*day, hour, minute, second, tzinfo=_zone_info(self.name))
            moment = local.timestamp()
        else:
            moment = time.mktime((*day, hour, minute, second, 0, 0, -1))
        return int(moment) * 1000

    def local(self, unix_ms: int) -> tuple[int, int, int, int, int, int]:
        """Year, month, day, hour, minute and second on the user's clock."""
        if self.name:
            from datetime import datetime

            at = datetime.fromtimestamp(unix_ms // 1000, _zone_info(self.name))
            return at.year, at.month, at.day, at.hour, at.minute, at.second
        return time.localtime(unix_ms // 1000)[:6]

    def day_start(self, day: Day) -> int:
        """Unix ms at which `day` begins: midnight, or later where the clock skips midnight."""
        start = self.to_ms(day)
        return start if self.local(start)[:3] == day else start + 3_600_000

    def today(self) -> Day:
        """The user's day now."""
        return self.local(self.now_ms)[:3]


def parse_date(text: str, zone: Zone) -> str:
    """What `--date` means, as it is stored: a plain date or month as written, a time as a UTC instant."""
    given = text.strip()
    ago = _relative(given, zone)
    if isinstance(ago, int):
        return _iso(ago)
    if ago:
        return _iso_day(ago)
    match = re.fullmatch(_INSTANT, given, re.ASCII)
    if match:
        return _instant(match, given, zone)
    first, last = _span(given)
    if first[:2] != last[:2]:
        raise UsageError(f"`{text}` has a year alone", _HINT)
    return _iso_day(first) if first == last else f"{first[0]:04d}-{first[1]:02d}"


def checked_time(text: str) -> str:
    """An ISO 8601 date, month, year or time that a program gives, as it is stored: with an offset the instant in UTC,
    without one as it is. `UsageError` for anything else.
    """
    match = re.fullmatch(_INSTANT, text, re.ASCII)
    if match:
        moment = _to_ms(match, text, Zone())
        return _iso(moment) if match[6] else text.replace(" ", "T").replace(",", ".")
    if len(text) not in (4, 7, 10):
        raise UsageError(f"`{text}` is no ISO 8601 date or time", _HINT)
    _span(text)
    return text


def parse_range(since: str | None, until: str | None, zone: Zone) -> Range | None:
    """The span that `--since` and `--until` ask for, both ends included; None when neither is given."""
    if not since and not until:
        return None
    first_day, first_ms = _bound(since, zone, last=False)
    last_day, last_ms = _bound(until, zone, last=True)
    if first_ms is not None and last_ms is not None and first_ms >= last_ms:
        raise UsageError(f"`--since {since}` is after `--until {until}`")
    return Range((first_day, last_day), (first_ms, last_ms))


def show_time(stored: str | None, zone: Zone) -> str:
    """A stored time for people: an instant as `2026-02-10 19:40` on the user's clock, a plain date unmoved."""
    if not stored:
        return ""
    if not stored.endswith("Z"):
        return stored.replace("T", " ")
    try:
        year, month, day, hour, minute, _ = zone.local(instant_ms(stored))
    except (ValueError, OverflowError, OSError):  # what another program wrote is shown as it is
        return stored
    return f"{year:04d}-{month:02d}-{day:02d} {hour:02d}:{minute:02d}"


def instant_ms(text: str) -> int:
    """Unix ms of an ISO 8601 instant with a zone; ValueError for anything else."""
    if len(text) == 20 and text[10] == "T" and text[19] == "Z":
        from calendar import timegm

        digits = int(text[:4]), int(text[5:7]), int(text[8:10]), int(text[11:13]), int(text[14:16]), int(text[17:19])
        return timegm(digits) * 1000
    match = re.fullmatch(_INSTANT, text, re.ASCII)
    if not match or not match[6]:
        raise ValueError(text)
    return _to_ms(match, text, Zone())


def precision(stored: str | None) -> str:
    """How exactly a stored time is known: `second`, `day`, `month` or `year`."""
    return {4: "year", 7: "month", 10: "day"}.get(len(stored or ""), "second")


def _bound(text: str | None, zone: Zone, *, last: bool) -> tuple[str | None, int | None]:
    """The day and the instant at which a range begins, or (`last`) the day it ends with and the first instant after."""
    if not text:
        return None, None
    given = text.strip()
    ago = _relative(given, zone)
    match = re.fullmatch(_INSTANT, given, re.ASCII)
    if isinstance(ago, int) or match:
        moment = ago if isinstance(ago, int) else _to_ms(_matched(match), given, zone)
        return _iso_day(zone.local(moment)[:3]), moment + 1 if last else moment
    first, final = (ago, ago) if ago else _span(given)
    try:
        return _iso_day(final if last else first), zone.day_start(_next_day(final) if last else first)
    except (OverflowError, ValueError) as error:
        raise UsageError(f"`{text}` is too far away", _HINT) from error


def _matched(match: re.Match[str] | None) -> re.Match[str]:
    assert match is not None
    return match


def _relative(given: str, zone: Zone) -> Day | int | None:
    """The day that `today`, `yesterday`, `3d` or `2w` names; the instant that `6h` names; None for anything else."""
    word = given.lower()
    if word == "now":
        return zone.now_ms
    back = {"today": 0, "yesterday": 1, "今天": 0, "昨天": 1}.get(word)
    match = re.fullmatch(_AGO, given, re.ASCII)
    if match and match[2] in "hH":
        return zone.now_ms - int(match[1]) * 3_600_000
    if match:
        back = int(match[1]) * (7 if match[2] in "wW" else 1)
    if back is None:
        return None
    from datetime import date, timedelta

    try:
        then = date(*zone.today()) - timedelta(days=back)
    except OverflowError as error:
        raise UsageError(f"`{given}` is too far away", _HINT) from error
    return then.year, then.month, then.day


def _span(given: str) -> tuple[Day, Day]:
    """First and last day of a date, a month or a year."""
    match = re.fullmatch(_DATE, given, re.ASCII)
    if not match:
        year_missing = re.fullmatch(r"\d{1,2}[-/.]\d{1,2}\.?", given)
        raise UsageError(f"`{given}` is a date without a year" if year_missing else f"`{given}` is no date", _HINT)
    year = int(match[1])
    if year < 1:
        raise UsageError(f"there is no year {match[1]}", _HINT)
    if not match[2]:
        return (year, 1, 1), (year, 12, 31)
    month = int(match[2])
    if not 1 <= month <= 12:
        raise UsageError(f"`{given}`: there is no month {month}", _HINT)
    length = days_in_month(year, month)
    if not match[3]:
        return (year, month, 1), (year, month, length)
    day = int(match[3])
    if not 1 <= day <= length:
        raise UsageError(f"`{given}`: {year}-{month:02d} has {length} days", _HINT)
    return (year, month, day), (year, month, day)


def days_in_month(year: int, month: int) -> int:
    """28 to 31, by the Gregorian calendar."""
    leap = month == 2 and year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    return _MONTH_DAYS[month - 1] + leap


def _instant(match: re.Match[str], given: str, zone: Zone) -> str:
    return _iso(_to_ms(match, given, zone))


def _to_ms(match: re.Match[str], given: str, zone: Zone) -> int:
    day, _ = _span(match[1])
    hour, minute, second = int(match[2]), int(match[3]), int(match[4] or 0)
    if hour > 23 or minute > 59 or second > 59:
        raise UsageError(f"`{given}`: there is no such time of day", _HINT)
    fraction = int((match[5] or "0").ljust(3, "0")[:3])
    try:
        if match[6]:
            from calendar import timegm

            moment = (timegm((*day, hour, minute, second)) - _offset(match[6])) * 1000 + fraction
        else:
            moment = zone.to_ms(day, hour, minute, second) + fraction
    except (OverflowError, ValueError) as error:
        raise UsageError(f"`{given}` is too far away", _HINT) from error
    if not _FIRST_MS <= moment < _END_MS:
        raise UsageError(f"`{given}` is too far away", _HINT)
    return moment


def _offset(written: str) -> int:
    """The seconds that `+08:00`, `-0330` or `Z` is ahead of UTC."""
    if written in "Zz":
        return 0
    digits = written[1:].replace(":", "").ljust(4, "0")
    return (int(digits[:2]) * 60 + int(digits[2:])) * (-60 if written[0] == "-" else 60)


def _next_day(day: Day) -> Day:
    year, month, number = day
    if number < days_in_month(year, month):
        return year, month, number + 1
    return (year, month + 1, 1) if month < 12 else (year + 1, 1, 1)


def _iso(unix_ms: int) -> str:
    seconds, ms = divmod(unix_ms, 1000)
    year, month, day, hour, minute, second = time.gmtime(seconds)[:6]  # strftime writes the year 1 as `1`
    whole = f"{year:04d}-{month:02d}-{day:02d}T{hour:02d}:{minute:02d}:{second:02d}"
    return f"{whole}.{ms:03d}Z" if ms else f"{whole}Z"


def _iso_day(day: Day) -> str:
    return f"{day[0]:04d}-{day[1]:02d}-{day[2]:02d}"


def _zone_info(name: str) -> "ZoneInfo":
    import zoneinfo

    try:
        return zoneinfo.ZoneInfo(name)
    except (zoneinfo.ZoneInfoNotFoundError, ValueError, OSError) as error:
        raise UsageError(
            f"unknown time zone `{name}`", "setting `timezone` takes an IANA name such as `Asia/Shanghai`"
        ) from error
