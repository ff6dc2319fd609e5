"""The rules for names: what each kind of mark means, and how many names of our own sentences they find."""

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

from memhub.text.analyse import fold
from memhub.text.names import candidates
from memhub.text.naming import Names, name_key


def _bench() -> ModuleType:
    """`tests/bench/entities.py`, which does the counting; its name is that of the step, so it is loaded by path."""
    path = Path(__file__).parents[1] / "bench" / "entities.py"
    spec = importlib.util.spec_from_file_location("bench_entities", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


BENCH = _bench()


def names(text: str) -> list[tuple[str, str]]:
    return [(one.name, one.type) for one in candidates(fold(text)) if one.is_strong]


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("is_held", [False, True], ids=["tuned on", "held out"])
def test_rules_are_right_nine_times_in_ten_and_find_most(language: str, is_held: bool) -> None:
    some = [one for one in BENCH.sentences(language) if bool(one.get("held_out")) is is_held]
    assert len(some) >= (60 if is_held else 200)
    score = BENCH.score(some)
    assert score.precision >= 0.9, score
    assert score.recall >= 0.6, score


@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_quarter_of_the_sentences_name_nobody(language: str) -> None:
    some = BENCH.sentences(language)
    assert sum(not one["entities"] for one in some) >= len(some) / 4


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Ask @marie-l about #q3-budget (not #123 or #ff8800)", [("@marie-l", "person"), ("#q3-budget", "concept")]),
        ("https://www.Example.org/a?b=1 and http://localhost:80/x", [("example.org", "site")]),
        ("call `shutil.copy()` in ../lib/io.py", [("shutil.copy()", "code"), ("../lib/io.py", "file")]),
        ("mail me at anna@example.com", []),
        ("```\nclass Berlin: pass\n```\nnothing", []),
        ("On Monday in May the Will was read.", []),
        ("和高中同学在一起，应该很高兴。", []),
        ("深圳市腾讯公司的张伟明", [("深圳市", "place"), ("腾讯公司", "organisation"), ("张伟明", "person")]),
        ("Anna's tool is Docker, Bob's", [("Anna", "person"), ("Docker", "tool"), ("Bob", "person")]),
        ("Frau Schulz and the physio met at Oranienstrasse", [("Schulz", "person"), ("Oranienstrasse", "place")]),
        ("Use EXPLAIN to see it. On Fridays we eat at the Thai place, weekends too.", []),
        ("小宝学会了蛙泳，用郫县豆瓣酱炒菜。", []),
        ("王芳老师推荐了一本书，王老师很忙。", [("王芳", "person"), ("王老师", "person")]),
        ("李小姐和王大哥来了。", [("李小姐", "person"), ("王大哥", "person")]),
        ("", []),
    ],
)  # fmt: skip
def test_each_kind_of_mark(text: str, expected: list[tuple[str, str]]) -> None:
    assert names(text) == expected


def test_what_was_done_is_no_part_of_a_name() -> None:
    def every(text: str) -> list[str]:
        return [one.name for one in candidates(text)]

    assert every("Deployed Nordlicht to staging") == ["Nordlicht"]
    assert every("Upgraded Docker Desktop yesterday") == ["Docker Desktop"]
    assert every("United Airlines lost my bag. Mohammed Salah scored.") == ["United Airlines", "Mohammed Salah"]


def test_a_long_line_of_nothing_takes_linear_time() -> None:
    for text in (
        "A " * 50_000,
        "a.b" * 40_000,
        "王" * 50_000,
        "/x" * 40_000,
        "`" * 50_000,
        "Ab" * 40_000,
        "x" * 70_000,
        "词" * 70_000,
        "x@" * 30_000,
    ):
        assert isinstance(candidates(text), list)


def test_names_are_found_whole_and_the_longest_wins() -> None:
    known = Names(frozenset({"mark"}))
    for number, name in enumerate(("Robert Klein", "Robert", "王芳", "C++", "src/app.py", "Mark", "@bob"), 1):
        known.add(name_key(name), number)
    found = {one.owners[0] for one in known.find(fold("robert  klein uses C++, see src/app.py; 我和王芳; mark it"))}
    assert found == {1, 3, 4, 5}
    assert [one.owners for one in known.find("Mark met Robert and Roberta, @bob")] == [(6,), (2,), (7,)]
