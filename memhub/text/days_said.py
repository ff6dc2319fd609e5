"""Turn the day that a sentence names into a date, counted from when it was said: `by Friday`, `in 3 weeks`, 下周一.

What cannot be resolved (`next spring`, any relative day when nobody knows when it was said) stays as written.
"""

import re
from datetime import date, timedelta
from functools import cache
from typing import NamedTuple

from memhub.text.quantities import WEEKDAYS, find, han_number

_RELATIVE = dict.fromkeys(
    ("today", "tonight", "this evening", "this afternoon", "this morning", "今天", "今晚", "今早"), 0
)
_RELATIVE |= {"tomorrow": 1, "明天": 1, "明晚": 1, "明早": 1, "the day after tomorrow": 2, "后天": 2, "大后天": 3}
_RELATIVE |= {"yesterday": -1, "last night": -1, "昨天": -1, "昨晚": -1, "前天": -2, "大前天": -3}
_RELATIVE["the day before yesterday"] = -2
_UNITS = {"day": 1, "week": 7, "天": 1, "周": 7, "个星期": 7, "星期": 7}
_WEEKS = {"下下": 2, "下": 1, "上": -1}
_VAGUE = (
    r"(?:this|on the|over the) weekend|(?:这个?|本)?周末|"
    r"next (?:week|month|year|spring|summer|autumn|fall|winter)|end of (?:the )?(?:week|month|year)|"
    r"下个?月|月底|年底|明年|下周(?![一二三四五六日天])"
)


class SaidDay(NamedTuple):
    """A day as `written`; `day` is its ISO date or, without a year to be had, None."""

    written: str
    day: str | None


def said_day(text: str, at: str | None, *, is_past: bool = False) -> SaidDay | None:
    """The first day that `text` names; `at` is the ISO instant or day when it was said. A weekday without more is the
    next one (`is_past`: the last one), `next Friday` that of next week as 下周五 is, a date without a year the nearest
    on that side."""
    now = _day_of(at)
    relative = _relative().search(text)
    dates = [q for q in find(text) if q.kind == "date" or (q.kind == "weekday" and not relative)]
    if dates and (not relative or dates[0].start < relative.start()):
        quantity = dates[0]
        if quantity.kind == "date":
            return SaidDay(quantity.shown, _with_year(quantity.canon, now, is_past))
        return SaidDay(quantity.shown, _weekday(quantity.canon, now, 0, is_past))
    return _resolve(relative, now, is_past) if relative else None


def _resolve(match: re.Match[str], now: date | None, is_past: bool) -> SaidDay:
    written = match.group()
    if match["plain"]:
        return SaidDay(written, _shift(now, _RELATIVE[written.lower()]))
    if match["count"]:
        word = match["count"].lower()
        amount = 1 if word in ("a", "one") else _count(word)
        return SaidDay(written, _shift(now, amount * _UNITS[match["unit"].lower().removesuffix("s")]))
    if match["hcount"]:
        return SaidDay(written, _shift(now, han_number(match["hcount"]) * _UNITS[match["hunit"]]))
    if match["hweek"]:
        day = WEEKDAYS["一二三四五六日".index(match["hday"].replace("天", "日"))]
        return SaidDay(written, _week_day(now, day, _WEEKS.get(re.sub("个?(?:周|星期|礼拜)$", "", match["hweek"]), 0)))
    if match["mday"] or match["hmday"]:
        ahead = 1 if (match["hmonth"] or "").startswith("下") else 0
        return SaidDay(written, _month_day(now, int(match["mday"] or match["hmday"]), ahead, is_past))
    if match["which"] and match["which"].lower() == "next" and not is_past:
        return SaidDay(written, _week_day(now, match["wday"].lower(), 1))
    if match["which"]:
        return SaidDay(written, _weekday(match["wday"].lower(), now, 0, is_past or match["which"].lower() == "last"))
    return SaidDay(written, None)


def _count(word: str) -> int:
    quantity = find(word)
    return int(quantity[0].canon) if quantity and quantity[0].canon.isdigit() else 1


@cache
def _relative() -> re.Pattern[str]:
    plain = "|".join(sorted(_RELATIVE, key=len, reverse=True))
    weekdays = "|".join(WEEKDAYS)
    return re.compile(
        rf"(?<![a-z])(?P<plain>{plain})(?![a-z])|\b(?:in|within) (?P<count>a|one|two|three|four|"
        rf"five|six|seven|\d{{1,3}}) (?P<unit>days?|weeks?)\b"
        rf"|(?P<hcount>[一二两三四五六七八九十]{{1,3}}|\d{{1,3}})(?P<hunit>天|周|个星期|星期)(?:[之以]?[后内])"
        rf"|(?P<hweek>(?:下下|[下本这上])个?(?:周|星期|礼拜))(?P<hday>[一二三四五六日天])|\b(?P<which>next|this|last|on|"
        rf"by|until|before) (?P<wday>{weekdays})\b"
        rf"|\b(?:on|by|before|until) the (?P<mday>\d{{1,2}})(?:st|nd|rd|th)(?=[.,;:!?]|$| at\b)"
        r"|(?:(?P<hmonth>下个?月|本月|这个月)|(?<![\d月第.:]))(?P<hmday>\d{1,2})[号日]"
        r"(?=[之以]?前|[上下]午|晚上|早上|中午|[交还去到来开见付续截发]|$)"
        rf"|(?P<vague>{_VAGUE})",
        re.IGNORECASE,
    )


def _day_of(at: str | None) -> date | None:
    match = re.match(r"(\d{4})-(\d{2})-(\d{2})", at or "")
    try:
        return date(*map(int, match.groups())) if match else None
    except ValueError:
        return None


def _shift(now: date | None, days: int) -> str | None:
    try:
        return (now + timedelta(days=days)).isoformat() if now else None
    except OverflowError:
        return None


def _weekday(name: str, now: date | None, weeks: int, is_past: bool) -> str | None:
    name = name.removesuffix("s") if name not in WEEKDAYS else name
    if now is None:
        return None
    ahead = (WEEKDAYS.index(name) - now.weekday()) % 7 or 7
    if is_past:
        ahead = ahead - 7 or -7
    return _shift(now, ahead + 7 * weeks)


def _week_day(now: date | None, name: str, weeks: int) -> str | None:
    """A weekday of this, the next or the last week; weeks begin on Monday."""
    return _shift(now, WEEKDAYS.index(name) - now.weekday() + 7 * weeks) if now else None


def _month_day(now: date | None, day: int, months: int, is_past: bool) -> str | None:
    """A day without its month: of this month or the next one that has it (`is_past`: the last one that had it)."""
    if now is None or not 1 <= day <= 31:
        return None
    step = -1 if is_past else 1
    for ahead in (months, *((months + step, months + 2 * step) if not months else ())):
        year, month = divmod(now.year * 12 + now.month - 1 + ahead, 12)
        try:
            found = date(year, month + 1, day)
        except ValueError:
            continue
        if months or (found <= now if is_past else found >= now):
            return found.isoformat()
    return None


def _with_year(canon: str, now: date | None, is_past: bool) -> str | None:
    month, day = canon[-5:-3], canon[-2:]
    years = (
        [int(canon[:4])] if len(canon) == 10 else [] if now is None else [now.year, now.year + (-1 if is_past else 1)]
    )
    for year in years:
        try:
            found = date(year, int(month), int(day))
        except ValueError:
            continue
        if len(canon) == 10 or now is None or (found <= now if is_past else found >= now):
            return found.isoformat()
    return None
