"""Three older things that matter today: like what somebody is on, of this day in another year, pinned or important."""

from collections.abc import Iterator, Mapping
from datetime import date
from itertools import chain, islice, zip_longest
from typing import NamedTuple

from memhub.digest.focus import Focus
from memhub.digest.frame import TIME, Frame, escape, long_day, words_of
from memhub.model.briefing import Line
from memhub.model.item import Item
from memhub.search.ways import Scope, by_words
from memhub.stamp import DAY_MS, derived_id
from memhub.store import read, vectors
from memhub.store.connection import query
from memhub.text.analyse import query_terms

MOST = 3
OLDER = (30, 14, 7)
"""Days from which something is older: the first span that leaves enough to choose from."""
_DEPTH = 12
_LIKE_BY_WORDS = 0.12  # of all that the words of a note say
_IMPORTANT = 0.7


class Old(NamedTuple):
    """An older item and why it comes up again."""

    item: Item
    why: str


def resurfaced(
    frame: Frame, areas: list[Focus], kept: Mapping[str, str], without: set[str], rather_not: set[str]
) -> list[Old]:
    """Up to `MOST` older items, the same for a day however often it is asked: those `kept` from before come first.

    `kept` tells why each came up; `without` are ids that do not come, `rather_not` those that come only when there is
    too little else.
    """
    there = {item.id: item for item in _by_ids(frame, list(kept))}
    chosen = [Old(there[one], why) for one, why in kept.items() if one in there][:MOST]
    for avoided in (without | rather_not, without):
        if len(chosen) < MOST:
            taken = {one.item.id for one in chosen} | avoided
            chosen += islice(_candidates(frame, areas, taken), MOST - len(chosen))
    return chosen


def lines(frame: Frame, chosen: list[Old]) -> list[Line]:
    """A line for each: its day, what it is, its id, why it is there."""
    return [
        Line(
            f"{long_day(frame.day_of(one.item))}: {words_of(one.item)} {frame.ref(one.item.id)}"
            + (f" ({one.why})" if one.why else ""),
            (one.item.id,),
        )
        for one in chosen
    ]


def _candidates(frame: Frame, areas: list[Focus], taken: set[str]) -> Iterator[Old]:
    """One of each kind in turn, so that a day brings different reasons, within a kind the best first; each once."""
    older = next((days for days in OLDER if _count(frame, days) > len(taken) + 2 * MOST), OLDER[-1])
    before = frame.start - older * DAY_MS
    kinds = (_alike(frame, areas, before), _anniversaries(frame), iter(_marked(frame, before)))
    free = [(one for one in kind if one.item.id not in taken) for kind in kinds]  # else a kind loses its turn
    given = set(taken)
    in_turn = (one for row in zip_longest(*free) for one in row if one is not None)
    for one in chain(in_turn, _others(frame, before)):
        if one.item.id not in given:
            given.add(one.item.id)
            yield one


def _count(frame: Frame, days: int) -> int:
    sql = f"SELECT count(*) FROM item WHERE {frame.there} AND item.layer = 'L1' AND {TIME} < ?"
    return int(frame.connection.execute(sql, (frame.start - days * DAY_MS,)).get)


def _by_ids(frame: Frame, ids: list[str]) -> list[Item]:
    marks = ",".join("?" * len(ids))
    return frame.items(f"item.id IN ({marks})", tuple(ids)) if ids else []


def _alike(frame: Frame, areas: list[Focus], before: int) -> Iterator[Old]:
    """The older items most like what somebody is on, one for each area in turn; looked for at its turn."""
    scope = Scope(frame.connection, f"{frame.there} AND item.layer = 'L1' AND {TIME} < ?", (before,), frame.spaces)
    found: list[list[Old]] = []
    for place in range(_DEPTH):
        for number, area in enumerate(areas):
            if number == len(found):
                found.append(_like(frame, scope, area))
            yield from found[number][place : place + 1]


def _like(frame: Frame, scope: Scope, area: Focus) -> list[Old]:
    """The older items most like one area: by stored vectors where there are any, else by rare words."""
    numbers = _near(scope, area) or _by_rare_words(scope, area)
    items = read.load_items(frame.connection, numbers)
    unit = area.units[0]
    name = f"**{escape(area.name)}**" if area.kind else frame.ref(unit.id, unit.table)
    whole = (items[n] for n in numbers)
    return [Old(frame.as_it_was(item), f"like {name}") for item in whole if "drawn_from" not in item.attrs]


def _near(scope: Scope, area: Focus) -> list[int]:
    """Item rows by likeness of meaning; none when what the area is made of has no vectors yet.

    Alike enough is what the model's threshold says, from which two texts may be about the same matter.
    """
    best: dict[int, float] = {}
    sources = [source for unit in area.units[:3] for source in unit.sources[-2:]]
    rows = query(
        scope.connection,
        f"""SELECT vec.q, vec.model, vector_model.threshold FROM item JOIN chunk ON chunk.item = item.n
            JOIN vec ON vec.chunk = chunk.n JOIN vector_model ON vector_model.n = vec.model
            WHERE chunk.ordinal = 0 AND item.id IN ({",".join("?" * len(sources))}) ORDER BY item.id""",
        sources,
    )
    for q, model, threshold in rows:
        index = vectors.ExactScan(scope.connection, model)
        for hit in index.nearest(q, scope.spaces, scope.where, scope.params, _DEPTH):
            if hit.cosine >= threshold:
                best[hit.n] = max(best.get(hit.n, 0.0), hit.cosine)
    return sorted(best, key=lambda n: (-round(best[n], 4), n))


def _by_rare_words(scope: Scope, area: Focus) -> list[int]:
    """Item rows that share the rarest words with one of the newest units, the most of its words first."""
    best: dict[int, float] = {}
    for unit in area.units[:3]:
        found = by_words(scope, unit.headline, query_terms(unit.text[:160]), _DEPTH)
        whole = sum(found.idf) or 1.0
        for n, score in found.bm25.items():
            best[n] = max(best.get(n, 0.0), score / whole)
    return [n for n in sorted(best, key=lambda n: (-round(best[n], 4), n)) if best[n] >= _LIKE_BY_WORDS]


def _anniversaries(frame: Frame) -> Iterator[Old]:
    """Of this day in earlier years, the important first; then of this day half a year and a quarter ago."""
    for years in range(1, 30):
        said = f"{'a year' if years == 1 else f'{years} years'} ago today"
        yield from (Old(item, said) for item in _of_day(frame, _moved(frame.date, 12 * years)))
    for months, said in ((6, "half a year ago today"), (3, "three months ago today")):
        yield from (Old(item, said) for item in _of_day(frame, _moved(frame.date, months)))


def _moved(day: date, months: int) -> date:
    year, month = divmod(day.year * 12 + day.month - 1 - months, 12)
    try:
        return day.replace(year=year, month=month + 1)
    except ValueError:  # no such day in that month
        return date(year, month + 1, 28)


def _of_day(frame: Frame, day: date) -> list[Item]:
    start = frame.zone.day_start((day.year, day.month, day.day))
    found = frame.items(
        f"item.layer = 'L1' AND {TIME} >= ? AND {TIME} < ?", (start, start + DAY_MS),
        order="pinned DESC, coalesce(item.importance, 0) DESC, item.id", limit=_DEPTH,
    )  # fmt: skip
    return [item for item in found if "drawn_from" not in item.attrs]


def _others(frame: Frame, before: int) -> Iterator[Old]:
    """Any older note, in an order that changes from day to day; for days on which nothing else comes up."""
    found = frame.items(f"item.kind = 'note' AND {TIME} < ?", (before,), order="item.updated_ms, item.n", limit=200)
    whole = [item for item in found if "drawn_from" not in item.attrs]
    yield from (Old(item, "") for item in sorted(whole, key=lambda item: derived_id(frame.day, item.id)))


def _marked(frame: Frame, before: int) -> list[Old]:
    """What was pinned or called important, in an order that changes from day to day."""
    found = frame.items(
        f"item.layer = 'L1' AND {TIME} < ? AND (pinned OR importance >= ?)", (before, _IMPORTANT), limit=200
    )
    found.sort(key=lambda item: derived_id(frame.day, item.id))
    return [Old(item, "pinned" if item.pinned else "important") for item in found]
