"""Remembers what each file of a folder gave and what that rests on, so that one that is as it was is not read again.

What a file gives depends on its bytes, on which notes and files the names in it stand for, on the files that it shows,
and on what other files claim the same ids. Its cursor holds all of that; the answers as one digest.
"""

import json
from collections.abc import Iterable, Mapping
from hashlib import blake2b
from typing import Any, NamedTuple, Self

from memhub.model.record import Cursor
from memhub_importers.files import Found
from memhub_importers.links import Names
from memhub_importers.note import Identity

_encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode
READING = 1
"""Goes up when the same file gives other records than before: then every file is read again."""


class Asked(NamedTuple):
    """A name that a file asked for; `is_inline`: as `[shown](target)`."""

    target: str
    is_inline: bool


class Memo(NamedTuple):
    """What is remembered of a file that was read. `ids` are those of its records before doubled ones got a number.

    `shown` are the other files that it shows; `sha256` is that of a document; `rests_on` is a digest of all that it got
    from elsewhere.
    """

    state: str
    identity: Identity
    asked: tuple[Asked, ...]
    ids: tuple[str, ...]
    shown: tuple[str, ...]
    sha256: str | None
    rests_on: str

    def cursor(self, name: str, files: Iterable[Found]) -> Cursor:
        """The memo as the next run hands it back. `files` are those that it was made of."""
        value = _encode(self)
        return Cursor(name, value, max(time for file in files for time in (file.mtime_ns, file.ctime_ns)))

    @classmethod
    def of(cls, value: str | None, state: str) -> Self | None:
        """The memo in a cursor; None where there is none, or the file is in another state now."""
        if value is None or not value.startswith(f'["{state}"'):
            return None
        try:
            _, (own_id, aliases), asked, ids, shown, sha256, rests_on = json.loads(value)
            known = Identity(own_id, tuple(aliases))
            questions = tuple(Asked(*question) for question in asked)
        except (ValueError, TypeError, RecursionError):
            return None
        return cls(state, known, questions, tuple(ids), tuple(shown), sha256, rests_on)


def state_of(found: Found, mark: str) -> str:
    """What tells that the bytes of a file are others, or that its program has something else to say of it (`mark`)."""
    return f"{READING}:{found.mtime_ns}:{found.ctime_ns}:{found.size}:{mark and digest(mark)}"


def answers(names: Names, note: str, asked: Iterable[Asked]) -> list[tuple[str | None, str | None]]:
    """What the names stand for now that a note asked for."""
    return [(names.find_inline if one.is_inline else names.find)(one.target, note) for one in asked]


def digest(*values: Any) -> str:
    """A short name for what JSON can say."""
    return blake2b(_encode(values).encode("utf-8", "surrogatepass"), digest_size=12).hexdigest()


class Listening(Names):
    """Answers as the names of the source do, and notes down what it is asked."""

    def __init__(self, names: Names) -> None:
        super().__init__()
        self._names = names
        self._asked: dict[Asked, None] = {}

    def take(self) -> tuple[Asked, ...]:
        """What was asked since the last call, each once."""
        asked, self._asked = self._asked, {}
        return tuple(asked)

    def find(self, target: str, note: str) -> tuple[str | None, str | None]:
        """The answer of the names."""
        self._asked[Asked(target, False)] = None
        return self._names.find(target, note)

    def find_inline(self, target: str, note: str) -> tuple[str | None, str | None]:
        """The answer of the names."""
        self._asked[Asked(target, True)] = None
        return self._names.find_inline(target, note)

    def relation(self, before: str, after: str, title: str) -> str | None:
        """The answer of the names, which rests on the words alone."""
        return self._names.relation(before, after, title)


def numbered(ids: Iterable[str], taken: Mapping[str, int]) -> tuple[str, ...]:
    """The ids under which records of these ids are kept after those that are taken: the second with `~2` …"""
    counts: dict[str, int] = {}
    found = []
    for identifier in ids:
        counts[identifier] = counts.get(identifier, taken.get(identifier, 0)) + 1
        found.append(identifier if counts[identifier] == 1 else f"{identifier}~{counts[identifier]}")
    return tuple(found)
