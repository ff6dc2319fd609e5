"""Rule on a candidate without a model: what is clear is ruled, what is not is appended, linked and left for a model.

An active ruling (duplicate, replaces, enriches, challenges) rests on words, numbers and slots alone. Cosine only
decides whether there was anything to rule about, for it cannot tell a duplicate from a contradiction; so the outcome is
the same with vectors and without. Swapping the two texts changes nothing but the direction.
"""

from collections.abc import Callable, Sequence

from memhub.model.judging import Candidate, Relative, Ruling, Slot
from memhub.pipeline import statement_words as words
from memhub.pipeline.slots import same_value, slot_of
from memhub.pipeline.statements import Comparison, Statement, compare_parsed, head_of, is_value, parse, show
from memhub.pipeline.tokens import Token, fold
from memhub.text import quantities

THRESHOLD = 0.5
"""Cosine below which two texts have nothing to do with each other, when the caller does not say its model's own."""
OVERLAP = 0.6
"""Share of content words from which two texts are relatives whatever their cosine."""

_RANK = ("duplicate", "replaces", "challenges", "enriches", "append")


def judge(candidate: Candidate, relatives: Sequence[Relative], *, threshold: float = THRESHOLD) -> Ruling | None:
    """What becomes of `candidate`; None when no relative is near enough to rule about."""
    rulings = [found for relative in relatives if (found := judge_pair(candidate, relative, threshold=threshold))]
    if not rulings:
        return None
    action = min((ruling.action for ruling in rulings), key=_RANK.index)
    chosen = [ruling for ruling in rulings if ruling.action == action]
    first = max(chosen, key=lambda ruling: ruling.confidence)
    if action in ("duplicate", "enriches"):
        return first
    targets = tuple(dict.fromkeys(target for ruling in chosen for target in ruling.targets))
    return Ruling(action, targets, first.reason, first.difference, first.confidence, is_doubtful=first.is_doubtful)


def judge_pair(candidate: Candidate, relative: Relative, *, threshold: float = THRESHOLD) -> Ruling | None:
    """The ruling on a candidate and one relative; None when they have nothing to do with each other."""
    old, new = parse(relative.content), parse(candidate.content)
    compared = compare_parsed(old, new)
    slots = _same_slots(candidate, relative)
    is_alike = max(relative.overlap, compared.overlap) >= OVERLAP
    if not (compared.is_equal or slots or is_alike or (relative.cosine or 0.0) >= threshold):
        return None
    found = _equal(compared)
    if found is None and old.is_plain and new.is_plain and (slots or is_alike):
        found = _plain(candidate, relative, old, new, compared, slots)
    found = found or _doubt(old, new, compared)
    action, difference, reason, confidence = found
    is_doubtful = action == "append"
    return Ruling(action, (relative.item,), reason, difference, confidence, is_doubtful=is_doubtful)


_Found = tuple[str, str, str, float]


def _same_slots(candidate: Candidate, relative: Relative) -> tuple[Slot, Slot] | None:
    ours = candidate.slot or slot_of(candidate.content)
    theirs = relative.slot or slot_of(relative.content)
    return (theirs, ours) if ours and theirs and ours.key == theirs.key else None


def _equal(compared: Comparison) -> _Found | None:
    return ("duplicate", "", "The text is the same.", 1.0) if compared.is_equal else None


def _plain(
    candidate: Candidate,
    relative: Relative,
    old: Statement,
    new: Statement,
    compared: Comparison,
    slots: tuple[Slot, Slot] | None,
) -> _Found | None:
    """The first rule that knows, of two plain statements."""
    if slots:
        return _in_slot(*slots)
    is_marked = new.is_newer or candidate.is_correction
    texts = fold(relative.content), fold(candidate.content)
    rules: tuple[Callable[[], _Found | None], ...] = (
        lambda: _negated(compared, is_marked),
        lambda: _opposite(new, compared, is_marked),
        lambda: _other_value(old, new, compared, is_marked),
        lambda: _other_words(old, new, compared, is_marked),
        lambda: _more(*texts, old, new),
    )
    return next((found for rule in rules if (found := rule())), None)


def _in_slot(old: Slot, new: Slot) -> _Found:
    place = f"{new.dimension} of {new.subject}" + (f" ({new.qualifier})" if new.qualifier else "")
    if same_value(old.value, new.value):
        return "duplicate", "", f"Both say the same for {place}.", 0.95
    difference = f"{old.value} → {new.value}"
    longer, shorter = fold(new.value).casefold(), fold(old.value).casefold()
    if longer.startswith((shorter + " ", shorter + ",")):
        return "enriches", difference, f"It says more exactly what {place} is.", 0.8
    return "replaces", difference, f"It is a newer value for {place}.", 0.9


def _negated(compared: Comparison, is_marked: bool) -> _Found | None:
    if not (compared.is_core_equal and compared.do_negations_differ):
        return None
    if is_marked:
        return "replaces", "negation", "It says that this is no longer so.", 0.9
    return "challenges", "negation", "One says that it is so, the other that it is not.", 0.85


def _opposite(new: Statement, compared: Comparison, is_marked: bool) -> _Found | None:
    """One word differs and the two are opposites, in what is said, not in what it is said of."""
    if compared.do_negations_differ or not compared.before or not compared.after:
        return None
    pair = frozenset((show(compared.before).casefold(), show(compared.after).casefold()))
    stems = frozenset((_joined(compared.before), _joined(compared.after)))
    known = pair in words.ANTONYMS or stems in words.ANTONYMS
    if not known:
        return None
    is_han = compared.before[0].kind == "han"
    following = new.core[compared.at + len(compared.after) :]
    said = (not following or following[0].text != "的") if is_han else _has_verb(new.core[: compared.at])
    if not said or (not is_han and compared.at == 0):
        return None
    difference = f"{show(compared.before)} ↔ {show(compared.after)}"
    if is_marked:
        return "replaces", difference, "It says that it is now the opposite.", 0.85
    return "challenges", difference, "They say the opposite of each other.", 0.8


def _joined(tokens: tuple[Token, ...]) -> str:
    return ("" if tokens[0].kind == "han" else " ").join(token.text for token in tokens)


def _has_verb(core: tuple[Token, ...]) -> bool:
    return any(token.text in words.BROAD_VERBS or token.text in ("can", "will", "must") for token in core[1:])


def _other_value(old: Statement, new: Statement, compared: Comparison, is_marked: bool) -> _Found | None:
    """Equal but for numbers, dates, versions, amounts."""
    if not compared.is_same_but_values or compared.do_negations_differ:
        return None
    pairs = [(old.core[i], new.core[i]) for i in compared.positions]
    difference = "; ".join(compared.differences)
    if any(quantities.is_ambiguous(a.text, b.text) for a, b in pairs):
        return (
            "append",
            difference,
            f"Whether {pairs[0][0].shown} and {pairs[0][1].shown} are the same depends on the separator.",
            0.5,
        )
    if any(a.kind != b.kind for a, b in pairs) or _other_year(pairs):
        return None
    values = all(is_value(old, i) and is_value(new, i) for i in compared.positions)
    marked = is_marked and len(pairs) == 1 and _is_after_verb(new, compared.positions[0])
    if values or marked:
        return "replaces", difference, f"The same statement with another value: {difference}.", 0.85
    return None


def _other_year(pairs: list[tuple[Token, Token]]) -> bool:
    return any(a.kind == "date" and len(a.text) == len(b.text) == 10 and a.text[:4] != b.text[:4] for a, b in pairs)


def _is_after_verb(statement: Statement, i: int) -> bool:
    before = statement.core[:i]
    han = "".join(token.text for token in before if token.kind == "han")
    return _has_verb(before) or (len(han) > 2 and any(verb in han[2:] for verb in "是在叫跑用为有要停"))


def _other_words(old: Statement, new: Statement, compared: Comparison, is_marked: bool) -> _Found | None:
    """`The owner of X is Mira` and `… is Tomas`: one thing, one value at a time, another value."""
    before, after = compared.before, compared.after
    if (
        not before
        or not after
        or max(len(before), len(after)) > 12
        or compared.do_negations_differ
        or compared.is_same_but_values
    ):
        return None
    subject, is_named = _subject(new.core[: compared.at])
    if not subject or old.raw[0].text in words.INDEFINITE or new.raw[0].text in words.INDEFINITE:
        return None
    if not (_is_single(subject) or (is_marked and is_named)):
        return None
    if any(token.kind == "han" and token.text in "的" for token in (*before, *after)):
        return None
    difference = f"{show(before)} → {show(after)}"
    return "replaces", difference, f"The same statement with another value: {difference}.", 0.8


def _subject(core: tuple[Token, ...]) -> tuple[tuple[Token, ...], bool]:
    """What stands before the copula that `core` leads up to, and whether the copula gives a name (called, 叫)."""
    if core and core[-1].kind == "han" and core[-1].text in "是为叫":
        return core[:-1], core[-1].text == "叫"
    for i in range(len(core) - 1, 0, -1):
        if core[i].text == "be":
            rest = core[i + 1 :]
            is_named = bool(rest) and rest[0].text in ("called", "named")
            return (core[:i], is_named) if is_named or len(rest) <= 2 else ((), False)
    return (), False


def _is_single(subject: tuple[Token, ...]) -> bool:
    """Whether the head noun of a subject has one value at a time."""
    if subject[-1].kind == "han":
        return "".join(t.text if t.kind == "han" else " " for t in subject).endswith(tuple(words.HAN_SINGLE_NOUNS))
    return head_of(subject) in words.SINGLE_NOUNS


def _more(old_text: str, new_text: str, old: Statement, new: Statement) -> _Found | None:
    """The new text begins with all of the old one and goes on."""
    base = old_text.strip().rstrip(".。!！ ").casefold()
    text = new_text.strip()
    if len(old.core) < 3 or not text.casefold().startswith(base) or len(text) != len(text.casefold()):
        return None
    rest = text[len(base) :].strip()
    first = rest.split()[0].strip(",.").casefold() if rest.split() else ""
    goes_on = rest.startswith((",", ";", "(", ":", "–", "—", *words.HAN_EXTENDERS)) or first in words.EXTENDERS
    if not goes_on or len(new.core) <= len(old.core):
        return None
    return "enriches", f"+ {rest.strip(' ,.;，。；')}", "It says the same and more.", 0.85


def _doubt(old: Statement, new: Statement, compared: Comparison) -> _Found:
    difference = "; ".join(compared.differences)
    if not (old.is_plain and new.is_plain):
        return (
            "append",
            difference,
            "One of the two is no plain statement (a question, a condition, a guess, somebody's words).",
            0.5,
        )
    if compared.is_same_but_values and compared.do_names_differ:
        return "append", difference, f"They speak of different things: {difference}.", 0.5
    return (
        "append",
        difference,
        "They are alike, but the rules cannot tell whether one repeats or replaces the other.",
        0.5,
    )
