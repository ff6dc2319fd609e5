"""Rules on candidates with a model: a batch of them in one call, each held against its own relatives.

The model is believed only as far as it was asked: one ruling for each candidate, targets among that candidate's
relatives, a duplicate only where numbers and negations agree. What falls short of that goes by the rules, and the
ruling says so. No action can delete: the worst ruling adds a version or an edge that can be overturned.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from memhub.llm import prompts, shapes
from memhub.llm.call import Llm, ModelError
from memhub.model.judging import Candidate, Relative, Ruling
from memhub.pipeline import judge_rules
from memhub.pipeline.statements import compare, parse
from memhub.text.clean import clean, one_line
from memhub.text.redact import mask

Held = tuple[Candidate, tuple[Relative, ...]]
"""A candidate with its relatives."""

BATCH = 8
LONGEST = 2000
"""Characters of one text that the model is shown."""
_WITHOUT_TARGETS = ("append", "ignore")


def batches(items: Sequence[Held], batch: int = BATCH) -> Iterator[Sequence[Held]]:
    """`items` in groups of at most `batch`, each one call."""
    size = max(1, batch)
    for start in range(0, len(items), size):
        yield items[start : start + size]


def judge(llm: Llm, items: Sequence[Held], batch: int = BATCH) -> list[Ruling]:
    """A ruling for each of `items`, in ceil(n / batch) calls. A batch without a usable answer goes by the rules.

    Raises `BudgetSpentError` when a call is not allowed, and `ModelError` when no call can succeed until somebody
    changes something (`error.is_setup`): then nothing is ruled.
    """
    rulings: list[Ruling] = []
    for some in batches(items, batch):
        try:
            rulings += judge_batch(llm, some)
        except ModelError as error:
            if error.is_setup:
                raise
            rulings += [by_rules(candidate, relatives, error.message) for candidate, relatives in some]
    return rulings


def judge_batch(llm: Llm, items: Sequence[Held]) -> list[Ruling]:
    """The rulings of one call, in the order of `items`. Raises `ModelError`, `BudgetSpentError`."""
    prompt = prompts.load("judge")
    names = _names(items)
    answer = llm.complete(prompt, _shown(items, names), shapes.JUDGE)
    given: dict[str, list[dict[str, Any]]] = {}
    for entry in answer.value["rulings"]:
        given.setdefault(entry["id"], []).append(entry)
    rulings = []
    for number, (candidate, relatives) in enumerate(items):
        ruling = _ruling(given.get(f"c{number + 1}", []), candidate, relatives, names[number])
        rulings.append(replace(ruling, judge=llm.model, prompt=prompt.hash) if ruling.judge != "rules" else ruling)
    return rulings


def by_rules(candidate: Candidate, relatives: tuple[Relative, ...], because: str) -> Ruling:
    """What the rules say where a model's answer could not be used, with the reason; in doubt it is appended."""
    ruling = judge_rules.judge(candidate, relatives) or Ruling("append", is_doubtful=True)
    return replace(ruling, reason=f"{ruling.reason} (by the rules: {because})".strip())


def _names(items: Sequence[Held]) -> list[dict[str, Relative]]:
    """For each candidate its relatives by the short ids of this call, which no two candidates share."""
    count = 0
    names: list[dict[str, Relative]] = []
    for _, relatives in items:
        names.append({f"r{count + number}": relative for number, relative in enumerate(relatives, 1)})
        count += len(relatives)
    return names


def _shown(items: Sequence[Held], names: Sequence[dict[str, Relative]]) -> dict[str, Any]:
    return {
        "candidates": [
            {
                "id": f"c{number + 1}",
                "kind": candidate.kind,
                "text": mask(candidate.content)[:LONGEST],
                **({"corrects": True} if candidate.is_correction else {}),
                "relatives": [_relative(name, relative) for name, relative in names[number].items()],
            }
            for number, (candidate, _) in enumerate(items)
        ]
    }


def _relative(name: str, relative: Relative) -> dict[str, Any]:
    shown = {"id": name, "kind": relative.kind, "text": mask(relative.content)[:LONGEST]}
    return {**shown, "at": relative.at[:10]} if relative.at else shown


def _ruling(
    entries: Sequence[dict[str, Any]],
    candidate: Candidate,
    relatives: tuple[Relative, ...],
    names: dict[str, Relative],
) -> Ruling:
    """The model's ruling (`judge` still empty), or that of the rules with what was wrong with it."""
    if not entries:
        return by_rules(candidate, relatives, "the model left it out")
    if any((entry["action"], entry["targets"]) != (entries[0]["action"], entries[0]["targets"]) for entry in entries):
        return by_rules(candidate, relatives, "the model ruled in two ways")
    entry = entries[0]
    action, wanted = entry["action"], tuple(dict.fromkeys(entry["targets"]))
    if action in _WITHOUT_TARGETS:
        wanted = ()
    elif not wanted:
        return by_rules(candidate, relatives, f"the model named nothing that it {_says(action)}")
    if any(name not in names for name in wanted):
        return by_rules(candidate, relatives, "the model named something it was not shown")
    targets = tuple(names[name] for name in wanted)
    if action == "duplicate" and (objection := _objection(candidate, targets)):
        return by_rules(candidate, relatives, f"the model took it for a duplicate, but {objection}")
    return Ruling(
        action=action,
        targets=tuple(relative.item for relative in targets),
        reason=one_line(clean(entry["reason"] or ""))[:500],
        difference=one_line(clean(entry["difference"] or ""))[:200],
        confidence=1.0 if entry["confidence"] is None else min(1.0, max(0.0, float(entry["confidence"]))),
        judge="",
    )


def _says(action: str) -> str:
    return "repeats" if action == "duplicate" else action


def _objection(candidate: Candidate, targets: Sequence[Relative]) -> str:
    """What parts two statements that no judge may call the same: a number, date, version or unit, or a negation."""
    new = parse(candidate.content)
    for relative in targets:
        old = parse(relative.content)
        compared = compare(relative.content, candidate.content)
        if compared.is_equal:
            continue
        if compared.do_negations_differ:
            return "one of the two is a negation"
        counts = [sorted(token.text for token in one.core if token.is_quantity) for one in (old, new)]
        if counts[0] != counts[1]:
            return f"they differ ({', '.join(compared.differences)})"
    return ""
