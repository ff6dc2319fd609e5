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

TITLE_TERMS = 3
_LONGEST = 240
_TOKEN = re.compile(f"[{RUNS}]+|(?:(?![{RUNS}])[^\\W_])+(?:[-'’](?:(?![{RUNS}])[^\\W_])+)*")
_EMPTY = (
    "just very really some more most much many good well again also always never often today yesterday tomorrow week "
    "day days month year time first last next new old one two three i'm i've it's don't didn't im ive get got go going "
    "went make made like can could should may might must need want still too only before after while because since "
    "until every each all both other another same such own during without between around thing things way"
)
_EMPTY_WORDS = frozenset(_EMPTY.split())
_HAN_EMPTY = re.compile(
    "[的了是在和与我你他她它们这那有没不也很都就还要会能说去来到把被让给对从向又再一个些吗呢吧啊着过得地]|"
    "今天|昨天|明天|每天|早上|晚上|下午|时候|因为|所以|但是|可以|觉得|已经|开始|之后|以后|现在|终于"
)


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
    shown: dict[str, str] = {}
    for member in found:
        own = terms_of(member.content)
        counts.update(own.keys())
        for term, as_written in own.items():
            shown.setdefault(term, as_written)
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
    return [shown[term] for term in chosen]


def terms_of(text: str) -> dict[str, str]:
    """The content words of a text, stemmed, and pieces of two to four characters of Chinese; each as written."""
    found: dict[str, str] = {}
    for token in _TOKEN.findall(text[:2000]):
        if is_run(token):
            for part in _HAN_EMPTY.split(token):
                for size in (4, 3, 2):
                    for start in range(len(part) - size + 1):
                        found.setdefault(part[start : start + size], part[start : start + size])
            continue
        word = token.casefold().replace("’", "'")
        if len(word) > 2 and word not in STOP_WORDS and word not in _EMPTY_WORDS and not word.isdigit():
            found.setdefault(stem(word), token if token[1:] != token[1:].lower() else word)
    return found


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


def telling(member: Member, about: Sequence[str]) -> Passage:
    """The sentence of a statement that says most about these words."""
    wanted = {term for word in about for term in terms_of(word)}
    return max(passages(member), key=lambda one: (len(wanted & terms_of(one.text).keys()), -one.start))


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
