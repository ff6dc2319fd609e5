"""The word diff loses nothing of either text and is quick whatever the text is."""

import time
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memhub.text.word_diff import compare

_TEXT = st.lists(st.sampled_from(["a", "b", " ", "\n", "备", "份", "-", "word ", "\r\n", "x\n"]), max_size=30).map(
    "".join
)


@given(_TEXT, _TEXT)
def test_both_texts_can_be_read_from_the_parts(old, new):
    parts = compare(old, new)
    assert "".join(part.text for part in parts if part.change != "added") == old
    assert "".join(part.text for part in parts if part.change != "removed") == new
    assert all(a.change != b.change for a, b in pairwise(parts))
    if old == new:
        assert [part.change for part in parts] == (["same"] if old else [])


@pytest.mark.parametrize(
    "make",
    [
        lambda n, word: "same line\n" * n + f"{word}\n" + "same line\n" * n,
        lambda n, word: "one two " * n + word + " three four" * n,
        lambda n, word: "".join(f"{word} {k % 3}\n" for k in range(n)),
        lambda n, word: word * n,
    ],
)
def test_long_texts_take_no_longer_than_one_waits(make):
    started = time.process_time()
    parts = compare(make(30_000, "old"), make(30_000, "new"))
    assert time.process_time() - started < 5
    assert {part.change for part in parts} >= {"removed", "added"}
