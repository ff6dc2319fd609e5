"""The chunking rule, by the properties that any correct result has."""

import json
import time
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memhub.text.chunks import SMALL_MODEL, Chunk, chunks, embedding_text

DATA = Path(__file__).parent / "data" / "chunking"
LONG = (DATA / "long.md").read_text(encoding="utf-8")
WANTED = json.loads((DATA / "expected.json").read_text(encoding="utf-8"))["properties"]


@pytest.fixture(scope="module")
def found() -> tuple[Chunk, ...]:
    return chunks(LONG)


def covers(text: str, found: tuple[Chunk, ...]) -> bool:
    """Whether the chunks hold every character, in order, and each moves forward."""
    ends = [0, *(chunk.stop for chunk in found)]
    return (
        ends[-1] == len(text)
        and all(chunk.start <= end for chunk, end in zip(found, ends, strict=False))
        and all(a.start < b.start and a.stop < b.stop for a, b in pairwise(found))
    )


def test_sizes_offsets_and_count(found: tuple[Chunk, ...]) -> None:
    low, high = WANTED["chunks_between"]
    assert low <= len(found) <= high
    assert [chunk.ordinal for chunk in found] == list(range(len(found)))
    assert covers(LONG, found)
    for chunk in found:
        body = LONG[chunk.start : chunk.stop]
        assert len(body) <= (4000 if "```sh" in body else WANTED["max_chars"])


def test_fence_and_table_stay_whole(found: tuple[Chunk, ...]) -> None:
    fence = LONG[LONG.index("```sh") : LONG.index("```\n", LONG.index("```sh") + 3) + 4]
    table_start = LONG.index("| day | high | low |")
    table = LONG[table_start : LONG.index("\n\n", table_start)]
    for block, begin in zip((fence, table), WANTED["kept_whole"], strict=True):
        assert block.startswith(begin)
        assert sum(block in LONG[chunk.start : chunk.stop] for chunk in found) == 1


def test_heading_paths(found: tuple[Chunk, ...]) -> None:
    paths = [list(chunk.heading_path) for chunk in found]
    for path in WANTED["heading_paths_include"]:
        assert path in paths
    for path in WANTED["heading_paths_exclude"]:
        assert path not in paths
    assert not any(name in path for name in WANTED["not_a_heading"] for path in paths)


def test_overlap_only_inside_the_long_paragraph(found: tuple[Chunk, ...]) -> None:
    overlaps = [(a, b) for a, b in pairwise(found) if b.start < a.stop]
    assert overlaps
    for before, after in overlaps:
        assert after.heading_path[-1] in WANTED["overlap_only_in"]
        assert before.stop - after.start <= WANTED["overlap_max"]
        assert LONG[after.start].isupper()


def test_a_short_item_is_one_chunk() -> None:
    assert chunks(LONG[:1500]) == (Chunk(0, 0, 1500),)
    assert chunks("") == (Chunk(0, 0, 0),)


def test_small_models_get_smaller_chunks() -> None:
    assert max(c.stop - c.start for c in chunks("One more sentence here. " * 400, "text", SMALL_MODEL)) <= 900


def test_a_long_fence_is_cut_at_lines_and_its_first_line_repeated() -> None:
    text = "# Log\n\n```text\n" + "".join(f"line {n} of the log\n" for n in range(600)) + "```\n"
    found = chunks(text)
    assert len(found) > 5
    assert covers(text, found)
    assert all(text[chunk.start - 1] == "\n" for chunk in found[1:])
    assert found[0].lead == ""
    assert {chunk.lead for chunk in found[1:]} == {"```text\n"}
    assert embedding_text(text, found[1], "Diary").startswith("Diary › Log\n```text\nline ")


def test_a_long_table_repeats_its_head() -> None:
    text = "| day | high |\n| --- | --- |\n" + "".join(f"| {n} | {n * 3} |\n" for n in range(800))
    found = chunks(text)
    assert covers(text, found)
    assert {chunk.lead for chunk in found[1:]} == {"| day | high |\n| --- | --- |\n"}


def test_chinese_without_a_space_is_cut_at_full_stops() -> None:
    text = "河边的灯一盏一盏亮起来，渡船慢慢靠岸。" * 200
    found = chunks(text)
    assert covers(text, found)
    assert all(text[chunk.stop - 1] == "。" and text[chunk.start] == "河" for chunk in found)


def test_a_list_is_cut_between_items() -> None:
    text = "".join(f"- item {n}: " + "word " * 20 + "\n" for n in range(60))
    found = chunks(text)
    assert covers(text, found)
    assert all(text[chunk.start :].startswith("- item") for chunk in found)
    assert all(before.stop == after.start for before, after in pairwise(found))


def test_a_heading_is_not_left_alone() -> None:
    text = "# Title\n\n## Part\n\n" + "A sentence that says something. " * 150
    found = chunks(text)
    assert text[found[0].start : found[0].stop].startswith("# Title\n\n## Part\n\nA sentence")


ODD = {
    "one line": "x" * 1_000_000,
    "quotes": ">" * 1_000_000,
    "deep quotes": "".join("> " * n + "a\n" for n in range(900)),
    "deep lists": "".join(" " * n + "- a\n" for n in range(900)),
    "dashes": "- " * 500_000,
    "items": "- a\n" * 250_000,
    "short lines": "a\n" * 500_000,
    "references": "[a]: x\n" * 140_000,
    "open brackets": "[a\n" * 330_000,
    "fences": "```\n" * 250_000,
    "growing fences": "".join("`" * n + "\n" for n in range(3, 1400)),
    "backticks": "`" * 1_000_000,
    "setext": "a\n=\n" * 250_000,
    "headings": "# a\n" * 250_000,
    "one heading": "# " + "a" * 1_000_000,
    "wide table": "|" * 100_000 + "\n" + "|-" * 50_000 + "\n" + "|x\n" * 1000,
    "html": "<div>\n" * 160_000,
    "blank lines": "\n" * 1_000_000,
    "spaces": " " * 1_000_000,
    "full stops": ". " * 500_000,
    "tabs": "\t" * 1_000_000,
}


@pytest.mark.parametrize("name", ODD)
@pytest.mark.parametrize("content_type", ["markdown", "text"])
def test_odd_megabytes_are_covered_in_time(name: str, content_type: str) -> None:
    start = time.process_time()
    found = chunks(ODD[name], content_type)
    assert time.process_time() - start < 10
    assert covers(ODD[name], found)
    assert max(chunk.stop - chunk.start for chunk in found) <= 4000


@pytest.mark.slow
@pytest.mark.parametrize("piece", ["x", "a\n", "# a\n", "word. ", "```\n", "- a\n\n", "\n", "中"])
def test_fifty_megabytes(piece: str) -> None:
    text = piece * (50_000_000 // len(piece))
    start = time.process_time()
    found = chunks(text)
    assert time.process_time() - start < 120
    assert covers(text, found)


_MARKDOWN = (
    "# Head\n",
    "## Sub\n\n",
    "\n\n",
    "```\ncode\n```\n",
    "- item\n",
    "> quote\n",
    "Setext\n===\n",
    "    code\n",
)
_TABLE = "| a | b |\n|---|---|\n| 1 | 2 |\n"
_PROSE = ("Setext\n===\n", "Line of text. ", "词语。", "~~~\n", "x" * 300, "word " * 90, "\u200d", "e\u0301" * 40)
_PIECES = st.sampled_from([*_MARKDOWN, _TABLE, *_PROSE])


@settings(max_examples=150, deadline=None)
@given(st.lists(_PIECES, min_size=1, max_size=60), st.sampled_from(["markdown", "text"]))
def test_any_mixture_is_covered(parts: list[str], content_type: str) -> None:
    text = "".join(parts) * 8
    found = chunks(text, content_type)
    assert covers(text, found)
    assert max(chunk.stop - chunk.start for chunk in found) <= 4200
