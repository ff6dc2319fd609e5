"""The way by speaker: when a query names who said something, what that person said counts for more."""

from collections.abc import Iterable

from memhub.search.literal import plain
from memhub.search.ways import Scope
from memhub.store.canonical import dumps
from memhub.store.connection import query as rows_of
from memhub.text.analyse import STOP_WORDS, fold, is_run

_ROLES = frozenset({"user", "assistant", "system", "tool", "human", "ai", "bot"})


def said_by_named(scope: Scope, query: str, ns: Iterable[int]) -> set[int]:
    """Of these items, the turns whose speaker the query names, by the whole name or its first word."""
    text = plain(fold(query))
    words = set("".join(char if char.isalnum() else " " for char in text).split())
    rows = rows_of(
        scope.connection,
        """SELECT item.n, version.meta ->> '$.attrs.speaker' FROM item JOIN version ON version.n = item.shown
           WHERE item.layer = 'L0' AND item.n IN (SELECT value FROM json_each(?))""",
        (dumps(list(ns)),),
    )
    speakers = {name for _, name in rows if name}
    named = {name for name in speakers if _is_named(plain(fold(name)), text, words)}
    return {n for n, name in rows if name in named}


def _is_named(name: str, text: str, words: set[str]) -> bool:
    first = name.split()[0] if name.strip() else ""
    if first in _ROLES or first in STOP_WORDS or len(first) < 2:
        return False
    return first in text if is_run(first) else first in words
