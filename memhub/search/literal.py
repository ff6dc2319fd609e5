"""The substring scan: finds any text exactly as it stands, symbols included, which no index of words can."""

import json
from collections.abc import Sequence
from typing import Any
from unicodedata import is_normalized, normalize

import apsw

LIMIT = 100_000
"""Items up to which a search scans without being asked; 100k short notes take about a tenth of a second."""

_FOLDS_TO_ASCII = "ßẞſ\u212aﬀﬁﬂﬃﬄﬅﬆ"
_SENTENCE = " \t\n?!.,;:。？！，、；：'’-_/"


def plain(text: str) -> str:
    """The form in which texts are compared: NFC, without case."""
    if text.isascii():
        return text.lower()
    return (text if is_normalized("NFC", text) else normalize("NFC", text)).casefold()


def has_symbols(query: str) -> bool:
    """Whether the query holds signs that only the scan can see; the marks of ordinary sentences do not count."""
    return any(not char.isalnum() and char not in _SENTENCE and not char.isspace() for char in query)


def scan(
    connection: apsw.Connection, query: str, where: str, params: Sequence[Any], most: int | None = None
) -> list[int]:
    """Item rows whose title or text holds `query`: those with it in the title first, then newest first.

    With `most`, items above that number are not looked at: the caller has asked `is_small` before.
    """
    needle = plain(query)
    prefilter, bound = _prefilter(query)
    rows = connection.execute(
        f"""SELECT item.n, item.title, version.content, item.merged, coalesce(item.created_ms, item.updated_ms)
            FROM item JOIN version ON version.n = item.shown
            WHERE ({where}) AND {prefilter} LIMIT ?""",
        (*params, *bound, -1 if most is None else most),
    )
    found = []
    for n, title, content, merged, when in rows:
        if title and _holds(title, query, needle):
            found.append((0, -when, -n))
        elif _holds((json.loads(merged)["content"] if merged else content) or "", query, needle):
            found.append((1, -when, -n))
    return [-n for _, _, n in sorted(found)]


def _holds(text: str, query: str, needle: str) -> bool:
    """As it stands, too: a cut between a letter and its accent has no composed form to compare."""
    return query in text or needle in plain(text)


def is_small(connection: apsw.Connection) -> bool:
    """Whether the file holds few enough items for a scan nobody asked for. Counting stops at the limit."""
    counted = connection.execute("SELECT count(*) FROM (SELECT 1 FROM item LIMIT ?)", (LIMIT + 1,)).get
    return int(counted) <= LIMIT


def _prefilter(query: str) -> tuple[str, tuple[str, ...]]:
    """SQL that drops most rows in C. LIKE ignores the case of ASCII letters and compares other characters as they are,
    so it stands in for the comparison when no other character has a case or a second form; texts with a character that
    folds to ASCII letters of the query (`ß` to `ss`) pass it.
    """
    stable = all(char.isascii() or (plain(char) == char and normalize("NFD", char) == char) for char in query)
    if not stable or "\0" in query or len(query) > 10_000:
        return "1", ()
    pattern = "%" + query.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_") + "%"
    like = "LIKE ? ESCAPE '\\'"
    letters = set(plain(query))
    odd = [char for char in _FOLDS_TO_ASCII if letters & set(char.casefold())]
    more = "".join(" OR instr(version.content, ?) OR instr(item.title, ?)" for _ in odd)
    bound = (pattern, pattern, *(char for char in odd for _ in range(2)))
    return f"(version.content {like} OR item.title {like} OR item.merged IS NOT NULL{more})", bound
