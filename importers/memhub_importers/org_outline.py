"""Reads the outline of an Org file: headlines with tags, states, planning lines and drawers, and the text of each.

Line by line, in linear time, and nothing in a file can make it fail. Blocks (`#+begin_…` to `#+end_…`) are opaque: a
line `* x` in a source block begins no headline.
"""

import re
from collections.abc import Mapping
from typing import NamedTuple

from memhub_importers.dates import source_time

_STARS = re.compile(r"(\*{1,1000})[ \t]+")
_BLOCK = re.compile(r"[ \t]*#\+(begin|end)_(\S{1,100})", re.IGNORECASE)
_KEYWORD = re.compile(r"[ \t]*#\+([A-Za-z_-]{1,100}):[ \t]*(.*)")
_DRAWER = re.compile(r"[ \t]*:([A-Za-z0-9_-]{1,100}):[ \t]*$")
_PROPERTY = re.compile(r"[ \t]*:([^\s:]{1,200}?)\+?:(?:[ \t]+(.*))?$")
_PLANNING = re.compile(r"\b(SCHEDULED|DEADLINE|CLOSED):[ \t]*([<\[][^<>\[\]\n]{1,100}[>\]])")
_ONLY_PLANNING = re.compile(r"[ \t]*(?:(?:SCHEDULED|DEADLINE|CLOSED|CLOCK):[ \t]*[<\[][^<>\[\]]{1,100}[>\]][-\s]*)+$")
_TAGS = re.compile(r":(?:[\w@#%]{1,100}:){1,100}")
_PRIORITY = re.compile(r"\[#([A-Z0-9]{1,2})\][ \t]*")
_COOKIE = re.compile(r"[ \t]*\[(?:\d{0,9}/\d{0,9}|\d{0,3}%)\][ \t]*")
_STAMP = re.compile(
    r"[<\[](\d{4}-\d\d-\d\d)(?:[ \t]+[^\s\d<>\[\]+-][^\s<>\[\]+]{0,20})?"
    r"(?:[ \t]+(\d{1,2}:\d\d)(?:-\d{1,2}:\d\d)?)?(?:[ \t]+((?:[.+]?\+)\d{1,4}[hdwmy](?:/\d{1,4}[hdwmy])?))?"
)
_HIDDEN = ("logbook", "properties", "clock")
_TODO, _DONE = ("TODO",), ("DONE",)


class Headline(NamedTuple):
    """One headline. `tags` with those of parents and file; `planning` and `properties` by keys in lower case.

    `body` is the text up to the next headline, without planning line and drawers of the program.
    """

    level: int
    title: str
    todo: str | None
    is_done: bool
    priority: str | None
    is_comment: bool
    is_archived: bool
    tags: tuple[str, ...]
    planning: Mapping[str, str]
    properties: Mapping[str, str]
    body: str


class Outline(NamedTuple):
    """A file: what stands before the first headline, the same with all headlines, keywords, properties, its tags."""

    intro: str
    whole: str
    keywords: Mapping[str, str]
    properties: Mapping[str, str]
    tags: tuple[str, ...]
    starts_with_id: bool
    headlines: tuple[Headline, ...]


def outline(text: str) -> Outline:
    """The outline of an Org text."""
    lines = text.split("\n")
    starts = _headline_lines(lines)
    top = lines[: starts[0]] if starts else lines
    keywords, tags, states = _keywords(lines)
    _, properties, rest = _split(top, is_top=True)
    intro = [line for line in rest if not _is_setting(line)]
    first = next((line for line in lines if line.strip()), "").strip().lower()
    stack: list[tuple[int, tuple[str, ...]]] = []
    headlines = []
    for number, start in enumerate(starts):
        stop = starts[number + 1] if number + 1 < len(starts) else len(lines)
        headlines.append(_headline(lines[start], lines[start + 1 : stop], tags, states, stack))
    return Outline(
        intro=_text(intro),
        whole=_text([*intro, *(lines[starts[0] :] if starts else ())]),
        keywords=keywords,
        properties=properties,
        tags=tags,
        starts_with_id=first == ":properties:" and "id" in properties,
        headlines=tuple(headlines),
    )


def stamp_parts(raw: str) -> tuple[str | None, str | None]:
    """The date or time of the first timestamp in `raw`, and how it repeats. Names of weekdays are in any language."""
    found = _STAMP.search(raw)
    if not found:
        return source_time(raw), None
    date = source_time(f"{found[1]}T{found[2].zfill(5)}:00" if found[2] else found[1])
    return date, found[3]


def _headline_lines(lines: list[str]) -> list[int]:
    """The numbers of the lines that begin a headline. A block that does not end is none."""
    ends: dict[str, int] = {}
    for number, line in enumerate(lines):
        if "#+" in line and (found := _BLOCK.match(line)) and found[1].lower() == "end":
            ends[found[2].lower()] = number
    starts: list[int] = []
    inside = ""
    for number, line in enumerate(lines):
        if "#+" in line and (found := _BLOCK.match(line)):
            name = found[2].lower()
            if not inside and found[1].lower() == "begin" and ends.get(name, -1) > number:
                inside = name
            elif inside == name and found[1].lower() == "end":
                inside = ""
        elif not inside and line.startswith("*") and _STARS.match(line):
            starts.append(number)
    return starts


def _headline(
    line: str,
    below: list[str],
    file_tags: tuple[str, ...],
    states: tuple[tuple[str, ...], tuple[str, ...]],
    stack: list[tuple[int, tuple[str, ...]]],
) -> Headline:
    stars = _STARS.match(line)
    level = len(stars[1]) if stars else 1
    rest = line[stars.end() if stars else 0 :].strip()
    before, _, last = rest.rpartition(" ") if " " in rest else rest.rpartition("\t")
    own_tags: tuple[str, ...] = ()
    if _TAGS.fullmatch(last):
        own_tags, rest = tuple(last.strip(":").split(":")), before.rstrip()
    word, _, after = rest.partition(" ")
    todo = word if word in (*states[0], *states[1]) else None
    rest = after.lstrip() if todo else rest
    priority = _PRIORITY.match(rest)
    rest = rest[priority.end() :] if priority else rest
    is_comment = rest == "COMMENT" or rest.startswith("COMMENT ")
    rest = rest.removeprefix("COMMENT").lstrip() if is_comment else rest
    while stack and stack[-1][0] >= level:
        stack.pop()
    inherited = stack[-1][1] if stack else file_tags
    tags = tuple(dict.fromkeys((*inherited, *own_tags)))
    stack.append((level, tags))
    planning, properties, body = _split(below)
    return Headline(
        level=level,
        title=" ".join(_COOKIE.sub(" ", rest).split()),
        todo=todo,
        is_done=todo in states[1],
        priority=priority[1] if priority else None,
        is_comment=is_comment,
        is_archived="ARCHIVE" in own_tags,
        tags=tags,
        planning=planning,
        properties=properties,
        body=_text(body),
    )


def _split(lines: list[str], *, is_top: bool = False) -> tuple[dict[str, str], dict[str, str], list[str]]:
    """Planning, properties and the remaining lines of what is below a headline, or at the top of a file.

    The planning line is the first; the property drawer follows. At the top the drawer may come after keywords.
    """
    planning: dict[str, str] = {}
    properties: dict[str, str] = {}
    rest: list[str] = []
    has_begun = False  # whether text has begun, after which drawers of properties are none
    number = 0
    last_end = max((n for n, line in enumerate(lines) if line.strip().lower() == ":end:"), default=-1)
    while number < len(lines):
        line = lines[number]
        if number == 0 and not is_top and _ONLY_PLANNING.match(line[:2000]):
            planning.update((key.lower(), stamp) for key, stamp in _PLANNING.findall(line[:2000]))
            number += 1
            continue
        drawer = _DRAWER.match(line[:200]) if ":" in line and number < last_end else None
        name = drawer[1].lower() if drawer else ""
        if name in _HIDDEN and not (name == "properties" and has_begun):
            end = _end_of(lines, number)
            if name == "properties":
                _add_properties(properties, lines[number + 1 : end])
            number = end + 1
            continue
        has_begun = has_begun or bool(line.strip() and not _is_setting(line))
        rest.append(line)
        number += 1
    return planning, properties, rest


def _end_of(lines: list[str], start: int) -> int:
    number = start + 1
    while lines[number].strip().lower() != ":end:":
        number += 1
    return number


def _add_properties(properties: dict[str, str], lines: list[str]) -> None:
    """Keys in lower case; `:KEY+:` and a key that comes again add to the value, as Org has it for `+`."""
    for line in lines:
        found = _PROPERTY.match(line[:5000])
        if found:
            key, value = found[1].lower(), (found[2] or "").strip()
            before = properties.get(key)
            properties[key] = f"{before} {value}" if before and f"{found[1]}+:" in line else value


def _keywords(lines: list[str]) -> tuple[dict[str, str], tuple[str, ...], tuple[tuple[str, ...], tuple[str, ...]]]:
    """Keywords of the file by name, the tags of all `#+filetags:`, and the words for open and done."""
    keywords: dict[str, str] = {}
    tags: list[str] = []
    words: list[tuple[list[str], list[str]]] = []
    for line in lines:
        found = _KEYWORD.match(line[:5000]) if "#+" in line else None
        if not found:
            continue
        key, value = found[1].lower(), found[2].strip()
        if key == "filetags":
            tags += [tag for tag in value.replace(" ", ":").split(":") if tag]
        elif key in ("todo", "seq_todo", "typ_todo"):
            words.append(_states(value))
        elif key in ("title", "date", "author", "description", "category", "language", "email", "subtitle"):
            known = keywords.get(key)
            keywords[key] = f"{known} {value}" if known and key == "title" else known or value
    todo = tuple(word for open_words, _ in words for word in open_words) if words else _TODO
    done = tuple(word for _, done_words in words for word in done_words) if words else _DONE
    return keywords, tuple(dict.fromkeys(tags)), (todo, done)


def _states(value: str) -> tuple[list[str], list[str]]:
    """`TODO(t) WAIT(w@/!) | DONE(d)`: without a bar the last word is the one for done."""
    open_part, bar, done_part = value.partition("|")
    todo, done = ([word.partition("(")[0] for word in part.split()] for part in (open_part, done_part))
    if not bar and todo:
        todo, done = todo[:-1], todo[-1:]
    return [word for word in todo if word], [word for word in done if word]


def _is_setting(line: str) -> bool:
    found = _KEYWORD.match(line[:5000]) if "#+" in line else None
    return (
        bool(found)
        and found is not None
        and not found[1].lower().startswith(("begin", "end", "results", "name", "caption"))
    )


def _text(lines: list[str]) -> str:
    """Lines without what they are all indented by, and without white space at both ends."""
    margins = [len(line) - len(line.lstrip(" \t")) for line in lines if line.strip()]
    margin = min(margins, default=0)
    return "\n".join(line[margin:].rstrip() for line in lines).strip()
