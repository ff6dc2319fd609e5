"""Where a quote stands, and whose words those are."""

import pytest

from memhub.model.judging import Source, Span, Text
from memhub.pipeline.quotes import occurrences
from memhub.pipeline.whose import refusal
from memhub.pipeline.windows import turns, windows


@pytest.mark.parametrize(
    ("text", "quote", "found"),
    [
        ("I moved to Berlin.", "moved to Berlin", "moved to Berlin"),
        ("I moved\n  to Berlin.", "moved to Berlin", "moved\n  to Berlin"),
        ("我住在\n柏林。", "我住在柏林", "我住在\n柏林"),
        ("用 Helix 写", "用Helix写", "用 Helix 写"),
        ("She said “it’s fine”", '"it\'s fine"', "“it’s fine”"),
        ("I like tea", "I like tea.", "I like tea"),
        ("Invoice 2231 is paid", "Invoice 22", None),
        ("the start", "art", None),
        ("costs 1.25", "costs 1", None),
        ("costs 1.25", "25", None),
        ("version 4.10.2 is out", "4.10", None),
        ("I like tea", "I like coffee", None),
        ("I like tea", "i LIKE tea", None),
        ("ab", "a b", None),
        ("anything", "…", None),
    ],
)
def test_quotes_are_exact_but_for_white_space(text: str, quote: str, found: str | None) -> None:
    first = next(occurrences(text, quote), None)
    assert (text[first[0] : first[1]] if first else None) == found


def conversation(*turns_: tuple[str, str]) -> Source:
    texts = tuple(Text(f"i{n}", f"v{n}", content, role) for n, (role, content) in enumerate(turns_))
    return Source("thread", "turns", "default", texts, thread="thread")


def why(source: Source, turn: int, words: str) -> str:
    start = source.texts[turn].content.index(words)
    return refusal(source, Span(f"i{turn}", f"v{turn}", start, start + len(words)))


@pytest.mark.parametrize(
    "reply",
    [
        "Yes.",
        "yes, and I love it",
        "That's right.",
        "Exactly!",
        "对，就是这样",
        "没错。",
        "是的",
        "Correct. Thanks!",
        "确认",
    ],
)
def test_what_the_user_confirms_counts(reply: str) -> None:
    source = conversation(("assistant", "So you live in Lyon?"), ("user", reply))
    assert why(source, 0, "you live in Lyon") == ""


@pytest.mark.parametrize(
    "reply",
    ["OK", "Thanks!", "好。记住：我的船叫白鹭。", "好的", "对不起", "对了，明天几点", "Right now I am", "Yesterday",
     "Yes, but not any more", "是的，不过现在不住了", "对，但是错了", "Sure", "What?", "No.", "Yes I know. Wrong."],
)  # fmt: skip
def test_what_the_user_only_heard_does_not(reply: str) -> None:
    source = conversation(("assistant", "So you live in Lyon?"), ("user", reply))
    assert why(source, 0, "you live in Lyon") == "the assistant said it, and the user did not confirm it"


def test_only_the_next_word_of_the_user_confirms_and_only_what_it_can_be_about() -> None:
    source = conversation(
        ("assistant", "You live in Lyon. " + "The weather there is mild. " * 20),
        ("user", "Yes."),
        ("assistant", "You like tea."),
        ("assistant", "You like rain."),
        ("user", "Yes."),
        ("tool", "user likes snow"),
        ("assistant", "You like fog."),
    )
    assert why(source, 0, "You live in Lyon")
    assert why(source, 2, "You like tea")
    assert why(source, 3, "You like rain") == ""
    assert why(source, 5, "likes snow") == "a turn of the role `tool` is nobody's statement"
    assert why(source, 6, "You like fog")


def test_a_quoted_assistant_is_not_the_user() -> None:
    source = conversation(
        ("assistant", "You decided to replace the halyard in July. Really."),
        ("user", 'You wrote "you decided to replace the halyard in July".\n> You decided to replace it.'),
        ("user", "I decided to replace the halyard in July. My cat is called \"Mo\"."),
    )  # fmt: skip
    assert why(source, 1, "decided to replace the halyard in July") == "the user quotes the assistant"
    start = source.texts[1].content.index("> You decided") + 2
    assert refusal(source, Span("i1", "v1", start, start + len("You decided"))) == "the user quotes the assistant"
    assert why(source, 2, "decided to replace the halyard in July") == ""
    assert why(source, 2, "Mo") == ""


def test_hidden_passages_are_neither_shown_nor_taken() -> None:
    content = "Before. <memory-context>I live in Oslo</memory-context> After."
    start, stop = content.index("<"), content.rindex(">") + 1
    source = Source("k", "note", "s", (Text("i0", "v0", content, hidden=((start, stop),)),))
    (window,) = windows(source, 1000, lambda text: True)
    assert turns(source, window)["turns"][0]["text"] == "Before.  …  After."
    assert why(source, 0, "I live in Oslo") == "it stands in injected context"


def test_secrets_are_not_shown_whole_or_in_part() -> None:
    secret = "ghp_" + "a1B2c3D4e5" * 4
    source = conversation(("user", f"The token is {secret} and the port is 22."), ("user", "z" * 180 + f" {secret}"))
    for size in (1000, 200):
        shown = [
            turn["text"]
            for window in windows(source, size, lambda text: True)
            for turn in turns(source, window)["turns"]
        ]
        assert shown[0] == "The token is [masked github-token] and the port is 22."
        assert not any(part in "".join(shown) for part in ("ghp_", "a1B2", "D4e5"))


@pytest.mark.parametrize("size", [0, 200, 333, 1000])
def test_windows_hold_everything_once(size: int) -> None:
    source = conversation(*(("user", f"Turn {n}. " + "word, " * (n * 40)) for n in range(6)), ("user", "无" * 950))
    found = windows(source, size, lambda text: True)
    for window in found:
        assert sum(piece.stop - piece.start for piece in window) <= max(size, 200)
    for number, text in enumerate(source.texts):
        pieces = [piece for window in found for piece in window if piece.text == number]
        assert "".join(text.content[piece.start : piece.stop] for piece in pieces) == text.content


def test_turns_carry_the_weekday() -> None:
    source = Source("k", "note", "s", (Text("i", "v", "x", "user", "张三", None, "2026-03-02T23:00:00Z"),))
    (window,) = windows(source, 1000, lambda text: True)
    assert turns(source, window) == {
        "turns": [{"id": "t1", "role": "user", "speaker": "张三", "at": "2026-03-02 Monday", "text": "x"}]
    }
