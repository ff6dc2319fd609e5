"""What changed between two texts, word by word: lines first, then words inside the lines that changed."""

import re
from collections.abc import Iterator
from difflib import SequenceMatcher
from typing import Literal, NamedTuple

_WORDS = re.compile(r"[\u3400-\u9fff\uf900-\ufaff]|\w+|\s+|[^\w\s]")
_MOST = 4_000_000  # word pairs; beyond that a changed block is shown as removed and added whole
Change = Literal["same", "removed", "added"]


class Part(NamedTuple):
    """A piece of text, and whether it stayed, went or came."""

    change: Change
    text: str


def compare(old: str, new: str) -> list[Part]:
    """The parts of both texts in order; the same and the removed ones give `old`, the same and the added ones `new`."""
    return _joined(_by_lines(old.splitlines(keepends=True), new.splitlines(keepends=True)))


def _by_lines(old: list[str], new: list[str]) -> Iterator[Part]:
    for tag, i, j, k, m in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        before, after = "".join(old[i:j]), "".join(new[k:m])
        if tag == "equal":
            yield Part("same", before)
        else:
            yield from _by_words(before, after)


def _by_words(old: str, new: str) -> Iterator[Part]:
    before, after = _WORDS.findall(old), _WORDS.findall(new)
    if len(before) * len(after) > _MOST:
        yield from (Part("removed", old), Part("added", new))
        return
    for _, i, j, k, m in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        gone, come = "".join(before[i:j]), "".join(after[k:m])
        if gone == come:
            yield Part("same", gone)
        else:
            yield from (Part("removed", gone), Part("added", come))


def _joined(parts: Iterator[Part]) -> list[Part]:
    result: list[Part] = []
    for part in parts:
        if not part.text:
            continue
        if result and result[-1].change == part.change:
            part = Part(part.change, result.pop().text + part.text)
        result.append(part)
    return result
