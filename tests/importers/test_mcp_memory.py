"""The memory file of MCP servers: spellings of other programs, one object with all, damage by several writers."""

import json
from pathlib import Path
from typing import Any

import pytest
from damage import GARBAGE
from importer_fixtures import run
from memhub_importers import mcp_memory

ENTITY = {"type": "entity", "name": "Ada", "entityType": "person", "observations": ["tea"]}


def write(folder: Path, *lines: Any, name: str = "memory.jsonl") -> Path:
    """A file with each value on a line; strings as they are."""
    path = folder / name
    path.write_text("\n".join(line if isinstance(line, str) else json.dumps(line) for line in lines) + "\n")
    return path


@pytest.mark.parametrize("key", ["name", "entityName", "id"])
def test_names_as_other_programs_spell_them(tmp_path: Path, key: str) -> None:
    entity = {"type": "entity", key: "Ada", "observations": ["tea"]}
    relation = {"type": "relation", "from_id": "Ada", "to_id": "Bo", "relation_type": "knows"}
    (record,), _, _ = run(write(tmp_path, entity, relation, name="memory.json"))
    assert (record.external_id, record.content, record.labels) == ("entity:Ada", "tea", ())
    assert [(link.target, link.attrs["to_title"]) for link in record.links] == [("knows", "Bo")]


def test_one_object_with_all(tmp_path: Path) -> None:
    graph = {
        "entities": [{"name": "Ada", "entityType": "person", "observations": ["tea"]}, {"name": "Bo"}, {"no": "name"}],
        "relations": [{"from": "Ada", "to": "Bo", "relationType": "knows"}, {"from": "Ada"}],
    }
    path = tmp_path / "graph.json"
    path.write_text(json.dumps(graph, indent=2))
    found, skipped, _ = run(path)
    assert {record.external_id: record.content for record in found} == {"entity:Ada": "tea", "entity:Bo": ""}
    assert found[0].links[0].to == "entity:Bo"
    assert [place.where for place in skipped] == ["graph.json: entity 3", "graph.json: relation 2"]
    assert all(place.failed for place in skipped)


def test_an_entity_that_comes_again_adds_what_is_new(tmp_path: Path) -> None:
    again = {"type": "entity", "name": "Ada", "entityType": "sailor", "observations": ["tea", "sails"]}
    (record,), skipped, _ = run(write(tmp_path, ENTITY, again))
    assert (record.content, record.labels) == ("tea\nsails", ("person", "sailor"))
    assert (record.warnings, skipped) == ((), [])


def test_a_relation_of_nobody_is_named(tmp_path: Path) -> None:
    relation = {"type": "relation", "from": "Ghost", "to": "Ada", "relationType": "haunts"}
    _, skipped, _ = run(write(tmp_path, ENTITY, relation))
    assert [(place.where, place.why, place.failed) for place in skipped] == [
        ("Ghost haunts", "line 2: relation of an unknown entity", True)
    ]


def test_names_are_compared_exactly(tmp_path: Path) -> None:
    lower = {"type": "entity", "name": "ada", "entityType": "boat", "observations": []}
    found, _, _ = run(write(tmp_path, ENTITY, lower))
    assert [record.external_id for record in found] == ["entity:Ada", "entity:ada"]


@pytest.mark.parametrize("bad", [x for x in GARBAGE if x not in (b'{"type":', b"{", b"\0\0\0\0")])
def test_a_bad_line_is_named_and_the_rest_arrives(tmp_path: Path, bad: bytes) -> None:
    path = tmp_path / "memory.jsonl"
    other = {**ENTITY, "name": "Bo"}
    path.write_bytes(json.dumps(ENTITY).encode() + b"\n" + bad + b"\n" + json.dumps(other).encode() + b"\n")
    found, skipped, _ = run(path)
    assert [record.title for record in found] == ["Ada", "Bo"]
    assert [(place.where, place.failed) for place in skipped] == [("memory.jsonl:2", True)]


def test_other_json_lines_are_not_taken(tmp_path: Path) -> None:
    for value in ({"type": "user", "message": {}}, {"type": "entity"}, {"a": 1}, [ENTITY]):
        assert mcp_memory.sniff(write(tmp_path, value)) is False
    assert mcp_memory.sniff(write(tmp_path, "not json")) is False
    assert mcp_memory.sniff(write(tmp_path, "", ENTITY)) is True
