"""Print what the rules make of pairs of statements: a confusion matrix per language, of the open and the held part.

    python tests/bench/rulings.py [--json] [--part open|held|all] [--wrong] [FILE…]

A FILE is a table of old, new, expected outcomes, class and held (`yes`: not looked at while the rules were written);
the default are `tests/pipeline/pairs_*.tsv` (`late`: written after the rules, to find what they get wrong). Each pair
is ruled twice, without a cosine and with one of .95; when the two differ the row counts as `unsteady`. No ruling counts
as append. `--wrong` lists the rows that came out otherwise.
"""

import argparse
import json
from collections import Counter
from pathlib import Path
from typing import NamedTuple

from memhub.model.judging import Candidate, Relative, Ruling, Span
from memhub.pipeline.judge_rules import judge
from memhub.pipeline.slots import slot_of
from memhub.pipeline.statements import compare

ACTIONS = ("duplicate", "replaces", "enriches", "challenges", "append", "unsteady")
CLASSES = ("duplicate", "replacement", "enrichment", "contradiction", "lookalike")
PAIRS = Path(__file__).parents[1] / "pipeline"


class Pair(NamedTuple):
    """One row of a table."""

    old: str
    new: str
    expected: tuple[str, ...]
    kind: str
    is_held: bool


def read(path: Path) -> list[Pair]:
    """The pairs of a table."""
    lines = [line for line in path.read_text(encoding="utf-8").splitlines() if line and not line.startswith("#")]
    rows = [line.split("\t") for line in lines[1:]]
    return [Pair(old, new, tuple(expected.split()), kind, held == "yes") for old, new, expected, kind, held in rows]


def rule(old: str, new: str, cosine: float | None = None) -> Ruling | None:
    """What the rules say of `new` when `old` is known."""
    candidate = Candidate("fact", new, Span("new", "v", 0, len(new)), slot_of(new))
    return judge(candidate, [Relative("old", "v", "fact", old, slot_of(old), cosine, compare(old, new).overlap)])


def outcome(pair: Pair) -> str:
    """The action, `append` when there was no ruling, `unsteady` when the cosine changed it."""
    actions = {
        ruling.action if ruling else "append" for ruling in (rule(pair.old, pair.new), rule(pair.old, pair.new, 0.95))
    }
    return actions.pop() if len(actions) == 1 else "unsteady"


def matrix(pairs: list[Pair]) -> dict[str, dict[str, int]]:
    """Class by action: how many."""
    counts = {kind: Counter[str]() for kind in CLASSES}
    for pair in pairs:
        counts[pair.kind][outcome(pair)] += 1
    return {kind: {action: counts[kind][action] for action in ACTIONS} for kind in CLASSES}


def show(name: str, counts: dict[str, dict[str, int]]) -> str:
    """A matrix as a Markdown table."""
    head = f"**{name}**\n\n| pairs | n | {' | '.join(ACTIONS)} |\n|---|" + "--:|" * (len(ACTIONS) + 1) + "\n"
    rows = [
        f"| {kind} | {sum(row.values())} | {' | '.join(str(row[a]) for a in ACTIONS)} |" for kind, row in counts.items()
    ]
    return head + "\n".join(rows) + "\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("files", nargs="*", type=Path, default=sorted(PAIRS.glob("pairs_*.tsv")))
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--part", choices=("open", "held", "all"), default="all")
    parser.add_argument("--wrong", action="store_true")
    given = parser.parse_args()
    found = {}
    for path in given.files:
        pairs = read(path)
        for part, is_held in (("open", False), ("held", True)):
            if given.part not in (part, "all"):
                continue
            some = [pair for pair in pairs if pair.is_held == is_held]
            if not some:
                continue
            found[f"{path.stem.removeprefix('pairs_')}, {part}"] = matrix(some)
            if given.wrong:
                for pair in some:
                    if outcome(pair) not in pair.expected:
                        print(f"{outcome(pair)}, not {' or '.join(pair.expected)}: {pair.old} | {pair.new}")
    print(
        json.dumps(found, indent=2) if given.json else "\n".join(show(name, counts) for name, counts in found.items())
    )


if __name__ == "__main__":
    main()
