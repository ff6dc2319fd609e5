"""Names in English words: runs of capitals, and what they are by lists, by their own words and by what is around."""

import re
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from memhub.text import names_en as en
from memhub.text.names_marked import Candidate

_WORD = r"(?:[A-Z]\.(?= [A-Z][a-z])|[A-ZÀ-ÖØ-ÞŁŚŠŽČ][\w'’&+#-]*(?:\.(?=[A-Za-z])\w+)*)"
_RUN = re.compile(
    rf"(?<![\w@#/.\x00-]){_WORD}(?:(?: (?:of(?: the)?|de|de la|del|da|di|van|van der|von|den|der|ter|bin|al|el|le|"
    rf"la|du|und|y) | ?& ?|[ ]){_WORD})*"
)
_LOWER_TOOLS = re.compile(
    r"(?<![\w./@#-])(?:nginx|tmux|zsh|npm|pnpm|curl|systemd|pytest|pandas|webpack|scikit-learn|kubectl|gRPC|"
    r"jQuery|dbt|iPhone|iPad|iOS|macOS|fish shell)(?![\w/-])"
)
_AROUND = 48
_INFLECTED = re.compile(r"(?:ing|ly|ed|ions?|s|able|er|ness|ment)$")
_HAN_TOOL = re.compile(r"(?:用|使用|安装|装了|学|学习|升级|部署|换成|改用|迁移到) ?$")


class _Run(NamedTuple):
    words: tuple[str, ...]
    start: int
    stop: int
    is_first: bool

    @property
    def name(self) -> str:
        return " ".join(self.words)


@cache
def _before(pattern: str) -> re.Pattern[str]:
    return re.compile(rf"(?:{pattern})(?:the |The |a |an )?$", re.I)


@cache
def _after(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)


def latin_names(text: str) -> list[Candidate]:
    """Names in Latin letters."""
    if not re.search(r"[A-Za-z]", text):
        return []
    starts = set(_sentence_starts(text))
    found = [Candidate(m.group(), "tool", *m.span()) for m in _LOWER_TOOLS.finditer(text)]
    for match in _RUN.finditer(text):
        for part in _parts(match, starts):
            found += _named(text, part)
    return found


def _parts(match: re.Match[str], starts: set[int]) -> Iterator[_Run]:
    """A run of capitals without the ordinary words that only begin a sentence or stand between two names."""
    text = match.group().replace("’", "'")
    words = [(word.group(), match.start() + word.start()) for word in re.finditer(r"\S+", text)]
    is_first = words[0][1] in starts
    part: list[tuple[str, int]] = []
    is_owner = False
    for number, (spelt, at) in enumerate(words):
        word = re.sub(r"'s?$", "", spelt)
        if part and (is_owner or _is_apart(part, word)):
            yield from _run(part, is_first and part[0][1] == words[0][1])
            part = []
        is_owner = word != spelt and (word in en.FIRST_NAMES or word in _known() or number == len(words) - 1)
        part.append((word if is_owner else spelt, at))
    yield from _run(part, is_first and part[0][1] == words[0][1])


def _is_apart(part: list[tuple[str, int]], word: str) -> bool:
    """Whether an ordinary word before a capital one only happens to stand there, and no name is known to begin so."""
    if len(part) > 1 or part[0][0].casefold() not in en.COMMON:
        return False
    return f"{part[0][0]} {word}" not in _beginnings() and not _begins([*part, (word, 0)])


@cache
def _beginnings() -> frozenset[str]:
    """The first words of known names, and the names."""
    parts = (name.split() for name in _known())
    return frozenset(" ".join(words[:count]) for words in parts for count in range(1, len(words) + 1))


def _run(part: list[tuple[str, int]], is_first: bool) -> Iterator[_Run]:
    while part and (_is_ordinary(part[0][0]) or (is_first and _is_deed(part))) and not _begins(part):
        part, is_first = part[1:], False
    while part and _is_ordinary(part[-1][0]) and not _ends(part):
        part = part[:-1]
    if part and any(len(word) > 1 for word, _ in part):
        yield _Run(tuple(word for word, _ in part), part[0][1], part[-1][1] + len(part[-1][0]), is_first)


def _is_ordinary(word: str) -> bool:
    return word.islower() or word == "&" or word.casefold().split("'")[0] in en.COMMON


def _is_deed(part: list[tuple[str, int]]) -> bool:
    """Whether a sentence begins with what somebody did: `Deployed Nordlicht`, `Upgraded Postgres`."""
    word = part[0][0]
    return len(part) > 1 and word.endswith("ed") and len(word) > 4 and word not in en.FIRST_NAMES | en.NOT_DEEDS


def _begins(part: list[tuple[str, int]]) -> bool:
    """Whether an ordinary word is the first of a name: `New York`, `British Museum`, `Project Apollo`."""
    words = [word for word, _ in part]
    if any(" ".join(words[:count]) in _known() for count in range(2, min(len(words), 4) + 1)):
        return True
    first, last = part[0][0], part[-1][0]
    return len(part) > 1 and (first == "Project" or (first in en.ADJECTIVES and last in en.ORG_ENDS | en.PLACE_ENDS))


def _ends(part: list[tuple[str, int]]) -> bool:
    """Whether an ordinary word is the last of a name: `Google Docs`, `State Bank`."""
    if len(part) < 2 or part[-1][0] in en.ORG_ENDS | en.PLACE_ENDS:
        return len(part) > 1
    return len(part) <= 5 and " ".join(word for word, _ in part) in _known()


@cache
def _known() -> dict[str, str]:
    return {
        **dict.fromkeys(en.TOOLS, "tool"),
        **dict.fromkeys(en.PLACES, "place"),
        **dict.fromkeys(en.ORGANISATIONS, "organisation"),
    }


def _named(text: str, run: _Run) -> list[Candidate]:
    """What a run stands for: one name, or several that are known and stand side by side."""
    before, after = text[max(0, run.start - _AROUND) : run.start], text[run.stop : run.stop + _AROUND]
    name, words = run.name, run.words
    kind = _by_itself(run, before, after) or _by_context(run, before, after)
    if kind:
        return [Candidate(_bare(name), kind, run.start, run.stop)]
    pieces = _known_within(run)
    if pieces:
        return pieces
    is_plain = len(words) == 1 and (run.is_first or words[0].casefold() in en.COMMON or len(words[0]) < 3)
    return [] if is_plain or len(words) > 4 else [Candidate(name, "concept", run.start, run.stop, is_strong=False)]


def _bare(name: str) -> str:
    first, _, rest = name.partition(" ")
    return rest if first.rstrip(".") in en.TITLES and rest else name


def _by_itself(run: _Run, before: str, after: str) -> str | None:
    """The type that the words of a name tell."""
    words, name = run.words, run.name
    if len(words) == 1 and words[0] in en.TITLES | en.KIN:
        return None
    known = _known().get(name)
    if known and not (run.is_first and len(words) == 1 and words[0] in en.AMBIGUOUS_TOOLS):
        if known == "place" and after.startswith(" ") and re.match(r" (?:said|told|asked|wrote|called)\b", after):
            return "person"
        return known
    last = words[-1]
    if words[0] == "Project" and len(words) in (2, 3):
        return "project"
    if len(words) in (1, 2) and re.match(r" project\b", after) and words[0] not in en.FIRST_NAMES and not run.is_first:
        return "project"
    if words[0] in en.TITLES | en.KIN and len(words) > 1 and words[1][0].isupper():
        return "person"
    if re.search(r"\b(?:Mr|Mrs|Ms|Dr|Prof)\. $", before):
        return "person"
    if (
        len(words) > 1
        and last in en.ORG_ENDS
        and not (words[0] in en.FIRST_NAMES and len(words) == 2 and last in ("Energy", "Media", "Press", "Health"))
    ):
        return "organisation"
    if len(words) > 2 and words[0] in en.ORG_STARTS and words[1] == "of":
        return "organisation"
    if len(words) > 1 and (last in en.PLACE_ENDS or words[0] in en.PLACE_START_SURE):
        return "place"
    if re.search(en.PLACE_TAILS, last):
        return "place"
    return _person(run)


def _person(run: _Run) -> str | None:
    words = run.words
    first = words[0]
    if (first not in en.FIRST_NAMES and first not in en.AMBIGUOUS_FIRST) or len(words) > 4:
        return None
    if words[-1] in en.NOT_PERSON_ENDS:
        return None
    if any(word.casefold() in en.COMMON or word in _known() for word in words[1:]):
        return None
    if first in en.AMBIGUOUS_FIRST:
        return "person" if len(words) == 2 and words[1][1:].islower() else None
    return "person"


def _by_context(run: _Run, before: str, after: str) -> str | None:
    """The type that the words around a name tell."""
    words = run.words
    single = words[0].casefold()
    if len(words) == 1 and _HAN_TOOL.search(before):
        return "tool"
    if len(words) == 1 and (single in en.COMMON or len(single) < 3 or words[0] in en.TITLES | en.KIN):
        return None
    is_upper = len(words) == 1 and words[0].isupper()
    if len(words) <= 3 and not is_upper and not run.is_first:
        if _before(en.PERSON_BEFORE).search(before):
            return "person"
        if _before(en.ORG_BEFORE).search(before):
            return "organisation"
        if _before(en.PLACE_BEFORE).search(before):
            return "place"
    if len(words) <= 2 and _before(en.TOOL_BEFORE).search(before) and not run.is_first:
        return "tool"
    if run.is_first and len(words) == 1 and _INFLECTED.search(words[0]):
        return None
    if (
        len(words) <= 3
        and words[-1] not in en.NOT_PERSON_ENDS
        and not is_upper
        and _after(en.PERSON_AFTER).match(after)
    ):
        return "person"
    if is_upper and _before(en.ORG_BEFORE).search(before):
        return "organisation"
    if len(words) == 1 and _after(en.TOOL_AFTER).match(after) and not run.is_first:
        return "tool"
    return None


def _known_within(run: _Run) -> list[Candidate]:
    """Known names inside a longer run, as `Berlin Docker Meetup` has two."""
    found = []
    i = 0
    while i < len(run.words):
        for length in range(min(3, len(run.words) - i), 0, -1):
            name = " ".join(run.words[i : i + length])
            kind = _known().get(name)
            if kind and not (run.is_first and i == 0 and name in en.AMBIGUOUS_TOOLS):
                start = run.start + len(" ".join(run.words[:i])) + (i > 0)
                found.append(Candidate(name, kind, start, start + len(name)))
                i += length - 1
                break
        i += 1
    return found


def _sentence_starts(text: str) -> Iterator[int]:
    """Where sentences begin: the first letter of the text, and after an end of one, a line break or a list mark."""
    for match in re.finditer(r"(?:^|[.!?…:;]['\")\]]*[ \t]+|\n|[。！？；：])[\s>*•\-–—\d.)\]\[\"'“‘(]*", text):
        yield match.end()
