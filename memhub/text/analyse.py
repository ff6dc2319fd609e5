"""Turn text into what the full-text index stores, and a query into the terms it looks for.

Scripts written without spaces (Chinese, Japanese, Korean) become overlapping pairs of characters, cut where the
script changes: `机器学习 with GPU` is indexed as `机器 器学 学习 习 with GPU`. The last character of a run stands alone
as well, so that every character begins some token: a lone character in a query is the prefix query `机*`. Everything
else is left to the tokenizer of the index (`porter unicode61`), which also folds case and accents. Both sides take the
same path. Measured on XQuAD (hit@1, words / hybrid): Chinese .929 / .941; indexing every single character as well gives
.930 / .938, a larger index and searches of twice the time.
"""

import re
from collections.abc import Iterable
from functools import cache
from operator import add
from typing import NamedTuple
from unicodedata import is_normalized, normalize

ANALYSER_VERSION = 1
"""Goes up when `index_text` changes its output: the index must then be written again."""

RUNS = (
    "\u1100-\u11ff\u3005-\u3007\u3021-\u3029\u3031-\u3035\u3038-\u303c\u3041-\u3096\u309d-\u309f\u30a1-\u30fa\u30fc-\u30ff"
    "\u3105-\u312f\u3131-\u318e\u31a0-\u31bf\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\ua960-\ua97c\uac00-\ud7a3\ud7b0-\ud7fb"
    "\uf900-\ufaff\uff66-\uff9f\U0001b000-\U0001b16f\U00020000-\U0003ffff"
)
"""Character ranges of Han (all planes), kana, bopomofo and Hangul, letters only: `・` and `、` end a run."""

_WORD = re.compile(r"[^\W_]+")
_FIRST_RUN = "\u1100"

_COMMON = (
    "a an and are as at be been but by did do does for from had has have he her hers him his how i in is it its me my "
    "of on or our she so that the their them they this to was we were what when where which who whom whose why will "
    "with would you your about any if than then there these those into out over up down not no s t ll re ve"
)
STOP_WORDS = frozenset(_COMMON.split())


_HAN_QUESTIONS = "什么时候|为什么|干什么|什么|怎么样|怎么|怎样|哪里|哪儿|哪个|哪些|哪种|多少|是不是|有没有|是否|谁"
"""What asks and names nothing: its pairs are rare enough to outweigh what is asked about. 吗 and 呢 only end a run."""


class Term(NamedTuple):
    """One thing to look for: a word, a pair, or (`prefix`) the beginning of a token."""

    text: str
    prefix: bool = False


def fold(text: str) -> str:
    """The text in compatibility form (full width to ASCII, half-width kana to kana), which the index sees."""
    return text if text.isascii() or is_normalized("NFKC", text) else normalize("NFKC", text)


@cache
def _run() -> re.Pattern[str]:
    """Compiled when the first text with such characters comes: it takes as long as all of a small command's SQL."""
    return re.compile(f"[{RUNS}]+")


@cache
def _high() -> re.Pattern[str]:
    return re.compile(f"[{_FIRST_RUN}-\U0010ffff]")


@cache
def _runs_apart() -> re.Pattern[str]:
    return re.compile(f"([{RUNS}]+)")


@cache
def _token() -> re.Pattern[str]:
    return re.compile(f"[{RUNS}]+|(?:(?![{RUNS}])[^\\W_])+")


@cache
def _questions() -> re.Pattern[str]:
    return re.compile(f"(?:{_HAN_QUESTIONS})|[吗呢]$")


def _may_have_runs(text: str) -> bool:
    return not text.isascii() and _high().search(text) is not None


def _tokens(text: str) -> list[str]:
    """Words and runs of a text, lower case."""
    lower = fold(text).lower()
    return (_token() if _may_have_runs(lower) else _WORD).findall(lower)


def _pairs(run: str) -> list[str]:
    return [run[i : i + 2] for i in range(len(run))]


def index_text(text: str) -> str:
    """What goes into a column of the full-text index for `text`."""
    if not _may_have_runs(text):
        return fold(text)
    parts = _runs_apart().split(fold(text))  # others, run, others, run, … others
    parts[1::2] = [" ".join(map(add, run, f"{run[1:]} ")) for run in parts[1::2]]
    return " ".join(parts)


def query_terms(text: str, *, prefix: bool = False) -> list[Term]:
    """The distinct terms of a query in order; stop words leave it unless nothing else is left.

    With `prefix` the last word also stands for every word it begins, unless a space says that it is finished.
    """
    tokens = _tokens(text)
    asked = [part for token in tokens for part in (_questions().split(token) if is_run(token) else [token]) if part]
    found = dict.fromkeys(term for token in asked or tokens for term in _terms(token))
    if prefix and tokens and not is_run(tokens[-1]) and text[-1:].isalnum():
        found.pop(Term(tokens[-1]))
        return [term for term in found if term.text not in STOP_WORDS] + [Term(tokens[-1], prefix=True)]
    return [term for term in found if term.text not in STOP_WORDS] or list(found)


def asking_terms(text: str) -> list[Term]:
    """What of a Chinese query only asks: it finds nothing, and counts in how much was asked."""
    found = query_terms(text)
    asking = [part for token in _tokens(text) if is_run(token) for part in _questions().findall(token)]
    return [term for part in asking if len(part) > 1 for term in _terms(part) if term not in found]


def _terms(token: str) -> list[Term]:
    """What a word or a run is looked for by."""
    if not is_run(token):
        return [Term(token)]
    return [Term(token, prefix=True)] if len(token) == 1 else [Term(pair) for pair in _pairs(token)[:-1]]


def match_expression(terms: Iterable[Term]) -> str:
    """The terms as an FTS5 expression, any of them enough. Each is a quoted string: nothing in it is syntax."""
    return " OR ".join(_quoted(term.text) + ("*" if term.prefix else "") for term in terms)


def phrase_expression(text: str) -> str | None:
    """An FTS5 expression for the whole text as one phrase in an item's own column; None for a single term."""
    tokens = _tokens(text)
    if not tokens:
        return None
    last = tokens[-1]
    lone = len(last) == 1 and is_run(last)
    parts = [part for token in tokens for part in (_pairs(token) if is_run(token) else [token])]
    if is_run(last) and not lone:
        parts.pop()
    if len(parts) < 2:
        return None
    return f"{{own}}: {_quoted(' '.join(parts))}" + ("*" if lone else "")


def has_words(text: str) -> bool:
    """Whether the full-text index can answer for this text at all: it holds letters or digits only."""
    return bool(_tokens(text))


def is_run(text: str) -> bool:
    """Whether the text begins with a character of a script that is written without spaces."""
    return text[:1] >= _FIRST_RUN and _run().match(text) is not None


def _quoted(text: str) -> str:
    return '"' + text.replace('"', '""') + '"'
