"""What changed between two texts, word by word: lines first, then words inside the lines that changed."""

import re
from collections.abc import Iterable, Iterator
from difflib import SequenceMatcher
from itertools import chain
from typing import Literal, NamedTuple

_WORDS = re.compile(r"[\u3400-\u9fff\uf900-\ufaff]|\w+|\s+|[^\w\s]")
_MOST = 4_000_000  # pairs of lines or words; beyond that a changed block is shown as removed and added whole
Change = Literal["same", "removed", "added"]


class Part(NamedTuple):
    """A piece of text, and whether it stayed, went or came."""

    change: Change
    text: str


def compare(old: str, new: str) -> list[Part]:
    """The parts of both texts in order; the same and the removed ones give `old`, the same and the added ones `new`."""
    before, after = old.splitlines(keepends=True), new.splitlines(keepends=True)
    first, last = _same_ends(before, after)
    middle = _by_lines(before[first : len(before) - last], after[first : len(after) - last])
    same = (Part("same", "".join(before[:first])), Part("same", "".join(before[len(before) - last :])))
    return _joined(chain(same[:1], middle, same[1:]))


def _by_lines(old: list[str], new: list[str]) -> Iterator[Part]:
    if len(old) * len(new) > _MOST:
        yield from _by_words("".join(old), "".join(new))
        return
    for tag, i, j, k, m in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        before, after = "".join(old[i:j]), "".join(new[k:m])
        if tag == "equal":
            yield Part("same", before)
        else:
            yield from _by_words(before, after)


def _by_words(old: str, new: str) -> Iterator[Part]:
    before, after = _WORDS.findall(old), _WORDS.findall(new)
    first, last = _same_ends(before, after)
    yield Part("same", "".join(before[:first]))
    yield from _middle(before[first : len(before) - last], after[first : len(after) - last])
    yield Part("same", "".join(before[len(before) - last :]))


def _same_ends(old: list[str], new: list[str]) -> tuple[int, int]:
    """How many words or lines both begin and end with, which need no comparison of all with all."""
    most = min(len(old), len(new))
    first = next((n for n in range(most) if old[n] != new[n]), most)
    most -= first
    return first, next((n for n in range(most) if old[-1 - n] != new[-1 - n]), most)


def _middle(before: list[str], after: list[str]) -> Iterator[Part]:
    if len(before) * len(after) > _MOST:
        yield from (Part("removed", "".join(before)), Part("added", "".join(after)))
        return
    for _, i, j, k, m in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        gone, come = "".join(before[i:j]), "".join(after[k:m])
        if gone == come:
            yield Part("same", gone)
        else:
            yield from (Part("removed", gone), Part("added", come))


def _joined(parts: Iterable[Part]) -> list[Part]:
    result: list[Part] = []
    for part in parts:
        if not part.text:
            continue
        if result and result[-1].change == part.change:
            part = Part(part.change, result.pop().text + part.text)
        result.append(part)
    return result
