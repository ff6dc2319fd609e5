"""Capture from the argument and from standard input, as people really have it."""

import json
from pathlib import Path

import pytest

DATA = Path(__file__).parent / "data/jsonl"


def contents(mh):
    return [item["content"] for item in json.loads(mh("list", "--json", "--limit", "0").out)][::-1]


def test_add_answers_with_the_item_and_its_status(mh):
    code, out, err = mh("add", "The boat key", "hangs behind the door", "-l", "home", "--title", "Key", "--json")
    item = json.loads(out)
    assert (code, err) == (0, "")
    assert item["content"] == "The boat key hangs behind the door"
    assert (item["title"], item["labels"], item["status"]) == ("Key", ["home"], "created")
    again = json.loads(mh("add", "  The boat key hangs behind the door\n", "--json").out)
    assert (again["id"], again["status"]) == (item["id"], "known")
    assert json.loads(mh("add", "The boat key hangs behind the door", "--again", "--json").out)["id"] != item["id"]


def test_quiet_prints_the_full_id_alone(mh):
    code, out, err = mh("add", "-q", "x y z")
    assert (code, len(out.strip()), err) == (0, 26, "")
    assert mh("show", "-q", out.strip()[-6:]).out == out


def test_a_request_id_is_known_for_ever(mh, clock):
    first = mh("add", "-q", "--request-id", "r1", "one").out
    clock.advance(90 * 86_400)
    assert mh("add", "-q", "--request-id", "r1", "another text").out == first


def test_standard_input_is_one_note(mh):
    assert mh("add", "-", "-q", stdin="first line\r\nsecond line\r\n").code == 0
    assert contents(mh) == ["first line\nsecond line"]


def test_standard_input_in_other_encodings(mh):
    mh("add", "-", stdin="\ufeff带标记".encode())
    mh("add", "-", stdin="from Windows: 你好".encode("utf-16"))
    mh("add", "-", stdin=b"broken \xff byte")
    assert contents(mh) == ["带标记", "from Windows: 你好", "broken \ufffd byte"]


def test_split_by_line_and_by_blank_line(mh):
    assert mh("add", "-", "--split", "line", stdin="a\n\n  b\nc").err.endswith("mh: 3 added\n")
    mh("add", "--split", "blank", stdin="one\ntwo\n\n\nthree\n")
    assert sorted(contents(mh)) == ["  b", "a", "c", "one\ntwo", "three"]


def test_nothing_is_no_note(mh):
    for argv, stdin in ((["add", "-"], ""), (["add", "-"], " \n"), (["add"], ""), (["add", "  "], "")):
        code, out, err = mh(*argv, stdin=stdin)
        assert (code, out) == (2, "")
        assert err.startswith("mh: error: nothing to ")


@pytest.mark.parametrize("extra", [[], ["--json"], ["--ndjson"]])
@pytest.mark.parametrize(
    ("file", "texts"),
    [
        ("blank-lines.jsonl", ["first, before the gap", "second, after the gap"]),
        ("bom-crlf.jsonl", ["made on another system", "with CRLF and no end of line"]),
    ],
)
def test_json_lines_with_gaps_marks_and_foreign_ends(mh, file, texts, extra):
    code, out, _ = mh("add", "-", "--split", "jsonl", *extra, stdin=(DATA / file).read_bytes())
    assert code == 0
    assert sorted(contents(mh)) == sorted(texts)
    if extra == ["--json"]:
        assert [record["content"] for record in json.loads(out)] == texts
    if extra == ["--ndjson"]:
        assert [json.loads(line)["content"] for line in out.splitlines()] == texts


@pytest.mark.parametrize("extra", [[], ["--json"]])
@pytest.mark.parametrize(
    ("file", "error", "hint"),
    [
        ("pretty.json", "line 1 is not a whole JSON record", "`jq -c .` makes one record a line"),
        ("array.json", "line 1 begins a JSON array, not a record", "`jq -c '.[]'` makes one record a line"),
    ],
)
def test_json_of_another_shape_gives_nothing_and_the_remedy(mh, file, error, hint, extra):
    code, out, err = mh("add", "-", "--split", "jsonl", *extra, stdin=(DATA / file).read_bytes())
    assert code == 2
    assert err == f"mh: error: {error}\nhint: {hint}\n"
    assert not extra or json.loads(out)["message"] == error
    assert contents(mh) == []


@pytest.mark.parametrize("extra", [[], ["--json"]])
def test_bad_records_are_named_and_the_rest_is_kept(mh, extra):
    code, out, err = mh("add", "-", "--split", "jsonl", *extra, stdin=(DATA / "one-bad.jsonl").read_bytes())
    assert code == 6
    assert sorted(contents(mh)) == ["good after", "good before", "with a key nobody knows"]
    skipped = [line for line in err.splitlines() if line.startswith("mh: skipped ")]
    assert [line.split(":")[1] for line in skipped] == [f" skipped line {n}" for n in (2, 4, 5, 6, 8)]
    assert skipped[1:] == [
        "mh: skipped line 4: a string, not a record",
        "mh: skipped line 5: no `content` (there is `text`)",
        "mh: skipped line 6: `content` is empty",
        "mh: skipped line 8: `content` is a number, not text",
    ]
    assert "not valid JSON" in skipped[0]
    items = json.loads(mh("list", "--json").out)
    assert [item["attrs"] for item in items if item["content"] == "with a key nobody knows"] == [{"mood": "calm"}]
    if extra:
        assert len(json.loads(out)) == 3


def test_the_same_file_twice_doubles_nothing(mh):
    raw = (DATA / "one-bad.jsonl").read_bytes()
    mh("add", "-", "--split", "jsonl", stdin=raw)
    code, _, err = mh("add", "-", "--split", "jsonl", stdin=raw)
    assert code == 6
    assert err.endswith("mh: 0 added, 3 known, 5 skipped\n")
    assert len(contents(mh)) == 3


def test_a_record_says_everything_that_an_option_can(mh):
    record = {
        "content": "c",
        "title": "t",
        "tags": ["a", "b"],
        "kind": "event",
        "importance": 0.5,
        "date": "2026-02",
        "request_id": "r",
        "attrs": {"x": 1},
        "y": [2],
    }
    item = json.loads(mh("add", "-", "--split", "jsonl", "--ndjson", stdin=json.dumps(record)).out)
    assert (item["title"], sorted(item["labels"]), item["kind"], item["importance"]) == ("t", ["a", "b"], "event", 0.5)
    assert item["created"] == {"value": "2026-02", "precision": "month", "tz_known": False}
    assert item["attrs"] == {"x": 1, "y": [2]}


def test_an_empty_answer_is_still_json(mh):
    assert mh("search", "zzqx", "--json", "--mode", "words")[:2] == (0, "[]\n")
    assert mh("search", "zzqx", "--ndjson", "--mode", "words")[:2] == (0, "")
    assert mh("list", "--label", "nosuch", "--json")[:2] == (0, "[]\n")
