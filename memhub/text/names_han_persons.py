"""Persons in Chinese: a surname with a title, a full name or `老王` between words that people stand between."""

import re
from collections.abc import Callable
from functools import cache

from memhub.text import names_zh as zh

Take = Callable[..., None]
"""Takes (name, type, start, is_strong), unless the place is taken already."""

_HAN = "\u4e00-\u9fff"
_DOUBLE = "|".join(sorted(zh.DOUBLE_SURNAMES))


@cache
def _titled() -> re.Pattern[str]:
    return re.compile(
        rf"(?P<full>(?:{_DOUBLE}|[{zh.SURNAMES}])(?P<given>[{zh.GIVEN}]{{1,2}})?)(?P<title>{zh.TITLES})"
        rf"(?![{_HAN}]?(?:化|程|作|人员))"
    )


@cache
def _foreign() -> re.Pattern[str]:
    return re.compile(rf"[{zh.SOUNDS}]{{1,6}}(?:[·•・][{zh.SOUNDS}]{{1,6}})+")


@cache
def _full() -> re.Pattern[str]:
    return re.compile(
        rf"(?:(?:{_DOUBLE})[{zh.GIVEN}]{{1,2}}|[{zh.SURNAMES}][{zh.GIVEN}]{{2}}|[{zh.SURNAMES}][{zh.GIVEN}])"
        rf"(?={zh.PERSON_RIGHT})"
    )


@cache
def _short() -> re.Pattern[str]:
    return re.compile(rf"(?:老|小|阿)[{zh.COMMON_SURNAMES}](?={zh.PERSON_RIGHT})")


def foreign_persons(text: str, take: Take) -> None:
    """Names from other languages, which have a dot between their parts."""
    for match in _foreign().finditer(text):
        take(match.group(), "person", match.start())


def titled_persons(text: str, take: Take) -> None:
    """A surname and a title; behind a given name the title is no part of the name, as that of `Dr Patel` is none."""
    for match in _titled().finditer(text):
        name, after = match.group(), text[match.end() : match.end() + 1]
        if name[:2] in zh.NOT_NAMES or name[:3] in zh.NOT_NAMES:
            continue
        if name[0] in zh.TITLE_DOUBT and len(name) <= 3 and not _may_begin(text, match.start()):
            continue
        is_doubtful = name[0] in zh.SHORT_DOUBT or after in tuple(zh.SHORT_RIGHT)
        if len(name) == 2 and name[1] in zh.SHORT_TITLES and is_doubtful:
            continue
        is_whole = match["given"] and len(match["title"]) > 1
        take(match["full"] if is_whole else name, "person", match.start())


def persons(text: str, take: Take) -> None:
    """Full names and `老王`, where a person may stand and what follows is no other word."""
    for pattern in (_full(), _short()):
        for match in pattern.finditer(text):
            at = match.start()
            if _may_begin(text, at) and not any(text[at : at + size] in zh.NOT_NAMES for size in (2, 3, 4)):
                take(match.group(), "person", at)


def _may_begin(text: str, at: int) -> bool:
    """Whether a person may be named here: at the beginning, or behind a word or sign that people stand behind."""
    before = text[at - 1 : at] if at else ""
    return not re.match(f"[{_HAN}]", before) or before in zh.PERSON_LEFT
