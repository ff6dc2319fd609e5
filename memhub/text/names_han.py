"""Names in Chinese: well-known ones, what ends as organisations and places do, persons by surname and neighbours."""

import re
from functools import cache

from memhub.text import names_zh as zh
from memhub.text.names import Candidate

_HAN = "\u4e00-\u9fff"


@cache
def _well_known() -> re.Pattern[str]:
    names = sorted(zh.ORGANISATIONS | zh.TOOLS | zh.PLACES, key=len, reverse=True)
    return re.compile("|".join(map(re.escape, names)))


@cache
def _titled() -> re.Pattern[str]:
    doubles = "|".join(sorted(zh.DOUBLE_SURNAMES))
    return re.compile(
        rf"(?:(?:{doubles})|[{zh.SURNAMES}])(?:[{zh.GIVEN}]{{1,2}})?(?:{zh.TITLES})(?![{_HAN}]?(?:化|程|作|人员))"
    )


@cache
def _foreign() -> re.Pattern[str]:
    return re.compile(rf"[{zh.SOUNDS}]{{1,6}}(?:[·•・][{zh.SOUNDS}]{{1,6}})+")


@cache
def _full() -> re.Pattern[str]:
    doubles = "|".join(sorted(zh.DOUBLE_SURNAMES))
    return re.compile(
        rf"(?:(?:{doubles})[{zh.GIVEN}]{{1,2}}|[{zh.SURNAMES}][{zh.GIVEN}]{{2}}|"
        rf"[{zh.SURNAMES}][{zh.GIVEN}])(?={zh.PERSON_RIGHT})"
    )


@cache
def _short() -> re.Pattern[str]:
    return re.compile(rf"(?:老|小|阿)[{zh.COMMON_SURNAMES}](?={zh.PERSON_RIGHT})")


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

    for match in _foreign().finditer(text):
        take(match.group(), "person", match.start())
    _organisations(text, take)
    _titles(text, take)
    _places(text, take)
    for match in _well_known().finditer(text):
        name = match.group()
        kind = "organisation" if name in zh.ORGANISATIONS else "tool" if name in zh.TOOLS else "place"
        if not _is_part(text, match, kind):
            take(name, kind, match.start())
    _projects(text, take)
    _persons(text, take)
    return found


def _is_part(text: str, match: re.Match[str], kind: str) -> bool:
    """Whether a well-known name is only the beginning or end of another word."""
    after, before, name = text[match.end() : match.end() + 1], text[match.start() - 1 : match.start()], match.group()
    if name.isascii():
        return bool(re.match(r"[A-Za-z0-9]", after) or re.match(r"[A-Za-z0-9]", before))
    if kind == "place" and len(name) == 2 and after and after in "人菜话语文式大学银队籍元货剧餐":
        return True
    wrong = {
        "得到": "",
        "理想": "",
        "美的": "",
        "长城": "",
        "元宝": "",
        "豆包": "子",
        "阿里": "山",
        "人大": "",
        "中山": "装",
        "小米": "粥饭椒",
        "大理": "石由",
        "天河": "",
        "苹果": "",
        "联想": "到起",
    }
    if name in ("得到", "美的", "人大", "元宝", "字节", "快手"):
        return not re.search(r"(?:用|上|在|听|去|进|考|从)$", text[: match.start()][-1:]) or (
            bool(after) and after in "了的过数流"
        )
    return bool(after) and after in wrong.get(name, "")


def _lead_off(name: str, start: int) -> tuple[str, int]:
    """Without the words before a name that belong to the sentence."""
    cut = 0
    while cut < len(name) - 2:
        if name[cut] in zh.WALK_STOP and name[cut : cut + 2] not in (
            "中国",
            "上海",
            "对外",
            "和平",
            "大家",
            "时代",
            "第一",
            "第二",
            "第三",
            "位于",
        ):
            cut += 1
            continue
        lead = next((word for word in _leads() if name.startswith(word, cut)), None)
        if (
            lead is None
            or name[cut:].startswith(tuple(zh.PLACES | zh.ORGANISATIONS))
            or len(name) - cut - len(lead) < 3
        ):
            break
        cut += len(lead)
    return name[cut:], start + cut


@cache
def _leads() -> tuple[str, ...]:
    return tuple(sorted(zh.ORG_LEAD.split("|"), key=len, reverse=True))


def _organisations(text: str, take: "object") -> None:
    for match in _organised().finditer(text):
        name = match.group()
        last = max(
            (i for i, char in enumerate(name[:-2]) if char in zh.WALK_STOP and not _is_inside(name, i)), default=-1
        )
        name, start = _lead_off(name[last + 1 :], match.start() + last + 1)
        ending = re.search(rf"(?:{zh.ORG_ENDS})(?:有限公司|公司|分行|支行|附属医院|附属中学)?$", name)
        if ending is None:
            continue
        own = name[: ending.start()]
        if len(own) < 2 or _is_generic(own, zh.ORG_GENERIC):
            continue
        if (
            ending.group()
            in (
                "科技",
                "航空",
                "学会",
                "证券",
                "保险",
                "俱乐部",
                "餐厅",
                "酒店",
                "书店",
                "咖啡馆",
                "中学",
                "小学",
                "实验室",
                "学院",
            )
            and len(own) > 6
        ):
            continue
        known = zh.PLACES | zh.ORGANISATIONS
        at = 0 if own.startswith(tuple(known)) else max((own.find(one) for one in known if one in own), default=0)
        name, own, start = name[at:], own[at:], start + at
        name, start = _without_district(name, own, start)
        is_known = own.startswith(tuple(known))
        take(name, "organisation", start, len(own) <= (8 if is_known else 4))  # type: ignore[operator]


def _without_district(name: str, own: str, start: int) -> tuple[str, int]:
    """`深圳市南山区腾讯公司` is `腾讯公司`, in two places; `北京市人民法院` needs the place."""
    match = re.match(r"(?:[\u4e00-\u9fff]{2,3}[省市县区])+", own)
    rest = own[match.end() :] if match else ""
    if match is None or len(rest) < 2 or _is_generic(rest, zh.ORG_GENERIC):
        return name, start
    return name[match.end() :], start + match.end()


def _is_inside(name: str, i: int) -> bool:
    return name[max(0, i - 1) : i + 2] != "" and any(
        name.find(known) <= i < name.find(known) + len(known)
        for known in (
            "中国",
            "上海",
            "和平",
            "时代",
            "对外经贸",
            "第一",
            "第二",
            "第三",
            "第四",
            "第六",
            "人民",
            "北大",
        )
        if known in name
    )


def _is_generic(own: str, generic: frozenset[str]) -> bool:
    """Whether a description is made of general words only: `上市`, `大型制药`."""
    words = generic | zh.GENERIC_WORDS
    return own == "" or any(own.startswith(word) and _is_generic(own[len(word) :], generic) for word in words)


def _titles(text: str, take: "object") -> None:
    for match in _titled().finditer(text):
        name = match.group()
        if name[:2] in zh.NOT_NAMES or name[:3] in zh.NOT_NAMES or name in ("和老师",):
            continue
        before = text[match.start() - 1 : match.start()]
        if (
            name[0] in "向于成方时万关常应单段包全程路任何解文金高师史"
            and len(name) <= 3
            and before
            and re.match(f"[{_HAN}]", before)
            and before not in zh.PERSON_LEFT
        ):
            continue
        if (
            len(name) == 2
            and name[1] in "总工哥姐"
            and (
                name[0] in "万常任何成全应于高总师关史明解路程包时"
                or text[match.end() : match.end() + 1] in tuple("是结算之共体部会作资具程业厂和统数额计监")
            )
        ):
            continue
        take(name, "person", match.start())  # type: ignore[operator]


_MORE = {
    **{"市": "场民长政委值面况", "县": "长", "区": "别域分块间", "路": "由线径人程过", "站": "点在起立"},
    **{"村": "民", "镇": "定", "街": "道", "河": "流", "省": "略份钱心", "桥": "梁", "岛": "屿", "湖": "泊"},
    **{"山": "脉区", "江": "湖", "寺": "庙院"},
}
"""What makes another word of the end of a place: `市场`, `路由`."""

_WILD = frozenset("站山江河岛寺桥湖村镇乡街路")
"""Ends that many other words have too."""


def _places(text: str, take: "object") -> None:
    for match in _placed().finditer(text):
        name = match.group()
        last = max(
            (
                i
                for i, char in enumerate(name[:-1])
                if char in zh.WALK_STOP
                and name[i : i + 2] not in ("上海", "中山", "中国", "前门", "后海", "里昂", "中关")
            ),
            default=-1,
        )
        name, start = _lead_off(name[last + 1 :], match.start() + last + 1)
        if (
            len(name) < 3
            or name in zh.NOT_PLACES
            or any(name.endswith(word) and len(name) - len(word) < 2 for word in zh.NOT_PLACES if len(word) > 1)
        ):
            continue
        ending = re.search(rf"(?:{zh.PLACE_ENDS})$", name)
        own = name[: ending.start()] if ending else ""
        if (
            len(own) < 2
            or len(own) > 4
            or any(
                name.endswith(word)
                for word in zh.NOT_PLACES
                if len(word) > 1
                and word[-1] in "市区路站村山岛街河桥"
                and name not in zh.PLACES
                and own not in zh.PLACES
            )
        ):
            continue
        if (
            ending
            and ending.group() in ("站", "山", "江", "河", "岛", "桥", "湖", "村", "街", "路", "镇", "乡", "寺")
            and len(own) > 3
        ):
            continue
        if text[start + len(name) : start + len(name) + 1] in _MORE.get(name[-1], "-"):
            continue
        is_wild = ending is not None and ending.group() in _WILD
        if not is_wild and _is_generic(own, zh.ORG_GENERIC):
            continue
        is_strong = own in zh.PLACES or len(own) <= (2 if is_wild or name.endswith("区") else 4)
        take(
            name,
            "place",
            start,
            is_strong and not _is_generic(own, zh.ORG_GENERIC) and own[0] not in "该些各每某其本单",
        )  # type: ignore[operator]


def _projects(text: str, take: "object") -> None:
    for match in _project().finditer(text):
        name = next(group for group in match.groups() if group)
        start = match.start(match.lastindex or 1)
        if match[1]:
            last = max((i for i, char in enumerate(name[:-1]) if char in zh.WALK_STOP), default=-1)
            name, start = _lead_off(name[last + 1 :], start + last + 1)
            if (
                len(name) < 2
                or len(name) > 6
                or _is_generic(name, zh.PROJECT_GENERIC)
                or name[-1] in "的个些种类类新老"
            ):
                continue
            name += "项目"
        take(name, "project", start)  # type: ignore[operator]


def _persons(text: str, take: "object") -> None:
    """Full names and `老王`: only between words that people stand between."""
    for pattern in (_full(), _short()):
        for match in pattern.finditer(text):
            name = match.group()
            before = text[match.start() - 1 : match.start()]
            if (
                before
                and before not in zh.PERSON_LEFT
                and not before.isspace()
                and not re.match(r"[A-Za-z0-9\x00]", before)
            ):
                continue
            if any(
                name.startswith(word) or text.startswith(word, match.start())
                for word in (name[:2], text[match.start() : match.start() + 3], text[match.start() : match.start() + 4])
                if word in zh.NOT_NAMES
            ):
                continue
            take(name, "person", match.start())  # type: ignore[operator]
