"""Find numbers, dates, times, versions, amounts and numbered names in a text, in one canonical form each.

`14 October`, `October 14th` and 十月十四日 are one date; `3 hours`, `three hours` and 三个小时 one amount; `77mm` and
`77 mm` too. What may mean two things keeps its writing: `1,200` is 1200, but `1.200` stays `1.200` (a thousand or a
little over one), `3.20` is not `3.2` (a version may be meant), `5 MW` not `5 mW`.
"""

import re
from collections.abc import Callable
from functools import cache
from typing import NamedTuple

_MONTHS = "january february march april may june july august september october november december"
MONTHS = (
    _MONTHS.split(),
    ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"],
)
WEEKDAYS = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
_CALENDAR = (
    "today tomorrow yesterday morning evening afternoon night tonight noon midnight weekend week weeks weekly day days "
    "month months monthly year years hour hours minute minutes last next"
)
CALENDAR = frozenset((*WEEKDAYS, *MONTHS[0], *_CALENDAR.split()))
"""English words that say when: texts that share nothing else are not about the same."""
_WORDS_TEXT = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
    "seventeen eighteen nineteen"
)
_WORDS = _WORDS_TEXT.split()
_TENS = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
_ORDINALS = ["first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"]
_HAN_DIGITS = {c: n for n, c in enumerate("零一二三四五六七八九")} | {"〇": 0, "两": 2}
_HAN_POWERS = {"十": 10, "百": 100, "千": 1000, "万": 10_000}

_LONG_UNITS = {
    "millimetre millimeter": "mm",
    "centimetre centimeter": "cm",
    "kilometre kilometer": "km",
    "metre meter": "m",
    "litre liter": "l",
    "millilitre milliliter": "ml",
    "kilogram kilo": "kg",
    "gram": "g",
    "hour hr": "h",
    "minute min": "min",
    "second sec": "s",
    "day": "day",
    "week": "week",
    "month": "month",
    "year": "year",
    "euro eur": "EUR",
    "dollar usd": "USD",
    "pound gbp": "GBP",
    "yuan rmb cny": "CNY",
    "degree": "°",
    "percent": "%",
    "knot": "kn",
    "volt": "V",
    "watt": "W",
    "amp": "A",
}
_SYMBOLS_TEXT = (
    "mm cm km m dm nm µm l L ml mL dl cl kg g mg t h min s ms day week month year EUR USD GBP CNY ° °C °F °c °f C "
    "F % kn V v mV kV A mA Ah mAh W kW MW mW kWh Hz kHz MHz GHz B KB kB MB GB TB Mb Gb Mbps Gbps bar psi Nm ft lb "
    "oz mi mph px pt rpm dB"
)
_SYMBOLS = _SYMBOLS_TEXT.split()
_HAN_UNITS = {
    "个小时 小时 个钟头 钟头": "h",
    "分钟": "min",
    "秒钟 秒": "s",
    "天": "day",
    "个星期 个礼拜 星期 礼拜 周": "week",
    "个月": "month",
    "年": "year",
    "毫米": "mm",
    "厘米": "cm",
    "千米 公里": "km",
    "米": "m",
    "毫升": "ml",
    "升": "l",
    "公斤 千克": "kg",
    "斤": "斤",
    "克": "g",
    "吨": "t",
    "元 块钱 块 人民币": "CNY",
    "欧元": "EUR",
    "美元 美金": "USD",
    "度": "°",
    "岁": "岁",
    "楼 层": "楼",
    "次": "次",
    "节": "kn",
}
_HAN_COUNTERS = "路章页倍期版稿届轮班名位个只条台本张把家间种人项份封瓶杯桶根块匹艘辆所门座"
_ARTICLE_COUNTERS = "名位个只条台本张把家间种艘辆所座"
_CURRENCIES = {"€": "EUR", "$": "USD", "£": "GBP", "¥": "CNY"}
_NUMBER = r"\d+(?:[.,]\d+)*"
_HAN = "[零〇一二两三四五六七八九十百千万]"


class Quantity(NamedTuple):
    """One quantity at `start` to `stop` of the text. `canon` is equal when the meaning is; `shown` is as written.

    `kind`: date, time, weekday, month, version, amount (with a unit), number, ordinal, identifier, or article (一个).
    """

    kind: str
    canon: str
    shown: str
    start: int
    stop: int


def find(text: str) -> list[Quantity]:
    """The quantities of a text in order; `text` is in compatibility form (`analyse.fold`), case as written."""
    found = []
    for match in _pattern().finditer(text):
        kind, canon = _read(match)
        if kind:
            found.append(Quantity(kind, canon, match.group().strip(), match.start(), match.end()))
    return found


def is_ambiguous(one: str, other: str) -> bool:
    """Two amounts that are equal when a separator is read the other way: `1200 EUR` and `1.200 EUR`."""
    number, _, unit = one.partition("|")
    second, _, other_unit = other.partition("|")
    grouped = any(re.fullmatch(r"\d{1,3}(\.\d{3})+", text) for text in (number, second))
    return unit == other_unit and grouped and number.replace(".", "") == second.replace(".", "")


@cache
def _units() -> dict[str, str]:
    units = {symbol: symbol for symbol in _SYMBOLS}
    for names, unit in _LONG_UNITS.items():
        for name in names.split():
            units[name] = units[name + "s"] = unit
    for names, unit in _HAN_UNITS.items():
        units.update(dict.fromkeys(names.split(), unit))
    return units


@cache
def _pattern() -> re.Pattern[str]:
    months = "|".join((*MONTHS[0], "sept", *MONTHS[1]))
    own = "|".join(m for m in (*MONTHS[0], "sept", *MONTHS[1]) if m not in ("may", "march", "mar", "jan", "sep", "dec"))
    spelled = "|".join(sorted(_WORDS[1:], key=len, reverse=True))
    tens = "|".join(_TENS)
    latin = "|".join(sorted((re.escape(u) for u in _units() if u[0] < "\u3000"), key=len, reverse=True))
    han_unit = "|".join(sorted((u for u in _units() if u[0] >= "\u3000"), key=len, reverse=True))
    insensitive = "|".join(sorted((n + "s?" for names in _LONG_UNITS for n in names.split()), key=len, reverse=True))
    han = f"(?:{_HAN}{{1,9}}|\\d{{1,9}})"
    parts = (
        r"(?P<iso>(?<![\d-])\d{4}-\d{1,2}-\d{1,2}(?![\d-]))",
        rf"(?P<hdate>(?:(?P<hy>\d{{4}}|[〇零一二三四五六七八九]{{4}})年)?(?P<hm>\d{{1,2}}|"
        rf"[一二三四五六七八九十]{{1,2}})月份?"
        rf"(?:(?P<hd>{han})[日号])?)",
        rf"(?P<dm>(?<![A-Za-z0-9_.])(?P<d1>\d{{1,2}})(?i:st|nd|rd|"
        rf"th)?\.?(?i:\s+of)?\s+(?P<m1>(?i:{months}))(?![A-Za-z0-9_])(?:,?\s+(?P<y1>\d{{4}})\b)?)",
        rf"(?P<md>(?<![A-Za-z0-9_])(?P<m2>(?i:{months}))\.?\s+(?P<d2>\d{{1,2}})(?i:st|nd|rd|"
        rf"th)?(?![A-Za-z0-9_:])(?:,?\s+(?P<y2>\d{{4}})\b)?)",
        r"(?P<clock>(?<![A-Za-z0-9_.])(?P<ch>\d{1,2}):(?P<cm>\d{2})(?::\d{2})?(?:\s*(?P<ca>(?i:[ap]\.?m\b\.?)))?(?!\d))",
        r"(?P<hour>(?<![A-Za-z0-9_.])(?P<hh>\d{1,2})\s*(?P<ha>(?i:[ap]\.?m\b\.?)))",
        rf"(?P<htime>(?P<hpart>凌晨|早上|上午|中午|下午|晚上)?(?P<hour_n>{han})点(?P<hmin>半|一刻|三刻|钟|{han}分)?)",
        r"(?P<hweek>(?:(?<!每)周|星期|礼拜)[一二三四五六日天])",
        rf"(?P<week>(?<![A-Za-z0-9_])(?i:{'|'.join(WEEKDAYS)})s?(?![A-Za-z0-9_]))",
        rf"(?P<month>(?<![A-Za-z0-9_])(?:(?i:{own})|(?:(?<=in )|(?<=for )|(?<=of )|(?<=by ))(?:May|March|Mar|"
        rf"Jan|Sep|Dec))(?![A-Za-z0-9_]))",
        r"(?P<version>(?<![A-Za-z0-9_.])[vV]?\d+(?:\.\d+){2,}(?:-[a-z]+\d*)?(?![A-Za-z0-9_]))",
        rf"(?P<money>[€$£¥]\s?(?P<mn>{_NUMBER}))",
        rf"(?P<han>(?P<hno>第)?(?P<hn>{_NUMBER}|{_HAN}{{1,9}})\s?(?:(?P<hu>{han_unit})|(?P<hc>[号{_HAN_COUNTERS}])))",
        rf"(?P<amount>(?<![A-Za-z0-9_.])(?P<an>-?{_NUMBER})[ \u00a0-]?(?P<au>(?:{latin}|"
        rf"(?i:{insensitive}))(?![A-Za-z0-9_])))",
        rf"(?P<spelled>(?<![A-Za-z0-9_])(?P<sn>(?i:(?:{tens})(?:[- ](?:{spelled}))?|"
        rf"{spelled}))(?![A-Za-z0-9_])(?:[ -](?P<su>(?i:{insensitive})(?![A-Za-z0-9_])))?)",
        rf"(?P<ordinal>(?<![A-Za-z0-9_])(?:\d+(?i:st|nd|rd|th)|(?i:{'|'.join(_ORDINALS)}))(?![A-Za-z0-9_]))",
        r"(?P<ident>(?<![A-Za-z0-9_])(?:[A-Za-z]+-?\d[A-Za-z0-9-]*|\d+[A-Za-z][A-Za-z0-9]*)(?![A-Za-z0-9]))",
        rf"(?P<number>(?<![A-Za-z_.\d])(?:(?<!\S)-)?{_NUMBER})",
    )
    return re.compile("|".join(parts))


def _read(match: re.Match[str]) -> tuple[str, str]:
    reader = _READERS.get(match.lastgroup or "")
    return reader(match) if reader else ("", "")


def _iso(match: re.Match[str]) -> tuple[str, str]:
    year, month, day = match.group().split("-")
    return "date", _date(year, int(month), day)


def _date(year: str | None, month: int, day: str) -> str:
    return f"{year + '-' if year else ''}{month:02d}-{int(day):02d}"


def _month(word: str) -> int:
    return MONTHS[1].index(word[:3].lower()) + 1


def _han_date(match: re.Match[str]) -> tuple[str, str]:
    month = han_number(match["hm"])
    year = match["hy"]
    if year and not year.isdigit():
        year = "".join(str(_HAN_DIGITS[digit]) for digit in year)
    if match["hd"]:
        return "date", _date(year, month, str(han_number(match["hd"])))
    return "month", f"{year + '-' if year else ''}month {month}"


def _clock(hour: int, minute: int, half: str | None) -> tuple[str, str]:
    if half and half[0] in "pP" and hour < 12:
        hour += 12
    elif half and half[0] in "aA" and hour == 12:
        hour = 0
    return "time", f"{hour:02d}:{minute:02d}"


def _han_time(match: re.Match[str]) -> tuple[str, str]:
    hour, rest, part = han_number(match["hour_n"]), match["hmin"] or "", match["hpart"]
    minutes = {"半": 30, "一刻": 15, "三刻": 45, "钟": 0, "": 0}
    minute = minutes[rest] if rest in minutes else han_number(rest[:-1])
    return _clock(hour, minute, "p" if part in ("下午", "晚上") else None)


def _han_amount(match: re.Match[str]) -> tuple[str, str]:
    text, counter, unit = match["hn"], match["hc"], match["hu"]
    number = _number(text) if text[0].isdigit() else str(han_number(text))
    if match["hno"] or counter == "号":
        return "ordinal", f"#{number}{unit or ''}"
    if unit:
        return "amount", f"{number}|{_units()[unit]}"
    if number == "1" and counter in _ARTICLE_COUNTERS:
        return "article", ""
    return "number", f"{number}{counter}" if counter in "路章页期版稿届轮班" else number


def _amount(match: re.Match[str]) -> tuple[str, str]:
    unit = match["au"]
    return "amount", f"{_number(match['an'])}|{_units().get(unit) or _units()[unit.lower()]}"


def _spelled(match: re.Match[str]) -> tuple[str, str]:
    words = re.split(r"[- ]", match["sn"].lower())
    number = sum(_WORDS.index(w) if w in _WORDS else 20 + 10 * _TENS.index(w) for w in words)
    return ("amount", f"{number}|{_units()[match['su'].lower()]}") if match["su"] else ("number", str(number))


def _ordinal(match: re.Match[str]) -> tuple[str, str]:
    word = match.group().lower()
    return "ordinal", f"#{_ORDINALS.index(word) + 1 if word in _ORDINALS else int(word[:-2])}"


def _number(text: str) -> str:
    """`1,200` → `1200`, `2,5` → `2.5`; all else as written."""
    if re.fullmatch(r"-?\d{1,3}(,\d{3})+(\.\d+)?", text):
        return text.replace(",", "")
    return text.replace(",", ".") if text.count(",") == 1 and "." not in text else text


def han_number(text: str) -> int:
    """The value of Chinese numerals or digits: 二十一 → 21, 两 → 2, 二〇二六 → 2026."""
    if text.isdigit() and text.isascii():
        return int(text)
    if not any(letter in _HAN_POWERS for letter in text):
        return int("".join(str(_HAN_DIGITS[letter]) for letter in text))
    total = section = digit = 0
    for letter in text:
        if letter in _HAN_DIGITS:
            digit = _HAN_DIGITS[letter]
        elif letter == "万":
            total, section, digit = (total + section + digit) * 10_000, 0, 0
        else:
            section, digit = section + (digit or 1) * _HAN_POWERS[letter], 0
    return total + section + digit


_READERS: dict[str, Callable[[re.Match[str]], tuple[str, str]]] = {
    "iso": _iso,
    "hdate": _han_date,
    "dm": lambda m: ("date", _date(m["y1"], _month(m["m1"]), m["d1"])),
    "md": lambda m: ("date", _date(m["y2"], _month(m["m2"]), m["d2"])),
    "clock": lambda m: _clock(int(m["ch"]), int(m["cm"]), m["ca"]),
    "hour": lambda m: _clock(int(m["hh"]), 0, m["ha"]),
    "htime": _han_time,
    "hweek": lambda m: ("weekday", WEEKDAYS["一二三四五六日".index(m.group()[-1].replace("天", "日"))]),
    "week": lambda m: ("weekday", m.group().lower()),
    "month": lambda m: ("month", f"month {_month(m.group())}"),
    "version": lambda m: ("version", m.group().lower().lstrip("v")),
    "money": lambda m: ("amount", f"{_number(m['mn'])}|{_CURRENCIES[m.group()[0]]}"),
    "han": _han_amount,
    "amount": _amount,
    "spelled": _spelled,
    "ordinal": _ordinal,
    "ident": lambda m: ("identifier", m.group().lower()),
    "number": lambda m: ("number", _number(m.group())),
}
