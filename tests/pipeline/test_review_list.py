"""What is offered for review: of what only one place says, that which deserves a look."""

from collections.abc import Iterator
from dataclasses import replace

import pytest
from scripted import Scripted, quote, run

from memhub import Memory
from memhub.model.thread import Message, ThreadInfo


@pytest.fixture
def memory() -> Iterator[Memory]:
    with Memory() as opened:
        yield opened


def drawn(memory: Memory, words: str, by: str, importance: float = 0.5) -> str:
    """A statement drawn from a chat; returns its item."""
    memory.add_messages([Message(f"Well, {words}, as you know.")], thread=ThreadInfo())
    before = {item.id for item in memory.list(limit=0)}
    one = Scripted(
        lambda source: [replace(quote(source, words), by=by, importance=importance)], lambda candidate, source: None
    )
    run(memory, one)
    (item,) = {item.id for item in memory.list(limit=0)} - before
    assert memory.get(item).confidence == 0.6
    return item


def reviewed(memory: Memory) -> list[tuple[str, str]]:
    return [(entry.item.id, entry.reason) for entry in memory.review()]


def test_what_rules_drew_needs_nobody(memory: Memory) -> None:
    for number in range(5):
        drawn(memory, f"the depot opens gate {number}", "rules", 0.8)
    assert memory.review() == []


def test_what_a_model_drew_from_one_place_is_offered_the_most_important_first(memory: Memory) -> None:
    small = drawn(memory, "the winch is green", "ollama/qwen", 0.2)
    great = drawn(memory, "the winch needs oil", "ollama/qwen", 0.7)
    reason = "ollama/qwen drew it, and only one place says so"
    assert reviewed(memory) == [(great, reason), (small, reason)]
    memory.resolve(great, "new")
    memory.resolve(small, "old")
    assert memory.review() == []


@pytest.mark.parametrize("change", [{"importance": 0.9}, {"pinned": True}])
def test_what_matters_is_offered_whoever_drew_it(memory: Memory, change: dict[str, float | bool]) -> None:
    item = drawn(memory, "the gate code is 4711", "rules")
    memory.set([item], **change)
    assert reviewed(memory) == [(item, "it matters to you, and only one place says so")]
    memory.undo()
    assert memory.review() == []


def test_what_a_person_put_right_is_settled(memory: Memory) -> None:
    item = drawn(memory, "the winch is green", "ollama/qwen")
    memory.update(item, content="The winch is red")
    assert memory.review() == []
