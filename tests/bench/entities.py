"""Measure the rules for names on sentences of our own, in English and Chinese.

    python tests/bench/entities.py [--misses] [--json]

Each line of `tests/digest/entities_en.jsonl` and `entities_zh.jsonl` is a sentence with every name in it that a person
would want to find again, and its type. A name counts as found when the rules give it by that one sentence alone, with
the same spelling (case aside) and the same type. Lines marked `held_out` were written after the rules were done, and
nothing was changed because of them. `spans` are the same figures when the type does not matter.
"""

import argparse
import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from memhub.text.analyse import fold
from memhub.text.names import candidates
from memhub.text.naming import name_key

FOLDER = Path(__file__).parents[1] / "digest"
LANGUAGES = ("en", "zh")


class Score(NamedTuple):
    """Counts over sentences: names found rightly, found in all, and there in all."""

    sentences: int
    right: int
    found: int
    wanted: int

    @property
    def precision(self) -> float:
        """The share of what was found that is right."""
        return self.right / max(1, self.found)

    @property
    def recall(self) -> float:
        """The share of what is there that was found."""
        return self.right / max(1, self.wanted)


def sentences(language: str) -> list[dict[str, Any]]:
    """The sentences of a language."""
    lines = (FOLDER / f"entities_{language}.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


def found_in(text: str) -> set[tuple[str, str]]:
    """What the rules find in one sentence alone."""
    return {(name_key(one.name), one.type) for one in candidates(fold(text)) if one.is_strong}


def wanted_in(sentence: dict[str, Any]) -> set[tuple[str, str]]:
    """What a person finds."""
    return {(name_key(name), kind) for name, kind in sentence["entities"]}


def score(some: Iterable[dict[str, Any]], *, types: bool = True) -> Score:
    """The counts over some sentences."""
    total = Score(0, 0, 0, 0)
    for sentence in some:
        found, wanted = found_in(sentence["text"]), wanted_in(sentence)
        if not types:
            found, wanted = {(name, "") for name, _ in found}, {(name, "") for name, _ in wanted}
        total = Score(
            total.sentences + 1, total.right + len(found & wanted), total.found + len(found), total.wanted + len(wanted)
        )
    return total


def rows() -> Iterator[dict[str, Any]]:
    """The table: each language, tuned on and held out."""
    for language in LANGUAGES:
        for part, is_held in (("tuned on", False), ("held out", True)):
            some = [one for one in sentences(language) if bool(one.get("held_out")) is is_held]
            if not some:
                continue
            typed, spans = score(some), score(some, types=False)
            yield {
                "language": language, "part": part, "sentences": typed.sentences, "names": typed.wanted,
                "precision": round(typed.precision, 3), "recall": round(typed.recall, 3),
                "spans precision": round(spans.precision, 3), "spans recall": round(spans.recall, 3),
            }  # fmt: skip


def main() -> None:
    """Print the table, and with `--misses` every sentence of the tuned part in which something differs."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--misses", action="store_true", help="show where the rules differ (tuned part only)")
    parser.add_argument("--json", action="store_true", help="one JSON document on standard output")
    given = parser.parse_args()
    table = list(rows())
    if given.json:
        print(json.dumps(table, indent=1))
        return
    for row in table:
        print("  ".join(f"{name} {value}" for name, value in row.items()))
    for language in LANGUAGES if given.misses else ():
        for one in sentences(language):
            found, wanted = found_in(one["text"]), wanted_in(one)
            if found != wanted and not one.get("held_out"):
                print(f"{one['text']}\n    wrong {sorted(found - wanted)}  missed {sorted(wanted - found)}")


if __name__ == "__main__":
    main()
