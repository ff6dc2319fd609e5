"""Capturing conversations, as a user and a bot see it."""

import json

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from memhub.cli.read_messages import conversation
from memhub.errors import UsageError
from memhub.text.dates import Zone

_KEYS = st.sampled_from(
    [
        "role",
        "content",
        "text",
        "name",
        "speaker",
        "id",
        "date",
        "timestamp",
        "attrs",
        "messages",
        "thread",
        "parts",
        "x",
    ]
)
TURNS = [
    {"role": "user", "content": "Where is the key of the boat?", "created_at": "2026-02-09T18:00:00Z"},
    {"role": "assistant", "content": "It hangs behind the door.", "created_at": "2026-02-09T18:00:05Z"},
]
GROUP = """\
(Telegram 群组「开发讨论」 机器人「小助手」)
[张三|u1|2026-02-09T10:00:00Z] 明天十点开会
[小助手] 好的
[李四|u7] 我晚点到
火车晚点了
"""


def captured(mh, text, *options):
    given = text if isinstance(text, str) else json.dumps(text, ensure_ascii=False)
    code, out, err = mh("capture", "--json", *options, stdin=given)
    assert (code, err) == (0, ""), err
    return json.loads(out)


def turns_of(mh, thread):
    return json.loads(mh("thread", "show", thread, "--json").out)["turns"]


def test_a_list_of_messages(mh):
    code, out, err = mh("capture", stdin=json.dumps(TURNS))
    assert (code, err) == (0, "")
    assert out.startswith("captured ")
    assert out.endswith("  2 turns  Where is the key of the boat?\n")
    thread = mh("thread", "list", "-q").out.strip()
    turns = turns_of(mh, thread)
    assert [(turn["layer"], turn["kind"], turn["attrs"]["role"], turn["created_at"]) for turn in turns] == [
        ("L0", "turn", "user", "2026-02-09T18:00:00Z"),
        ("L0", "turn", "assistant", "2026-02-09T18:00:05Z"),
    ]
    assert mh("search", "-q", "hangs behind the door", "--exact").out.strip() == turns[1]["id"]


def test_the_whole_answer(mh):
    answer = captured(mh, GROUP)
    assert (answer["platform"], answer["chat_type"], answer["chat_name"]) == ("Telegram", "群组", "开发讨论")
    assert answer["bot_name"] == "小助手"
    assert {(who["name"], who["id"]) for who in answer["participants"]} == {
        ("张三", "u1"), ("小助手", None), ("李四", "u7"),
    }  # fmt: skip
    assert (answer["status"], answer["added"], answer["known"], answer["length"]) == ("created", 3, 0, 3)
    assert (answer["left_out"], answer["masked"]) == (0, [])
    turns = turns_of(mh, answer["id"])
    assert [turn["content"] for turn in turns] == ["明天十点开会", "好的", "我晚点到\n火车晚点了"]
    assert [turn["attrs"]["role"] for turn in turns] == ["user", "assistant", "user"]
    assert turns[0]["created_at"] == "2026-02-09T10:00:00Z"
    assert mh("capture", "-q", stdin=GROUP).out == answer["id"] + "\n"  # the same chat goes on


def test_a_turn_is_found_by_its_speaker(mh):
    turns = turns_of(mh, captured(mh, GROUP)["id"])
    assert mh("search", "李四", "--mode", "words", "-q").out.split()[0] == turns[2]["id"]
    assert mh("search", "小助手", "--mode", "words", "-q").out.split()[0] == turns[1]["id"]


def test_a_speaker_who_renames_himself_stays_one(mh):
    for name in ("张三", "张三 (休假)"):
        message = {"content": f"我是{name}", "speaker": {"name": name, "id": "u1"}}
        answer = captured(mh, message, "--thread", "team chat")
    assert answer["participants"] == [{"name": "张三 (休假)", "id": "u1"}]
    turns = turns_of(mh, answer["id"])
    assert [(turn["attrs"]["speaker"], turn["attrs"]["speaker_id"]) for turn in turns] == [
        ("张三", "u1"), ("张三 (休假)", "u1"),
    ]  # fmt: skip


def test_an_object_with_all_that_a_platform_knows(mh):
    document = {
        "platform": "slack", "chat_type": "channel", "chat_name": "ops", "bot_name": "Hal", "thread": "C123",
        "title": "The outage", "project": "web", "space": "work",
        "messages": [
            {"name": "Anna", "user_id": 42, "text": "web1 is down", "ts": "1.5", "timestamp": 1770660000},
            {"name": "Hal", "content": [{"type": "text", "text": "On it."}, {"type": "image_url", "image_url": {}}]},
            {"role": "assistant", "content": None, "tool_calls": [{"id": "x"}]},
        ],
    }  # fmt: skip
    mh("space", "new", "work")
    code, out, err = mh("capture", "--json", stdin=json.dumps(document))
    assert (code, err) == (0, "mh: left out 1 message without a text\n")
    answer = json.loads(out)
    wanted = {"platform": "slack", "chat_name": "ops", "title": "The outage", "project": "web", "space": "work"}
    assert {key: answer[key] for key in wanted} == wanted
    assert answer["left_out"] == 1
    first, second = turns_of(mh, answer["id"])
    assert first["attrs"] == {"role": "user", "speaker": "Anna", "speaker_id": "42", "ts": "1.5"}
    assert first["created_at"] == "2026-02-09T18:00:00Z"
    assert (second["attrs"]["role"], second["content"]) == ("assistant", "On it.")
    again = captured(mh, {"content": "solved", "name": "Anna", "platform": "slack", "thread": "C123", "space": "work"})
    assert (again["id"], again["length"]) == (answer["id"], 3)


def test_options_win_over_the_document(mh):
    answer = captured(mh, {"content": "x", "platform": "a"}, "--platform", "b", "--chat-name", "n", "--title", "T")
    assert (answer["platform"], answer["chat_name"], answer["title"]) == ("b", "n", "T")


@pytest.mark.parametrize("how", ["id", "suffix"])
def test_going_on_with_a_thread(mh, how):
    thread = captured(mh, TURNS)["id"]
    answer = captured(mh, {"content": "Thanks"}, "--thread", thread if how == "id" else thread[-6:])
    assert (answer["id"], answer["length"]) == (thread, 3)


def test_equal_turns_are_two_unless_the_request_is_the_same(mh):
    assert captured(mh, [TURNS[0], TURNS[0]])["added"] == 2
    assert captured(mh, TURNS)["status"] == "created"
    first = captured(mh, TURNS, "--request-id", "r1")
    again = captured(mh, TURNS, "--request-id", "r1")
    assert (first["status"], again["status"], again["known"]) == ("created", "known", 2)
    assert again["id"] == first["id"]
    document = {"request_id": "r2", "messages": [{"content": "no time given"}]}
    first = captured(mh, document)
    assert first["started_at"] == "2026-02-10T12:00:00Z"
    assert captured(mh, document)["status"] == "known"


def test_a_whole_conversation_again_and_longer(mh):
    first = captured(mh, TURNS, "--whole", "--thread", "session-7")
    again = captured(mh, [*TURNS, {"role": "user", "content": "Thanks"}], "--whole", "--thread", "session-7")
    assert (first["added"], again["added"], again["known"], again["id"]) == (2, 1, 2, first["id"])


def test_a_whole_conversation_into_a_known_thread(mh):
    thread = captured(mh, TURNS, "--whole", "--thread", "session-7")["id"]
    again = captured(mh, [*TURNS, {"content": "Thanks"}], "--whole", "--thread", thread)
    assert (again["id"], again["added"], again["known"]) == (thread, 1, 2)
    code, _, err = mh("capture", "--whole", stdin=json.dumps(TURNS))
    assert (code, err.split("\n")[0]) == (2, "mh: error: `--whole` cannot know which conversation this is")


@pytest.mark.parametrize(
    ("message", "role", "content"),
    [
        ({"role": "model", "parts": [{"text": "a"}, {"text": "b"}]}, "assistant", "a\nb"),
        ({"role": "user", "content": {"content_type": "text", "parts": ["a"]}}, "user", "a"),
        ({"role": "developer", "content": [{"type": "input_text", "text": "a"}]}, "system", "a"),
        ({"role": "human", "content": [{"type": "tool_result", "content": []}, "a"]}, "user", "a"),
        ({"author": {"role": "tool", "name": "python"}, "content": "a\x1b[2J"}, "tool", "a"),
    ],
)
def test_messages_as_other_interfaces_write_them(mh, message, role, content):
    [turn] = turns_of(mh, captured(mh, message)["id"])
    assert (turn["attrs"]["role"], turn["content"]) == (role, content)


def test_what_would_be_the_judges_own_words_is_not_taken(mh):
    message = {
        "content": "x",
        "drawn_from": "y",
        "confirmed": True,
        "model": "m",
        "attrs": {"role": "system", "deep": {"k": "v"}},
    }
    [turn] = turns_of(mh, captured(mh, message)["id"])
    assert turn["attrs"] == {"role": "user", "model": "m", "deep": {"k": "v"}}


_SCALARS = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8) | st.just("2026-01-01")
_VALUES = st.recursive(
    _SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_KEYS, inner, max_size=4), max_leaves=8
)


@given(_VALUES | st.lists(st.dictionaries(_KEYS, _VALUES, max_size=5), max_size=3))
@example([{"content": "x", "date": 10**400}])
@example([{"content": "\ud800", "name": "\x00"}])
def test_whatever_comes_is_understood_or_refused(document):
    try:
        found = conversation(json.dumps(document), None, Zone())
    except UsageError:
        return
    for message in found.messages:
        assert message.content.strip()
        assert json.dumps(message._asdict(), ensure_ascii=False).encode()


def test_numbers_that_are_none(mh):
    [turn] = turns_of(mh, captured(mh, '{"content": "x", "a": NaN, "attrs": {"b": [-Infinity, 1.5]}}')["id"])
    assert turn["attrs"] == {"role": "user", "a": None, "b": [None, 1.5]}


@pytest.mark.parametrize("text", ["[" * 100_000, '[{"content": "x", "n": ' + "9" * 5000 + "}]", "{" * 3])
def test_absurd_json(mh, text):
    assert mh("capture", stdin=text).code == 2


def test_secrets_are_masked_and_reported(mh):
    secret = "ghp_abcdefghijklmnopqrstuvwxyz0123456789"
    messages = [{"content": "hello"}, {"content": f"use {secret}", "attrs": {"header": f"Bearer {secret}"}}]
    code, out, err = mh("capture", "--json", stdin=json.dumps(messages))
    assert (code, err) == (0, "mh: masked 1 secret in message 2 (github-token)\n")
    assert json.loads(out)["masked"] == [{"where": "message 2", "kinds": ["github-token"]}]
    assert secret not in mh("list", "--json", "--limit", "0").out
    assert turns_of(mh, json.loads(out)["id"])[1]["content"] == "use [masked github-token]"


@pytest.mark.parametrize(
    ("time", "stored"),
    [
        ("2026-02-09T18:00:00+08:00", "2026-02-09T10:00:00Z"),
        ("2026-02-09 18:00", "2026-02-09T18:00:00Z"),
        ("2026-02-09", "2026-02-09"),
        (1770660000, "2026-02-09T18:00:00Z"),
        (1770660000.5, "2026-02-09T18:00:00.500Z"),
        (1770660000000, "2026-02-09T18:00:00Z"),
        ("1770660000", "2026-02-09T18:00:00Z"),
        ("Mon, 09 Feb 2026 18:00:00 +0000", "2026-02-09T18:00:00Z"),
    ],
)
def test_times(mh, time, stored):
    thread = captured(mh, {"content": "x", "date": time})["id"]
    assert turns_of(mh, thread)[0]["created_at"] == stored


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "nothing to capture: standard input is empty"),
        ("[]", "no messages in it"),
        ('[{"role": "assistant", "content": null}]', "no message with a text"),
        ("just words", "line 1 begins no conversation"),
        ('{"role": "user", "content": "x"', "line 1, column 32: not valid JSON (expecting ',' delimiter)"),
        ('[{"content": "x"}, 7]', "message 2 is a number, not an object"),
        ('[{"content": 7}]', "message 1: `content` is a number, not text"),
        ('[{"msg": "x"}]', "message 1 has no `content` (there is `msg`)"),
        ('[{"content": "x", "role": "boss"}]', "message 1: there is no role `boss`"),
        ('[{"content": "x", "date": "soon"}]', "message 1: `date`: `soon` is no date"),
        ('[{"content": "x", "date": true}]', "message 1: `date` is true or false, not a time"),
        ('[{"content": "x", "date": 1e30}]', "message 1: `date`: 1e+30 is no time"),
        ('[{"content": "x", "name": ["a"]}]', "message 1: `name` is a list, not text"),
        ('[{"content": [{"type": "text"}]}]', "message 1: `content`: part 1 has no text"),
        ('{"messages": {"content": "x"}}', "`messages` is an object, not a list of messages"),
        ('{"messages": [{"content": "x"}], "platform": []}', "the conversation: `platform` is a list, not text"),
        ("[A] x\n[B||soon] y", "line 2: `soon` is no date"),
        ("[A] x\n[B|||boss] y", "line 2: there is no role `boss`"),
    ],
)
def test_bad_input_names_the_place_and_stores_nothing(mh, text, message):
    code, out, err = mh("capture", stdin=text)
    assert (code, out) == (2, "")
    assert err.split("\n")[0] == f"mh: error: {message}"
    assert mh("list", "-q").out == ""
    assert mh("thread", "list", "-q").out == ""


def test_forms_can_be_forced(mh):
    assert mh("capture", "--form", "json", stdin="[A] x").code == 2
    assert captured(mh, "[1] not JSON", "--form", "text")["participants"] == [{"name": "1", "id": None}]
    assert captured(mh, '{"content": "a"}\n{"content": "b"}\n')["added"] == 2


def test_injected_memory_is_kept_as_it_came(mh):
    content = "<memory-context>likes tea</memory-context>\nWhat do I like?"
    assert turns_of(mh, captured(mh, {"content": content})["id"])[0]["content"] == content


def test_undo_takes_a_capture_back(mh):
    captured(mh, TURNS)
    mh("undo")
    assert mh("list", "-q").out == ""
