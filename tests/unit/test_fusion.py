"""The one formula, on its own."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memhub.search.fusion import Evidence, coverage, fuse


def order(evidence: Evidence) -> list[int]:
    return [one.n for one in fuse(evidence)]


def test_the_formula() -> None:
    scored = {one.n: one for one in fuse(Evidence(bm25={1: 8.0, 2: 4.0}, idf=(6.0, 4.0), cosines={1: 0.2, 3: 0.7}))}
    assert scored[1].score == pytest.approx(0.6 * 0.8 + 0.4 * 0.2)
    assert scored[2].score == pytest.approx(0.6 * 0.4)
    assert scored[3].score == pytest.approx(0.4 * 0.7)
    assert (scored[1].lexical, scored[1].meaning) == (pytest.approx(0.8), pytest.approx(0.2))


def test_coverage_is_a_share() -> None:
    assert coverage(5.0, (10.0,)) == 0.5
    assert coverage(50.0, (10.0,)) == 1.0
    assert coverage(5.0, ()) == 0.0


def test_one_shared_number_does_not_beat_meaning() -> None:
    """A question of six terms of which the best lexical hit has one."""
    assert order(Evidence(bm25={1: 3.0}, idf=(3.0, 5.0, 5.0, 5.0, 5.0, 5.0), cosines={2: 0.6, 1: 0.0})) == [2, 1]


def test_another_script_is_not_held_against_a_document() -> None:
    evidence = Evidence(bm25={1: 9.0, 2: 8.0}, idf=(10.0,), cosines={1: 0.4, 2: 0.3, 3: 0.8})
    assert order(evidence) == [1, 2, 3]
    assert order(evidence._replace(foreign={3})) == [3, 1, 2]


def test_floor_rescales() -> None:
    scored = {one.n: one.meaning for one in fuse(Evidence(bm25={}, cosines={1: 0.95, 2: 0.77}, floor=0.75))}
    assert scored == {1: pytest.approx(0.8)}  # .77 is next to nothing above the floor, and no hit


def test_faint_likeness_alone_is_no_hit() -> None:
    assert order(Evidence(bm25={1: 1.0}, idf=(1.0,), cosines={1: 0.01, 2: 0.12, 3: 0.3})) == [1, 3]
    assert order(Evidence(bm25={}, cosines={2: 0.12, 3: 0.05}, foreign={2, 3})) == [2]
    assert order(Evidence(bm25={}, cosines={2: 0.12, 3: 0.05}, all_near=True)) == [2, 3]


def test_words_alone_count_in_full() -> None:
    assert fuse(Evidence(bm25={1: 4.0}, idf=(4.0,)))[0].score == 1.0


def test_lifts_go_up_and_stay_within_one() -> None:
    plain = Evidence(bm25={1: 9.0, 2: 8.0, 3: 7.0, 4: 6.0}, idf=(10.0,), cosines={1: 0.5, 2: 0.5, 3: 0.5, 4: 0.5})
    assert order(plain) == [1, 2, 3, 4]
    assert order(plain._replace(phrase={3})) == [3, 1, 2, 4]
    assert order(plain._replace(titled={4}, phrase={3})) == [4, 3, 1, 2]
    assert order(plain._replace(labelled={5: 1.0, 4: 1.0})) == [4, 1, 2, 3, 5]
    assert max(one.score for one in fuse(plain._replace(titled={1}, phrase={1}, labelled={1: 1.0}))) <= 1.0


def test_nothing_found() -> None:
    assert fuse(Evidence(bm25={})) == []


SHARES = st.dictionaries(st.integers(1, 20), st.floats(0.001, 30))


@given(SHARES, st.lists(st.floats(1e-6, 12), max_size=6), st.dictionaries(st.integers(1, 20), st.floats(-1, 1)))
def test_scores_are_shares_in_order(bm25: dict[int, float], idf: list[float], cosines: dict[int, float]) -> None:
    scored = fuse(Evidence(bm25=bm25, idf=idf, cosines=cosines))
    assert [one.score for one in scored] == sorted((one.score for one in scored), reverse=True)
    assert all(0 <= one.score <= 1 for one in scored)
    assert set(bm25) <= {one.n for one in scored} <= set(bm25) | set(cosines)
