"""What somebody was on in the last days: notes and conversations grouped by project, label or shared words."""

import re
from collections import Counter
from collections.abc import Collection, Iterable
from math import log
from typing import NamedTuple

from memhub.digest.frame import Frame, counted, escape, plain, words_of
from memhub.model.briefing import Line
from memhub.model.item import Item
from memhub.stamp import DAY_MS, ms_of
from memhub.store import threads, words
from memhub.text.analyse import STOP_WORDS, Term, fold, is_run, query_terms
from memhub.text.quantities import CALENDAR

DAYS = (3, 7, 30)
"""How many days back to look: the first span that holds `ENOUGH`, else the last."""
ENOUGH = 3
MOST = 5
_NOTES, _TURNS = 300, 3000
_HEADLINES = 2
_LONG_CHAT = 4
_LEXICAL = 0.9  # beside 1 for a project and 1.1 for a label: what a person named himself comes first
_EVERYWHERE, _FEW = 0.6, 5
_VAGUE_TEXT = (
    "call calls called send sends sent ask asks asked tell told talk talks talked meet meets meeting met lunch dinner "
    "coffee breakfast buy bought book booked pay paid order ordered want wants check checked wait waiting update "
    "updated start started finish finished done added again also just need needs make made more much many most some "
    "other another back before after about still only very well good here now really because while during between "
    "should could must have says said note notes http https www 今天 明天 昨天 后天 上午 下午 早上 晚上 中午 今年 "
    "去年 明年 下周 上周 本周 周一 周二 周三 周四 周五 周六 周日 星期 时候 什么 怎么 为什 可以 我们 他们 你们 自己 "
    "一个 一下 没有 因为 所以 如果 但是 就是 还是 需要 已经 现在 之前 之后 以后 以前 不要 不能 应该 比较 非常 问题 "
    "电话 开会 会议 吃饭 聊天"
)
_VAGUE = frozenset(_VAGUE_TEXT.split()) | CALENDAR
"""Words and pairs that many notes share without being about the same thing."""
_HAN_DATE = frozenset("〇零一二三四五六七八九十百两年月日号点周天")
"""A pair of these is part of a date: 二月, 三号, 十点."""
_TOKEN = re.compile(r"[^\W_]+(?:[-'’][^\W_]+)*|[^\w\s]")
_HAN_FUNCTION = frozenset("的了是在和也都就不有我你他她它这那把被给对从到个")


class Unit(NamedTuple):
    """A note or a conversation of the last days. `text` is what its words are taken of, `sources` the items that these
    stand in; a thread has no `item`."""

    id: str
    item: Item | None
    headline: str
    text: str
    at: int
    project: str | None
    labels: tuple[str, ...] = ()
    turns: int = 0
    sources: tuple[str, ...] = ()

    @property
    def table(self) -> str:
        """Where its id stands."""
        return "item" if self.item else "thread"


class Focus(NamedTuple):
    """Units that belong together, newest first. `kind` says by what: project, label, words, or nothing (one alone)."""

    name: str
    kind: str
    units: tuple[Unit, ...]


def focus_areas(frame: Frame, dated: Collection[str] = ()) -> list[Focus]:
    """What the last days were about, the weightiest first; at most `MOST`. What is `dated` stands alone elsewhere."""
    units: list[Unit] = []
    for days in DAYS:
        units = _units(frame, frame.stop - days * DAY_MS)
        if len(units) >= ENOUGH:
            break
    areas = _grouped(frame, units)
    return [area for area in areas if area.kind or area.units[0].id not in dated][:MOST]


def lines(frame: Frame, areas: list[Focus]) -> list[Line]:
    """A line for each area: what it is, how much there is, its newest with their ids."""
    return [_line(frame, area) for area in areas]


def _line(frame: Frame, area: Focus) -> Line:
    shown = area.units[:_HEADLINES]
    names = [f"{unit.headline} {frame.ref(unit.id, unit.table)}" for unit in shown]
    ids = tuple(unit.id for unit in area.units)
    turns = sum(unit.turns for unit in area.units)
    if not area.kind:
        unit = area.units[0]
        return Line(f"{names[0]}" + (f", {counted(turns, 'turn')}" if turns else ""), (unit.id,))
    notes = sum(unit.item is not None for unit in area.units)
    chats = len(area.units) - notes
    counts = [counted(notes, "note")] if notes else []
    counts += [f"{counted(chats, 'conversation')} of {counted(turns, 'turn')}"] if chats else []
    more = len(area.units) - len(shown)
    text = f"**{escape(area.name)}** ({', '.join(counts)}): {'; '.join(names)}" + (f"; {more} more" if more else "")
    return Line(text, ids)


def _units(frame: Frame, since: int) -> list[Unit]:
    return sorted([*_notes(frame, since), *_chats(frame, since)], key=lambda unit: (-unit.at, unit.id))


def _notes(frame: Frame, since: int) -> list[Unit]:
    found = frame.items("item.layer = 'L1' AND coalesce(item.created_ms, item.updated_ms) >= ?", (since,), limit=_NOTES)
    return [
        Unit(item.id, item, words_of(item), f"{item.title or ''}\n{item.content[:600]}", _ms(item), item.project,
             item.labels, sources=(item.id,))
        for item in found
        if "drawn_from" not in item.attrs  # what it was drawn from speaks for it
    ]  # fmt: skip


def _chats(frame: Frame, since: int) -> list[Unit]:
    turns = frame.items("item.layer = 'L0' AND coalesce(item.created_ms, item.updated_ms) >= ?", (since,), limit=_TURNS)
    place = threads.threads_of(frame.connection, [turn.id for turn in turns])
    of: dict[str, list[Item]] = {}
    for turn in turns:
        if turn.id in place:
            of.setdefault(place[turn.id], []).append(turn)
    found = []
    for identifier, some in of.items():
        thread = threads.thread_by_id(frame.connection, identifier)
        if thread is None:
            continue
        said = [turn for turn in some if turn.attrs.get("role", "user") == "user"][:6]
        text = "\n".join([thread.title, *(turn.content[:300] for turn in said)])
        sources = (*threads.turn_ids(frame.connection, identifier)[:5], *(turn.id for turn in said))
        found.append(
            Unit(identifier, None, plain(thread.title), text, _ms(some[0]), thread.project, (), len(some), sources)
        )
    return found


def _ms(item: Item) -> int:
    return ms_of(item.created_at) or ms_of(item.updated_at) or 0


Key = tuple[str, str]


def _grouped(frame: Frame, units: list[Unit]) -> list[Focus]:
    """The heaviest group first, then the heaviest of what is left, and so on; what belongs to none stands alone."""
    keys = _keys(frame, units)
    weights = {unit.id: _weight(frame, unit) for unit in units}
    left, areas = {unit.id: unit for unit in units}, list[Focus]()
    while left and len(areas) < MOST:
        scores = {
            key: share * sum(weights[one] for one in members if one in left)
            for key, (share, members) in keys.items()
            if sum(one in left for one in members) > 1
        }
        if not scores:
            break
        kind, name = max(scores, key=lambda key: (scores[key], key))
        members = [left.pop(one) for one in keys[kind, name][1] if one in left]
        areas.append(Focus(_shown(kind, name, members), kind, tuple(sorted(members, key=lambda u: (-u.at, u.id)))))
    alone = sorted(left.values(), key=lambda unit: (-weights[unit.id], -unit.at, unit.id))
    return [*areas, *(Focus(unit.headline, "", (unit,)) for unit in alone)]


def _weight(frame: Frame, unit: Unit) -> float:
    """What is newer, pinned, important or longer weighs more."""
    days = max(0, (frame.stop - 1 - unit.at) // DAY_MS)
    matters = (unit.item.importance or 0) + unit.item.pinned if unit.item else log(1 + unit.turns) / log(_LONG_CHAT)
    return (1 + matters) / (1 + 0.25 * days)


def _keys(frame: Frame, units: list[Unit]) -> dict[Key, tuple[float, list[str]]]:
    """By what units can belong together: how much that says (0 to 1.1), and which units."""
    found: dict[Key, list[str]] = {}
    for unit in units:
        if unit.project:
            found.setdefault(("project", unit.project), []).append(unit.id)
        for label in unit.labels:
            found.setdefault(("label", label), []).append(unit.id)
    by_word: dict[Term, list[str]] = {}
    for unit in units:
        for term in query_terms(unit.text[:1500]):
            if _says_something(term):
                by_word.setdefault(term, []).append(unit.id)
    shared = {term: members for term, members in by_word.items() if len(members) > 1}
    most = max(2, int(_EVERYWHERE * len(units)))
    result = {
        key: (1.1 if key[0] == "label" else 1.0, members)
        for key, members in found.items()
        if key[0] == "label" or len(members) <= max(most, _FEW)  # notes typed in one folder say more by their words
    }
    for term, rarity in _rarity(frame, shared).items():
        if len(shared[term]) <= most:
            result["words", term.text] = (_LEXICAL * rarity, shared[term])
    return result


def _says_something(term: Term) -> bool:
    if is_run(term.text):
        is_vague = term.text in _VAGUE or term.text[0] in _HAN_FUNCTION or _HAN_DATE.issuperset(term.text)
        return len(term.text) == 2 and not is_vague
    return len(term.text) > 3 and term.text not in STOP_WORDS and term.text not in _VAGUE and not term.text.isdigit()


def _rarity(frame: Frame, terms: Iterable[Term]) -> dict[Term, float]:
    """For each term 0 (in everything ever kept) to 1 (nowhere else)."""
    wanted = list(terms)
    weighed = words.weigh(frame.connection, wanted)
    rows = words.size(frame.connection)
    whole = log(rows + 1) or 1.0
    return {term: min(1.0, idf / whole) for term, idf in zip(weighed.terms, weighed.idf, strict=True) if rows > 1}


def _shown(kind: str, name: str, members: list[Unit]) -> str:
    """How a group is called: a label with its sign, a word as it is mostly written, a pair of Han as far as it goes."""
    if kind == "label":
        return f"#{name}"
    if kind != "words":
        return name
    texts = [fold(unit.text) for unit in members]
    return _widened(name, texts) if is_run(name) else _phrase(name, texts)


def _phrase(word: str, texts: list[str]) -> str:
    """The words around a word that all of these texts share, as most of them write it: `Austrian tax rates`."""
    said = [_TOKEN.findall(text) for text in texts]
    spans = []
    for tokens in said:
        at = next((i for i, token in enumerate(tokens) if token.lower().startswith(word)), None)
        if at is None:
            return word
        spans.append([at, at + 1])
    while _shared([tokens[span[0] - 1] if span[0] else "" for tokens, span in zip(said, spans, strict=True)]):
        for span in spans:
            span[0] -= 1
    while _shared([tokens[span[1]] if span[1] < len(tokens) else "" for tokens, span in zip(said, spans, strict=True)]):
        for span in spans:
            span[1] += 1
    spellings = Counter(" ".join(tokens[start:stop]) for tokens, (start, stop) in zip(said, spans, strict=True))
    return min(spellings, key=lambda shown: (-spellings[shown], shown))


def _shared(tokens: list[str]) -> bool:
    """Whether these are one word, and one that says something."""
    word = tokens[0].lower()
    return word[:1].isalpha() and word not in STOP_WORDS | _VAGUE and all(token.lower() == word for token in tokens)


def _widened(pair: str, texts: list[str]) -> str:
    """The longest run of letters around a pair of Han that all of these texts share."""
    shown = pair
    while True:
        wider = {text[at + len(shown)] for text in texts if 0 <= (at := text.find(shown)) < len(text) - len(shown)}
        if len(wider) != 1 or not is_run(letter := wider.pop()) or not all(shown + letter in text for text in texts):
            break
        shown += letter
    while True:
        before = {text[at - 1] for text in texts if (at := text.find(shown)) > 0}
        if len(before) != 1 or not is_run(letter := before.pop()) or not all(letter + shown in text for text in texts):
            break
        shown = letter + shown
    return shown
