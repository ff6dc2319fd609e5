"""The search box's language: words to look for, and the filters of `mh search` written as `name:value`.

    ferry #travel kind:note since:3d state:all is:pinned sort:title in:work

`#label` is short for `label:label`; a value with spaces stands in double quotes. A word with a colon that names no
filter is a word like any other, so that `http://…` and `12:30` can be searched for.
"""

import re
from collections.abc import Callable, Collection, Sequence
from typing import NamedTuple

from memhub.errors import UsageError
from memhub.model.query import Filters
from memhub.store.read import SORTS
from memhub.text.dates import Zone, parse_range

KINDS = ("note", "document", "fact", "event", "intent", "procedure", "profile", "turn")
LAYERS = ("L0", "L1", "L2", "L3")
STATES = ("live", "replaced", "duplicate", "archived", "dropped")
NAMES = ("label", "kind", "layer", "state", "project", "in", "since", "until", "importance", "is", "sort")
FIXED = {"kind": KINDS, "layer": LAYERS, "state": (*STATES, "all"), "is": ("pinned", "exact"), "sort": tuple(SORTS)}
"""The values that a filter can have, where they are few."""

_TOKEN = re.compile(r'(?P<name>#(?=[^\s#])|[a-z]+:)(?:"(?P<quoted>[^"]*)"?|(?P<value>\S*))|\S+')


class Asked(NamedTuple):
    """What the line asks for. `words` keeps a space at its end, which says that the last word is finished."""

    words: str
    filters: Filters
    sort: str = "created"
    reverse: bool = False
    exact: bool = False


def parse(line: str, zone: Zone, labels: Collection[str] = ()) -> Asked:
    """The meaning of a line; raises `UsageError` for a value that a filter cannot have.

    A label at its end that begins one of `labels` is still being typed, and asks for nothing yet.
    """
    given: dict[str, list[str]] = {}
    words = list[str]()
    for token in _TOKEN.finditer(line):
        name = "label" if token["name"] == "#" else (token["name"] or "").rstrip(":")
        value = token["value"] if token["quoted"] is None else token["quoted"]
        if name == "label" and token.end() == len(line) and _is_unfinished(value, labels):
            continue
        if name in NAMES and value:
            given.setdefault(name, []).append(value)
        elif name not in NAMES or token["name"] == "#":
            words.append(token[0])  # a name without a value yet is still being typed, and asks for nothing
    sort = given.get("sort", ["created"])[-1]
    ways = {_one_of("is", value) for value in given.get("is", ())}
    return Asked(
        " ".join(words) + (" " if words and line[-1:].isspace() else ""),
        _filters(given, zone, "pinned" in ways),
        _one_of("sort", sort.removeprefix("-")),
        sort.startswith("-"),
        "exact" in ways,
    )


def _is_unfinished(typed: str, labels: Collection[str]) -> bool:
    folded = [label.casefold() for label in labels]
    start = typed.casefold()
    return start not in folded and any(label.startswith(start) for label in folded)


def _filters(given: dict[str, list[str]], zone: Zone, is_pinned: bool) -> Filters:
    last = {name: values[-1] for name, values in given.items()}
    since, until = last.get("since"), last.get("until")
    states = tuple(_one_of("state", state) for state in given.get("state", ("live",)))
    return Filters(
        labels=tuple(given.get("label", ())),
        kinds=tuple(given.get("kind", ())),
        layers=tuple(_one_of("layer", layer.upper()) for layer in given.get("layer", ())),
        space=last.get("in"),
        project=last.get("project"),
        created=parse_range(since, until, zone) if since or until else None,
        importance=_importance(last.get("importance")),
        states=STATES if "all" in states else states,
        pinned=True if is_pinned else None,
    )


def _one_of(name: str, value: str) -> str:
    if value not in FIXED[name]:
        raise UsageError(f"`{name}:{value}` asks for nothing known", f"there are {', '.join(FIXED[name])}")
    return value


def _importance(value: str | None) -> float | None:
    if value is None:
        return None
    try:
        number = float(value)
    except ValueError:
        number = -1
    if not 0 <= number <= 1:
        raise UsageError(f"`importance:{value}` must be a number from 0 to 1")
    return number


def completed(line: str, known: Callable[[str], Sequence[str]]) -> str | None:
    """The line with its last word completed as a filter, or None; `known` gives the values of labels, spaces …"""
    start = line.rfind(" ") + 1
    word = line[start:]
    name, colon, value = ("label", "#", word[1:]) if word.startswith("#") else word.partition(":")
    if not word or (colon and name not in NAMES):
        return None
    if not colon:
        choices, value = [f"{one}:" for one in NAMES], word
    else:
        choices = list(FIXED.get(name) or known(name))
    folded = value.casefold()
    for choice in choices:
        if choice.casefold().startswith(folded) and len(choice) > len(value):
            return line + choice[len(value) :] if '"' not in value else None
    return None
