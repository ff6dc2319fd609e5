"""What is drawn from notes and turns: the writer's own statements, each with its exact span, and nothing else."""

import time

import pytest

from memhub.model.judging import Candidate, Source, Text
from memhub.pipeline.extract_rules import extract

AT = "2026-06-01T18:00:00Z"  # a Monday


def turns(*said: str | tuple[str, str], is_group: bool = False, speaker: str | None = None) -> Source:
    texts = []
    for number, entry in enumerate(said):
        role, content = ("user", entry) if isinstance(entry, str) else entry
        texts.append(Text(f"item{number}", "v", content, role, speaker=speaker, at=AT))
    return Source("thread", "turns", "home", tuple(texts), is_group=is_group)


def note(content: str, hidden: tuple[tuple[int, int], ...] = ()) -> Source:
    return Source("item", "note", "home", (Text("item", "v", content, at=AT, hidden=hidden),))


def drawn(source: Source) -> list[tuple[str, str]]:
    found = extract(source)
    contents = {text.item: text.content for text in source.texts}
    for candidate in found:
        assert candidate.content == contents[candidate.span.item][candidate.span.start : candidate.span.stop]
    return [(candidate.kind, candidate.content) for candidate in found]


def only(source: Source) -> Candidate:
    (candidate,) = extract(source)
    return candidate


CONVERSATION = (
    "Which knot holds best in wet polypropylene rope?",
    ("assistant",
    "I would use a double fisherman's knot. I prefer it over the sheet bend, and I always leave long tails. "
     "Remember: polypropylene slips. My name for it is the grapevine."),
    "Thanks. I only sail with hemp rope myself.",
    ("assistant",
    "Noted: you only sail with hemp rope. So you should switch to manila, it is what you like best, and you "
     "decided to replace the halyard in July."),
    'No, I did not decide that. You wrote "you decided to replace the halyard in July", I never said so.',
    ("assistant", "我记错了，抱歉。我最喜欢的其实是称人结。"),
    "好。记住：我的船叫白鹭。",
)  # fmt: skip


def test_only_the_users_own_words_count() -> None:
    assert drawn(turns(*CONVERSATION)) == [("fact", "I only sail with hemp rope myself"), ("profile", "我的船叫白鹭")]
    hemp, boat = extract(turns(*CONVERSATION))
    assert (hemp.span.item, hemp.span.start, hemp.span.stop) == ("item2", 8, 41)
    assert boat.slot is not None
    assert boat.slot.key == ("user", "possession.name", "船")


@pytest.mark.parametrize(
    ("said", "found"),
    [
        ("Remember that the gate code is 4471.", [("fact", "the gate code is 4471")]),
        ("Could you please remember that my boat is called Heron?", [("profile", "my boat is called Heron")]),
        ("Remember:\n- the spare key hangs behind the clock", [("fact", "the spare key hangs behind the clock")]),
        ("请记住，备用钥匙挂在钟后面。", [("fact", "备用钥匙挂在钟后面")]),
        ("We decided to use PostgreSQL for billing.", [("fact", "We decided to use PostgreSQL for billing")]),
        ("我们决定用 Redis 存会话。", [("fact", "我们决定用 Redis 存会话")]),
        ("Actually, the server runs Debian 12.", [("fact", "Actually, the server runs Debian 12")]),
        ("会议改成十一点半。", [("fact", "会议改成十一点半")]),
        ("I no longer smoke.", [("fact", "I no longer smoke")]),
        ("I don't eat peanuts. I live in Oslo!", [("fact", "I don't eat peanuts"), ("profile", "I live in Oslo")]),
        ("我不吃花生。我叫李雷。", [("fact", "我不吃花生"), ("profile", "我叫李雷")]),
        ("Met Anna on 14 May.", [("event", "Met Anna on 14 May")]),
        ("昨天见了安娜。", [("event", "昨天见了安娜")]),
    ],
)
def test_what_is_drawn_from_a_turn(said: str, found: list[tuple[str, str]]) -> None:
    assert drawn(turns(said)) == found


@pytest.mark.parametrize(
    "said",
    [
        "I never said so.", "No, I did not decide that.", "Did we decide to use Redis?",
        "I think we might move to Madrid.",
        "If I lived in Rome I would smile.", "Actually, that is not what I meant.", "I like it.",
        "I only get this error.",
        "> My name is Anna", "```\nMy name is Anna\n```", 'He wrote "My name is Anna and I live in Rome".',
        "Anna says I live in Paris.",
        "我没决定。", "我住在巴黎吗？", "小王说我住在巴黎。", "如果我住在巴黎，我会说法语。",
        "I remember the summer.", "Remember when we sailed?",
        "How do I undo this?", "",
    ],
)  # fmt: skip
def test_what_is_not(said: str) -> None:
    assert drawn(turns(said)) == []


@pytest.mark.parametrize(
    ("said", "due", "written"),
    [
        ("I'll send the invoice by Friday.", "2026-06-05", "by Friday"),
        ("Remind me to call Ida tomorrow", "2026-06-02", "tomorrow"),
        ("We have to renew the permit in 3 weeks.", "2026-06-22", "in 3 weeks"),
        ("I will pay the berth on 14 October.", "2026-10-14", "14 October"),
        ("I will pay the berth on 3 May 2027.", "2027-05-03", "3 May 2027"),
        ("好主意，我明天订酒店", "2026-06-02", "明天"),
        ("I will send the report by next Friday.", "2026-06-12", "next Friday"),
        ("提醒我明天买票", "2026-06-02", "明天"),
        ("我们下周三要交报告", "2026-06-10", "下周三"),
        ("I'll fix the roof next spring.", "next spring", "next spring"),
    ],
)
def test_a_commitment_knows_when_it_is_due(said: str, due: str, written: str) -> None:
    candidate = only(turns(said))
    assert (candidate.kind, candidate.attrs["due"], candidate.attrs["due_text"]) == ("intent", due, written)


def test_without_a_time_a_relative_day_stays_as_written() -> None:
    source = Source("t", "turns", "home", (Text("i", "v", "I'll send the invoice by Friday."),))
    assert only(source).attrs["due"] == "by Friday"


def test_corrections_are_marked() -> None:
    assert only(turns("Actually, the server runs Debian 12.")).is_correction
    assert not only(turns("We decided to use PostgreSQL.")).is_correction


def test_a_note_is_a_candidate_and_may_hold_profile_lines() -> None:
    content = "Trip plan. I live in Oslo. We decided to take the ferry."
    assert drawn(note(content)) == [("note", content), ("profile", "I live in Oslo")]
    whole = only(note("Boat inspection is on 14 October"))
    assert (whole.kind, whole.span.start, whole.span.stop) == ("note", 0, 32)


def test_a_pasted_session_yields_facts_decision_and_procedure() -> None:
    filler = "The weather was grey and the harbour quiet, as it is most days of the year out here. " * 4
    pasted = (
        f"User: the build fails with ENOSPC\nAssistant: I prefer pnpm. We decided to use it.\n{filler}\n"
        "User: We decided to keep npm. The gate code changed. I don't use pnpm.\n\n"
        "```sh\nrm -rf node_modules\nnpm ci\n```\n"
        "All tests passed now.\n"
    )
    found = drawn(note(pasted))
    assert found[0] == ("note", pasted)
    assert ("fact", "We decided to keep npm") in found
    assert ("fact", "I don't use pnpm") in found
    assert ("procedure", "rm -rf node_modules\nnpm ci") in found
    assert not any("prefer" in content or "use it" in content for kind, content in found if kind != "note")


def test_hidden_spans_yield_nothing() -> None:
    content = "<memory-context>I live in Rome.</memory-context> I live in Oslo."
    found = drawn(note(content, hidden=((0, 48),)))
    assert found == [("note", content), ("profile", "I live in Oslo")]


def test_in_a_group_i_is_who_speaks() -> None:
    candidate = only(turns("I live in Oslo.", is_group=True, speaker="张三"))
    assert candidate.slot is not None
    assert (candidate.slot.subject, candidate.slot.dimension) == ("张三", "state.location")


SHELL = "```sh\nrm -rf node_modules\nnpm ci\n```"


def test_commands_that_ended_in_success_are_a_procedure() -> None:
    candidate = only(turns("The build fails with ENOSPC", ("assistant", f"Try:\n{SHELL}"), "That worked, thanks!"))
    assert (candidate.kind, candidate.content) == ("procedure", "rm -rf node_modules\nnpm ci")
    assert candidate.attrs["task"] == "The build fails with ENOSPC"
    assert candidate.attrs["steps"] == ["rm -rf node_modules", "npm ci"]
    assert only(turns("怎么修构建", "$ npm ci\n$ npm test", "好了")).attrs["steps"] == ["npm ci", "npm test"]


@pytest.mark.parametrize("answer", ["That did not work.", "还是不行", "Interesting.", "Did it work?"])
def test_commands_without_success_are_none(answer: str) -> None:
    assert drawn(turns("The build fails", ("assistant", f"Try:\n{SHELL}"), answer)) == []


@pytest.mark.parametrize(
    "unit",
    [
        "I live in Berlin, since 2019. ",
        "我住在柏林，在北风工作。",
        'I like "\n',
        "$ ls\n",
        "```\n",
        "remember that ",
        "一",
        "\n",
        "ok, ",
        "1,",
    ],
)
def test_time_grows_with_the_length_alone(unit: str) -> None:
    def spent(size: int) -> float:
        source = note(unit * (size // len(unit)))
        begin = time.process_time()
        extract(source)
        return time.process_time() - begin

    spent(10_000)
    small, large = spent(50_000), spent(400_000)
    assert large < 8 * 3 * small + 0.2


@pytest.mark.parametrize(
    ("text", "kind", "content"),
    [
        ("No, we decided to stay on clang 17.", "fact", "No, we decided to stay on clang 17"),
        ("Our release branch is called stable-9.", "fact", "Our release branch is called stable-9"),
        ("The staging server is staging.lantern.example.", "fact", "The staging server is staging.lantern.example"),
        ("I no longer live in Paris, I moved to Berlin", "profile", "I moved to Berlin"),
        ("我不住在巴黎了，我搬到了柏林。", "profile", "我搬到了柏林"),
    ],
)
def test_what_a_working_session_settles(text: str, kind: str, content: str) -> None:
    found = extract(Source("x", "turns", "s", (Text("i", "v", text),)))
    assert [(candidate.kind, candidate.content) for candidate in found] == [(kind, content)]
