"""`mh graph`: what hangs together, drawn so that nothing stands twice and no text becomes part of the drawing."""

import json
import re
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from memhub import Memory
from memhub.cli.drawing import dot, mermaid
from memhub.model.graph import Link
from memhub.model.thread import Message, ThreadInfo
from memhub.text.clean import display_width

Mh = Callable[..., Any]
ODD = 'say "hi" [x](y) {z} | a\\b <b>& \u202eevil\u202c `c` #1; \x1b[31mred\nsecond line'


@pytest.fixture
def memory(tmp_path: Path) -> Any:
    with Memory(tmp_path / "graph.db") as opened:
        yield opened


def add(memory: Memory, text: str, **more: Any) -> str:
    return memory.add(text, **more).item.id


def chain(memory: Memory, *texts: str) -> list[str]:
    """Notes of which each is linked to the one before."""
    ids = [add(memory, text) for text in texts]
    for one, other in pairwise(ids):
        memory.link(other, "follows", one)
    return ids


def speak(memory: Memory, name: str, *items: str, type: str = "person") -> str:
    """An entity of which these items speak."""
    connection = memory.store.connection
    number = 1 + int(connection.execute("SELECT coalesce(max(n), 0) FROM entity").get)
    identifier = f"01entity{number:018d}"
    with memory.store.writing():
        connection.execute(
            "INSERT INTO entity VALUES (?,?,?,?,?,NULL,?,0,'{}')",
            (number, identifier, identifier[::-1], name, type, number),
        )
        connection.execute("INSERT INTO entity_name VALUES (?,?)", (name.casefold(), number))
        for item in items:
            n = connection.execute("SELECT n FROM item WHERE id = ?", (item,)).get
            connection.execute("INSERT INTO mention VALUES (?,?,1)", (n, number))
    return identifier


def test_links_both_ways_as_far_as_asked(memory: Memory) -> None:
    ids = chain(memory, "one", "two", "three", "four", "five")
    for depth, reached in ((1, {1, 2, 3}), (2, {0, 1, 2, 3, 4})):
        found = memory.graph(ids[2], depth=depth)
        assert {node.id for node in found.nodes} == {ids[n] for n in reached}
    assert found.roots == (ids[2],)
    assert Link(ids[3], "follows", ids[2]) in found.edges
    assert [node.depth for node in found.nodes] == [0, 1, 1, 2, 2]
    assert [node.label for node in memory.graph(ids[0][-6:], depth=1).nodes] == ["one", "two"]


def test_a_conversation_and_its_turns(memory: Memory) -> None:
    turns = [Message(f"turn {n}", "user", id=f"m{n}") for n in range(12)]
    thread = memory.add_messages(turns, thread=ThreadInfo(title="Long talk", key=("x", "x", "1"))).thread
    found = memory.graph(thread.id, depth=1)
    assert [node.label for node in found.nodes] == ["Long talk", *(f"turn {n}" for n in range(8))]
    assert found.nodes[0].what == "thread"
    assert found.nodes[0].more == 4
    whole = memory.graph(thread.id, depth=1, limit=0)
    assert (len(whole.nodes), whole.nodes[0].more) == (13, 0)
    turn = memory.thread(thread.id).turns[0].id
    assert [node.what for node in memory.graph(turn, depth=1).nodes] == ["item", "thread"]


def test_items_of_one_file_and_those_of_others(memory: Memory, tmp_path: Path) -> None:
    page = tmp_path / "marks.html"
    page.write_text(
        '<!DOCTYPE NETSCAPE-Bookmark-file-1>\n<DL><p>\n<DT><A HREF="https://a.example/">A</A>\n'
        '<DT><A HREF="https://b.example/">B</A>\n</DL><p>\n'
    )  # fmt: skip
    memory.import_(page)
    add(memory, "typed by hand")
    first = memory.list(limit=0)[-1]
    found = memory.graph(first.id, depth=1)
    if first.source and first.source.path:
        assert {edge.relation for edge in found.edges} == {"same_source"}
    assert "typed by hand" not in [node.label for node in found.nodes]


def test_what_speaks_of_the_same_entity(memory: Memory) -> None:
    one, two, other = (add(memory, text) for text in ("Kostas surveys boats", "Ask Kostas about the mast", "Bread"))
    kostas = speak(memory, "Kostas", one, two)
    for start in ("kostas", kostas):
        found = memory.graph(start, depth=1)
        assert [node.label for node in found.nodes] == ["Kostas", "Ask Kostas about the mast", "Kostas surveys boats"]
        assert found.nodes[0].type == "person"
    assert [node.label for node in memory.graph(one, depth=2).nodes] == [
        "Kostas surveys boats", "Kostas", "Ask Kostas about the mast",
    ]  # fmt: skip
    assert [node.label for node in memory.graph(other).nodes] == ["Bread"]


def test_only_what_may_be_read(memory: Memory) -> None:
    memory.space_new("private")
    with Memory(memory.path, space="private") as private:
        secret = add(private, "Kostas owes me money")
        speak(private, "Kostas", secret)
    mine = add(memory, "A boat")
    memory.link(mine, "related", secret)
    assert [node.label for node in memory.graph(mine).nodes] == ["A boat"]
    assert memory.graph(secret).nodes == ()
    assert not memory.graph("Kostas").nodes or "money" not in memory.graph("Kostas").nodes[0].label


def test_dropped_items_and_pages_are_left_out(memory: Memory) -> None:
    ids = chain(memory, "one", "two", "three")
    memory.drop(ids[2])
    memory.brief()
    assert [node.label for node in memory.graph(ids[1]).nodes] == ["two", "one"]


def test_a_circle_ends(memory: Memory) -> None:
    ids = chain(memory, "one", "two", "three")
    memory.link(ids[0], "follows", ids[2])
    found = memory.graph(ids[0], depth=3)
    assert len(found.nodes) == 3
    assert len(found.edges) == 3


def test_a_tree_in_which_nothing_stands_twice(mh: Mh) -> None:
    ids = [mh("add", "-q", text).out.strip() for text in ("渡轮七点半开", "The gate is E6", "Tickets at the port")]
    for a, b in ((0, 1), (1, 2), (2, 0)):
        assert mh("link", ids[a], ids[b], "--type", "related").code == 0
    lines = mh("graph", ids[0]).out.splitlines()
    assert lines[0] == f"{ids[0][-6:]}  渡轮七点半开  (2026-02-10)"
    body = [re.sub(r"  \(2026-02-10\)$", "", line) for line in lines[1:]]
    assert body == [
        f"├─ related → {ids[1][-6:]}  The gate is E6",
        f"└─ ← related {ids[2][-6:]}  Tickets at the port",
        f"   └─ ← related {ids[1][-6:]}  The gate is E6 ↑",
    ]
    assert mh("graph", ids[0], "-q").out.split() == ids
    for n in range(12):
        mh("link", mh("add", "-q", f"more {n}").out.strip(), ids[1])
    assert "… 6 more" in mh("graph", ids[1], "--depth", "1").out


def test_many_that_stand_above_already_are_counted(mh: Mh) -> None:
    ids = [mh("add", "-q", f"note {n}").out.strip() for n in range(8)]
    for a in range(8):
        for b in range(a + 1, 8):
            mh("link", ids[a], ids[b], "--type", "related")
    lines = mh("graph", ids[0], "--limit", "0").out.splitlines()
    counted = [line for line in lines if re.search(r"─ … \d more ↑$", line)]
    assert [line[-8] for line in counted] == ["3", "4"]
    assert sum(line.endswith("↑") for line in lines) == 1 + 2 + 3 + 4 + 2 * 3


def test_lines_fit_the_window(mh: Mh, monkeypatch: pytest.MonkeyPatch) -> None:
    from memhub.cli.output import Output

    ids = [mh("add", "-q", f"{n} " + "很长的中文内容会被截断" * 9).out.strip() for n in range(4)]
    for one, other in pairwise(ids):
        mh("link", one, other)
    monkeypatch.setattr(Output, "is_terminal", property(lambda self: True))
    for columns in ("80", "100", "140"):
        monkeypatch.setenv("COLUMNS", columns)
        lines = mh("graph", ids[0], "--depth", "3", "--no-color").out.splitlines()
        assert len(lines) == 4
        assert all(min(int(columns), 100) - 8 <= display_width(line) <= min(int(columns), 100) for line in lines)


def test_foreign_text_stays_inside_its_label(memory: Memory) -> None:
    one, two = add(memory, ODD), add(memory, "plain")
    memory.link(one, "related", two)
    found = memory.graph(one)
    for drawn in (dot(found), mermaid(found)):
        assert "\x1b" not in drawn
        assert "\u202e" not in drawn
        assert len(drawn.splitlines()) == 7 if drawn.startswith("digraph") else 4
    label = re.search(r"n0 \[label=\"((?:[^\"\\]|\\.)*)\", tooltip", dot(found))
    assert label is not None
    assert label[1].startswith('say \\"hi\\" [x](y) {z} | a\\\\b <b>&')
    text = re.search(r'^  n0\["([^"]*)"\]$', mermaid(found), re.M)
    assert text is not None
    assert not set(text[1]) & set("[](){}<>&`|\\")
    assert re.sub(r"#(\d+);", lambda sign: chr(int(sign[1])), text[1]).startswith('say "hi" [x](y) {z} | a\\b <b>&')


def test_json_is_one_valid_document(mh: Mh) -> None:
    one, two = (mh("add", "-q", text).out.strip() for text in (ODD.replace("\x1b", ""), "plain"))
    mh("link", one, two)
    for options in (("--json",), ("--format", "json")):
        found = json.loads(mh("graph", one, *options).out)
        assert found["roots"] == [one]
        assert {node["id"] for node in found["nodes"]} == {one, two}
        assert found["edges"] == [{"src": one, "relation": "related", "dst": two}]
    assert mh("graph", one, "--format", "dot", "--json").code == 2
    assert mh("graph", one, "--depth", "4").code == 2


def test_a_query_and_nothing_at_all(mh: Mh) -> None:
    empty = mh("graph")
    assert (empty.code, empty.out) == (0, "")
    assert "nothing found" in empty.err
    mh("add", "The ferry leaves at 7:30")
    assert "The ferry leaves" in mh("graph", "ferry").out
    assert "The ferry leaves" in mh("graph").out
    assert mh("graph", "zzzzzz9").code == 0
