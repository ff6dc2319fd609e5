"""Names in Chinese: well-known ones, and what ends as organisations and places do; persons are beside."""

import re
from functools import cache

from memhub.text import names_zh as zh
from memhub.text.names_han_persons import Take, foreign_persons, persons, titled_persons
from memhub.text.names_marked import Candidate

_HAN = "\u4e00-\u9fff"


@cache
def _well_known() -> re.Pattern[str]:
    names = sorted(zh.ORGANISATIONS | zh.TOOLS | zh.PLACES, key=len, reverse=True)
    return re.compile("|".join(map(re.escape, names)))


@cache
def _org_ending() -> re.Pattern[str]:
    return re.compile(rf"(?:{zh.ORG_ENDS})(?:有限公司|公司|分行|支行|附属医院|附属中学)?$")


@cache
def _place_ending() -> re.Pattern[str]:
    return re.compile(rf"(?:{zh.PLACE_ENDS})$")


@cache
def _organised() -> re.Pattern[str]:
    return re.compile(rf"(?:[{_HAN}A-Za-z0-9]{{2,14}}?)(?:{zh.ORG_ENDS})(?:有限公司|公司|分行|支行|附属医院|附属中学)?")


@cache
def _placed() -> re.Pattern[str]:
    return re.compile(rf"[{_HAN}]{{1,6}}?(?:{zh.PLACE_ENDS})")


@cache
def _project() -> re.Pattern[str]:
    return re.compile(
        rf"([{_HAN}A-Za-z0-9]{{2,8}})项目|项目[「“\"『《]([^」”\"』》]{{1,20}})[」”\"』》]|"
        rf"代号[「“\"『《]?([{_HAN}A-Za-z0-9]{{2,6}})(?=[」”\"』》,，。\s]|$)"
    )


def han_names(text: str) -> list[Candidate]:
    """Names in Han characters; where two rules want the same place, the one named first has it."""
    found: list[Candidate] = []

    def take(name: str, kind: str, start: int, is_strong: bool = True) -> None:
        stop = start + len(name)
        if not any(one.start < stop and start < one.stop for one in found):
            found.append(Candidate(name, kind, start, stop, is_strong))

    foreign_persons(text, take)
    _organisations(text, take)
    titled_persons(text, take)
    _places(text, take)
    for match in _well_known().finditer(text):
        name = match.group()
        kind = "organisation" if name in zh.ORGANISATIONS else "tool" if name in zh.TOOLS else "place"
        if not _is_part(text, match, kind):
            take(name, kind, match.start())
    _projects(text, take)
    persons(text, take)
    return found


def _is_part(text: str, match: re.Match[str], kind: str) -> bool:
    """Whether a well-known name is only the beginning or end of another word, or an everyday word itself."""
    before, name, after = text[match.start() - 1 : match.start()], match.group(), text[match.end() : match.end() + 1]
    if name.isascii():
        return re.match(r"[A-Za-z0-9]", after) is not None or re.match(r"[A-Za-z0-9]", before) is not None
    if name in zh.AMBIGUOUS:
        return before not in tuple(zh.AMBIGUOUS_LEFT) or after in tuple(zh.AMBIGUOUS_RIGHT)
    is_people = kind == "place" and len(name) == 2 and after in tuple(zh.OF_A_PLACE)
    return is_people or after in tuple(zh.OTHER_WORD.get(name, ""))


def _own_part(stretch: str, start: int) -> tuple[str, int]:
    """The end of a stretch of characters, without the words before it that belong to the sentence; and its place."""
    stops = (i for i, char in enumerate(stretch[:-1]) if char in zh.WALK_STOP and not _is_joined(stretch, i))
    cut = max(stops, default=-1) + 1
    while cut < len(stretch) - 2:
        lead = next((word for word in _leads() if stretch.startswith(word, cut)), None)
        if lead is None or stretch.startswith(_known(), cut) or len(stretch) - cut - len(lead) < 3:
            break
        cut += len(lead)
    return stretch[cut:], start + cut


def _is_joined(stretch: str, i: int) -> bool:
    """Whether a character that often ends a word is within one here: the 上 of 上海."""
    return any(stretch.startswith(word, at) for word in zh.JOINED for at in range(max(0, i - len(word) + 1), i + 1))


@cache
def _leads() -> tuple[str, ...]:
    return tuple(sorted(zh.ORG_LEAD.split("|"), key=len, reverse=True))


@cache
def _known() -> tuple[str, ...]:
    return tuple(zh.PLACES | zh.ORGANISATIONS)


def _is_generic(own: str, generic: frozenset[str] = zh.ORG_GENERIC) -> bool:
    """Whether a description is made of general words only: `上市`, `大型制药`."""
    words = generic | zh.GENERIC_WORDS
    return own == "" or any(own.startswith(word) and _is_generic(own[len(word) :], generic) for word in words)


def _organisations(text: str, take: Take) -> None:
    for match in _organised().finditer(text):
        name, start = _own_part(match.group(), match.start())
        ending = _org_ending().search(name)
        own = name[: ending.start()] if ending else ""
        if len(own) < 2 or _is_generic(own) or _has_learnt(name, text[start + len(name) : start + len(name) + 1]):
            continue
        if not own.startswith(_known()):  # `…美国广播公司`: what stands before a place is of the sentence
            at = max((own.find(one) for one in _known() if one in own), default=0)
            name, own, start = name[at:], own[at:], start + at
        name, start = _without_district(name, own, start)
        take(name, "organisation", start, len(own) <= (8 if own.startswith(_known()) else 4))


def _has_learnt(name: str, after: str) -> bool:
    """Whether the end is no society but what somebody has learnt: `小宝学会了蛙泳`."""
    return name.endswith("学会") and after in tuple("了怎如用写说开骑走")


def _without_district(name: str, own: str, start: int) -> tuple[str, int]:
    """`深圳市南山区腾讯公司` is `腾讯公司`, in two places; `北京市人民法院` needs the place."""
    match = re.match(rf"(?:[{_HAN}]{{2,3}}[省市县区])+", own)
    rest = own[match.end() :] if match else ""
    if match is None or len(rest) < 2 or _is_generic(rest):
        return name, start
    return name[match.end() :], start + match.end()


def _places(text: str, take: Take) -> None:
    for match in _placed().finditer(text):
        name, start = _own_part(match.group(), match.start())
        ending = _place_ending().search(name)
        own = name[: ending.start()] if ending else ""
        if ending is None or not 2 <= len(own) <= 4 or _is_other_word(name, own):
            continue
        if text[start + len(name) : start + len(name) + 1] in tuple(zh.LONGER.get(name[-1], "")):
            continue
        is_wild = ending.group() in zh.WILD
        if is_wild and len(own) > 3:
            continue
        is_short = own in zh.PLACES or len(own) <= (2 if is_wild or name.endswith("区") else 4)
        take(name, "place", start, is_short and not _is_generic(own) and own[0] not in zh.POINTING)


def _is_other_word(name: str, own: str) -> bool:
    """Whether what ends as places do is a word such as `超市`, or ends in one."""
    if name in zh.PLACES or own in zh.PLACES:
        return False
    ends = (word for word in zh.NOT_PLACES if len(word) > 1 and name.endswith(word))
    return any(word[-1] in zh.WORDY or len(name) - len(word) < 2 for word in ends)


def _projects(text: str, take: Take) -> None:
    for match in _project().finditer(text):
        name, start = match[match.lastindex or 0], match.start(match.lastindex or 0)
        if match[1]:
            name, start = _own_part(name, start)
            if not 2 <= len(name) <= 4 or _is_generic(name, zh.PROJECT_GENERIC) or name[-1] in "的个些种类新老":
                continue
            name += "项目"
        take(name, "project", start)
