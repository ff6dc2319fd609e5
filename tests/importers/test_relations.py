"""The words that sources have for their links, as edges: which relation, which way, and what a later import does."""

import json
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from importer_fixtures import write

from memhub import Memory

Edges = set[tuple[str, str, str]]


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Memory]:
    with Memory(tmp_path / "memory.db") as opened:
        yield opened


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    folder = tmp_path / "vault"
    folder.mkdir()
    return folder


def edges(memory: Memory) -> Edges:
    """Title, relation, title."""
    return {
        (str(edge.src_title), edge.relation, str(edge.dst_title))
        for item in memory.list(limit=0)
        for edge in memory.links(item.id)
    }


def ref(memory: Memory, title: str) -> str:
    return next(item.id for item in memory.list(limit=0) if item.title == title)


def basic_memory(folder: Path, relations: str) -> Path:
    return write(
        folder,
        Boat=f"---\ntitle: Boat\npermalink: boat\n---\n{relations}",
        Harbour="---\ntitle: Harbour\npermalink: harbour\n---\nCold.",
        Old="---\ntitle: Old\npermalink: old\n---\nRotten.",
    )


def mcp(folder: Path) -> Path:
    lines = [
        {"type": "entity", "name": "Mira", "entityType": "person", "observations": ["Sails."]},
        {"type": "entity", "name": "Guild", "entityType": "club", "observations": ["Meets."]},
        {"type": "relation", "from": "Mira", "to": "Guild", "relationType": "Is Member Of"},
    ]
    path = folder / "memory.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path


def canvas(folder: Path) -> Path:
    nodes = [
        {"id": "a", "type": "text", "text": "First"},
        {"id": "b", "type": "text", "text": "Second"},
        {"id": "n", "type": "file", "file": "Note.md"},
    ]
    edges = [
        {"fromNode": "a", "toNode": "b", "label": "leads to"},
        {"fromNode": "a", "toNode": "n"},
        {"fromNode": "n", "toNode": "b", "label": "→"},
        {"fromNode": "n", "toNode": "a", "label": "Proves"},
    ]
    (folder / "board.canvas").write_text(json.dumps({"nodes": nodes, "edges": edges}))
    return write(folder, Note="Of its own.")


def properties(folder: Path) -> Path:
    text = '---\nup: "[[Index]]"\nWritten by: ["[[Mira]]"]\n"→": "[[Mira]]"\n---\nSee [[Index]] and ![[Mira]].'
    return write(folder, Note=text, Index="All.", Mira="Sails.")


def zk(folder: Path) -> Path:
    (folder / ".zk").mkdir()
    (folder / ".zk" / "config.toml").write_text("")
    text = '# Note\n\n#[[one]] [[two]]# [[[three]]] [[four]] [x](five "proves") [y](six "two words")'
    others = {name: f"# {name}" for name in ("one", "two", "three", "four", "five", "six")}
    return write(folder, note=text, **others)


def org(folder: Path) -> Path:
    (folder / "a.org").write_text("* Top\n:PROPERTIES:\n:ID: top\n:END:\n** Below\nSee [[id:top][it]].\n")
    return folder


@pytest.mark.parametrize(
    ("source", "wanted"),
    [
        (mcp, {("Mira", "is_member_of", "Guild")}),
        (
            canvas,
            {
                ("board / a", "leads_to", "board / b"),
                ("board / a", "related", "Note"),
                ("Note", "related", "board / b"),
                ("Note", "proves", "board / a"),
            },
        ),
        (
            properties,
            {
                ("Note", "up", "Index"),
                ("Note", "written_by", "Mira"),
                ("Note", "links_to", "Mira"),
                ("Note", "links_to", "Index"),
            },
        ),
        (
            zk,
            {
                ("Note", "up", "one"),
                ("Note", "down", "two"),
                ("Note", "down", "three"),
                ("Note", "links_to", "four"),
                ("Note", "proves", "five"),
                ("Note", "links_to", "six"),
            },
        ),
        (org, {("Below", "parent", "Top"), ("Below", "links_to", "Top")}),
    ],
    ids=["mcp", "canvas", "properties", "zk", "org"],
)
def test_the_word_of_the_source_is_the_relation(
    source: Callable[[Path], Path], wanted: Edges, memory: Memory, vault: Path
) -> None:
    path = source(vault)
    memory.import_(path)
    assert edges(memory) == wanted
    assert memory.import_(path).operation is None, "a second import changes nothing"


def test_relations_of_basic_memory_come_and_go(memory: Memory, vault: Path) -> None:
    basic_memory(vault, '- lies in [[Harbour]]\n- "lies in" [[Harbour]] (winter)\n- part_of [[Old]]\n')
    memory.import_(vault)
    wanted = {("Boat", "lies_in", "Harbour"), ("Boat", "links_to", "Harbour"), ("Boat", "part_of", "Old")}
    assert edges(memory) == wanted
    basic_memory(vault, "- LIES_IN [[Harbour]]\n- 属于 [[Old]]\n")
    memory.import_(vault)
    assert edges(memory) == {("Boat", "lies_in", "Harbour"), ("Boat", "属于", "Old")}
    memory.undo()
    assert edges(memory) == wanted


def test_what_the_user_linked_or_unlinked_stays(memory: Memory, vault: Path) -> None:
    basic_memory(vault, "- near [[Harbour]]\n- like [[Old]]\n- above [[Old]]\n")
    memory.import_(vault)
    boat, harbour, old = (ref(memory, title) for title in ("Boat", "Harbour", "Old"))
    memory.link(boat, "Near", harbour)  # the same as the import wrote: now it is the user's too
    memory.link(old, "follows", boat)
    memory.unlink(boat, "like", old)
    mine = {("Boat", "near", "Harbour"), ("Old", "follows", "Boat")}
    assert memory.import_(vault).operation is None
    assert edges(memory) == mine | {("Boat", "above", "Old")}
    basic_memory(vault, "- like [[Old]]\n")
    memory.import_(vault)
    assert edges(memory) == mine


def test_an_import_that_was_undone_brings_its_relations_again(memory: Memory, vault: Path) -> None:
    basic_memory(vault, "- near [[Harbour]]\n")
    memory.import_(vault)
    memory.undo()
    memory.import_(vault)
    assert edges(memory) == {("Boat", "near", "Harbour")}


@pytest.mark.parametrize(
    ("word", "relation"),
    [
        ("replaces", "supersedes"),
        ("confirms", "supports"),
        ("challenges", "contradicts"),
        ("enriches", "extends"),
        ("evidence_of", "evidence_for"),
    ],
)
def test_no_source_decides_what_is_current(word: str, relation: str, memory: Memory, vault: Path) -> None:
    basic_memory(vault, f"- {word} [[Old]]\n")
    memory.import_(vault)
    assert edges(memory) == {("Boat", relation, "Old")}
    assert {(item.title, item.state, item.flags) for item in memory.list(limit=0)} == {
        (title, "live", ()) for title in ("Boat", "Harbour", "Old")
    }
    assert memory.import_(vault).operation is None


def test_a_canvas_and_a_note_write_edges_of_one_item_side_by_side(memory: Memory, vault: Path) -> None:
    canvas(vault)
    write(vault, Note='---\nup: "[[Index]]"\n---\n', Index="All.")
    memory.import_(vault)
    assert {edge for edge in edges(memory) if edge[0] == "Note"} == {
        ("Note", "up", "Index"),
        ("Note", "related", "board / b"),
        ("Note", "proves", "board / a"),
    }
    board = json.loads((vault / "board.canvas").read_text())
    board["edges"] = board["edges"][:3]
    (vault / "board.canvas").write_text(json.dumps(board))
    memory.import_(vault)
    assert {edge for edge in edges(memory) if edge[0] == "Note"} == {
        ("Note", "up", "Index"),
        ("Note", "related", "board / b"),
    }


def test_relations_go_out_as_markdown_and_come_back(memory: Memory, vault: Path, tmp_path: Path) -> None:
    basic_memory(vault, "- near [[Harbour]]\n- like [[Old]]\nSee [[Harbour]] and [[Old]].")
    memory.import_(vault)
    memory.link(ref(memory, "Old"), "follows", ref(memory, "Boat"))
    before = edges(memory)
    out = tmp_path / "out"
    memory.export_folder(out)
    assert memory.import_(out).operation is None
    with Memory(tmp_path / "other.db") as other:
        other.import_(out)
        assert edges(other) == before
        assert other.import_(out).operation is None
        boat = next(out.rglob("boat-*.md"))
        boat.write_text(boat.read_text().replace('"like"', '"unlike"'))
        other.import_(out)
        assert edges(other) == {*before - {("Boat", "like", "Old")}, ("Boat", "unlike", "Old")}


def test_a_relation_removed_here_after_the_export_does_not_come_back_from_it(
    memory: Memory, vault: Path, tmp_path: Path
) -> None:
    basic_memory(vault, "- near [[Harbour]]\n- like [[Old]]\n")
    memory.import_(vault)
    out = tmp_path / "out"
    memory.export_folder(out)
    shutil.rmtree(vault)
    vault.mkdir()
    basic_memory(vault, "- near [[Harbour]]\n")
    memory.import_(vault)
    boat = next(out.rglob("boat-*.md"))
    boat.write_text(boat.read_text().replace('type: "near"', 'type: "beside"'))
    memory.import_(out)
    assert edges(memory) == {("Boat", "near", "Harbour"), ("Boat", "beside", "Harbour")}
