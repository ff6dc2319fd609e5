"""Cut the piece of a text that shows why it was found, on one line, and mark what the query matched in it."""

import re
from collections.abc import Iterable, Sequence
from unicodedata import combining, normalize

from memhub.text.analyse import Term, fold, is_run

WIDTH = 160
_MOST_SPANS = 2_000
_ENDINGS = "ations|ation|ments|ment|ings|ing|ions|ion|ies|ied|ers|ive|er|ed|es|al|ly|s|y|e"
_STRIP = re.compile("(?:ations?|ings?|ies|ied|ed|es|s|ly|y|e)$")
_JOINING = "\u200d\ufe0e\ufe0f"

Span = tuple[int, int]


class _Folded(dict[int, int]):
    """Character to character: lower case, no accents, full width to ASCII. Keeps every offset."""

    def __missing__(self, code: int) -> int:
        char = chr(code)
        plain = normalize("NFKC", char)
        if code < 0x2E80:
            parts = normalize("NFKD", char)
            plain = parts[0] if parts and all(map(combining, parts[1:])) else char
        plain = plain.lower()
        self[code] = ord(plain) if len(plain) == 1 else code
        return self[code]


_FOLDED = _Folded()


def cut(
    text: str, terms: Sequence[Term], width: int = WIDTH, *, phrase: str = "", start: int = 0
) -> tuple[str, tuple[Span, ...]]:
    """At most `width` characters of `text` and the (start, end) ranges in them that match.

    Shown is the place of the whole `phrase` where the text has it, else the place with most different terms, else what
    stands at `start`. White space is shown as one space, `…` says that there is more.
    """
    folded = text.translate(_FOLDED)
    spans, place = _phrase_spans(folded, phrase, whole=True), start
    if spans:
        place = spans[0][0]
    elif found := _term_spans(folded, terms):
        spans, place = [span for span, _ in found], _densest(found, width)
    elif spans := _phrase_spans(folded, phrase, whole=False):
        place = spans[0][0]
    first, last = _window(text, place, width, bool(spans))
    return _one_line(text, first, last, _merged(spans), width)


def matches(text: str, terms: Sequence[Term]) -> int:
    """How many of the terms the text holds."""
    return len({which for _, which in _term_spans(text.translate(_FOLDED), terms)})


def _phrase_spans(folded: str, phrase: str, *, whole: bool) -> list[Span]:
    """Where the phrase stands, white space of any kind between its words. `whole`: not inside a longer word, and only
    for a phrase that says more than its terms, of several words or with signs.
    """
    words = phrase.translate(_FOLDED).split()
    if not words or (whole and len(words) == 1 and words[0].isalnum()):
        return []
    text = r"\s+".join(map(re.escape, words))
    if whole:
        begin = r"(?<![^\W_])" if words[0][0].isalnum() and not is_run(words[0]) else ""
        end = r"(?![^\W_])" if words[-1][-1].isalnum() and not is_run(words[-1][-1]) else ""
        text = f"{begin}{text}{end}"
    return [found.span() for found, _ in zip(re.finditer(text, folded), range(50), strict=False)]


def _term_spans(folded: str, terms: Sequence[Term]) -> list[tuple[Span, int]]:
    """Where terms stand: ((start, end), number of the term), in order of place."""
    if not terms:
        return []
    pattern = re.compile("|".join(f"({_pattern(term)})" for term in terms))
    spans: list[tuple[Span, int]] = []
    place = 0
    while len(spans) < _MOST_SPANS and (found := pattern.search(folded, place)):
        spans.append((found.span(), found.lastindex or 0))
        place = found.start() + 1 if is_run(terms[(found.lastindex or 1) - 1].text) else found.end()
    return spans


def _pattern(term: Term) -> str:
    word = fold(term.text).translate(_FOLDED)
    if is_run(word):
        return re.escape(word)
    begin, end = r"(?<![^\W_])", r"(?![^\W_])"
    if not (word.isascii() and word.isalpha()) or len(word) < 3:
        return f"{begin}{re.escape(word)}{end}"
    if len(word) == 3:
        return f"{begin}{word}(?:e?s|{word[-1]}?(?:ed|ing))?{end}"
    stem = _STRIP.sub("", word)
    stem = stem if len(stem) >= 3 else word
    if len(stem) > 3 and stem[-1] == stem[-2] and stem[-1] not in "lsz":
        stem = stem[:-1]
    return f"{begin}{stem}{stem[-1]}?(?:{_ENDINGS})?{end}"


def _densest(found: Sequence[tuple[Span, int]], width: int) -> int:
    """The start of the span from which most different terms lie within three quarters of the width."""
    reach, best, place, last = width * 3 // 4, 0, found[0][0][0], 0
    inside: dict[int, int] = {}
    for (start, _), which in found:
        while last < len(found) and found[last][0][1] <= start + reach:
            inside[found[last][1]] = inside.get(found[last][1], 0) + 1
            last += 1
        if len(inside) > best:
            best, place = len(inside), start
        if inside.get(which, 0) > 1:
            inside[which] -= 1
        else:
            inside.pop(which, None)
    return place


def _window(text: str, place: int, width: int, lead: bool) -> Span:
    """From where to where to show, so that `place` is in view with some of what stands before it."""
    first = max(0, place - (width // 4 if lead else 0))
    if len(text) - first < width:
        first = max(0, len(text) - width)
    if first:
        space = re.search(r"\s", text[first : min(first + 20, place)])
        first += space.end() if space and first + space.end() < len(text) else 0
        while first and (combining(text[first]) or text[first] in _JOINING or text[first - 1] in _JOINING):
            first -= 1
    last = min(len(text), first + width * 4)  # white space may shrink; `_one_line` stops at the width
    return first, last


def _merged(spans: Iterable[Span]) -> list[Span]:
    out: list[Span] = []
    for start, end in spans:
        if out and start <= out[-1][1]:
            out[-1] = (out[-1][0], max(end, out[-1][1]))
        else:
            out.append((start, end))
    return out


def _one_line(text: str, first: int, last: int, spans: Sequence[Span], width: int) -> tuple[str, tuple[Span, ...]]:
    out: list[str] = ["…"] if text[:first].strip() else []
    places: dict[int, int] = {}
    at = first
    while at < last and len(out) < width - 1:
        char = text[at]
        places[at] = len(out)
        if char.isspace() or char < " " or "\x7f" <= char < "\xa0":
            if out and out[-1] not in " …":
                out.append(" ")
        else:
            out.append(char)
        at += 1
    while (
        at < len(text)
        and len(out) < width + 8
        and (combining(text[at]) or text[at] in _JOINING or text[at - 1] == "\u200d")
    ):
        places[at] = len(out)
        out.append(text[at])
        at += 1
    while out and out[-1] == " ":
        out.pop()
    size = len(out)
    if text[at:].strip():
        out.append("…")
    marks = []
    for start, end in spans:
        begin, stop = max(start, first), min(end, at)
        if begin < stop:
            mark = (min(places[begin], size), min(places[stop - 1] + 1, size))
            if mark[0] < mark[1]:
                marks.append(mark)
    return "".join(out), tuple(marks)
