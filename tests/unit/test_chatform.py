"""The text form of chats, read and written."""

import time

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from memhub.model.thread import Message, Speaker, ThreadInfo
from memhub.text.chatform import parse, write

CHINESE = """\
(Telegram 群组「开发讨论」 机器人「小助手」)
[张三] 明天十点开会
[小助手] 好的
[李四|u7] 我晚点到
火车晚点了
"""
ENGLISH = """\
(Telegram group "Dev talk" bot "Helper")
[Anna|u42|2026-06-01T18:00:00Z] I come later.
[Helper] Noted.
[Helper|||user] I only have the same name.
[cron|||system|m9] nightly run
"""


def test_a_chinese_group() -> None:
    chat = parse(CHINESE)
    assert chat is not None
    assert chat.info == ThreadInfo(platform="Telegram", chat_type="群组", chat_name="开发讨论", bot_name="小助手")
    assert chat.messages == (
        Message("明天十点开会", "user", Speaker("张三")),
        Message("好的", "assistant", Speaker("小助手")),
        Message("我晚点到\n火车晚点了", "user", Speaker("李四", "u7")),
    )
    assert chat.lines == (2, 3, 4)
    assert write(chat.info, chat.messages) == CHINESE


def test_an_english_group() -> None:
    chat = parse(ENGLISH)
    assert chat is not None
    assert chat.info == ThreadInfo(platform="Telegram", chat_type="group", chat_name="Dev talk", bot_name="Helper")
    assert chat.messages == (
        Message("I come later.", "user", Speaker("Anna", "u42"), "2026-06-01T18:00:00Z"),
        Message("Noted.", "assistant", Speaker("Helper")),
        Message("I only have the same name.", "user", Speaker("Helper")),
        Message("nightly run", "system", Speaker("cron"), None, "m9"),
    )
    assert write(chat.info, chat.messages) == ENGLISH


@pytest.mark.parametrize(
    ("head", "fields"),
    [
        ("(Telegram)", ("Telegram", None, None, None)),
        ("(Telegram 群组)", ("Telegram", "群组", None, None)),
        ('("Dev talk")', (None, None, "Dev talk", None)),
        ("(「开发讨论」)", (None, None, "开发讨论", None)),
        ('(bot "Helper")', (None, None, None, "Helper")),
        ('(Telegram chatbot "x")', ("Telegram", "chatbot", "x", None)),
        ('(Google Chat space "x")', ("Google Chat", "space", "x", None)),
        ('(Slack direct message "Anna")', ("Slack", "direct message", "Anna", None)),
        (r'(Slack group "say \"hi\" \(now\)")', ("Slack", "group", 'say "hi" (now)', None)),
        (r"(My\ Chat)", ("My Chat", None, None, None)),
        ("(Telegram 群组「a\\nb」)", ("Telegram", "群组", "a\nb", None)),
    ],
)
def test_heads(head: str, fields: tuple[str | None, ...]) -> None:
    chat = parse(f"{head}\n[A] x\n")
    assert chat is not None
    assert chat.info == ThreadInfo(None, *fields)
    assert write(chat.info, chat.messages) == f"{head}\n[A] x\n"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "\n\n",
        "plain words",
        "Some words first\n[A] and then a line",
        "(Telegram 群组「开发讨论」)",
        "(an aside) and more\n[A] x",
        '[{"role": "user", "content": "see [1] here"}',
        '["a", "b"] c',
        "[link](https://example.org)",
        "[section]\nkey = value",
        "[1]: https://example.org",
        "- [x] done",
        "[a|b|c|d|e|f] too many fields",
    ],
)
def test_what_only_looks_like_it(text: str) -> None:
    assert parse(text) is None


def test_lines_of_a_text_that_look_like_a_message() -> None:
    content = "the log says\n[INFO] started\n\\[x] odd\n\\alpha\n\\[x^2\\]\n[link](x)\n\n"
    text = write(ThreadInfo(), [Message(content), Message("next")])
    assert text == (
        "[] the log says\n\\[INFO] started\n\\\\[x] odd\n\\alpha\n\\[x^2\\]\n[link](x)\n\n\n[] next\n"
    )  # fmt: skip
    chat = parse(text)
    assert chat is not None
    assert [message.content for message in chat.messages] == [content, "next"]


def test_blank_lines_around_the_head_do_not_matter() -> None:
    chat = parse("\n\n(Telegram)\n\n[A] x")
    assert chat is not None
    assert (chat.info.platform, chat.messages, chat.lines) == ("Telegram", (Message("x", speaker=Speaker("A")),), (5,))


_ODD = st.text(alphabet=st.sampled_from("[]|\\\n\r「」\"'() {}ab机器人ot")) | st.text()
_NAMES = st.none() | _ODD
_INFOS = st.builds(ThreadInfo, st.none(), _NAMES, _NAMES, _NAMES, _NAMES)
_MESSAGES = st.builds(
    Message,
    _ODD,
    st.sampled_from(("user", "assistant", "system", "tool")),
    st.builds(Speaker, _NAMES | st.just("bot"), _NAMES),
    _NAMES,
    _NAMES,
    st.just({}),
)


def _known(message: Message) -> Message:
    """An empty field is an unknown one."""
    name, identity = message.speaker
    return message._replace(
        speaker=Speaker(name or None, identity or None), at=message.at or None, id=message.id or None
    )


@given(_INFOS, st.lists(_MESSAGES, min_size=1, max_size=4))
@example(ThreadInfo(platform="x bot", bot_name="bot"), [Message("\\", speaker=Speaker("bot"), id="|")])
@example(ThreadInfo(), [Message("", speaker=Speaker("|"))])
@example(ThreadInfo(chat_type=" bot"), [Message("[] [] x\n[] y", speaker=Speaker('"{'))])
def test_everything_comes_back(info: ThreadInfo, messages: list[Message]) -> None:
    text = write(info, messages)
    chat = parse(text)
    assert chat is not None
    assert chat.info == ThreadInfo(None, *(field or None for field in info[1:5]))
    assert chat.messages == tuple(_known(message) for message in messages)
    assert write(chat.info, chat.messages) == text


@given(st.text(alphabet=st.sampled_from('[]|\\\n「」"() ab')))
def test_any_text_is_read_the_same_after_writing(text: str) -> None:
    chat = parse(text)
    if chat is not None:
        again = parse(write(chat.info, chat.messages))
        assert again is not None
        assert (again.info, again.messages) == (chat.info, chat.messages)


@pytest.mark.parametrize("piece", ["[", "[a] ", "(", '("', "[\\", "「", "\n\\\\[a] x", "a|", " bot", '(bot "'])
def test_time_grows_with_the_length_alone(piece: str) -> None:
    def seconds(times: int) -> float:
        text = piece * times
        start = time.process_time()
        parse(text)
        parse(f"({text})")
        return time.process_time() - start

    short, long = (min(seconds(times) for _ in range(3)) for times in (2_000, 20_000))
    assert long < 40 * short + 0.1
