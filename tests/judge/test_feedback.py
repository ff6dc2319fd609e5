"""What mh put into a prompt, and an assistant then repeated, comes back in chats and is no news."""

import json
from collections.abc import Callable
from typing import Any

from told import Told

Mh = Callable[..., Any]
FACTS = [
    "Remember: the boat key hangs behind the door.",
    "I live in Bergen.",
    "记住：缆绳放在船坞里。",
    "We decided to sell the old mast.",
]


SAID = ("the boat key hangs behind the door", "I live in Bergen", "缆绳放在船坞里", "We decided to sell the old mast")


def ask(mh: Mh, *argv: str) -> Any:
    done = mh(*argv, "--json")
    assert done.code == 0, done.err
    return json.loads(done.out)


def injected(facts: list[str], number: int) -> str:
    lines = "\n".join(f"- {fact}" for fact in facts)
    return f'<memory-context source="mh" n="{number}">\nWhat is known about the user:\n{lines}\n</memory-context>'


def chat(number: int) -> list[dict[str, str]]:
    """One session in which the context came in by one of several doors, and the assistant repeats it."""
    context = injected(FACTS, number)
    said = " ".join(FACTS)
    asked = f"Where is the key, and what about plan {number}?"
    doors: list[list[dict[str, str]]] = [
        [{"role": "user", "content": f"{context}\n\n{asked}"}],
        [{"role": "system", "content": context}, {"role": "user", "content": asked}],
        [{"role": "user", "content": f"{asked}\n{context}"}],
        [{"role": "user", "content": f"```\n{context}\n```\n{asked}"}],
        [{"role": "tool", "content": context}, {"role": "user", "content": asked}],
        [{"role": "user", "content": context.replace("</memory-context>", "")}],
    ]
    reply = {"role": "assistant", "content": f"As I remember: {said} {context}"}
    return [*doors[number % len(doors)], reply, {"role": "user", "content": "Thanks!"}]


def known(mh: Mh) -> dict[str, Any]:
    found = {}
    for layer in ("L1", "L2"):
        for item in ask(mh, "list", "--layer", layer, "-n", "0", "--state", "all"):
            found[item["id"]] = (item["content"], item["state"], item["confidence"], item["flags"])
    return found


def begin(mh: Mh) -> dict[str, Any]:
    """What the user once said himself."""
    mh("capture", stdin=json.dumps([{"role": "user", "content": " ".join(FACTS)}]))
    assert mh("judge").code == 0
    before = known(mh)
    assert {content.rstrip("。.") for content, *_ in before.values()} >= set(SAID)
    return before


def test_context_that_comes_back_a_hundred_times_is_no_news(mh: Mh, clock: Any) -> None:
    before = begin(mh)
    for number in range(100):
        clock.advance(86_400)
        assert mh("capture", stdin=json.dumps(chat(number))).code == 0
        if number % 10 == 9:
            assert mh("judge").code == 0
    assert ask(mh, "queue") == []
    assert known(mh) == before, "no new item, and no more confidence"
    assert len(ask(mh, "profile")) == 1


def test_a_model_that_takes_everything_does_not_take_it_either(mh: Mh, told: Told, clock: Any) -> None:
    before = begin(mh)
    for words in (
        "the boat key hangs behind the door",
        "I live in Bergen",
        "缆绳放在船坞里",
        "We decided to sell the old mast",
    ):
        told.state(words)
        told.rule(words, "append")
    for number in range(12):
        clock.advance(86_400)
        assert mh("capture", stdin=json.dumps(chat(number))).code == 0
    assert mh("judge").code == 0
    assert "extract" in told.asked
    assert known(mh) == before
    shown = "\n".join(request.text.partition("<data>")[2] for request in told.server.requests)
    assert "memory-context" not in shown, "a model is not even shown what was injected"
