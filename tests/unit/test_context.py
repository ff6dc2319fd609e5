"""Which parts of a text are injected memory, and which are somebody's own words."""

import time
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memhub.text.context import hidden, without


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("no block at all", "no block at all"),
        ("<memory-context>old</memory-context>\n\nWhat about tea?", "\n\nWhat about tea?"),
        ('a <memory-context query="a > b" n=\'3\'>old</memory-context> b', "a  b"),
        ("a\n<MEMORY-CONTEXT\n  at='x'>\nold\n</Memory-Context >\nb", "a\n\nb"),
        ("1 <memory-context>x</memory-context> 2 <memory-context>y</memory-context> 3", "1  2  3"),
        ("<memory-context>a <memory-context>b</memory-context> c</memory-context> mine", " mine"),
        ("mine <memory-context>never closed\n\nstill not mine", "mine "),
        ("mine <memory-context", "mine "),
        ("cut off at the top</memory-context> mine", " mine"),
        ("<memory-context>x</memory-context> y </memory-context> mine", " mine"),
        ("<memory-context>&lt;/memory-context&gt; old</memory-context>mine", "mine"),
        ("left<memory-context>x</memory-context>right", "left\nright"),
        ('mine <memory-context q="/>">old', "mine "),
        ("<memory-context>the tag `<memory-context>` in a note</memory-context> mine", " mine"),
        ("see\n```xml\n<memory-context>\nold\n</memory-context>\n```\nmine", "see\n```xml\n\n```\nmine"),
        ("see\n```\n<memory-context>\n```\nmine", "see\n```\n\nmine"),
        ("see\n```\nold</memory-context>\n```\nmine", "see\n\n```\nmine"),
        ("see\n```\n<memory-context>\n```\nold</memory-context> mine", "see\n```\n mine"),
        ("<memory-context>\n```\n</memory-context>\nmine", "\nmine"),
    ],
)  # fmt: skip
def test_what_is_left(text: str, left: str) -> None:
    assert without(text) == left


@pytest.mark.parametrize(
    "text",
    [
        "mine <memory-context/> mine <memory-context a='b' /> too",
        "I wrap it in `<memory-context>` and `</memory-context>`.",
        "<memory-contexts>mine</memory-contexts>",
        "&lt;memory-context&gt;told of&lt;/memory-context&gt;",
    ],
)
def test_what_only_looks_like_a_block(text: str) -> None:
    assert hidden(text) == ()
    assert without(text) == text


def test_spans_are_those_of_the_text() -> None:
    text = "a <memory-context>b</memory-context> c"
    assert [text[start:stop] for start, stop in hidden(text)] == ["<memory-context>b</memory-context>"]


_PIECES = st.sampled_from(
    ["<memory-context>", "<memory-context q='1'>", "</memory-context>", "```\n", "\n```\n", "`", "mine", "\n", "/>"]
)


@given(st.lists(_PIECES, max_size=30).map("".join))
def test_any_mixture(text: str) -> None:
    spans = hidden(text)
    assert all(0 <= start < stop <= len(text) for start, stop in spans)
    assert all(before[1] < after[0] for before, after in pairwise(spans))
    assert without(text).count("mine") <= text.count("mine")


@given(st.text(), st.text(alphabet=st.characters(exclude_characters="<")), st.text())
def test_a_whole_block_never_gets_through(before: str, inside: str, after: str) -> None:
    text = f"{before}\n<memory-context>\nSECRET {inside}\n</memory-context>\n{after}"
    place = len(before) + len("\n<memory-context>\n")
    assert any(start <= place and place + len(inside) < stop for start, stop in hidden(text))


@pytest.mark.parametrize(
    "piece",
    ["<memory-context ", "<memory-context>", "</memory-context>", "<memory-context \"'", "```\n<memory-context>\n"],
)
def test_time_grows_with_the_length_alone(piece: str) -> None:
    def seconds(times: int) -> float:
        text = piece * times
        start = time.process_time()
        hidden(text)
        return time.process_time() - start

    short, long = (min(seconds(times) for _ in range(3)) for times in (5_000, 50_000))
    assert long < 40 * short + 0.1
