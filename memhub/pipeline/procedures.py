"""Find command sequences that ended in success: what was run, for what, and the lines it stands in.

Commands count when they stand in fenced shell blocks or after `$ `; they must be the user's, or the assistant's and
confirmed by the user's next turn. What follows must say that it worked, before anything says that it failed.
"""

import re
from typing import NamedTuple

from memhub.model.judging import Candidate, Source, Span, Text
from memhub.pipeline import extract_en, extract_zh
from memhub.pipeline.sentences import fences, sentences

_SHELL = re.compile(
    r"[ \t]{0,3}(?:```+|~~~+)[ \t]*(?:bash|sh|shell|zsh|fish|console|terminal|powershell|cmd)?[ \t]*\n", re.IGNORECASE
)
_PROMPTED = re.compile(r"^[ \t]*(?:\$|%|❯|PS>) (\S[^\n]*)$", re.MULTILINE)
_SUCCESS = re.compile(f"{extract_en.SUCCESS}|{extract_zh.SUCCESS}", re.IGNORECASE)
_FAILURE = re.compile(f"{extract_en.FAILURE}|{extract_zh.FAILURE}", re.IGNORECASE)
_FIRST_WORD = re.compile(r"[a-z./~][\w./~+-]*(?:\s|$)")
MOST_STEPS = 50
LOOK_AHEAD = 4
"""Turns after the last command in which the success must be told."""


class _Block(NamedTuple):
    start: int
    stop: int
    steps: tuple[str, ...]


def procedures(source: Source) -> list[Candidate]:
    """The procedures of a source: at most one per text, its span from the first command to the last."""
    found = []
    for number, text in enumerate(source.texts):
        if text.role not in ("user", "assistant"):
            continue
        blocks = [
            block for block in _blocks(text) if not any(a < block.stop and block.start < b for a, b in text.hidden)
        ]
        chosen = _worked(source, number, blocks) if blocks else []
        steps = tuple(step for block in chosen for step in block.steps)[:MOST_STEPS]
        if steps:
            span = Span(text.item, text.version, chosen[0].start, chosen[-1].stop)
            attrs = {"task": _task(source, number, chosen[0].start), "steps": list(steps)}
            found.append(
                Candidate("procedure", text.content[span.start : span.stop], span, importance=0.6, attrs=attrs)
            )
    return found


def _blocks(text: Text) -> list[_Block]:
    """The commands of a text, block by block."""
    content = text.content
    blocks = []
    fenced = fences(content)
    for start, stop in fenced:
        opening = _SHELL.match(content, start, stop)
        if not opening:
            continue
        body_stop = content.rfind("\n", opening.end(), max(opening.end(), stop - 1))
        body_stop = stop if body_stop == -1 else body_stop
        if not re.match(r"[ \t]*(?:```|~~~)", content[body_stop:stop].lstrip("\n")):
            body_stop = stop
        lines = content[opening.end() : body_stop].splitlines()
        prompted = [m[1].strip() for m in _PROMPTED.finditer(content, opening.end(), body_stop)]
        plain = [line.strip() for line in lines if line.strip() and not line.lstrip().startswith("#")]
        is_named = content[start : opening.end()].strip("`~ \t\n") != ""
        steps = prompted or (plain if is_named or all(_FIRST_WORD.match(line) for line in plain) else [])
        if steps:
            body = content[opening.end() : body_stop].rstrip()
            blocks.append(_Block(opening.end(), opening.end() + len(body), tuple(steps)))
    inside = iter(fenced)
    current = next(inside, None)
    for match in _PROMPTED.finditer(content):
        while current and current[1] <= match.start():
            current = next(inside, None)
        if not (current and current[0] <= match.start()):
            blocks.append(_Block(match.start(1), match.end(1), (match[1].strip(),)))
    return sorted(blocks)


def _worked(source: Source, number: int, blocks: list[_Block]) -> list[_Block]:
    """The blocks that led to success: those after the last failure told before it."""
    text = source.texts[number]
    if text.role == "user":
        kept: list[_Block] = []
        ends = [*(block.start for block in blocks[1:]), len(text.content)]
        for block, end in zip(blocks, ends, strict=True):
            kept.append(block)
            told = _told(text.content[block.stop : end])
            if told is False:
                kept = []
            elif told:
                return kept
        blocks = kept
    if not blocks:
        return []
    for later in source.texts[number + 1 : number + 1 + (LOOK_AHEAD if text.role == "user" else 1)]:
        if later.role != "user":
            continue
        told = _told(later.content[:2000])
        if told is not None:
            return blocks if told else []
        if _PROMPTED.search(later.content) or "```" in later.content:
            return []  # the next commands have a success of their own
    return []


def _told(content: str) -> bool | None:
    """Whether a text says that it worked (True), that it failed (False), or neither."""
    failure, success = _FAILURE.search(content), _SUCCESS.search(content)
    if failure and not (success and success.start() > failure.end() and success.end() > failure.end()):
        return False
    return True if success and "?" not in content[success.end() : success.end() + 3] else None


def _task(source: Source, number: int, start: int) -> str:
    """What it was for: the user's last words before the first command."""
    for i in range(number, max(-1, number - 4), -1):
        text = source.texts[i]
        if text.role != "user":
            continue
        stop = start if i == number else len(text.content)
        before = [s.text for s in sentences(text.content[max(0, stop - 2000) : stop]) if len(s.text) > 3]
        if before:
            return before[-1].rstrip(":： ")
    return ""
