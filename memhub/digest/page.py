"""The page of a day as Markdown: its sections, and how it is written again around what a person edited."""

import re
from collections.abc import Sequence

from memhub.model.briefing import Line, Section

_HEADING = re.compile(r"^## +(.+?)\s*#*\s*$")
_FENCE = re.compile(r"^ {0,3}(```|~~~)")


def bullets(lines: Sequence[Line]) -> str:
    """Lines as a list."""
    return "\n".join(f"- {line.text}" for line in lines)


def section(title: str, lines: Sequence[Line]) -> Section:
    """A section of these lines."""
    return Section(title, bullets(lines), tuple(dict.fromkeys(one for line in lines for one in line.ids)))


def as_markdown(head: str, sections: Sequence[Section]) -> str:
    """The whole page: `head` (its title and what stands before the first heading), then the sections."""
    parts = [head.strip(), *(f"## {one.title}\n\n{one.text.strip()}".rstrip() for one in sections)]
    return "\n\n".join(part for part in parts if part)


def taken_apart(content: str) -> tuple[str, list[Section]]:
    """The head of a page and its sections; a heading inside a code block is none."""
    head, sections = list[str](), list[tuple[str, list[str]]]()
    fenced = ""
    for line in content.split("\n"):
        fence = _FENCE.match(line)
        if fence and fenced in ("", fence[1]):
            fenced = "" if fenced else fence[1]
        match = None if fenced else _HEADING.match(line)
        if match:
            sections.append((match[1], []))
        elif sections:
            sections[-1][1].append(line)
        else:
            head.append(line)
    return "\n".join(head).strip(), [Section(title, "\n".join(lines).strip()) for title, lines in sections]


def edited(machine: str, shown: str) -> set[str]:
    """The titles of what a person changed, added or took out since the machine wrote; "" stands for the head."""
    head, before = taken_apart(machine)
    own_head, now = taken_apart(shown)
    old, new = {one.title: one.text for one in before}, {one.title: one.text for one in now}
    changed = {title for title in {*old, *new} if _words(old.get(title)) != _words(new.get(title))}
    return changed | ({""} if _words(head) != _words(own_head) else set())


def _words(text: str | None) -> str | None:
    return None if text is None else " ".join(text.split())


def written_again(head: str, fresh: Sequence[Section], shown: str, yours: set[str]) -> tuple[str, list[Section]]:
    """The fresh page around what a person edited: texts as they are, own sections at their place, none taken out."""
    own_head, now = taken_apart(shown)
    kept = {one.title: one._replace(is_yours=True) for one in now if one.title in yours}
    result = [kept.get(one.title, one) for one in fresh if one.title in kept or one.title not in yours]
    placed = {one.title for one in result}
    order = [one.title for one in now]
    for place, title in enumerate(order):
        if title in kept and title not in placed:
            before = next((one for one in reversed(order[:place]) if one in placed), None)
            at = 0 if before is None else 1 + next(n for n, one in enumerate(result) if one.title == before)
            result.insert(at, kept[title])
            placed.add(title)
    return (own_head if "" in yours else head), result
