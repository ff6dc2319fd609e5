"""The rule judge on the pairs of statements, on numbers that differ in one digit, and on several relatives at once."""

from pathlib import Path

import pytest
from rulings import Pair, matrix, outcome, read, rule

from memhub.model.judging import Candidate, Relative, Span
from memhub.pipeline.judge_rules import judge
from memhub.pipeline.slots import slot_of

TABLES = sorted(Path(__file__).parent.glob("pairs_*.tsv"))
ONE_DIGIT = [
    ("Boat inspection is on 14 October", "Boat inspection is on 15 October", "replaces challenges append"),
    ("Invoice 2231 is paid", "Invoice 2213 is paid", "append"),
    ("Locker 12 holds the spare rope", "Locker 21 holds the spare rope", "append"),
    ("Winch needs 2.5 litres of oil", "Winch needs 25 litres of oil", "challenges replaces append"),
    ("firmware 4.10.2 fixes the depth alarm", "firmware 4.1.02 fixes the depth alarm", "append challenges"),
    ("Tide gauge reads 3.20 m at noon", "Tide gauge reads 2.30 m at noon", "append challenges"),
    ("Berth 7A costs 410 a year", "Berth 7B costs 410 a year", "append"),
    ("绞车保养每六个月一次", "绞车保养每六周一次", "challenges replaces append"),
    ("三号泊位空着", "五号泊位空着", "append"),
    ("缆绳直径 16 mm", "缆绳直径 16 cm", "challenges replaces append"),
    ("Harbour fee: €1,200", "Harbour fee: €1.200", "duplicate append challenges"),
    ("Call sign is OZ-1147", "Call sign is OZ-1147 ", "duplicate"),
]


def candidate(text: str) -> Candidate:
    return Candidate("fact", text, Span("new", "v", 0, len(text)), slot_of(text))


def relative(item: str, text: str, cosine: float | None = None) -> Relative:
    return Relative(item, "v", "fact", text, slot_of(text), cosine, 0.0)


@pytest.mark.parametrize("table", TABLES, ids=lambda path: path.stem)
def test_no_look_alike_is_replaced_or_swallowed(table: Path) -> None:
    wrong = [pair for pair in read(table) if pair.kind == "lookalike" and outcome(pair) != "append"]
    assert wrong == []


@pytest.mark.parametrize("table", TABLES, ids=lambda path: path.stem)
@pytest.mark.parametrize("is_held", [False, True])
def test_most_clear_replacements_and_duplicates_are_ruled(table: Path, is_held: bool) -> None:
    pairs = [pair for pair in read(table) if pair.is_held == is_held]
    counts = matrix(pairs)
    for kind, action in (("replacement", "replaces"), ("duplicate", "duplicate")):
        total = sum(counts[kind].values())
        assert counts[kind][action] >= 0.8 * total
        assert counts[kind]["duplicate" if action == "replaces" else "replaces"] == 0


def test_there_are_enough_pairs_and_a_third_is_held_back() -> None:
    for language in ("en", "zh"):
        pairs = read(Path(__file__).parent / f"pairs_{language}.tsv")
        assert len(pairs) >= 100
        assert 0.3 < sum(pair.is_held for pair in pairs) / len(pairs) < 0.36


@pytest.mark.parametrize(("old", "new", "allowed"), ONE_DIGIT)
def test_one_digit_apart(old: str, new: str, allowed: str) -> None:
    for one, other in ((old, new), (new, old)):
        assert outcome(Pair(one, other, (), "", False)) in allowed.split()
    assert outcome(Pair(old, new, (), "", False)) == outcome(Pair(new, old, (), "", False))


@pytest.mark.parametrize(
    ("old", "new", "difference"),
    [
        ("Boat inspection is on 14 October", "Boat inspection is on 15 October", "14 → 15 October"),
        ("Invoice 2231 is paid", "Invoice 2213 is paid", "2231 ≠ 2213"),
        ("I live in Paris", "I moved to Berlin", "Paris → Berlin"),
        ("The owner of billing is Mira", "The owner of billing is now Tomas", "Mira → Tomas"),
        ("The pool is open in winter", "The pool is closed in winter", "open ↔ closed"),
    ],
)
def test_the_ruling_names_the_difference(old: str, new: str, difference: str) -> None:
    ruling = rule(old, new)
    assert ruling is not None
    assert ruling.difference == difference
    assert ruling.reason.endswith(".")


def test_nothing_near_is_not_ruled_and_cosine_alone_is_only_doubt() -> None:
    assert judge(candidate("Milk is out"), [relative("a", "The server runs Debian 11", 0.3)]) is None
    ruling = judge(candidate("Milk is out"), [relative("a", "The server runs Debian 11", 0.7)])
    assert ruling is not None
    assert (ruling.action, ruling.targets, ruling.is_doubtful) == ("append", ("a",), True)


def test_the_threshold_is_the_models_own() -> None:
    near = [relative("a", "The server runs Debian 11", 0.7)]
    assert judge(candidate("Milk is out"), near, threshold=0.8) is None


def test_the_clearest_relative_decides() -> None:
    known = [
        relative("a", "I live in Paris"),
        relative("b", "I moved to Berlin."),
        relative("c", "Anna lives in Paris"),
    ]
    ruling = judge(candidate("I moved to Berlin"), known)
    assert ruling is not None
    assert (ruling.action, ruling.targets) == ("duplicate", ("b",))
    ruling = judge(candidate("I moved to Oslo"), known)
    assert ruling is not None
    assert (ruling.action, ruling.targets) == ("replaces", ("a", "b"))


def test_it_never_rules_on_itself_being_asked() -> None:
    ruling = rule("I live in Paris", "Do I live in Paris?")
    assert ruling is None or (ruling.action, ruling.is_doubtful) == ("append", True)
