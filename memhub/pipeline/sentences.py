"""Cut a text into sentences with their places, without code, quoted lines, hidden spans: what is the writer's own."""

import re
from collections.abc import Iterator
from typing import NamedTuple

LONGEST = 600
"""Characters above which a sentence is left alone: nobody states one thing in so many."""

_ABBREVIATIONS_TEXT = "dr mr mrs ms prof st no vs e.g i.e etc fig approx dept inc ltd jr sr"
_ABBREVIATIONS = frozenset(_ABBREVIATIONS_TEXT.split())
_BREAK = re.compile(r"[.!?]+(?=[\s\"')\]]|$)|[。！？]+|\n+")
_LEAD = re.compile(r"(?:[-*+•]\s+|\d{1,3}[.)]\s+|#{1,6}\s+|\[[ xX]\]\s+|\s+)*")
_TAGS = re.compile(r"#[^\s#]+(?:\s+#[^\s#]+)*")
"""Labels alone say nothing."""
_FENCE = re.compile(r"^[ \t]{0,3}(```+|~~~+)[^\n]*\n?", re.MULTILINE)
_QUOTED_LINE = re.compile(r"^[ \t]{0,3}>[^\n]*$|^(?:\$|>>>|#) [^\n]*$", re.MULTILINE)
_ASSISTANT = re.compile(
    r"^[ \t]*(?:\*\*)?(?:assistant|ai|bot|chatgpt|gpt|claude|gemini|copilot|"
    r"system|tool|助手|机器人|系统)(?:\*\*)?\s*[:：]",
    re.I | re.M,
)
_OWN = re.compile(r"^[ \t]*(?:\*\*)?(?:user|human|me|i|用户|我)(?:\*\*)?\s*[:：][ \t]*", re.IGNORECASE | re.MULTILINE)


class Sentence(NamedTuple):
    """A sentence without its list mark and its full stop; `mark` are the closing signs."""

    text: str
    start: int
    stop: int
    mark: str

    @property
    def is_question(self) -> bool:
        return "?" in self.mark or "？" in self.mark


def sentences(content: str, hidden: tuple[tuple[int, int], ...] = ()) -> Iterator[Sentence]:
    """The sentences that the writer of `content` says in his own name, in order; linear in its length."""
    place = 0
    for start, stop in own_spans(content, hidden):
        place = start
        for match in _BREAK.finditer(content, start, stop):
            if (
                match.group()[0] == "."
                and content[place : match.start()].rsplit(None, 1)[-1:]
                and _is_short(content, match.start())
            ):
                continue
            yield from _sentence(content, place, match.start(), match.group())
            place = match.end()
        yield from _sentence(content, place, stop, "")


def own_spans(content: str, hidden: tuple[tuple[int, int], ...] = ()) -> list[tuple[int, int]]:
    """What is left of a text without hidden spans, fenced code, quoted lines and what another speaker says in it."""
    out = sorted((*hidden, *fences(content), *(m.span() for m in _QUOTED_LINE.finditer(content)), *_others(content)))
    spans = []
    place = 0
    for start, stop in out:
        if start > place:
            spans.append((place, start))
        place = max(place, stop)
    if place < len(content):
        spans.append((place, len(content)))
    return spans


def fences(content: str) -> list[tuple[int, int]]:
    """The spans of fenced code blocks; one that is not closed goes to the end."""
    found = []
    opened: re.Match[str] | None = None
    for match in _FENCE.finditer(content):
        if opened is None:
            opened = match
        elif match[1][0] == opened[1][0] and len(match[1]) >= len(opened[1]):
            found.append((opened.start(), match.end()))
            opened = None
    if opened:
        found.append((opened.start(), len(content)))
    return found


def _others(content: str) -> list[tuple[int, int]]:
    """In a pasted session, the turns of the assistant and the names before one's own."""
    marks = [(m.start(), m.end(), True) for m in _ASSISTANT.finditer(content)]
    if not marks:
        return []
    marks += [(m.start(), m.end(), False) for m in _OWN.finditer(content)]
    marks.sort()
    ends = [*(mark[0] for mark in marks[1:]), len(content)]
    return [(start, end if theirs else stop) for (start, stop, theirs), end in zip(marks, ends, strict=True)]


def _is_short(content: str, stop: int) -> bool:
    """A full stop after an abbreviation, an initial or a list number."""
    word = content[max(0, stop - 8) : stop].split()[-1:] or [""]
    return word[0].casefold() in _ABBREVIATIONS or (len(word[0]) == 1 and word[0].isupper() and word[0] != "I")


def _sentence(content: str, start: int, stop: int, mark: str) -> Iterator[Sentence]:
    if stop - start > LONGEST + 100:
        return
    lead = _LEAD.match(content, start, stop)
    start = lead.end() if lead else start
    text = content[start:stop].rstrip()
    if 1 < len(text) <= LONGEST and not _TAGS.fullmatch(text):
        yield Sentence(text, start, start + len(text), mark)
