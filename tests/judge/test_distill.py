"""Distilling: which conversations are worth it and why, what is saved at each level, and that nothing is done twice."""

import json

import pytest
from server import Reply

from memhub.model.judging import Source, Text
from memhub.model.thread import Message, ThreadInfo
from memhub.pipeline.triage import triage
from memhub.workspace.memory import Memory

TALK = [
    Message("We decided to ship the installer on Friday. I live in Paris now.", at="2026-02-01T10:00:00Z"),
    Message("Noted.", role="assistant", at="2026-02-01T10:01:00Z"),
]


def keep(messages, name, at_end=(), **more):
    """A thread as an import brings it: nothing of it waits to be judged."""
    with Memory() as memory:
        info = ThreadInfo(title=name, platform="codex", key=("codex", "home", name), whole=True, **more)
        added = memory.add_messages([*messages, *at_end], thread=info)
        rows = [turn.id for turn in memory.thread(added.thread.id).turns]
        with memory.store.writing():
            memory.store.connection.executemany("DELETE FROM queue WHERE item = ?", [(row,) for row in rows])
        return added.thread.id


def said(*turns, hidden=()):
    texts = tuple(
        Text(f"item{n}", f"v{n}", content, role=role, hidden=hidden) for n, (role, content) in enumerate(turns)
    )
    return [Source("thread", "turns", "space", texts, None, "thread")]


@pytest.mark.parametrize(
    ("turns", "is_worth", "reason"),
    [
        ([("user", "We decided to use SQLite."), ("assistant", "Good.")], True, "1 decision"),
        ([("user", "I live in Paris. I moved to Berlin."), ("assistant", "Ok.")], True, "2 statements"),
        ([("user", "我们决定用 SQLite。"), ("assistant", "好的。")], True, "1 decision"),
        (
            [("user", "hi there"), ("assistant", "Hello! How can I help?")],
            False,
            "small talk: 2 words of the user's own",
        ),
        ([("user", "```\nrm -rf build\n```"), ("assistant", "Done.")], False, "nothing in the user's own words"),
        ([("assistant", "Hello!")], False, "nothing in the user's own words"),
        ([("user", "please fix the build of the parser")], False, "a failed run: nothing was answered"),
        (
            [("user", "please fix the build of the parser"), ("assistant", "API Error: 529 Overloaded")],
            False,
            "a failed run: no answer but errors",
        ),
        (
            [
                (
                    "user",
                    "please look at the parser, why does it not take a comma at the end of a list of numbers here?",
                ),
                ("assistant", "The root cause was the grammar; it is fixed now."),
            ],
            True,
            "signs of 1 cause, 1 fix",
        ),
        (
            [
                (
                    "user",
                    "can you explain to me what the difference between a list and a tuple is, with examples, please?",
                ),
                ("assistant", "A list can grow."),
            ],
            False,
            "nothing decided, fixed or stated",
        ),
        (
            [("user", "tell me a long story " * 40), ("assistant", "Once …")],
            True,
            "much said: 160 words of the user's own",
        ),
    ],
)
def test_triage_says_why(turns, is_worth, reason):
    verdict = triage(said(*turns))
    assert (verdict.is_worth, verdict.reason) == (is_worth, reason)


def test_injected_memory_is_not_the_users_word():
    block = "<memory-context>We decided to use SQLite.</memory-context>"
    assert triage(said(("user", block), hidden=((0, len(block)),))).reason == "nothing in the user's own words"


def test_swift_keeps_what_rules_draw_and_only_once(mh):
    thread = keep(TALK, "Release")
    hello = keep([Message("hi"), Message("Hello!", role="assistant")], "Hello")
    code, out, err = mh("distill", thread, hello, "--dry-run")
    assert code == 0
    lines = out.splitlines()
    assert lines[0].startswith(f"distill  {thread[-6:]}  Release  (2 new turns: 1 decision, 1 statement)")
    assert "We decided to ship the installer on Friday" in lines[1]
    assert lines[-1] == f"leave    {hello[-6:]}  Hello  (2 new turns: small talk: 1 word of the user's own)"
    assert err.splitlines()[-1] == "mh: 2 conversations, 1 worth it; would judge 1 source: 2 append"
    assert mh("queue", "-q").out == ""
    assert mh("profile", "--json").out == "[]\n"

    code, again, err = mh("distill", thread, hello)
    assert code == 0
    assert [line[:8] for line in again.splitlines()] == [line[:8] for line in lines]
    assert err == "mh: 2 conversations, 1 worth it; judged 1 source: 2 append\n"
    assert [line["value"] for line in json.loads(mh("profile", "--json").out)] == ["Paris"]
    assert "distill" in mh("log", "--limit", "1").out

    code, out, err = mh("distill", thread)
    assert (code, out) == (0, f"leave    {thread[-6:]}  Release  (nothing new)\n")
    assert err == "mh: 1 conversation, 0 worth it\n"


def test_no_line_is_wider_than_the_window(mh, monkeypatch):
    from memhub.cli.output import Output
    from memhub.text.clean import display_width

    said = (
        "我们决定把日志轮转保持在第一百二十八版，不再每周升级，也不再手工检查每一台机器上的设置。",
        "We decided to ship the installer on Friday, with the new icons and without the old help pages.",
    )
    threads = [keep([Message(one, at=TALK[0].at), TALK[1]], one) for one in said]
    monkeypatch.setattr(Output, "columns", 60)
    lines = mh("distill", *threads, "--dry-run").out.splitlines()
    drawn = [line for line in lines if line.startswith("  append")]
    assert len(drawn) == 2
    assert [display_width(line) for line in lines if display_width(line) > 60] == []


def test_only_new_turns_the_next_time(mh):
    thread = keep(TALK, "Release")
    mh("distill", thread)
    later = Message("I moved to Berlin.", at="2026-02-05T10:00:00Z")
    assert keep(TALK, "Release", [later]) == thread
    report = json.loads(mh("distill", thread, "--json").out)
    assert [(one["turns"], one["is_worth"], one["reason"]) for one in report["threads"]] == [(1, True, "1 statement")]
    (source,) = report["judged"]["judged"]
    assert [result["text"] for result in source["results"]] == ["I moved to Berlin"]
    assert [line["value"] for line in json.loads(mh("profile", "--json").out)] == ["Berlin"]


def test_an_edited_turn_is_new(mh):
    thread = keep([Message("I live in Paris.", id="1")], "Home")
    mh("distill", thread, "--force")
    keep([Message("I live in Rome.", id="1")], "Home")
    assert [one["turns"] for one in json.loads(mh("distill", thread, "--json").out)["threads"]] == [1]


def test_undo_takes_a_distill_back(mh):
    thread = keep(TALK, "Release")
    mh("distill", thread)
    assert mh("undo").code == 0
    assert mh("profile", "--json").out == "[]\n"


def test_by_time_project_and_number(mh):
    first = keep(TALK, "Release", project="web")
    second = keep([Message("We decided to drop Python 3.10.", at="2026-02-09T10:00:00Z")], "Versions")
    chosen = {
        ("--since", "2026-02-08"): [second],
        ("--project", "web"): [first],
        ("--since", "2026-01-01", "--limit", "1"): [first],
        ("--until", "2026-02-28"): [first, second],
    }
    for options, wanted in chosen.items():
        report = json.loads(mh("distill", *options, "--dry-run", "--json").out)
        assert [one["thread"] for one in report["threads"]] == wanted
    assert mh("distill", "--since", "2027-01-01").err == "mh: no conversations to distill\n"


def test_what_is_asked_for_must_be_clear(mh):
    thread = keep(TALK, "Release")
    assert mh("distill").code == 2
    assert mh("distill", thread, "--since", "7d").code == 2
    assert mh("distill", thread, "--limit", "-1").code == 2
    assert mh("distill", "zzzzzz").code == 3


def test_a_level_that_needs_a_model_names_the_one_that_does_not(mh):
    thread = keep(TALK, "Release")
    for options in (["--level", "full"], ["--level", "guided", "--yes"]):
        code, _, err = mh("distill", thread, *options)
        assert code == 5
        assert "no language model is configured" in err
        assert "`swift`" in err


def test_force_takes_what_does_not_look_worth_it(mh):
    thread = keep([Message("hi"), Message("Hello!", role="assistant")], "Hello")
    code, out, _ = mh("distill", thread, "--force")
    assert code == 0
    assert "asked for all the same" in out
    assert "nothing new" in mh("distill", thread, "--force").out


class TestWithModel:
    def test_full_asks_the_model_and_saves(self, mh, told):
        told.state("the installer on Friday", "event")
        thread = keep(TALK, "Release")
        report = json.loads(mh("distill", thread, "--level", "full", "--json").out)
        assert (report["level"], report["saved"]) == ("full", True)
        assert report["judged"]["calls"] > 0
        texts = [result["text"] for result in report["judged"]["judged"][0]["results"]]
        assert any("installer on Friday" in text for text in texts)
        calls = len(told.asked)
        assert "nothing new" in mh("distill", thread, "--level", "full").out
        assert len(told.asked) == calls

    def test_what_rules_distilled_is_new_to_a_model(self, mh, told):
        thread = keep(TALK, "Release")
        mh("distill", thread)
        assert told.asked == []
        (one,) = json.loads(mh("distill", thread, "--level", "full", "--json").out)["threads"]
        assert one["turns"] == 2
        assert told.asked

    def test_guided_without_a_terminal_saves_only_when_told(self, mh, told):
        thread = keep(TALK, "Release")
        assert mh("distill", thread, "--level", "guided").code == 2
        report = json.loads(mh("distill", thread, "--level", "guided", "--dry-run", "--json").out)
        assert report["saved"] is False
        assert mh("profile", "--json").out == "[]\n"
        report = json.loads(mh("distill", thread, "--level", "guided", "--yes", "--json").out)
        assert report["saved"] is True
        assert [line["value"] for line in json.loads(mh("profile", "--json").out)] == ["Paris"]

    def test_guided_shows_what_it_saves_and_asks_the_model_once(self, mh, told):
        thread = keep(TALK, "Release")
        shown = []
        with Memory() as memory:
            no = memory.distill([thread], level="guided", approve=lambda report: bool(shown.append(report)))
            assert (no.saved, memory.profile()) == (False, [])
            asked = len(told.asked)
            yes = memory.distill([thread], level="guided", approve=lambda report: not shown.append(report))
        assert yes.saved
        assert len(shown) == 2

        def texts(report):
            return [(result.action, result.text) for source in report.judged.judged for result in source.results]

        assert texts(shown[1]) == texts(yes)
        assert len(told.asked) == asked

    def test_a_failing_model_loses_nothing(self, mh, told):
        told.on_call = lambda request: Reply(status=500, raw=b'{"error": {"message": "out of memory"}}')
        thread = keep(TALK, "Release")
        code, _, err = mh("distill", thread, "--level", "full")
        assert code == 6
        assert "it waits" in err
        assert len(mh("queue", "-q").out.split()) == 1
        told.on_call = None
        code, out, _ = mh("distill", thread, "--level", "full")
        assert code == 0
        assert "2 new turns" in out
        assert mh("queue", "-q").out == ""
