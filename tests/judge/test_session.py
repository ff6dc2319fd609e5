"""A conversation with other people's words in it, and a long working session: what is drawn, and from which lines."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from told import Told

DATA = Path(__file__).parent / "data"
CHAT = (DATA / "whose-words.json").read_text("utf-8")
SESSION = (DATA / "session.txt").read_text("utf-8")
Mh = Callable[..., Any]


def ask(mh: Mh, *argv: str) -> Any:
    done = mh(*argv, "--json")
    assert done.code == 0, done.err
    return json.loads(done.out)


def quotes(mh: Mh, item: str) -> list[str]:
    """The words an item was drawn from, as `why` shows them."""
    return [span["text"] for span in ask(mh, "why", item)["spans"]]


def known(mh: Mh) -> list[Any]:
    """Facts and profile lines."""
    return [item for layer in ("L1", "L2") for item in ask(mh, "list", "--layer", layer)]


def capture(mh: Mh) -> list[str]:
    """Keep the conversation about knots; returns its turns."""
    done = mh("capture", "-q", stdin=CHAT)
    assert done.code == 0, done.err
    return [turn["id"] for turn in ask(mh, "thread", "show", done.out.strip())["turns"]]


def check_whose_words(mh: Mh, turns: list[str]) -> None:
    """What holds with and without a model."""
    found = known(mh)
    contents = " | ".join(item["content"] for item in found)
    assert "hemp rope" in contents
    assert "我的船叫白鹭" in contents
    for foreign in (
        "fisherman",
        "sheet bend",
        "long tails",
        "grapevine",
        "polypropylene",
        "manila",
        "halyard",
        "称人结",
    ):
        assert foreign not in contents, foreign
    owned = {turns[2], turns[6]}
    for item in found:
        why = ask(mh, "why", item["id"])
        assert {span["item"] for span in why["spans"]} <= owned, item["content"]
        assert why["spans"], item["content"]
        for span in why["spans"]:
            assert span["text"] in ask(mh, "show", span["item"])["content"]
        assert why["support"] == 1, "what the assistant repeats is no support"
    (boat,) = [line for line in ask(mh, "profile") if line["dimension"] == "possession.name"]
    assert (boat["value"], boat["text"]) == ("白鹭", "我的船叫白鹭")
    assert len(ask(mh, "list", "--layer", "L0")) == 7
    hits = ask(mh, "search", "grapevine")
    assert turns[1] in {hit["id"] for hit in hits}
    assert ask(mh, "queue") == []


def test_whose_words_without_a_model(mh: Mh) -> None:
    turns = capture(mh)
    assert mh("judge").code == 0
    check_whose_words(mh, turns)


def test_whose_words_with_a_model_that_believes_everybody(mh: Mh, told: Told) -> None:
    for quote in (
        "I only sail with hemp rope myself",
        "I prefer it over the sheet bend",
        "I always leave long tails",
        "polypropylene slips",
        "My name for it is the grapevine",
        "you only sail with hemp rope",
        "you should switch to manila",
        "you decided to replace the halyard in July",
        "我最喜欢的其实是称人结",
        "我的船叫白鹭",
    ):
        told.state(quote)
    turns = capture(mh)
    assert mh("judge").code == 0
    check_whose_words(mh, turns)
    ignored = [one for one in ask(mh, "rulings", "-n", "0") if one["action"] == "ignore"]
    assert {one["source"] for one in ignored} == {turns[1], turns[3], turns[4], turns[5]}
    reasons = {one["reason"] for one in ignored}
    assert reasons <= {
        "the assistant said it, and the user did not confirm it",
        "the user quotes the assistant",
    }


def test_a_confirmed_word_of_the_assistant_counts(mh: Mh, told: Told) -> None:
    told.state("the boat is a Folkboat")
    chat = [
        {"role": "assistant", "content": "So the boat is a Folkboat."},
        {"role": "user", "content": "Yes, that's right. What rope does it need?"},
    ]
    thread = mh("capture", "-q", stdin=json.dumps(chat)).out.strip()
    assert mh("judge").code == 0
    (fact,) = ask(mh, "list", "--layer", "L1")
    assert fact["content"] == "the boat is a Folkboat"
    assert quotes(mh, fact["id"]) == ["the boat is a Folkboat"]
    assert ask(mh, "thread", "show", thread)["turns"][0]["id"] == ask(mh, "why", fact["id"])["spans"][0]["item"]


STEPS = ["apt install libssl-dev", "make clean", "make all"]


FACTS = {"the build server runs Debian 12", "My deploy user is called harbour-ci", "our registry listens on 5443"}
DECISION = "We decided to pin the compiler to version 13.2 until the spring release"


def check_session(mh: Mh) -> None:
    """Three facts, one decision, the procedure; each shows its lines."""
    items = [item for item in known(mh) if item["kind"] != "note"]
    texts = {item["content"].removeprefix("Actually, ").rstrip(".") for item in items}
    assert texts >= FACTS | {DECISION}
    assert len([text for text in texts if "compiler" in text]) == 1
    assert not [text for text in texts if "quota" in text or "cache was" in text]
    (procedure,) = [item for item in items if item["kind"] == "procedure"]
    assert procedure["attrs"]["steps"] == STEPS
    assert "fix the build" in procedure["attrs"]["task"]
    (words,) = quotes(mh, procedure["id"])
    assert words.splitlines() == STEPS
    for item in items:
        assert quotes(mh, item["id"]), item["content"]
        assert all(quote and quote in SESSION for quote in quotes(mh, item["id"]))


@pytest.mark.parametrize("way", ["add", "capture"])
def test_a_pasted_session_without_a_model(mh: Mh, way: str) -> None:
    if way == "add":
        assert mh("add", "-", stdin=SESSION).code == 0
    else:
        assert mh("capture", stdin=json.dumps([{"role": "user", "content": SESSION}])).code == 0
    assert mh("judge").code == 0
    check_session(mh)


def test_a_pasted_session_with_a_model(mh: Mh, told: Told) -> None:
    for fact in sorted(FACTS):
        told.state(fact)
    told.state("We decided to pin the compiler to version 13.2", text="The compiler stays at version 13.2.")
    told.state("while I am away next week", "event", text="I am away next week.", due="2026-02-16")
    told.procedures = [
        {"task": "fix the build", "steps": STEPS, "outcome": "After that the build passed", "importance": 0.7}
    ]
    assert mh("add", "-", stdin=SESSION).code == 0
    assert mh("judge").code == 0
    check_session(mh)
    assert sorted(told.asked) == ["extract", "procedures"]
    (away,) = [item for item in known(mh) if item["content"] == "I am away next week."]
    assert (away["kind"], away["attrs"]["due"]) == ("event", "2026-02-16")
    assert quotes(mh, away["id"]) == ["while I am away next week"]


def test_a_procedure_only_a_model_can_see(mh: Mh, told: Told) -> None:
    chat = [
        {"role": "user", "content": "The app does not start: error: port 8080 is taken, see server.py"},
        {"role": "assistant", "content": "Stop the old one with systemctl stop harbour, then start it with make run."},
        {"role": "user", "content": "Great, it starts now."},
    ]
    steps = ["systemctl stop harbour", "make run"]
    told.procedures = [
        {"task": "free port 8080", "steps": steps, "outcome": "it starts now", "importance": None},
        {"task": "made up", "steps": ["rm -rf /"], "outcome": "it starts now", "importance": None},
    ]
    mh("capture", stdin=json.dumps(chat))
    assert mh("judge").code == 0
    (procedure,) = ask(mh, "list", "--kind", "procedure")
    assert procedure["content"] == "free port 8080\n1. systemctl stop harbour\n2. make run"
    assert quotes(mh, procedure["id"]) == ["systemctl stop harbour, then start it with make run"]
