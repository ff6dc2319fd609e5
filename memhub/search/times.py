"""The time that a query names: `last week`, `in March 2023`, `since last summer`, 上个月, 去年三月, 2023年5月以来.

Days are read by `text.days_said`, as everywhere; this adds the spans that only make sense when looking back. Relative
times count from now, weeks begin on Monday, seasons are those of the northern half, a month or season without a year is
the last one that has begun. A time that lies ahead, and a bare weekday, narrow nothing: they are what a note is about.
"""

import re
from datetime import date, timedelta
from functools import cache
from typing import NamedTuple

from memhub.model.query import Range
from memhub.text.analyse import fold
from memhub.text.dates import Zone, days_in_month, parse_range
from memhub.text.days_said import said_day
from memhub.text.quantities import MONTHS, WEEKDAYS, find, han_number

_SEASONS = {"spring": 3, "春": 3, "summer": 6, "夏": 6, "autumn": 9, "fall": 9, "秋": 9, "winter": 12, "冬": 12}
_UNITS = {"day": "day", "天": "day", "日": "day", "week": "week", "周": "week", "星期": "week", "礼拜": "week"}
_UNITS |= {"month": "month", "月": "month", "year": "year", "年": "year"}
_BACK = {"last": 1, "previous": 1, "this": 0, "current": 0}
_BACK |= {"上上": 2, "上": 1, "这": 0, "本": 0, "今": 0, "前": 2, "去": 1}
_AMBIGUOUS = ("may", "march", "mar", "jan", "sep", "dec", "sept", "fall", "spring")
"""Words that mean a time only after a preposition, or with a year."""
_FROM = ("since", "after", "以来", "之后", "以后", "至今")
_UNTIL = ("before", "until", "till", "up", "up to", "之前", "以前")
_LEADS = "since|after|before|until|till|up to|in|on|during|from|of|over|within|by|at"
_LEAD = rf"(?:(?P<lead>{_LEADS})\s+(?:the\s+)?)?"
_TAIL = r"(?P<tail>以来|之后|以后|至今|之前|以前)?(?:['’]s\b)?"

_APART = re.compile(r"(?<=[\u4e00-\u9fff]) (?=\d)|(?<=\d) (?=[年月日号周天个])")
"""Spaces that people who write in two languages put around digits: 去年 12 月."""

EARLIEST = 1900
"""Nothing was kept before; `999 years ago` is a matter of the text."""

Span = tuple[date, date]


class _Found(NamedTuple):
    """Where in the text a time is named, and which."""

    start: int
    first: date | None
    last: date | None


class Time(NamedTuple):
    """A span of days, both included, an open end None."""

    first: date | None
    last: date | None

    @property
    def told(self) -> str:
        """The span in words."""
        ends = [f"from {self.first}" if self.first else "", f"to {self.last}" if self.last else ""]
        return f"on {self.first}" if self.first == self.last else " ".join(end for end in ends if end)

    def range(self, zone: Zone) -> Range | None:
        """The span as filters know it."""
        first, last = (end.isoformat() if end else None for end in (self.first, self.last))
        return parse_range(first, last, zone)


def named_time(query: str, zone: Zone) -> Time | None:
    """The first time that a query names; None when it names none, or one that has not come yet."""
    text, today = _APART.sub("", fold(query)), date(*zone.today())
    try:
        pair = _between(text, today)
        found = [pair] if pair else [one for one in (_spanned(text, today), _on_day(text, today)) if one]
    except (OverflowError, ValueError):  # a day that no calendar has
        return None
    if not found:
        return None
    _, first, last = min(found, key=lambda one: one.start)
    is_told = (first or last or today).year >= EARLIEST and (first or date.min) <= today
    return Time(first, last) if is_told else None


def _between(text: str, today: date) -> _Found | None:
    """`between A and B`, `from A to B`, 从A到B."""
    match = _pair().search(text)
    one = _beginning(match["a"] or match["ha"], today) if match else None
    other = _beginning(text[match.end() :], today) if match else None
    if match is None or one is None or other is None or one[1] != len(match["a"] or match["ha"]):
        return None
    (first, _), (_, last) = one[0], other[0]
    if first > last:  # `between May 3 and May 9 2023`: the year is said once
        first = first.replace(year=last.year)
    return _Found(match.start(), first, last) if first <= last else None


def _beginning(text: str, today: date) -> tuple[Span, int] | None:
    """The span that stands at the beginning of a text, and how long it is written."""
    match = _span().match(f"in {text}")
    span = _read(match, today) if match and not match["tail"] else None
    if match and span:
        return span, match.end() - 3
    said = said_day(text, today.isoformat(), is_past=True)
    if said and said.day and text.startswith(said.written):
        return (date.fromisoformat(said.day),) * 2, len(said.written)
    return None


def _spanned(text: str, today: date) -> _Found | None:
    for match in _span().finditer(text):
        span = _read(match, today)
        if span:
            return _bounded((match["lead"] or match["tail"] or "").lower(), span, match.start())
    return None


def _on_day(text: str, today: date) -> _Found | None:
    said = said_day(text, today.isoformat(), is_past=True)
    if said is None or said.day is None or _is_bare_weekday(said.written):
        return None
    start = text.index(said.written)
    lead = re.search(rf"\b(?:{_LEADS})\s+(?:the\s+)?$", text[:start], re.I)
    tail = re.match(_TAIL, text[start + len(said.written) :])
    word = (lead or re.match(rf"(?:{_LEADS})\b", said.written, re.I) or tail or [""])[0]
    day = date.fromisoformat(said.day)
    return _bounded(word.lower().split(" ")[0], (day, day), lead.start() if lead else start)


def _is_bare_weekday(written: str) -> bool:
    return written.lower().rstrip("s") in WEEKDAYS or re.fullmatch("(?:周|星期|礼拜).", written) is not None


def _bounded(word: str, span: Span, start: int) -> _Found:
    """The span, or what is after or before it."""
    if word in _FROM:
        return _Found(start, span[1] + timedelta(1) if word in ("after", "之后", "以后") else span[0], None)
    if word in _UNTIL:
        return _Found(start, None, span[0] - timedelta(1) if word in ("before", "之前", "以前") else span[1])
    return _Found(start, *span)


def _read(match: re.Match[str], today: date) -> Span | None:
    """The span that a match of `_span` names."""
    for name, reader in _READERS.items():
        if match[name]:
            return reader(match, today)
    return None


def _ago(match: re.Match[str], today: date) -> Span | None:
    if match["half"]:
        return _month(_months_back(today, 6))
    return _period(_UNITS[(match["aunit"] or match["haunit"]).lower().removesuffix("s").lstrip("个")],
                   _count(match["acount"] or match["hacount"]), today)  # fmt: skip


def _recent(match: re.Match[str], today: date) -> Span | None:
    unit = _UNITS[(match["runit"] or match["hrunit"]).lower().removesuffix("s").lstrip("个")]
    count = _count(match["rcount"] or match["hrcount"] or "1")
    days = {"day": 1, "week": 7}.get(unit)
    first = today - timedelta(days * count) if days else _months_back(today, count * (1 if unit == "month" else 12))
    return first, today


def _back(match: re.Match[str], today: date) -> Span | None:
    which, unit = (match["which"] or match["hwhich"]).lower(), (match["unit"] or match["hunit"]).lower().lstrip("个")
    if unit == "weekend" or unit == "周末":
        monday = today - timedelta(today.weekday() + 7 * _BACK[which])
        return monday + timedelta(5), monday + timedelta(6)
    return _period(_UNITS[unit], _BACK[which], today)


def _season(match: re.Match[str], today: date) -> Span | None:
    word = (match["season"] or match["hseason"]).lower()
    which, year = (match["swhich"] or "").lower(), _year(match["syear"] or match["hsyear"], today)
    if not which and not year and word in _AMBIGUOUS and not match["lead"]:
        return None
    start = date(year or today.year, _SEASONS[word], 1)
    if not year and start > today:
        start = start.replace(year=start.year - 1)
    stop = _month(_months_back(start, -2))[1]
    if which == "last" and stop >= today:
        start, stop = start.replace(year=start.year - 1), _month(_months_back(start, 10))[1]
    return start, stop


def _named_month(match: re.Match[str], today: date) -> Span | None:
    if match["iso"]:
        return _month(date.fromisoformat(f"{match['iso']}-01"))
    word, year = match["month"], _year(match["myear"] or match["hmyear"], today)
    which = (match["mwhich"] or "").lower()
    if word and word.lower() in _AMBIGUOUS and not (year or match["lead"] or which):
        return None
    number = MONTHS[1].index(word[:3].lower()) + 1 if word else han_number(match["hmonth"])
    if not 1 <= number <= 12:
        return None
    start = date(year or today.year, number, 1)
    if not year and (start > today or (which == "last" and start.month == today.month)):
        start = start.replace(year=start.year - 1)
    return _month(start)


def _named_year(match: re.Match[str], today: date) -> Span | None:
    year = _year(match["hyear"] or (match["year"] if match["lead"] else None), today)
    return (date(year, 1, 1), date(year, 12, 31)) if year else None


_READERS = {"ago": _ago, "recent": _recent, "season_": _season, "month_": _named_month, "back": _back,
            "year_": _named_year}  # fmt: skip


def _year(text: str | None, today: date) -> int | None:
    if not text:
        return None
    if text[0] in _BACK:
        return today.year - _BACK[text[0]]
    return han_number(text.removesuffix("年"))


def _count(text: str) -> int:
    word = text.lower()
    if word in ("a", "an", "one"):
        return 1
    if word.isascii() and not word.isdigit():
        return int(find(word)[0].canon)
    return han_number(text)


def _period(unit: str, back: int, today: date) -> Span:
    """The day, week, month or year so many before the one that today is in."""
    if unit == "day":
        return today - timedelta(back), today - timedelta(back)
    if unit == "week":
        monday = today - timedelta(today.weekday() + 7 * back)
        return monday, monday + timedelta(6)
    if unit == "month":
        return _month(_months_back(today, back))
    return date(today.year - back, 1, 1), date(today.year - back, 12, 31)


def _months_back(day: date, months: int) -> date:
    """The same day so many months before, or the last of that month."""
    year, month = divmod(day.year * 12 + day.month - 1 - months, 12)
    return date(year, month + 1, min(day.day, days_in_month(year, month + 1)))


def _month(day: date) -> Span:
    return day.replace(day=1), day.replace(day=days_in_month(day.year, day.month))


@cache
def _span() -> re.Pattern[str]:
    """One pattern for all spans; days are left to `said_day`."""
    months = "|".join(sorted((*MONTHS[0], *MONTHS[1], "sept"), key=len, reverse=True))
    spelled = r"an?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\d{1,3}"
    han, han_unit = r"[一二两三四五六七八九十]{1,3}|\d{1,3}", r"天|日|周|个?星期|个?礼拜|个?月|年"
    unit = "days?|weeks?|months?|years?"
    year, han_year = r"(?:19|20)\d{2}", r"(?:(?:19|20)\d{2}|[一二][〇零一二三四五六七八九]{3})年|[去今前]年"
    parts = (
        rf"(?P<ago>(?P<half>half a year\s+ago|半年[之以]?前)|(?P<acount>{spelled})\s+(?P<aunit>{unit})\s+ago|"
        rf"(?P<hacount>{han})(?P<haunit>{han_unit.replace('个?月', '个月')})[之以]?前)",
        rf"(?P<recent>(?:(?:last|past)\s+(?P<rcount>{spelled})|past)\s+(?P<runit>{unit})|"
        rf"(?:最近|过去|近)(?P<hrcount>{han})(?P<hrunit>{han_unit}))",
        rf"(?P<season_>(?:(?P<swhich>last|this)\s+)?(?P<season>spring|summer|autumn|fall|winter)"
        rf"(?:,?\s+(?:of\s+)?(?P<syear>{year}))?|(?P<hsyear>{han_year})的?(?P<hseason>[春夏秋冬])[天季])",
        rf"(?P<month_>(?P<iso>{year}-(?:0[1-9]|1[0-2]))(?![-\d])|"
        rf"(?:(?P<mwhich>last|this)\s+)?(?<!\d\s)(?P<month>{months})(?!\.?\s+\d{{1,2}}(?:st|nd|rd|th)?\b)"
        rf"(?:,?\s+(?:of\s+)?(?P<myear>{year}))?|"
        rf"(?P<hmyear>{han_year})?的?(?P<hmonth>十[一二]?|[一二三四五六七八九]|\d{{1,2}})月份?(?![一二三四五六七八九十\d]))",
        r"(?P<back>(?P<which>last|previous|this|current)\s+(?P<unit>weekend|week|month|year)|"
        r"(?P<hwhich>上上|上|这|本)(?P<hunit>个?周末|个?(?:周|星期|礼拜)(?![一二三四五六日天末])|个?月))",
        rf"(?P<year_>(?P<hyear>{han_year})(?!的?(?:\d|[一二三四五六七八九十]))|(?:year\s+)?(?P<year>{year})(?![-/.:年]))",
    )
    edge = r"(?!(?<=[A-Za-z0-9])[A-Za-z0-9])"
    return re.compile(rf"{edge}{_LEAD}(?:{'|'.join(parts)}){edge}{_TAIL}", re.I)


@cache
def _pair() -> re.Pattern[str]:
    return re.compile(
        r"\b(?:between|from)\s+(?P<a>[A-Za-z0-9 ,-]{3,24}?)\s+(?:and|to|until|till)\s+|从(?P<ha>\S{2,12}?)[到至]",
        re.I,
    )
