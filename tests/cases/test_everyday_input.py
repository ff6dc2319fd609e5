"""Faults that were reported elsewhere, from end to end: symbols in the default mode, hash signs, first words."""

import json
import shutil
from pathlib import Path

import pytest

TESTS = Path(__file__).parents[1]
NOTES = (TESTS / "cli/data/symbols/notes.txt").read_bytes()
FIRST = {
    "§§": "§§ 12 tide clock", "->": "f :: Int -> Int", "=>": "arrow drawn as =>", "#!": "Shebang",
    "C++": "the C++ build",
    "C#": "C# build is green", "↑↑": "price went ↑↑", ":)": ":) said", "{{}}": "template has", r"\d+": "正则里的",
    "……": "正则里的", '"quoted"': '"quoted"', "a-b": "a_b versus", "a.b": "a_b versus", "a*b": "a_b versus",
    "a_b": "a_b versus", 'NEAR("x y", 3) AND NOT z': "NEAR(", "50%": "50% of", "👩‍🚀": "👩‍🚀 landed",
}  # fmt: skip


def test_symbols_come_first_in_the_default_mode(mh):
    assert mh("add", "-", "--split", "line", stdin=NOTES).code == 0
    for query, begin in FIRST.items():
        code, out, err = mh("search", "--json", "--", query)
        assert code == 0, err
        assert json.loads(out)[0]["content"].startswith(begin), (query, [hit["content"] for hit in json.loads(out)])
        assert "fts" not in err.lower()


LABELS = {
    "links.md": {"profiling"},
    "code.md": {"4711a"},
    "zh.md": {"读书", "日记/2026", "括号里", "emoji🎉", "表里"},
    "front.md": {"garden", "slow tools", "slow-tools", "tools"},
}


def test_hash_signs_that_are_no_labels(mh, tmp_path):
    shutil.copytree(TESTS / "importers/data/hash-signs/notes", tmp_path / "notes")
    assert mh("import", "notes").code == 0
    items = json.loads(mh("list", "--json").out)
    assert {Path(i["source"]["path"]).name: {label.casefold() for label in i["labels"]} for i in items} == LABELS
    for item in items:
        whole = (tmp_path / "notes" / Path(item["source"]["path"]).name).read_text("utf-8")
        assert item["content"].strip() in whole, "the text is unchanged"
    listed = [row["name"] for row in json.loads(mh("label", "list", "--json").out)]
    assert {label.casefold() for label in listed} == set().union(*LABELS.values())
    added = json.loads(mh("add", "see https://example.org/x#frag and `#code`, label #kept", "--json").out)
    assert added["labels"] == ["kept"]


@pytest.mark.parametrize("first", [["add", "the very first"], ["add", "-"], ["add", "-", "--split", "line"]])
def test_the_very_first_add_is_kept(run, first):
    code, _, err = run(*first, stdin="the very first\n")
    assert code == 0
    assert err in ("", "mh: 1 added\n")
    assert run("list", "-q").out.count("\n") == 1
    assert "the very first" in run("list").out


@pytest.mark.parametrize("word", ["备份", "导出", "笔记", "银行"])
def test_a_chinese_word_of_two_letters_is_found_inside_a_sentence(mh, word):
    mh("add", f"每天凌晨三点把数据库{word}到另一台机器上")
    mh("add", "the weather is fine")
    for mode in (["--mode", "words"], ["--exact"], []):
        found = json.loads(mh("search", word, "--json", *mode).out)
        assert word in found[0]["content"], mode
