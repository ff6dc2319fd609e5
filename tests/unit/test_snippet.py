"""The piece of a text that is shown, and what is marked in it."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from memhub.text.analyse import query_terms
from memhub.text.snippet import cut, matches


def marked(text: str, query: str, width: int = 160) -> tuple[str, list[str]]:
    snippet, marks = cut(text, query_terms(query), width, phrase=query)
    return snippet, [snippet[start:end] for start, end in marks]


@pytest.mark.parametrize(
    ("text", "query", "marks"),
    [
        ("The starter was feeding the bread", "feeds", ["feeding"]),
        ("Running shoes; he ran, she runs", "running", ["Running", "runs"]),
        ("Running shoes; he ran, she runs", "run shoe", ["Running", "shoes", "runs"]),
        ("Two libraries near the library", "library rules", ["libraries", "library"]),
        ("A cat catalogues concatenation", "cat", ["cat"]),
        ("Café Zürich", "zurich cafe", ["Café", "Zürich"]),
        ("机器学习的书在图书馆", "学习图书", ["学习", "图书"]),
        ("机器学习的书", "机器学习", ["机器学习"]),
        ("他读书，买书", "书", ["书", "书"]),
        ("ＦＵＬＬ width", "full", ["ＦＵＬＬ"]),
        ("green tea and green leaves", "green tea", ["green tea"]),
        ("green\n  tea at last", "green tea", ["green tea"]),
        ("the C++ build, C# too", "C++", ["C++"]),
        ("§§ 12 tide", "§§", ["§§"]),
        ("price [went] (up)", "[went]", ["[went]"]),
        ("nothing of it", "zebra", []),
        ("", "zebra", []),
    ],
)
def test_marks(text: str, query: str, marks: list[str]) -> None:
    assert marked(text, query)[1] == marks


def test_one_line() -> None:
    assert marked("# Title\n\n\tFirst   line\r\nsecond\x00 end\n", "line")[0] == "# Title First line second end"


def test_long_text_shows_the_place_with_most_terms() -> None:
    text = (
        "filler words only. " * 40
        + "ferry. "
        + "more filler here. " * 40
        + "The ferry to Lisbon leaves. "
        + "end " * 80
    )
    snippet, marks = cut(text, query_terms("ferry Lisbon"), 80)
    assert len(snippet) <= 80
    assert snippet.startswith("…")
    assert snippet.endswith("…")
    assert [snippet[a:b] for a, b in marks] == ["ferry", "Lisbon"]


def test_phrase_is_preferred_to_scattered_words() -> None:
    text = "tea. green. tea. green. tea. " * 20 + "At last: green tea, hot. " + "x " * 200
    snippet, marks = cut(text, query_terms("green tea"), 60, phrase="green tea")
    assert [snippet[a:b] for a, b in marks] == ["green tea"]


def test_without_a_match_the_given_place_is_shown() -> None:
    text = "Beginning. " * 50 + "Chunk of interest. " + "Rest. " * 50
    start = text.index("Chunk")
    assert cut(text, [], 40, start=start)[0].startswith("…Chunk of interest. Rest.")
    assert cut(text, [], 40)[0].startswith("Beginning. ")


def test_emoji_sequence_is_not_torn() -> None:
    text = "a" * 37 + " 👩‍🚀 landed here"
    for width in range(36, 46):
        snippet, _ = cut(text, [], width)
        assert "👩‍🚀" in snippet or "👩" not in snippet


ODD = st.text(
    alphabet=st.one_of(st.sampled_from("ab 机器学\n\t\u200d\ufe0f👩🚀é́İßﬁ§[](){}*+\\"), st.characters()), max_size=120
)


@example("00000000 ", "", 8, 9)
@given(ODD, ODD, st.integers(8, 60), st.integers(0, 200))
def test_any_text_gives_one_line_and_sound_marks(text: str, query: str, width: int, start: int) -> None:
    snippet, marks = cut(text, query_terms(query), width, phrase=query, start=start)
    assert not set(snippet) & set("\n\r\t\x00\x1b")
    assert len(snippet) <= width + 9
    last = 0
    for begin, end in marks:
        assert last <= begin < end <= len(snippet)
        last = end


def test_matches_counts_terms() -> None:
    assert matches("The ferry to Lisbon; ferries again", query_terms("ferry Lisbon zebra")) == 2
