"""Words for what several statements have in common, made of their own words: no model writes here."""

import re
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

import apsw

from memhub.digest.material import Member
from memhub.pipeline.sentences import sentences
from memhub.pipeline.tokens import stem
from memhub.store import words
from memhub.text.analyse import RUNS, STOP_WORDS, Term, is_run
from memhub.text.clean import one_line
from memhub.text.quantities import CALENDAR

TITLE_TERMS = 3
_LONGEST = 240
_TOKEN = re.compile(f"[{RUNS}]+|(?:(?![{RUNS}])[^\\W_])+(?:[-'’](?:(?![{RUNS}])[^\\W_])+)*")
_EMPTY = (
    "just very really some more most much many good well again also always never often today yesterday tomorrow week "
    "day days month year time first last next new old one two three i'm i've it's don't didn't im ive get got go going "
    "went make made like can could should may might must need want still too only before after while because since "
    "until every each all both other another same such own during without between around thing things way"
)
_EMPTY_WORDS = frozenset(_EMPTY.split()) | CALENDAR
_HAN_NUMBER = "[〇零一二三四五六七八九十百两半几]"
_HAN_EMPTY = re.compile(
    "今天|昨天|明天|后天|前天|每天|早上|上午|中午|晚上|下午|凌晨|时候|小时|分钟|[今去明]年|[年月]底|周末|"
    "(?:下下|[上下本这每])个?(?:周|星期|礼拜)[一二三四五六日天]?|(?:周|星期|礼拜)[一二三四五六日天]|[上下]个?月|"
    f"{_HAN_NUMBER}+(?:[年月日号点周天岁次]|个月)|"
    "因为|所以|但是|可以|觉得|已经|开始|之前|之后|以后|现在|终于|"
    "[的了是在和与我你他她它们这那有没不也很都就还要会能说聊去来到把被让给对从向又再一个些吗呢吧啊着过得地]"
)
_OPENS = " \t#*>+-'\"([“‘「『《"
"""What may stand between the end of a sentence and the first word of the next."""


class Passage(NamedTuple):
    """A sentence of a statement and where it stands in it."""

    member: Member
    text: str
    start: int
    stop: int


def title(terms: Sequence[str]) -> str:
    """A title made of words that statements share."""
    han = sum(is_run(term) for term in terms)
    return ("、" if han * 2 > len(terms) else ", ").join(terms)


def shared(connection: apsw.Connection, found: Sequence[Member]) -> list[str]:
    """At most `TITLE_TERMS` words that at least two statements share."""
    counts: Counter[str] = Counter()
    shown: dict[str, Counter[str]] = {}
    for member in found:
        own = terms_of(member.content)
        counts.update(own.keys())
        for term, as_written in own.items():
            shown.setdefault(term, Counter())[as_written] += 1
    often = {term: count for term, count in counts.items() if count >= 2}
    weights = _idf(connection, often)
    ranked = sorted(often, key=lambda term: (-often[term] * weights[term], term))
    chosen: list[str] = []
    for term in ranked:
        if len(chosen) == TITLE_TERMS:
            break
        if any(term in other or other in term for other in chosen) or (chosen and often[term] * 3 < len(found)):
            continue
        chosen.append(term)
    return [_as_written(connection, shown[term]) for term in chosen]


def _as_written(connection: apsw.Connection, spellings: Counter[str]) -> str:
    """The spelling to show: a name keeps its capital, also when sentences begin with it."""
    word = max(spellings, key=lambda word: (word != word.lower(), spellings[word], word))
    named = connection.execute(
        """SELECT entity.name FROM entity_name JOIN entity ON entity.n = entity_name.entity WHERE entity_name.name = ?
           AND entity.type IN ('person', 'place', 'organisation', 'project') AND lower(entity.name) = ?""",
        (word, word),
    ).get
    return str(named or word)


def terms_of(text: str) -> dict[str, str]:
    """The content words of a text, stemmed, and pieces of two to four characters of Chinese; each as written, a word
    that begins a sentence in small letters."""
    text = text[:2000]
    found: dict[str, str] = {}
    for match in _TOKEN.finditer(text):
        token = match.group()
        if is_run(token):
            for part in _HAN_EMPTY.split(token):
                for size in (4, 3, 2):
                    for start in range(len(part) - size + 1):
                        found.setdefault(part[start : start + size], part[start : start + size])
            continue
        word = token.casefold().replace("’", "'")
        if len(word) > 2 and word not in STOP_WORDS and word not in _EMPTY_WORDS and not word.isdigit():
            is_name = token[1:] != token[1:].lower() or not _is_first(text, match.start())
            found.setdefault(stem(word), token if is_name else word)
    return found


def _is_first(text: str, start: int) -> bool:
    """Whether a sentence begins at this place, where any word has a capital."""
    before = text[max(0, start - 12) : start].rstrip(_OPENS)
    return not before or before[-1] in ".!?:;\n。！？：；"


def _idf(connection: apsw.Connection, terms: dict[str, int]) -> dict[str, float]:
    """How rare each term is in what is kept; a longer piece of Chinese weighs more than its parts."""
    wanted = [Term(term) for term in terms]
    weighed = words.weigh(connection, wanted) if wanted else None
    known = {term.text: idf for term, idf in zip(weighed.terms, weighed.idf, strict=True)} if weighed else {}
    return {
        term: (1.5 + 0.9 * len(term)) if is_run(term) else max(known.get(term, 3.0), 0.5) + 0.02 * len(term)
        for term in terms
    }


def passages(member: Member) -> list[Passage]:
    """The sentences of a statement; where there is none of its own, its beginning."""
    found = [Passage(member, one_line(one.text), one.start, one.stop) for one in sentences(member.content[:8000])]
    if found:
        return found
    start = len(member.content) - len(member.content.lstrip())
    stop = min(len(member.content), start + _LONGEST)
    return [Passage(member, one_line(member.content[start:stop]), start, stop)]


def telling(found: Sequence[Member], about: Sequence[str]) -> list[Passage]:
    """The sentence of each statement that says most about these words. A longer text none of whose sentences says any
    of them is not quoted, unless nothing else is left."""
    wanted = {term for word in about for term in terms_of(word)}
    best = [max((_weighed(one, wanted) for one in passages(member)), key=lambda one: one[0]) for member in found]
    alone = [len(passages(member)) == 1 for member in found]
    told = [one for (weight, one), is_alone in zip(best, alone, strict=True) if weight[0] or is_alone]
    return told or [one for _, one in best]


def _weighed(one: Passage, wanted: set[str]) -> tuple[tuple[int, int], Passage]:
    return (len(wanted & terms_of(one.text).keys()), -one.start), one


def quoted(passage: Passage) -> str:
    """A passage as one line of a list, with its day."""
    day = (passage.member.at or "")[:10]
    return f"- {_cut(passage.text)}{f' ({day})' if day else ''}"


def dated(passage: Passage) -> str:
    """A passage as one line of a chronicle."""
    day = (passage.member.at or "")[:10]
    return f"{day}: {_cut(passage.text)}" if day else _cut(passage.text)


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1].rstrip() + "…"
