"""Take a statement apart into what can be compared: words, quantities, negations, marks; and compare two of them.

Two statements are *equal* when nothing but case, width, articles, punctuation and the writing of numbers parts them.
Comparing looks at the *core*: the words without negations and without marks of something newer, which are kept beside
it. All of it takes time linear in the length of the text.
"""

import re
from functools import lru_cache
from typing import NamedTuple

from memhub.pipeline import statement_words as words
from memhub.pipeline.tokens import Token, core_of, fold, tokens_of
from memhub.text.analyse import STOP_WORDS

LONGEST_ALIGNED = 200
"""Words above which two texts are compared as a whole only: a page is no statement."""

LONGEST = 4000
"""Characters above which a text is compared by its beginning, and equal only when it is written alike."""

_LEAD = (
    r"\s*(?:(?:(?:please\s+)?(?:remember|note|keep in mind|don't forget|do "
    r"not forget)(?:\s+that\b|\s*:)|fyi\b\s*[,:]?|"
    r"note to self\s*:|ps\s*:|(?:请|帮我)?(?:记住|记下|记得|记一下|备注|注意)\s*[：:，,])\s*)"
)


class Statement(NamedTuple):
    """A text taken apart.

    `normal` is equal for equal statements; `core` are the tokens without negations, marks and punctuation; `raw` all
    of them; `content` the words and pairs of characters that overlap is counted on.
    """

    normal: str
    raw: tuple[Token, ...]
    core: tuple[Token, ...]
    content: frozenset[str]
    negations: int
    marks: tuple[str, ...]
    is_question: bool
    is_unsure: bool
    is_reported: bool

    @property
    def is_newer(self) -> bool:
        """It says itself that it is how things are from now on."""
        return bool(self.marks)

    @property
    def is_correction(self) -> bool:
        return any(mark in words.CORRECTIONS for mark in self.marks)

    @property
    def is_plain(self) -> bool:
        """It states something: no question, condition, guess, past or somebody's saying."""
        return not (self.is_question or self.is_unsure or self.is_reported)


class Comparison(NamedTuple):
    """What parts two statements. `overlap` is the share of the smaller one's content words, 0 to 1; of all words where
    only a value or what follows the copula differs, so that short statements count as alike too.

    `before` and `after` are the tokens of old and new where they part, `at` the position of that in the core; all
    quantities and in equal number (`is_same_but_values`) or anything. `differences` says it in words.
    """

    is_equal: bool
    is_core_equal: bool
    is_same_but_values: bool
    do_names_differ: bool
    do_negations_differ: bool
    overlap: float
    differences: tuple[str, ...]
    at: int = 0
    before: tuple[Token, ...] = ()
    after: tuple[Token, ...] = ()
    positions: tuple[int, ...] = ()


def parse(text: str) -> Statement:
    """Take a text apart; of a long one only the beginning, and `normal` is the whole with spaces and case folded."""
    if len(text) <= LONGEST:
        return _parse(text)
    return _parse(text[:LONGEST])._replace(normal=" ".join(fold(text).casefold().split()))


@lru_cache(maxsize=512)
def _parse(text: str) -> Statement:
    folded = fold(text)
    stripped = re.sub(_LEAD, "", folded, count=1, flags=re.IGNORECASE)
    raw = tuple(tokens_of(stripped))
    core, negations, marks = core_of(raw)
    lower = stripped.casefold()
    plain = [token.text for token in raw if token.kind == "word"]
    return Statement(
        normal=" ".join(t.text for t in raw if t.kind != "stop" and t.text and t.text not in words.ARTICLES),
        raw=raw,
        core=core,
        content=_content(core),
        negations=negations,
        marks=marks,
        is_question=_is_question(lower),
        is_unsure=_is_unsure(lower, [t.text for t in raw if t.kind == "word" and t.shown != "May"]),
        is_reported=_is_reported(lower, plain),
    )


def normalise(text: str) -> str:
    """The form in which equal statements are equal."""
    return parse(text).normal


def compare(old: str, new: str) -> Comparison:
    """What parts `new` from `old`; symmetrical but for the order in which differences are named."""
    return compare_parsed(parse(old), parse(new))


def compare_parsed(a: Statement, b: Statement) -> Comparison:
    """`compare` of statements taken apart already."""
    overlap = overlap_of(a.content, b.content)
    if a.normal == b.normal:
        return Comparison(True, True, False, False, False, 1.0, ())
    negated = (a.negations % 2) != (b.negations % 2)
    if max(len(a.core), len(b.core)) > LONGEST_ALIGNED:
        return Comparison(False, False, False, False, negated, overlap, ())
    one, two = [t.text for t in a.core], [t.text for t in b.core]
    if one == two:
        return Comparison(False, True, False, False, negated, overlap, ("negation" if negated else "wording",))
    start, end = _parting(one, two)
    before, after = a.core[start : len(one) - end], b.core[start : len(two) - end]
    positions = (
        tuple(i for i, (x, y) in enumerate(zip(one, two, strict=False)) if x != y) if len(one) == len(two) else ()
    )
    pairs = [(a.core[i], b.core[i]) for i in positions]
    same_but_values = bool(pairs) and all(x.is_quantity and y.is_quantity for x, y in pairs)
    values = [is_value(a, i) and is_value(b, i) for i in positions]
    names = same_but_values and not all(values)
    if same_but_values:
        shown: tuple[str, ...] = tuple(
            _difference(*pair, is_name=not value) for pair, value in zip(pairs, values, strict=True)
        )
    else:
        shown = _quantity_differences(a.core, b.core)
    copula = any(t.text in ("be", "是", "叫", "为") for t in a.core[:start])
    if start and (same_but_values or (copula and end == 0)):
        overlap = max(overlap, (start + end) / max(len(one), len(two)))
    if not shown:
        shown = (f"{show(before) or '–'} → {show(after) or '–'}",)
    return Comparison(False, False, same_but_values, names, negated, overlap, shown, start, before, after, positions)


def overlap_of(a: frozenset[str], b: frozenset[str]) -> float:
    """The share of the smaller set's content words that both have."""
    smaller = min(len(a), len(b))
    return len(a & b) / smaller if smaller else 0.0


def show(tokens: tuple[Token, ...]) -> str:
    """Tokens as they were written, Han characters without spaces between."""
    text = ""
    for token in tokens:
        gap = "" if not text or (token.kind == "han" and ord(text[-1]) >= 0x2E80) else " "
        text += gap + token.shown
    return text


def is_value(statement: Statement, i: int) -> bool:
    """Whether the quantity at `i` of the core is what is said of the subject, and there is but one such subject.

    It is when it follows a verb of state (`is on 14 October`, `costs 410`, `every 6 weeks`, 需要两升, 直径 16 mm); in
    `Invoice 2231`, `the 8:15 train`, 三号泊位 it is a name, and what was seen, paid or done once is another time's.
    """
    core = statement.core
    if any(t.text in words.OBSERVED for t in core):
        return False
    before = "".join(t.text if t.kind == "han" else " " for t in core[max(0, i - 12) : i])
    after = "".join(t.text if t.kind == "han" else " " for t in core[i + 1 : i + 4])
    if before[-1:] > "\u3000" or after[:1] > "\u3000":
        return _is_han_value(core, i, before, after)
    j = i - 1
    while j > 0 and (
        core[j].text in words.LINKS or (core[j].kind in ("date", "time", "weekday") and core[i].kind != "number")
    ):
        j -= 1
    if j < 1 or not (core[j].text in words.STATE_VERBS or any(t.text == "every" for t in core[j:i])):
        return False
    subject = core[:j]
    many = statement.raw[0].text in words.INDEFINITE or subject[0].kind == "number"
    return not many and head_of(subject) not in words.REPEATING


def head_of(subject: tuple[Token, ...]) -> str:
    """The noun that a subject is about: `owner` of `owner of the service`, `door` of `north door`."""
    plain = [token.text for token in subject]
    end = next(
        (i for i, word in enumerate(plain) if i and word in ("of", "for", "to", "in", "on", "at", "with", "from")),
        len(plain),
    )
    return plain[end - 1] if plain else ""


def _is_han_value(core: tuple[Token, ...], i: int, before: str, after: str) -> bool:
    text = "".join(t.text for t in core if t.kind == "han")
    if any(word in text for word in (*words.HAN_OBSERVED, *words.HAN_REPEATING)) or before.endswith("因为"):
        return False
    lead = re.sub("每[年月周天日]$", "", before)
    if core[i].kind == "time" and after.startswith(words.HAN_CLOSING) and before.strip():
        return True
    return lead != before or lead.endswith((*words.HAN_VALUE_LEADS, *words.HAN_SINGLE_NOUNS))


def _content(core: tuple[Token, ...]) -> frozenset[str]:
    found = set()
    for i, token in enumerate(core):
        if token.kind == "han":
            pair = i + 1 < len(core) and core[i + 1].kind == "han"
            alone = not pair and (i == 0 or core[i - 1].kind != "han")
            if pair or alone:
                found.add(token.text + core[i + 1].text if pair else token.text)
        elif token.text not in STOP_WORDS:
            found.add(token.text)
    return frozenset(found)


def _parting(one: list[str], two: list[str]) -> tuple[int, int]:
    """How many tokens are equal at the beginning, and at the end after that."""
    shorter = min(len(one), len(two))
    start = 0
    while start < shorter and one[start] == two[start]:
        start += 1
    end = 0
    while end < shorter - start and one[-1 - end] == two[-1 - end]:
        end += 1
    return start, end


def _difference(old: Token, new: Token, *, is_name: bool) -> str:
    """`14 → 15 October` when only the number changes before equal words, `2231 ≠ 2213` for names."""
    sign = "≠" if is_name else "→"
    first, second = old.shown.split(" "), new.shown.split(" ")
    if old.kind == new.kind and len(first) == len(second) == 2 and first[1] == second[1] and old.kind != "amount":
        return f"{first[0]} {sign} {second[0]} {first[1]}"
    return f"{old.shown} {sign} {new.shown}"


def _quantity_differences(a: tuple[Token, ...], b: tuple[Token, ...]) -> tuple[str, ...]:
    """The quantities that are only on one side, paired in order."""
    ours, theirs = {t.text for t in a}, {t.text for t in b}
    lost = [t for t in a if t.is_quantity and t.text not in theirs]
    found = [t for t in b if t.is_quantity and t.text not in ours]
    if len(lost) != len(found):
        return ()
    return tuple(_difference(x, y, is_name=True) for x, y in zip(lost, found, strict=True))


def _is_question(lower: str) -> bool:
    tail = lower[-400:]
    if "?" in tail[-3:]:
        return True
    if not tail or max(tail) < "\u3000":
        return False
    return tail.rstrip("。.!,， ").endswith(("吗", "呢")) or any(word in tail for word in words.HAN_QUESTIONS)


def _is_unsure(lower: str, plain: list[str]) -> bool:
    if words.HEDGES.intersection(plain[:40]) or words.CONDITIONS.intersection(plain[:3]):
        return True
    start = lower[:200]
    return any(past in start for past in words.PAST) or any(word in start for word in words.HAN_HEDGES)


def _is_reported(lower: str, plain: list[str]) -> bool:
    head = plain[:8]
    spoken = [i for i, word in enumerate(head) if word in words.SPEECH]
    if spoken and not (head[0] in ("i", "we") and spoken[0] == 1):
        return True
    return re.match(words.HAN_SPEECH, lower) is not None
