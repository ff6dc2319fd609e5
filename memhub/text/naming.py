"""How names are compared and found in texts: the form they have in common, and all known names in a text at once."""

import re
import unicodedata
from collections.abc import Iterable, Iterator
from functools import cache
from typing import NamedTuple

from memhub.text.analyse import RUNS, fold

LONGEST = 80


def name_key(name: str) -> str:
    """Compatibility form, without case, single spaces; two spellings of one name have it in common."""
    key = " ".join(fold(name).casefold().split())
    return key if key.isascii() else unicodedata.normalize("NFC", key)


def checked_spelling(name: str) -> str:
    """A name as it is kept: on one line, no longer than a line."""
    return " ".join(name.split())[:LONGEST].strip()


@cache
def _token() -> re.Pattern[str]:
    """A character of a script without spaces, a word of any other, or one sign."""
    return re.compile(f"[{RUNS}]|(?:(?![{RUNS}])\\w)+|[^\\w\\s]")


def pieces(text: str, most: int = 6) -> list[tuple[str, int, int]]:
    """Every stretch of up to `most` words or characters that could be a name, with its place, the longest first."""
    found = list(_token().finditer(text))
    spans = [(found[i].start(), found[j].end()) for i in range(len(found)) for j in range(i, min(i + most, len(found)))]
    return [(text[a:b], a, b) for a, b in sorted(spans, key=lambda span: (span[0] - span[1], span[0]))]


class Said(NamedTuple):
    """A known name in a text: what it stands for, and the characters (of the folded text) where it stands."""

    owners: tuple[int, ...]
    start: int
    stop: int


class Names:
    """Known names with the numbers of what they stand for. Short names and `words` count only with a capital letter."""

    def __init__(self, words: frozenset[str] = frozenset()) -> None:
        self._words = words
        self._owners: dict[tuple[str, ...], tuple[int, ...]] = {}
        self._lengths: dict[str, list[int]] = {}
        self._keys: set[str] = set()

    def __contains__(self, key: str) -> bool:
        return key in self._keys

    def add(self, key: str, owner: int) -> None:
        """Let a name, in the form of `name_key`, stand for `owner` too."""
        tokens = tuple(_token().findall(key))
        if not tokens:
            return
        self._keys.add(key)
        self._owners[tokens] = (*self._owners.get(tokens, ()), owner)
        lengths = self._lengths.setdefault(tokens[0], [])
        if len(tokens) not in lengths:
            lengths.append(len(tokens))
            lengths.sort(reverse=True)

    def of(self, key: str) -> tuple[int, ...]:
        """What a name stands for."""
        return self._owners.get(tuple(_token().findall(key)), ())

    def find(self, text: str) -> Iterator[Said]:
        """Every known name in a folded text, the longest at each place, none within another."""
        found = list(_token().finditer(text))
        tokens = [match.group().casefold() for match in found]
        i = 0
        while i < len(tokens):
            step = 1
            for length in self._lengths.get(tokens[i], ()):
                name = tuple(tokens[i : i + length])
                owners = self._owners.get(name) if len(name) == length else None
                if owners and (not self._is_cased(name) or _has_capital(found[i : i + length])):
                    yield Said(owners, found[i].start(), found[i + length - 1].end())
                    step = length
                    break
            i += step

    def _is_cased(self, name: tuple[str, ...]) -> bool:
        return len(name) == 1 and name[0].isascii() and (len(name[0]) <= 2 or name[0] in self._words)


def _has_capital(matches: Iterable[re.Match[str]]) -> bool:
    return any(match.group() != match.group().lower() for match in matches)
