"""`--db FILE`: reading does not make the file, and `--explain --json` answers beside the hits."""

import json

import pytest


@pytest.mark.parametrize(
    "argv", [("list",), ("search", "x"), ("show", "abcdef"), ("rm", "abcdef"), ("stats",), ("doctor",), ("undo",)]
)
def test_a_file_that_is_not_there_is_said_and_not_made(mh, tmp_path, argv):
    file = tmp_path / "typo.db"
    code, out, err = mh(*argv, "--db", str(file))
    assert (code, out) == (3, "")
    assert err == f"mh: error: there is no file `{file}`\nhint: `mh add --db {file}` makes it\n"
    assert not file.exists()


@pytest.mark.parametrize(("argv", "stdin"), [(("add", "x"), ""), (("capture",), "[A] x"), (("space", "new", "w"), "")])
def test_adding_makes_it(mh, tmp_path, argv, stdin):
    file = tmp_path / "new.db"
    assert mh(*argv, "--db", str(file), stdin=stdin).code == 0
    assert mh("list", "--db", str(file)).code == 0


def test_the_usual_file_need_not_be_there(mh):
    assert mh("list", "--json").out == "[]\n"


def test_how_a_query_was_read_stands_beside_the_hits(mh):
    mh("add", "the ferry leaves at 7:30")
    code, out, err = mh("search", "ferry", "--mode", "words", "--explain", "--json")
    assert code == 0
    assert [hit["content"] for hit in json.loads(out)] == ["the ferry leaves at 7:30"]
    assert "explain" in json.loads(err)
    assert mh("search", "ferry", "--mode", "words", "--explain", "--json", "-q").err == ""
