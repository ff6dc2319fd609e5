"""Cut a statement into tokens: words, Han characters, signs, quantities; and take its marks and negations out of it."""

import re
from functools import cache
from typing import NamedTuple
from unicodedata import normalize

from memhub.pipeline import statement_words as words
from memhub.text import quantities
from memhub.text.analyse import RUNS

_SUPERSCRIPTS = str.maketrans({c: f"^{d}" for c, d in zip("⁰¹²³⁴⁵⁶⁷⁸⁹₀₁₂₃₄₅₆₇₈₉", "01234567890123456789", strict=True)})
_SIGNS = str.maketrans({"’": "'", "‘": "'", "−": "-", "“": '"', "”": '"', "「": '"', "」": '"', "『": '"', "』": '"'})


class Token(NamedTuple):
    """One word, Han character, sign or quantity of a statement. `text` compares, `shown` is as written.

    `kind`: word, han, sign, stop (punctuation, which never counts as a difference), or that of a quantity.
    """

    text: str
    kind: str
    shown: str

    @property
    def is_quantity(self) -> bool:
        return self.kind not in ("word", "han", "sign", "stop")


def fold(text: str) -> str:
    """Compatibility form in which `10⁵` does not become `105`, with straight quotes."""
    if text.isascii():
        return text
    return normalize("NFKC", text.translate(_SUPERSCRIPTS)).translate(_SIGNS)


@cache
def _word() -> re.Pattern[str]:
    return re.compile(
        f"(?P<han>[{RUNS}])|(?P<word>(?:(?![{RUNS}])[^\\W_])+(?:['.@/_-](?:(?![{RUNS}])[^\\W_])+)*)|"
        f"(?P<sign>[^\\w\\s])|_"
    )


def tokens_of(text: str) -> list[Token]:
    tokens: list[Token] = []
    place = 0
    for quantity in quantities.find(text):
        _add_words(tokens, text, place, quantity.start)
        if quantity.kind != "article":
            tokens.append(Token(quantity.canon, quantity.kind, quantity.shown))
        place = quantity.stop
    _add_words(tokens, text, place, len(text))
    return tokens


def _add_words(tokens: list[Token], text: str, start: int, stop: int) -> None:
    for match in _word().finditer(text, start, stop):
        shown = match.group()
        if match.lastgroup == "han":
            tokens.append(Token(shown, "han", shown))
        elif match.lastgroup == "word":
            lower = shown.casefold()
            if lower.endswith("n't") and lower not in words.CONTRACTIONS:
                tokens += Token(lower[:-3], "word", shown), Token("not", "word", "")
                continue
            for part in words.CONTRACTIONS.get(lower, lower).split():
                joined = part.replace("-", "")
                joined = joined if joined.isalpha() and part.partition("-")[0] not in words.PREFIXES else part
                tokens.append(Token(words.SPELLINGS.get(joined, joined), "word", shown))
        elif shown in ".,;:!'\"()[]{}…–—*`。，、；：！《》〈〉-·":
            tokens.append(Token(shown, "stop", shown))
        else:
            tokens.append(Token(shown, "sign", shown))


def core_of(raw: tuple[Token, ...]) -> tuple[tuple[Token, ...], int, tuple[str, ...]]:
    """The tokens that say what it is about, how many negations there are, and the marks of something newer."""
    tokens = [t for t in raw if t.kind != "stop"]
    kept: list[Token] = []
    marks: list[str] = []
    negations = i = 0
    while i < len(tokens):
        token = tokens[i]
        if token.kind == "han":
            taken, negated, mark = _han_mark(tokens, i)
        else:
            taken, negated, mark = _mark(tokens, i)
        if mark:
            marks.append(mark)
        negations += negated
        if mark in words.HAN_CHANGED:
            kept.append(Token("是", "han", mark))
        elif not taken and token.text not in words.ARTICLES and not _is_filler(tokens, i):
            kept.append(token if token.kind != "word" else token._replace(text=stem(token.text)))
        i += taken or 1
    return tuple(kept), negations, tuple(marks)


def _is_filler(tokens: list[Token], i: int) -> bool:
    """`do` before `not`, `new` after `my`, 了 at the end."""
    text = tokens[i].text
    after = tokens[i + 1].text if i + 1 < len(tokens) else ""
    if text in words.AUXILIARIES:
        return after in words.NEGATIONS
    if text == "new":
        return i > 0 and tokens[i - 1].text in ("my", "our")
    return text in ("了", "的") and not after


def _mark(tokens: list[Token], i: int) -> tuple[int, int, str]:
    """How many tokens from `i` are a mark or a negation, the negations in it, and the mark."""
    text = tokens[i].text
    for sequence in words.NEWER:
        if text == sequence[0] and tuple(t.text for t in tokens[i : i + len(sequence)]) == sequence:
            return len(sequence), int(sequence == ("no", "longer")), " ".join(sequence)
    if text in words.NEGATIONS and tokens[i].kind == "word":
        return 1, 1, ""
    return 0, 0, ""


def _han_mark(tokens: list[Token], i: int) -> tuple[int, int, str]:
    ahead = "".join(t.text if t.kind == "han" else "\0" for t in tokens[i : i + 4])
    behind = "".join(t.text if t.kind == "han" else "\0" for t in tokens[max(0, i - 3) : i])
    for mark in words.HAN_NEWER:
        if ahead.startswith(mark):
            return len(mark), int(mark in ("不再", "已经不")), mark
    around, here = behind + ahead, len(behind)
    for word in words.HAN_NOT_NEGATIONS:
        at = around.find(word)
        if at != -1 and at <= here < at + len(word):
            return 0, 0, ""
    for negation in words.HAN_NEGATIONS:
        if ahead.startswith(negation):
            return len(negation), 1, ""
    return 0, 0, ""


def stem(word: str) -> str:
    """`needs` and `need` are one verb; nothing else is taken off."""
    if word in words.STEMS:
        return words.STEMS[word]
    return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")) else word
