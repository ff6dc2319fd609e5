"""Ways of acting that a sentence shows by its words, whatever it is about.

The embedding model puts sentences together by what they are about, not by what somebody does in them: two about the
same matter are nearer than two that put something off. So without a model a way of acting is read from words.
"""

import re
from collections.abc import Sequence
from typing import NamedTuple


class Trait(NamedTuple):
    """A way of acting: its name, what it is called in English and Chinese, and the words that show it."""

    name: str
    english: str
    chinese: str
    words: re.Pattern[str]


def _trait(name: str, english: str, chinese: str, words: str) -> Trait:
    return Trait(name, english, chinese, re.compile(words, re.IGNORECASE))


TRAITS = (
    _trait(
        "last_minute", "Leaves things until the last minute", "拖到最后一刻才做",
        r"\b(?:at|until|till) the last (?:minute|moment|day)\b|\blast[- ]minute\b|"
        r"\bput(?:ting)? (?:it |this |\w+ )?off\b|"
        r"\bprocrastinat\w+|\bjust before the deadline\b|\bkeep(?:s)? postponing\b|"
        r"拖到最后|最后一刻|最后一天才|临时抱佛脚|一拖再拖|拖延|截止前",
    ),
    _trait(
        "plans_ahead", "Plans ahead", "提前计划",
        r"\b(?:weeks|months|days|well|a (?:week|month|year)) (?:ahead|in advance|beforehand)\b|"
        r"\bplan(?:ned|ning)? ahead\b|"
        r"\bmade a (?:plan|checklist|list|schedule)\b|\bchecklist\b|提前(?!通知)|预先|列了?清单|"
        r"做了?计划|列了?计划|清单",
    ),
    _trait(
        "double_checks", "Checks everything twice", "反复检查",
        r"\bdouble[- ]check\w*|\bchecked (?:it |them |everything )?(?:twice|again|once more)\b|\bas a test\b|"
        r"\bmade sure\b|\bverified\b|\bcount(?:ed)? (?:it |them )?twice\b|反复检查|再检查|又检查|"
        r"确认了一遍|核对|复核|检查了两遍",
    ),
    _trait(
        "early", "Does it early in the morning", "一大早就做",
        r"\bbefore (?:breakfast|sunrise|dawn|work)\b|\bearly in the morning\b|"
        r"\b(?:at )?(?:5|6|five|six) (?:am|a\.m\.|in the "
        r"morning|"
        r"o'clock in the morning)\b|\bfirst thing in the morning\b|一大早|清晨|早起|早上[五六]点|天没亮|"
        r"上班前",
    ),
    _trait(
        "late", "Does it late at night", "熬到深夜",
        r"\b(?:late at night|after midnight|until (?:midnight|[123] (?:am|a\.m\.))|"
        r"in the middle of the night)\b|"
        r"熬夜|深夜|半夜|凌晨|到[十两]?[一二三]点才",
    ),
    _trait(
        "tracks", "Keeps a record of it", "一一记录",
        r"\b(?:logged|tracked|keep(?:ing)? (?:a )?(?:log|record|track|diary)|wrote (?:it |them |"
        r"everything )?down|"
        r"in (?:my|a) spreadsheet)\b|记录|记下来|记账|打卡|做了?表格|写进表格",
    ),
    _trait(
        "repairs", "Repairs it instead of buying new", "自己修不买新的",
        r"\b(?:repaired|mended|fixed) (?:it |the \w+ |my \w+ )?(?:myself|instead of|by myself|again)\b|"
        r"\binstead of buying (?:a )?new\b|\bsecond[- ]hand\b|自己修|修好了|不买新的|二手",
    ),
    _trait(
        "automates", "Automates it", "交给自动化",
        r"\bautomat\w+|\b(?:wrote|made|have) a script\b|\bcron(?: ?job)?\b|"
        r"\bruns (?:by itself|every night)\b|自动化|写了?个?脚本|定时任务|自动(?!挡)",
    ),
    _trait(
        "gives_up_perfection", "Starts over to get it right", "推倒重来",
        r"\b(?:started|began|did) (?:it )?(?:all )?over\b|\bfrom scratch\b|\bredid\b|\brewrote\b|重新做|"
        r"推倒重来|从头再来|重写|返工",
    ),
    _trait(
        "alone", "Prefers to do it alone", "喜欢独自做",
        r"\b(?:alone|on my own|by myself|in solitude)\b|\bavoid(?:ed|s)? (?:the )?crowds?\b|一个人|独自|"
        r"自己一个|避开人群",
    ),
    _trait(
        "hesitates_to_spend", "Compares prices before spending", "货比三家",
        r"\bcompar(?:ed|ing) (?:the )?(?:prices|offers|quotes)\b|"
        r"\bwait(?:ed|ing)? for (?:the|a) (?:sale|discount)\b|"
        r"\bcheaper\b|\btoo expensive\b|货比三家|比价|等打折|太贵|便宜",
    ),
    _trait(
        "teaches", "Passes on what was learned", "把学到的教给别人",
        r"\b(?:taught|showed|explained to|helped) (?:my |the |a )?\w+ (?:how to|to)\b|"
        r"\bgave \w+ (?:some of )?(?:my|the) \w+"
        r"(?: \w+)* and the recipe\b|\bwrote (?:a|the) (?:guide|tutorial|how-?to)\b|教(?:了|会|给)|"
        r"分享给|写了?教程",
    ),
)  # fmt: skip


def shown(text: str, among: Sequence[Trait] = TRAITS) -> list[Trait]:
    """The ways of acting that a text shows."""
    return [trait for trait in among if trait.words.search(text)]
