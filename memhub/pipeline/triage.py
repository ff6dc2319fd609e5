"""Tells whether a conversation is worth distilling, and why: by rules, before any model is asked.

Worth it: the user said enough in words of his own, and something was decided, fixed, found out or stated. Not worth it:
small talk, a run that failed, questions without anything to keep.
"""

import re
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from memhub.model.judging import Candidate, Source, Text
from memhub.pipeline import extract_en, extract_rules, extract_zh
from memhub.pipeline.sentences import own_spans

FEW = 15
"""Own words below which a conversation in which nothing is stated is small talk."""
MANY = 150
"""Own words from which a conversation is worth a look even without any sign of something to keep."""

_WORD = re.compile(r"[^\W\d_\u3400-\u9fff]{2,}")
_HAN = re.compile(r"[\u3400-\u9fff]")
_CODE = re.compile(r"`[^`\n]{1,400}`|https?://\S{1,2000}")
_BROKEN_OFF = re.compile(
    r"\s*(?:\[?request (?:was )?(?:interrupted|cancell?ed|aborted)|"
    r"\[?(?:interrupted|aborted|cancell?ed) by (?:the )?user|"
    r"(?:api |execution |internal (?:server )?|network |fatal )?error\b|credit balance is too low|prompt is too long|"
    r"invalid api key|please run /login|not logged in|(?:you(?:['’]ve| have) (?:hit|reached)|you hit) (?:your|the) |"
    r"(?:rate|usage|session) limit|overloaded|connection (?:error|refused|timed out)|请求(?:被)?(?:中断|取消)|出错了)",
    re.IGNORECASE,
)
_SIGNS = {
    "decision": re.compile(
        r"\b(?:decided|decision|agreed|settled on|let['’]?s (?:use|go with|keep|switch)|"
        r"we(?:['’]ll| will) (?:use|go with)|instead of|rather than)\b|决定|选择了|改用|不再用",
        re.IGNORECASE,
    ),
    "cause": re.compile(
        r"\b(?:root cause|caused by|the (?:problem|issue|reason|culprit|bug) (?:was|is|were)|turned out|because of)\b|"
        r"原因是|问题在于|是因为",
        re.IGNORECASE,
    ),
    "fix": re.compile(f"{extract_en.SUCCESS}|{extract_zh.SUCCESS}", re.IGNORECASE),
}
_NAMES = {"decision": "decisions", "cause": "causes", "fix": "fixes", "event": "events", "intent": "plans",
          "procedure": "procedures", "fact": "statements", "profile": "statements"}  # fmt: skip
_ONE = {"decision": "decision", "cause": "cause", "fix": "fix", "event": "event", "intent": "plan",
        "procedure": "procedure", "fact": "statement", "profile": "statement"}  # fmt: skip


class Verdict(NamedTuple):
    """Whether to distill, why, and how many words of the user's own that rests on."""

    is_worth: bool
    reason: str
    words: int


def triage(sources: Sequence[Source]) -> Verdict:
    """The verdict on the new turns of one conversation."""
    texts = [text for source in sources for text in source.texts]
    own = [said for text in texts if text.role == "user" for said in _own(text)]
    words = sum(_count(said) for said in own)
    if not words:
        return Verdict(False, "nothing in the user's own words", 0)
    drawn = [candidate for source in sources for candidate in extract_rules.extract(source)]
    if drawn:
        return Verdict(True, _counted(Counter(_kind(candidate) for candidate in drawn)), words)
    answers = [text for text in texts if text.role == "assistant"]
    if not answers:
        return Verdict(False, "a failed run: nothing was answered", words)
    if all(_BROKEN_OFF.match(answer.content) for answer in answers):
        return Verdict(False, "a failed run: no answer but errors", words)
    if words < FEW:
        return Verdict(False, f"small talk: {words} word{'' if words == 1 else 's'} of the user's own", words)
    signs = _signs([*own, *(said for answer in answers for said in _own(answer))])
    if signs:
        return Verdict(True, f"signs of {_counted(signs)}", words)
    if words >= MANY:
        return Verdict(True, f"much said: {words} words of the user's own", words)
    return Verdict(False, "nothing decided, fixed or stated", words)


def _own(text: Text) -> list[str]:
    """What the writer says himself: without code, quotations, injected context and addresses."""
    return [_CODE.sub(" ", text.content[start:stop]) for start, stop in own_spans(text.content, text.hidden)]


def _count(said: str) -> int:
    """Words; two Chinese characters count as one."""
    return len(_WORD.findall(said)) + (len(_HAN.findall(said)) + 1) // 2


def _kind(candidate: Candidate) -> str:
    return "decision" if candidate.attrs.get("type") == "decision" else candidate.kind


def _signs(said: Sequence[str]) -> Counter[str]:
    found: Counter[str] = Counter()
    for name, pattern in _SIGNS.items():
        count = sum(len(pattern.findall(part)) for part in said)
        if count:
            found[name] = count
    return found


def _counted(kinds: Counter[str]) -> str:
    """`2 decisions, 1 statement`; kinds with the same name are added up."""
    named: Counter[str] = Counter()
    for kind, count in kinds.items():
        named[_NAMES.get(kind, "statements")] += count
    one = {_NAMES[kind]: name for kind, name in _ONE.items()}
    return ", ".join(f"{count} {one[name] if count == 1 else name}" for name, count in named.items())
