"""`mh entity`: lists, one entity, changes by hand; what programs read; errors on one line."""

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Run = Callable[..., Any]


@pytest.fixture
def people(mh: Run) -> Run:
    """A store with a few people in it."""
    for text in (
        "Met Robert Klein from Siemens in Berlin",
        "Robert Klein lives in Berlin now",
        "bob called about the winch",
        "我和王芳在北京大学听讲座",
    ):
        assert mh("add", "-q", text).code == 0
    return mh


def test_a_listing_looks_through_what_is_new_and_counts(people: Run) -> None:
    shown = people("entity", "list")
    assert (shown.code, shown.err) == (0, "")
    rows = [line.split(maxsplit=3)[1:] for line in shown.out.splitlines()]
    assert rows == [
        ["2", "place", "Berlin"],
        ["2", "person", "Robert Klein"],
        ["1", "organisation", "Siemens"],
        ["1", "organisation", "北京大学"],
        ["1", "person", "王芳"],
    ]
    assert people("entity", "list", "--type", "person", "-q").out.count("\n") == 2
    assert people("entity", "list", "kle", "--json").out.count("Robert Klein") == 1
    assert people("entity", "list", "nobody").err == "mh: no such entity\n"


def test_programs_get_ids_aliases_counts_relations_and_items(people: Run) -> None:
    (first, *_) = json.loads(people("entity", "list", "klein", "--json").out)
    assert sorted(first) == ["aliases", "id", "items", "name", "type"]
    people("entity", "alias", "robert klein", "Bob")
    shown = json.loads(people("entity", "show", first["id"][-6:], "--json").out)
    assert (shown["id"], shown["name"], shown["type"], shown["aliases"]) == (
        first["id"],
        "Robert Klein",
        "person",
        ["Bob"],
    )
    assert shown["count"] == len(shown["items"]) == 3
    (relation,) = shown["relations"]
    assert (relation["relation"], relation["name"], relation["is_outgoing"]) == ("lives_in", "Berlin", True)
    assert relation["evidence"] in {item["id"] for item in shown["items"]}


def test_show_reads_well(people: Run) -> None:
    people("entity", "alias", "Robert Klein", "Bob")
    lines = people("entity", "show", "bob").out.splitlines()
    assert lines[0].endswith("person  Robert Klein  3 items")
    assert lines[1] == "  also: Bob"
    assert "  Robert Klein  --lives_in-->  Berlin  (→ " in lines[2]
    assert [line.split("  ")[-1] for line in lines[3:]] == [
        "bob called about the winch",
        "Robert Klein lives in Berlin now",
        "Met Robert Klein from Siemens in Berlin",
    ]
    assert "… and 2 more; `--limit 0` shows all" in people("entity", "show", "bob", "-n", "1").out


def test_search_in_deep_mode_finds_a_person_under_another_name(people: Run) -> None:
    people("entity", "alias", "Robert Klein", "Bob")
    found = people("search", "Bob", "--mode", "deep", "--explain")
    assert "Met Robert Klein from Siemens in Berlin" in found.out
    assert "entity #" in found.out
    assert 'entities: ["Bob"]' in found.err
    assert "Siemens" not in people("search", "Bob", "--mode", "words").out


def test_changes_by_hand_can_be_undone(people: Run) -> None:
    people("entity", "list")
    merged = people("entity", "merge", "王芳", "Robert Klein")
    assert "also: 王芳" in merged.out
    assert people("undo").out == "undone: entity merge\n"
    assert people("entity", "rename", "王芳", "Wang Fang", "--type", "client").code == 0
    assert "client  Wang Fang" in people("entity", "show", "王芳").out
    assert people("entity", "alias", "王芳", "Fang").code == 0
    assert people("entity", "split", "王芳", "Fang").code == 0
    assert people("entity", "alias", "Wang Fang", "--rm", "王芳").code == 0
    assert people("entity", "rm", "Siemens").out == "forgot Siemens\n"
    assert "Siemens" not in people("entity", "list").out
    people("undo")
    assert "Siemens" in people("entity", "list").out


def test_ids_go_through_a_pipe(people: Run) -> None:
    ids = people("entity", "list", "--type", "person", "-q").out
    assert people("entity", "rm", "-", stdin=ids).out.count("forgot ") == 2
    assert people("entity", "list", "--type", "person", "-q").out == ""


@pytest.mark.parametrize(
    ("argv", "code", "said"),
    [
        (("show", "Nobody"), 3, "mh: error: no entity `Nobody`\nhint: `mh entity list` shows them\n"),
        (("merge", "Berlin", "berlin"), 4, "mh: error: `Berlin` and `Berlin` are one already\n"),
        (("alias", "Berlin"), 2, "mh: error: no name given\nhint: `mh entity alias ENTITY NAME`, or `--rm NAME`\n"),
        (("alias", "Berlin", "--rm", "Bln"), 3, "mh: error: `Berlin` has no alias `Bln`\n"),
        (("alias", "Berlin", "--rm", "Berlin"), 2, "mh: error: `Berlin` is its name, not an alias\n"),
        (("rename", "Berlin"), 2, "mh: error: no name given\n"),
        (("rename", "Berlin", "..."), 2, "mh: error: `...` cannot be a name\n"),
        (("rename", "Berlin", "--type", "a b!"), 2, "mh: error: `a b!` cannot be a type\n"),
        (("split", "Berlin", "Siemens"), 3, "mh: error: `Berlin` has no alias `Siemens`\n"),
        (("show", "@1"), 2, "mh: error: `@1` means a line of the last listing in this terminal"),
    ],
)
def test_errors_are_one_line_and_a_hint(people: Run, argv: tuple[str, ...], code: int, said: str) -> None:
    answer = people("entity", *argv)
    assert (answer.code, answer.out) == (code, "")
    assert answer.err.startswith(said)


def test_much_that_is_new_is_left_and_the_command_named(mh: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("memhub.cli.entity.FEW", 1)
    mh("add", "Lunch with Priya")
    mh("add", "Lunch with Elena")
    shown = mh("entity", "list")
    assert shown.out == ""
    assert "2 items are not looked through yet; `mh entity list --all` does that" in shown.err
    assert mh("entity", "list", "--all").out.count("person") == 2


def test_a_listing_does_not_wait_for_another_program(mh: Run) -> None:
    mh("add", "Met Robert Klein in Berlin")
    mh("entity", "list")
    mh("add", "Anna Schmidt came too")
    writing = "import sqlite3, sys; sqlite3.connect(sys.argv[1]).execute('BEGIN IMMEDIATE'); print(flush=True); input()"
    other = [sys.executable, "-c", writing, str(Path(os.environ["MH_HOME"]) / "mh.db")]
    with subprocess.Popen(other, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        process.stdout.readline()
        began = time.monotonic()
        done = mh("entity", "list", "-q")
        took = time.monotonic() - began
        process.communicate("\n")
    assert took < 10
    assert len(done.out.split()) == 2
    assert mh("entity", "list").out.count("\n") == 3


def test_names_from_texts_are_harmless_on_a_terminal(mh: Run) -> None:
    mh("add", "#evil\u202etag and more")
    assert "\u202e" not in mh("entity", "list").out
