"""What is due and upcoming: intents with a day, and sentences of typed notes that name one still to come."""

import re
from collections.abc import Iterator
from datetime import date, timedelta
from typing import NamedTuple

from memhub.digest.frame import MONTHS, TIME, Frame, plain, short_day
from memhub.model.briefing import Line
from memhub.model.item import Item
from memhub.pipeline.extract_en import PAST_VERBS
from memhub.pipeline.sentences import LONGEST, Sentence, sentences
from memhub.pipeline.statements import normalise
from memhub.stamp import DAY_MS
from memhub.text.analyse import fold
from memhub.text.dates import days_in_month
from memhub.text.days_said import said_day
from memhub.text.quantities import find, han_number

OVERDUE, AHEAD = 14, 21
"""Days back for what was promised and is past, and days ahead."""
MOST, MOST_OVERDUE = 12, 4
_RECENT = 60  # days within which `tomorrow` and `in 6 weeks` were said; farther days are written as dates
_SCANNED = 4000
_HAN_MONTHS = "一月 二月 三月 四月 五月 六月 七月 八月 九月 十月 十一月 十二月"
_NOT_DUE = re.compile(r"\b(?:every|each|cancell?ed|called off|no longer)\b|每[天周日月年个]|取消|不用|已经|作废", re.I)
_CLAUSES = re.compile(r"[,，;；](?!\s*\d{4}\b)|(?<=\S)\s+[-–—]+\s+|\band then\b")
_SET_TEXT = (
    "needed required supposed scheduled planned invited expected booked moved postponed confirmed promised agreed "
    "decided wanted asked"
)
_SET = frozenset(_SET_TEXT.split())
_PROMISE = re.compile(
    r"\b(?:by|before|until|within|due|deadline|no later than|must|need to|have to|todo|to-do|remember|remind|"
    r"don['’]t forget|promised?|i['’]ll|will|should|submit|send|pay|renew|call|return|book|finish)\b|"
    r"前|[之以]内|截止|必须|要|得|记得|别忘|提醒|答应|提交|交|还|办|续|付",
    re.I,
)


class Due(NamedTuple):
    """Something on a day (ISO), at a time (`15:00`) where one was said. `is_promise`: it stays due when it is past."""

    day: str
    time: str
    text: str
    item: str
    is_promise: bool


def dues(frame: Frame) -> list[Due]:
    """What falls into the days around this one, soonest first."""
    first = (frame.date - timedelta(days=OVERDUE)).isoformat()
    last = (frame.date + timedelta(days=AHEAD)).isoformat()
    found: dict[tuple[str, str], Due] = {}
    sources: set[tuple[str, str]] = set()
    drawn = [(item, due) for item in _marked(frame) if (due := _of_attrs(frame, item)) is not None]
    for item, due in drawn:
        sources.update((source, due.day) for source in item.attrs.get("drawn_from", ()))
        _keep(found, due, first, last, frame.day)
    for item in _written(frame):
        for due in _said(frame, item):
            if (item.id, due.day) not in sources:
                _keep(found, due, first, last, frame.day)
    return sorted(found.values(), key=lambda due: (due.day, due.time or "24", due.item))


def _keep(found: dict[tuple[str, str], Due], due: Due, first: str, last: str, today: str) -> None:
    if (first if due.is_promise else today) <= due.day <= last:
        found.setdefault((due.day, normalise(due.text)), due)


def lines(frame: Frame, found: list[Due]) -> list[Line]:
    """A line for each: when, what, its id. The last few that are overdue come first, then what is next."""
    overdue = [due for due in found if due.day < frame.day]
    ahead = [due for due in found if due.day >= frame.day]
    shown = [*overdue[-MOST_OVERDUE:], *ahead[:MOST]]
    result = [Line(f"{_when(frame, due)}: {plain(due.text, 100)} {frame.ref(due.item)}", (due.item,)) for due in shown]
    left = [(len(overdue) - MOST_OVERDUE, "overdue"), (len(ahead) - MOST, "in the next weeks")]
    more = " and ".join(f"{count:,} more {what}" for count, what in left if count > 0)
    return [*result, Line(f"… {more}")] if more else result


def _when(frame: Frame, due: Due) -> str:
    days = (date.fromisoformat(due.day) - frame.date).days
    time = f" {due.time}" if due.time else ""
    if days < 0:
        return f"**overdue** since {short_day(due.day, frame.day)}"
    if days < 2:
        return f"**{('today', 'tomorrow')[days]}{time}**"
    return f"{short_day(due.day, frame.day)}{time}, in {days} days"


def _marked(frame: Frame) -> list[Item]:
    """Intents and events that name their day."""
    return frame.items(
        """item.kind IN ('intent', 'event') AND EXISTS (SELECT 1 FROM version WHERE version.n = item.shown AND
           coalesce(version.meta -> 'attrs' ->> 'due', version.meta -> 'attrs' ->> 'date') IS NOT NULL)""",
        limit=_SCANNED,
    )


def _of_attrs(frame: Frame, item: Item) -> Due | None:
    given = str(item.attrs.get("due") or item.attrs.get("date") or "")[:10]
    try:
        day = date.fromisoformat(given).isoformat()
    except ValueError:
        return None
    said = item.title or item.content
    who = _speaker(frame, item)
    return Due(day, _time(said), f"{who}: {said}" if who else said, item.id, item.kind == "intent")


def _speaker(frame: Frame, item: Item) -> str:
    """Who said it in a conversation with names: it need not be the reader who is to do it."""
    source = next(iter(item.attrs.get("drawn_from", ())), None)
    row = frame.connection.execute(
        """SELECT version.meta -> 'attrs' ->> 'speaker' FROM item JOIN version ON version.n = item.shown
           WHERE item.id = ? AND item.layer = 'L0'""",
        (source,),
    ).fetchone()
    return str(row[0] or "") if row else ""


def _written(frame: Frame) -> list[Item]:
    """Typed notes that may name a day: the recent ones, and older ones that name a month of the days ahead."""
    base = "item.kind IN ('note', 'intent', 'event') AND item.layer = 'L1'"
    recent = frame.items(f"{base} AND {TIME} >= ?", (frame.stop - _RECENT * DAY_MS,), limit=_SCANNED)
    months = sorted({((frame.date + timedelta(days=days)).month, (frame.date + timedelta(days=days)).year)
                     for days in range(-OVERDUE, AHEAD + 1)})  # fmt: skip
    terms = []
    for month, year in months:
        name = MONTHS[month - 1].lower()
        terms += [f'"{name}"', f'"{name[:3]}"', f'"{year} {month:02d}"', f'"{month} 月"']
        terms.append(f'"{_HAN_MONTHS.split()[month - 1][-2:]}"')
    older = frame.items(
        f"{base} AND {TIME} < ? AND item.n IN (SELECT rowid FROM words WHERE words MATCH ?)",
        (frame.stop - _RECENT * DAY_MS, " OR ".join(terms)),
        limit=_SCANNED,
    )
    return [item for item in (*recent, *older) if "drawn_from" not in item.attrs]


def _said(frame: Frame, item: Item) -> Iterator[Due]:
    """The sentences of a note that name a day which was still to come when they were said."""
    said_on = frame.day_of(item)
    content = item.content[:20_000]
    if said_day(fold(content), said_on) is None:  # a quick look
        return
    for sentence in sentences(content):
        if re.search(r"\[[xX]\]\s*$", content[: sentence.start]):
            continue  # ticked off
        yield from _in_sentence(sentence, said_on, item)


def _in_sentence(sentence: Sentence, said_on: str, item: Item) -> Iterator[Due]:
    """Each clause is looked at by itself: what one says was done, another may still ask for."""
    text = fold(sentence.text)
    if sentence.is_question or len(text) > LONGEST or _NOT_DUE.search(text):
        return
    promise = item.kind == "intent" or bool(_PROMISE.search(text))
    for clause in _CLAUSES.split(text):
        said = said_day(clause, said_on)
        day = said and (said.day or _end(said.written, clause, said_on))
        if day and day >= said_on and not _is_past(clause):
            yield Due(day, _time(clause), sentence.text, item.id, promise)


def _end(written: str, clause: str, said_on: str) -> str | None:
    """The last day of what ends: 月底, `end of the year`; of a week its Friday, of a weekend its Saturday."""
    now = date.fromisoformat(said_on)
    if written == "年底" or (written.endswith("year") and written.startswith("end")):
        return f"{now.year}-12-31"
    if written == "月底" or (written.endswith("month") and written.startswith("end")):
        named = re.search(r"(\d{1,2}|[一二三四五六七八九十]{1,2})月底", clause)
        month = min(han_number(named[1]), 12) if named else now.month
        return f"{now.year + (month < now.month)}-{month:02d}-{days_in_month(now.year, month):02d}"
    if written.endswith(("weekend", "周末")):
        return (now + timedelta(days=(5 - now.weekday()) % 7)).isoformat()
    if written.endswith("week") and written.startswith("end"):
        return (now + timedelta(days=(4 - now.weekday()) % 7)).isoformat()
    return None


def _is_past(clause: str) -> bool:
    first = [word for word in re.findall(r"[a-z'’]+", clause.lower())[:4] if word not in _SET]
    return any(word in PAST_VERBS or (word.endswith("ed") and len(word) > 4) for word in first) or bool(
        re.search(r"了(?!解)", clause) and not re.search(r"忘了|为了|除了|到了", clause)
    )


def _time(text: str) -> str:
    """The first time of day, as `15:00`; in the evening where 晚 stands before it."""
    text = fold(text)
    found = next((one for one in find(text) if one.kind == "time"), None)
    if found is None:
        return ""
    hour = int(found.canon[:2])
    is_evening = hour < 12 and text[: found.start].endswith("晚")
    return f"{hour + 12}{found.canon[2:]}" if is_evening else found.canon
