"""What is stored and what is printed, for text as the outside world has it."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memhub.text.clean import clean, display_width, fit, one_line, terminal_safe


@pytest.mark.parametrize(
    ("raw", "stored"),
    [
        ("a\x00b", "ab"),
        ("one\r\ntwo\rthree\n", "one\ntwo\nthree\n"),
        ("page one\x0cpage two", "page one\npage two"),
        ("\x1b[31mred\x1b[0m", "red"),
        ("\x1b]0;a title\x07text", "text"),
        ("\x1b]8;;https://example.org\x1b\\link\x1b]8;;\x1b\\", "link"),
        ("\x1b]52;c;never ended", "52;c;never ended"),
        ("\x1bPdevice\x1b\\after", "after"),
        ("\x1b(Btext\x1bc", "text"),
        ("\x9b31mred", "red"),
        ("bell\x07 back\x08 del\x7f", "bell back del"),
        ("\ufeffstart, mid\ufeffdle", "start, mid\ufeffdle"),
        ("\x00\ufeffstart", "start"),
        ("half \ud83d here", "half \ufffd here"),
        ("pair \ud83d\ude00", "pair 😀"),
        ("tab\tstays\nline", "tab\tstays\nline"),
        ("line\u2028sep", "line\u2028sep"),
        ("👩\u200d👩\u200d👧", "👩\u200d👩\u200d👧"),
        ("\u202bעברית\u202c \u200fmark", "\u202bעברית\u202c \u200fmark"),
    ],
)
def test_what_is_stored(raw: str, stored: str) -> None:
    assert clean(raw) == stored


@given(st.text(st.characters(codec=None), max_size=60))
def test_cleaning_twice_changes_nothing_and_fits_utf8(text: str) -> None:
    once = clean(text)
    assert clean(once) == once
    once.encode("utf-8")
    assert not any((ord(c) < 32 and c not in "\t\n") or 0x7F <= ord(c) < 0xA0 for c in once)


@pytest.mark.parametrize("piece", ["\x1b[", "\x1b]", "\x9d", "\x1bP", "\x9b1", "\x1b", "\r", "\ud800", "\x1b \x1b"])
def test_a_million_introducers_take_no_time(piece: str) -> None:
    start = time.process_time()
    clean(piece * 1_000_000)
    assert time.process_time() - start < 5


def test_bidi_controls_are_shown_and_escapes_dropped_on_a_terminal() -> None:
    assert terminal_safe("invoice\u202efdp.exe") == "invoice<U+202E>fdp.exe"
    assert terminal_safe("a\u2067b\u2069\x1b[2J") == "a<U+2067>b<U+2069>"
    assert terminal_safe("[red]plain[/]") == "[red]plain[/]"


def test_one_line_joins_and_cuts() -> None:
    assert one_line("  two\n\n words\there ") == "two words here"
    assert one_line("two words here", 8) == "two wor…"
    assert one_line(" \n" * 100_000 + "late", 10) == "late"


@pytest.mark.parametrize(
    ("text", "columns", "shown"),
    [
        ("hello", 5, "hello"),
        ("hello", 4, "hel…"),
        ("你好世界", 8, "你好世界"),
        ("你好世界", 7, "你好世…"),
        ("你好世界", 6, "你好…"),
        ("cafe\u0301s are", 5, "cafe\u0301…"),
        ("👩\u200d👩\u200d👧 family", 4, "👩\u200d👩\u200d👧…"),
        ("anything", 0, ""),
        ("ab", 1, "…"),
    ],
)
def test_cut_to_columns(text: str, columns: int, shown: str) -> None:
    assert fit(text, columns) == shown
    assert display_width(shown) <= columns


@given(st.text(max_size=30), st.integers(0, 20))
def test_a_cut_text_never_overflows(text: str, columns: int) -> None:
    assert display_width(fit(clean(text), columns)) <= columns


@pytest.mark.parametrize(
    ("text", "width"), [("abc", 3), ("你好", 4), ("e\u0301", 1), ("❤\ufe0f", 2), ("👍🏽", 2), ("ａ", 2)]
)
def test_display_width(text: str, width: int) -> None:
    assert display_width(text) == width
