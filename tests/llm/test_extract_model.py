"""Candidates from a model: what is taken, what is refused and why, windows, procedures beside statements."""

import json
import threading
from typing import Any

import pytest
from fake import FakeLlm

from memhub.llm.call import BudgetSpentError, ModelError
from memhub.model.judging import Slot, Source, Text
from memhub.pipeline.extract_model import Extraction, extract
from memhub.pipeline.procedures_model import is_engineering

BLANK = dict.fromkeys(("importance", "due", "subject", "dimension", "qualifier", "value", "corrects"))
BOATS = [
    ("user", "Which knot holds best in wet polypropylene rope?"),
    (
        "assistant",
        "I would use a double fisherman's knot. Remember: polypropylene slips. My name for it is the grapevine.",
    ),
    ("user", "Thanks. I only sail with hemp rope myself."),
    ("assistant", "Noted: you only sail with hemp rope. And you decided to replace the halyard in July."),
    ("user", 'No, I did not. You wrote "you decided to replace the halyard in July", I never said so.'),
    ("assistant", "我记错了，抱歉。我最喜欢的其实是称人结。"),
    ("user", "好。记住：我的船叫白鹭。"),
]


def conversation(turns: list[tuple[str, str]], **fields: Any) -> Source:
    texts = tuple(
        Text(f"i{n}", f"v{n}", content, role, at="2026-06-01T18:00:00Z") for n, (role, content) in enumerate(turns, 1)
    )
    return Source("thread", "turns", "default", texts, thread="thread", **fields)


def entry(turn: str, quote: str, text: str | None = None, kind: str = "fact", **fields: Any) -> dict[str, Any]:
    return {**BLANK, "kind": kind, "turn": turn, "quote": quote, "text": text or quote, **fields}


def drawn(source: Source, *entries: dict[str, Any]) -> Extraction:
    return extract(
        FakeLlm(lambda name, data: {"candidates": list(entries)} if name == "extract" else {"procedures": []}), source
    )


def test_a_quoted_statement_becomes_a_candidate_with_its_span() -> None:
    source = conversation(BOATS)
    found = drawn(
        source,
        entry("t3", "I only sail with hemp rope", "The user sails only with hemp rope.", importance=0.7),
        entry("t7", "我的船叫白鹭", importance=3),
    )
    hemp, egret = found.candidates
    assert (hemp.content, hemp.importance, hemp.by) == ("The user sails only with hemp rope.", 0.7, "fake")
    text = source.texts[2]
    assert (hemp.span.item, hemp.span.version) == (text.item, text.version)
    assert text.content[hemp.span.start : hemp.span.stop] == "I only sail with hemp rope"
    assert (egret.content, egret.importance) == ("我的船叫白鹭", 1.0)
    assert (found.refused, found.failed) == ((), ())


@pytest.mark.parametrize(
    ("offered", "reason"),
    [
        (entry("t2", "My name for it is the grapevine"), "the assistant said it, and the user did not confirm it"),
        (entry("t3", "My name for it is the grapevine"), "the assistant said it, and the user did not confirm it"),
        (entry("t6", "我最喜欢的其实是称人结"), "the assistant said it, and the user did not confirm it"),
        (
            entry("t4", "you decided to replace the halyard in July"),
            "the assistant said it, and the user did not confirm it",
        ),
        (entry("t5", "you decided to replace the halyard in July"), "the user quotes the assistant"),
        (entry("t3", "I only sail with manila rope"), "the quote does not stand in the source"),
        (entry("t3", " … "), "the quote is empty"),
        (entry("t99", "I sail"), "the quote does not stand in the source"),
    ],
)
def test_what_the_user_did_not_say_is_refused(offered: dict[str, Any], reason: str) -> None:
    found = drawn(conversation(BOATS), offered)
    assert found.candidates == ()
    assert [(one.quote, one.reason) for one in found.refused] == [(offered["quote"], reason)]


def test_a_wrong_turn_is_mended_by_the_quote() -> None:
    (candidate,) = drawn(conversation(BOATS), entry("t1", "I only sail with hemp rope")).candidates
    assert candidate.span.item == "i3"


def test_a_confirmed_sentence_of_the_assistant_is_taken() -> None:
    source = conversation([("assistant", "So the meeting moves to Friday?"), ("user", "Yes, exactly.")])
    (candidate,) = drawn(source, entry("t1", "the meeting moves to Friday")).candidates
    assert (candidate.content, candidate.span.item) == ("the meeting moves to Friday", "i1")


@pytest.mark.parametrize(
    ("quote", "said", "content"),
    [
        ("我的船叫白鹭", "The user's boat is called Egret.", "我的船叫白鹭"),
        ("I only sail with hemp rope", "用户只用麻绳。", "I only sail with hemp rope"),
        ("I only sail with hemp rope", "The user has sailed with hemp rope since 1998.", "I only sail with hemp rope"),
        ("I only sail with hemp rope", "Hemp. " * 60, "I only sail with hemp rope"),
        ("I only sail with hemp rope", "", "I only sail with hemp rope"),
        ("I only sail with hemp rope", "Sails with \x1b[31mhemp\x1b[0m rope.", "Sails with hemp rope."),
    ],
)
def test_a_translation_or_an_invention_falls_back_to_the_words(quote: str, said: str, content: str) -> None:
    (candidate,) = drawn(conversation(BOATS), {**entry("t3", quote), "text": said}).candidates
    assert candidate.content == content


def test_days() -> None:
    source = conversation([("user", "Dentist on Friday. Concert some day.")])
    dentist, concert = drawn(
        source,
        entry("t1", "Dentist on Friday", kind="intent", due="2026-06-05"),
        entry("t1", "Concert some day", kind="event", due="soon"),
    ).candidates
    assert (dentist.kind, dict(dentist.attrs)) == ("intent", {"due": "2026-06-05"})
    assert (concert.kind, dict(concert.attrs)) == ("event", {})


def test_slots() -> None:
    source = conversation([("user", "I moved to Berlin. My go-to debugger is rr. Anna dives.")])

    def slot(quote: str, **fields: Any) -> tuple[str, Slot | None]:
        (candidate,) = drawn(source, entry("t1", quote, kind="profile", **fields)).candidates
        return candidate.kind, candidate.slot

    assert slot("I moved to Berlin", dimension="place.home", value="Berlin") == (
        "profile", Slot("user", "state.location", "", "Berlin"),
    )  # fmt: skip
    assert slot("My go-to debugger is rr", dimension="preference.debugger", value="rr") == (
        "profile", Slot("user", "preference.debugger", "rr", "rr"),
    )  # fmt: skip
    assert slot("Anna dives", dimension="preference.sport", value="dives", subject="Anna", qualifier="water") == (
        "profile", Slot("Anna", "preference.sport", "water", "dives"),
    )  # fmt: skip
    assert slot("Anna dives", dimension="preference.sport", value="dives", subject="Bob")[1] == Slot(
        "user", "preference.sport", "dives", "dives"
    )
    assert slot("My go-to debugger is rr", dimension="preference.debugger", value="gdb") == ("fact", None)
    assert slot("My go-to debugger is rr", dimension="DROP TABLE", value="rr") == ("fact", None)


def test_in_a_group_i_is_the_speaker() -> None:
    texts = (Text("i1", "v1", "I moved to Berlin", "user", "Anna"), Text("i2", "v2", "Hi", "user", "Bob"))
    source = Source("thread", "turns", "default", texts, thread="thread", is_group=True)
    (candidate,) = drawn(
        source, entry("t1", "I moved to Berlin", kind="profile", dimension="state.location", value="Berlin")
    ).candidates
    assert candidate.slot == Slot("Anna", "state.location", "", "Berlin")


def test_long_sources_are_read_in_windows() -> None:
    source = conversation([("user", "Sentence number one. " * 100), ("system", "x" * 900), ("user", "The last word.")])
    llm = FakeLlm(lambda name, data: {"candidates": [entry("t3", "The last word")]})
    found = extract(llm, source, window=1000)
    assert [name for name, _ in llm.asked] == ["extract"] * 3
    assert len(found.candidates) == 1
    assert max(sum(len(turn["text"]) for turn in data["turns"]) for _, data in llm.asked) <= 1000
    assert "x" * 9 not in json.dumps([data for _, data in llm.asked])


def test_a_source_without_a_user_asks_nothing() -> None:
    llm = FakeLlm(lambda name, data: {"candidates": []})
    assert extract(llm, conversation([("assistant", "I am here to help.")])) == Extraction()
    assert llm.asked == []


SESSION = [
    ("user", "make fails: cannot find -lssl"),
    ("assistant", "Run `apt install libssl-dev`, then `make clean && make`. That fixes it."),
    ("tool", "$ apt install libssl-dev\n$ make clean && make\n[100%] Built target app"),
    ("user", "编译通过了"),
]


def steps(*given: str, outcome: str, task: str = "Fix -lssl") -> dict[str, Any]:
    return {"task": task, "steps": list(given), "outcome": outcome, "importance": None}


def test_procedures_are_drawn_beside_statements() -> None:
    source = conversation(SESSION)
    both = threading.Barrier(2, timeout=60)

    def say(name: str, data: Any) -> Any:
        both.wait()
        if name == "extract":
            return {"candidates": []}
        return {"procedures": [steps("apt install libssl-dev", "make clean && make", "reboot", outcome="编译通过了")]}

    (candidate,) = extract(FakeLlm(say), source).candidates
    assert candidate.kind == "procedure"
    assert candidate.content == "Fix -lssl\n1. apt install libssl-dev\n2. make clean && make"
    assert dict(candidate.attrs) == {
        "task": "Fix -lssl", "steps": ["apt install libssl-dev", "make clean && make"], "outcome": "编译通过了",
    }  # fmt: skip
    text = source.texts[1].content
    assert text[candidate.span.start : candidate.span.stop] == "apt install libssl-dev`, then `make clean && make"


@pytest.mark.parametrize(
    ("offered", "reason"),
    [
        (steps("rm -rf /", outcome="编译通过了"), "the steps do not stand in the source"),
        (
            steps("make clean && make", outcome="That fixes it"),
            "neither a user nor a tool's output shows that it worked",
        ),
        (
            steps("make clean && make", outcome="it all works"),
            "neither a user nor a tool's output shows that it worked",
        ),
    ],
)
def test_a_procedure_that_nobody_saw_work_is_refused(offered: dict[str, Any], reason: str) -> None:
    llm = FakeLlm(lambda name, data: {"candidates": []} if name == "extract" else {"procedures": [offered]})
    found = extract(llm, conversation(SESSION))
    assert found.candidates == ()
    assert [one.reason for one in found.refused] == [reason]


@pytest.mark.parametrize(
    ("text", "is_work"),
    [
        ("I moved to Berlin.", False),
        ("The make of the car is old.", False),
        ("$ git push\nerror: failed to push some refs", True),
        ("```\npytest -q\n```", True),
        ("构建失败，app.py 第 3 行", True),
        ("明天去柏林", False),
    ],
)
def test_engineering_sessions_are_known_by_their_signs(text: str, is_work: bool) -> None:
    assert is_engineering(conversation([("user", text)])) is is_work


def test_a_failed_window_is_told_and_does_not_keep_the_next_from_being_read() -> None:
    source = conversation([("user", "word " * 190), ("user", "The ferry leaves at 7:30. " + "word " * 100)])
    calls = []

    def say(name: str, data: Any) -> Any:
        calls.append(name)
        if len(calls) == 1:
            raise ModelError("it gave no usable answer", kind="answer")
        return {"candidates": [entry("t2", "The ferry leaves at 7:30")]}

    found = extract(FakeLlm(say), source, window=1000)
    assert [candidate.content for candidate in found.candidates] == ["The ferry leaves at 7:30"]
    assert [error.kind for error in found.failed] == ["answer"]


@pytest.mark.parametrize(
    "error", [ModelError("down", kind="unreachable"), ModelError("bad", kind="answer"), BudgetSpentError("spent")]
)
def test_without_any_answer_the_failure_is_raised(error: Exception) -> None:
    def say(name: str, data: Any) -> Any:
        raise error

    with pytest.raises(type(error)) as caught:
        extract(FakeLlm(say), conversation(SESSION))
    assert caught.value is error
