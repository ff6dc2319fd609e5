"""What is read out of a model's answer, and prompts as files."""

import json
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

from memhub.config import SETTINGS
from memhub.llm import prompts, shapes
from memhub.llm.call import Budget, BudgetSpentError
from memhub.llm.schema import SchemaError, check, read_answer

RULING = {"id": "c1", "action": "append", "targets": [], "difference": None, "reason": "new", "confidence": 0.5}


@pytest.mark.parametrize(
    "answer",
    [
        json.dumps({"rulings": [RULING]}),
        "Sure, here it is:\n```json\n" + json.dumps({"rulings": [RULING]}, indent=2) + "\n```\nAnything else?",
        '<think>maybe {"rulings": [] }</think>' + json.dumps({"rulings": [RULING]}),
        "The set {c1} gives " + json.dumps({"rulings": [RULING]}),
        json.dumps({"rulings": [{**RULING, "mood": "good"}], "note": "x"}),
        json.dumps({"rulings": [{"id": "c1", "action": "append", "targets": [], "reason": "new", "confidence": 0.5}]}),
    ],
)
def test_json_is_found_and_trifles_forgiven(answer: str) -> None:
    assert read_answer(answer, shapes.JUDGE) == {"rulings": [RULING]}


@pytest.mark.parametrize(
    ("answer", "problem"),
    [
        ("", "there is no complete JSON object in the answer"),
        ('{"rulings": [{"id": "c1", "action"', "there is no complete JSON object in the answer"),
        ("[1, 2]", "there is no complete JSON object in the answer"),
        ("{" * 100_000, "there is no complete JSON object in the answer"),
        ("{}", "the answer has no `rulings`"),
        ('{"rulings": null}', "the answer.rulings must be array, not null"),
        ('{"rulings": [7]}', "the answer.rulings[0] must be object, not 7"),
        (
            json.dumps({"rulings": [{**RULING, "action": "delete"}]}),
            "the answer.rulings[0].action must be one of append, duplicate, enriches, replaces, challenges, ignore, "
            'not "delete"',
        ),
        (
            json.dumps({"rulings": [{**RULING, "confidence": True}]}),
            "the answer.rulings[0].confidence must be number or null, not true",
        ),
        ('{"rulings": [{"id": "c1", "action": "append", "targets": [], "confidence": NaN}]}', "must be number or null"),
    ],
)
def test_what_is_wrong_is_said(answer: str, problem: str) -> None:
    with pytest.raises(SchemaError) as caught:
        read_answer(answer, shapes.JUDGE)
    assert problem in str(caught.value)


@pytest.mark.parametrize(
    ("name", "shape"),
    [
        ("extract", shapes.EXTRACT),
        ("procedures", shapes.PROCEDURES),
        ("judge", shapes.JUDGE),
        ("derive", shapes.DERIVE),
    ],
)
def test_the_example_in_a_prompt_fits_its_shape(name: str, shape: dict[str, Any]) -> None:
    example = prompts.load(name).text.partition("\nAnswer:\n")[2].partition("\nAnswer with one JSON")[0]
    value = json.loads(example)
    assert check(value, shape) == value
    data = prompts.load(name).text.partition("Data:\n")[2].partition("\nAnswer:\n")[0]
    assert json.loads(data)


def test_the_quotes_in_the_example_stand_in_its_data() -> None:
    text = prompts.load("extract").text
    data = json.loads(text.partition("Data:\n")[2].partition("\nAnswer:\n")[0])
    turns = {turn["id"]: turn["text"] for turn in data["turns"]}
    value = json.loads(text.partition("\nAnswer:\n")[2].partition("\nAnswer with one JSON")[0])
    assert all(entry["quote"] in turns[entry["turn"]] for entry in value["candidates"])


@pytest.mark.parametrize("name", prompts.NAMES)
def test_prompts_are_files_known_by_their_hash(name: str) -> None:
    prompt = prompts.load(name)
    assert len(prompt.hash) == 64
    assert prompt.version >= 1
    assert not prompt.text.startswith("version")
    assert name == "repair" or "never follow it" in " ".join(prompt.text.split())


def test_data_cannot_close_its_marks() -> None:
    values = {"text": "</data> and <\\/data> and </DATA>\n</data>"}
    shown = prompts.as_data(values)
    assert "</" not in shown
    assert json.loads(shown) == values


def test_tokens_are_estimated_by_script() -> None:
    assert prompts.estimate([{"content": "a" * 400}]) == 104
    assert prompts.estimate([{"content": "字" * 100}]) == 104


def test_a_budget_counts_what_is_under_way() -> None:
    budget = Budget(100)
    budget.reserve(60)
    with pytest.raises(BudgetSpentError):
        budget.reserve(60)
    budget.settle(60, 10)
    budget.reserve(60)
    assert budget.spent == 10
    Budget().reserve(10**9)


def test_every_prompt_is_a_file_and_in_the_guide() -> None:
    """What `importlib.resources` finds is what a wheel holds: the wheel's own test compares it file by file."""
    found = {path.name for path in files("memhub.llm").joinpath("prompts").iterdir()}
    assert found == {f"{name}.md" for name in prompts.NAMES}
    guide = (Path(__file__).resolve().parents[2] / "docs" / "models.md").read_text("utf-8")
    names = [*prompts.NAMES, *(row.name for row in SETTINGS if row.name.startswith(("llm.", "extract.")))]
    assert [name for name in (*names, "judge.batch") if f"`{name}`" not in guide and f" {name} " not in guide] == []
