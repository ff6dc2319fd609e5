"""What one can see in a note can be searched for, also when it is nothing but symbols."""

import json
from pathlib import Path

import pytest

NOTES = (Path(__file__).parent / "data/symbols/notes.txt").read_bytes()
EXPECTED = {
    "§§": ["tide clock"],
    "->": ["is the type we want"],
    "=>": ["other paper"],
    "#!": ["Shebang"],
    "↑↑": ["price went"],
    ":)": ["said the ticket"],
    "{{}}": ["template has"],
    r"\d+": ["正则里的"],
    "……": ["正则里的"],
    '"quoted"': ["and 'single'"],
    "a-b": ["a_b versus"],
    "a.b": ["a_b versus"],
    "a*b": ["a_b versus"],
    "a_b": ["a_b versus"],
    'NEAR("x y", 3) AND NOT z': ["NEAR("],
    "50%": ["signs are wrong"],
    "👩‍🚀": ["landed, "],
}


@pytest.fixture
def stored(mh):
    assert mh("add", "-", "--split", "line", stdin=NOTES).code == 0


@pytest.mark.usefixtures("stored")
@pytest.mark.parametrize("query", EXPECTED)
def test_in_words_mode_exactly_the_lines_that_hold_it(mh, query):
    code, out, err = mh("search", "--mode", "words", "--json", "--", query)
    found = [hit["content"] for hit in json.loads(out)]
    assert code == 0, err
    assert len(found) == len(EXPECTED[query])
    for line, part in zip(found, EXPECTED[query], strict=True):
        assert part in line


@pytest.mark.usefixtures("stored")
def test_the_language_that_was_asked_for_comes_first(mh):
    for query in ("C++", "C#"):
        found = json.loads(mh("search", "--mode", "words", "--json", query).out)
        assert found[0]["content"].startswith(("the " if query == "C++" else "") + query)


@pytest.mark.usefixtures("stored")
@pytest.mark.parametrize("query", ["§", "%"])
def test_one_sign_alone_answers_or_says_why_not(mh, query):
    code, out, err = mh("search", "--mode", "words", query)
    assert code == 0
    assert query in out or err.startswith("mh: ")
