"""Rulings from a model: how many calls, what is believed, what goes by the rules instead."""

import re
from math import ceil
from typing import Any

import pytest
from fake import FakeLlm

from memhub.llm.call import BudgetSpentError, ModelError
from memhub.llm.prompts import load
from memhub.model.judging import Candidate, Relative, Ruling, Span
from memhub.pipeline.judge_model import judge, judge_batch

Held = tuple[Candidate, tuple[Relative, ...]]


def held(new: str, *old: str, kind: str = "fact") -> Held:
    relatives = tuple(
        Relative(f"item-{text}", f"version-{text}", "fact", text, None, 0.8, 0.5, "2026-01-02T03:04:05Z")
        for text in old
    )
    return Candidate(kind, new, Span("i", "v", 0, len(new))), relatives


def ruling(name: str, action: str, *targets: str, **fields: Any) -> dict[str, Any]:
    given = {"id": name, "action": action, "targets": list(targets), "difference": None, "reason": None}
    return {**given, "confidence": None, **fields}


def ruled(items: list[Held], *rulings: dict[str, Any]) -> list[Ruling]:
    return judge_batch(FakeLlm(lambda name, data: {"rulings": list(rulings)}), items)


def test_all_six_actions() -> None:
    items = [
        held("My boat is called 白鹭", "I like tea"),
        held("I enjoy tea a lot", "I like tea"),
        held("My cat Mo is three", "My cat is called Mo"),
        held("I moved to Berlin", "I live in Paris", "I like Paris"),
        held("The lock is green", "The lock is red"),
        held("hm, well", "I like tea"),
    ]
    found = ruled(
        items,
        ruling("c1", "append", "r1"),
        ruling("c2", "duplicate", "r2", confidence=2),
        ruling("c3", "enriches", "r3"),
        ruling("c4", "replaces", "r4", difference="Paris → Berlin", reason="moved\x1b[0m\n on", confidence=0.9),
        ruling("c5", "challenges", "r6"),
        ruling("c6", "ignore"),
    )
    assert [(one.action, one.targets) for one in found] == [
        ("append", ()),
        ("duplicate", ("item-I like tea",)),
        ("enriches", ("item-My cat is called Mo",)),
        ("replaces", ("item-I live in Paris",)),
        ("challenges", ("item-The lock is red",)),
        ("ignore", ()),
    ]
    assert {(one.judge, one.prompt, one.is_doubtful) for one in found} == {("fake", load("judge").hash, False)}
    assert (found[3].difference, found[3].reason, found[3].confidence) == ("Paris → Berlin", "moved on", 0.9)
    assert found[1].confidence == 1.0


def test_what_the_model_is_shown() -> None:
    llm = FakeLlm(lambda name, data: {"rulings": []})
    judge_batch(llm, [held("I moved", "I live in Paris"), held("新的", "旧的", "更旧的")])
    assert llm.asked == [
        (
            "judge",
            {
                "candidates": [
                    {
                        "id": "c1", "kind": "fact", "text": "I moved",
                        "relatives": [{"id": "r1", "kind": "fact", "text": "I live in Paris", "at": "2026-01-02"}],
                    },
                    {
                        "id": "c2", "kind": "fact", "text": "新的",
                        "relatives": [
                            {"id": "r2", "kind": "fact", "text": "旧的", "at": "2026-01-02"},
                            {"id": "r3", "kind": "fact", "text": "更旧的", "at": "2026-01-02"},
                        ],
                    },
                ]
            },
        )
    ]  # fmt: skip


def test_secrets_are_not_shown() -> None:
    secret = "ghp_" + "a1B2c3D4e5" * 4
    llm = FakeLlm(lambda name, data: {"rulings": []})
    judge_batch(llm, [held(f"The new token is {secret}", f"The token was {secret}")])
    assert secret not in repr(llm.asked)


@pytest.mark.parametrize(("count", "batch"), [(100, 8), (100, 100), (3, 8), (9, 1), (5, 0)])
def test_the_number_of_calls(count: int, batch: int) -> None:
    def say(name: str, data: Any) -> Any:
        return {"rulings": [ruling(one["id"], "append") for one in data["candidates"]]}

    llm = FakeLlm(say)
    found = judge(llm, [held(f"Item {n} is new", f"Item {n} was old") for n in range(count)], batch)
    assert len(found) == count
    assert len(llm.asked) == ceil(count / max(batch, 1))
    assert {one.judge for one in found} == {"fake"}


@pytest.mark.parametrize(
    ("given", "because"),
    [
        ([], "the model left it out"),
        ([ruling("c7", "replaces", "r1")], "the model left it out"),
        ([ruling("c1", "replaces", "r9")], "the model named something it was not shown"),
        ([ruling("c1", "replaces", "r1", "item-x")], "the model named something it was not shown"),
        ([ruling("c1", "replaces", "r2")], "the model named something it was not shown"),
        ([ruling("c1", "challenges")], "the model named nothing that it challenges"),
        ([ruling("c1", "append"), ruling("c1", "ignore")], "the model ruled in two ways"),
    ],
)
def test_a_ruling_that_cannot_be_goes_by_the_rules(given: list[dict[str, Any]], because: str) -> None:
    """The second candidate, ruled properly, keeps the model's ruling."""
    items = [held("The shed wants paint", "The shed is damp"), held("My cat Mo is three", "My cat is called Mo")]
    first, second = ruled(items, *given, ruling("c2", "enriches", "r2"))
    assert (first.judge, first.action, first.targets, first.is_doubtful) == (
        "rules",
        "append",
        ("item-The shed is damp",),
        True,
    )
    assert first.reason.endswith(f"(by the rules: {because})")
    assert (second.judge, second.action) == ("fake", "enriches")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Boat inspection is on 14 October", "Boat inspection is on 15 October"),
        ("Invoice 2231 is paid", "Invoice 2213 is paid"),
        ("Winch needs 2.5 litres of oil", "Winch needs 25 litres of oil"),
        ("绞车保养每六个月一次", "绞车保养每六周一次"),
        ("I like tea", "I do not like tea"),
    ],
)
def test_no_model_makes_a_duplicate_of_other_numbers_or_a_negation(old: str, new: str) -> None:
    (found,) = ruled([held(new, old)], ruling("c1", "duplicate", "r1"))
    assert found.action != "duplicate"
    assert found.judge == "rules"
    assert "the model took it for a duplicate, but" in found.reason


@pytest.mark.parametrize(
    "error", [ModelError("m gave no usable answer", kind="answer"), ModelError("m failed", kind="server")]
)
def test_a_batch_without_an_answer_goes_by_the_rules(error: ModelError) -> None:
    def say(name: str, data: Any) -> Any:
        if data["candidates"][0]["text"] == "Tea is ready":
            raise error
        return {"rulings": [ruling("c1", "enriches", "r1")]}

    items = [
        held("Tea is ready", "Tea was late"),
        held("Tea is ready", "Tea is ready"),
        held("Mo is three", "A cat, Mo"),
    ]
    first, second = judge(FakeLlm(say), items[::2], batch=1)
    assert (first.judge, second.judge) == ("rules", "fake")
    assert re.search(rf"\(by the rules: {error.message}\)$", first.reason)
    with pytest.raises(ModelError):
        judge_batch(FakeLlm(say), items)


@pytest.mark.parametrize("error", [ModelError("refused", kind="key"), BudgetSpentError("spent")])
def test_what_every_batch_would_meet_is_raised(error: Exception) -> None:
    def say(name: str, data: Any) -> Any:
        raise error

    with pytest.raises(type(error)):
        judge(FakeLlm(say), [held("a b c", "a b d")])
