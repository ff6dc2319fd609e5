"""mh-export: what a file holds, what a damaged one says, and what becomes of flat records."""

import gzip
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from store_state import export, reads, write_export

from memhub.errors import MhError
from memhub.model.query import Filters
from memhub.model.thread import Message, Speaker, ThreadInfo
from memhub.workspace import Memory

OLD = [
    {"type": "header", "format": "mh-export", "version": 1, "exported_at": "2026-06-01T08:00:00Z",
     "spaces": ["default", "work"]},
    {"type": "label", "name": "rope", "space": "default", "color": None, "description": "all about rope"},
    {"type": "item", "id": "01JZ0000000000000000000001", "space": "default", "layer": "note", "kind": "note",
     "title": "Café rope", "content": "Line one\nLine two \u2028 with a line separator\n", "labels": ["rope", "boat"],
     "importance": 0.7, "pinned": False, "archived": False, "created_at": "2026-05-01T10:00:00.000001Z",
     "updated_at": "2026-05-02T10:00:00Z", "version": 2, "metadata": {"aliases": ["line"], "n": 12345678901234567890},
     "source": {"kind": "obsidian", "scope": "vault", "external_id": "path:Rope.md", "path": "Rope.md", "url": None},
     "x_future": {"keep": "me"}},
    {"type": "version", "item_id": "01JZ0000000000000000000001", "version": 1, "title": "Rope",
     "content": "Line one\n"},
    {"type": "item", "id": "01JZ0000000000000000000002", "space": "work", "layer": "fact", "kind": "fact",
     "title": None, "content": "Chain oil: dry wax", "labels": [], "importance": None, "pinned": True,
     "archived": False, "created_at": "2026-05-03", "updated_at": "2026-05-03", "valid_from": "2026-01-01",
     "source": None, "metadata": {}},
    {"type": "edge", "from": "01JZ0000000000000000000002", "to": "01JZ0000000000000000000001", "relation": "mentions",
     "weight": 1.0, "metadata": {}},
    {"type": "tombstone", "id": "01JZ0000000000000000000003", "space": "default", "deleted_at": "2026-05-04T00:00:00Z"},
    {"type": "footer", "counts": {"item": 2, "version": 1, "edge": 1, "label": 1, "tombstone": 1}},
]  # fmt: skip
ROPE, OIL = "01jz0000000000000000000001", "01jz0000000000000000000002"


def _type(record: dict[str, Any]) -> str:
    return str(record["type"])


def write(path: Path, records: list[dict[str, Any]]) -> Path:
    path.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
    return path


@pytest.fixture
def memory(tmp_path: Path) -> Memory:
    return Memory(tmp_path / "kb.db")


@pytest.fixture
def full(memory: Memory) -> Memory:
    memory.space_new("work")
    one = memory.add("line one \u2028 separator, 缆绳 and 🚢", title="T", labels=["rope"], importance=0.5).item
    two = memory.add("in work", space="work", project="mast", attrs={"n": 12345678901234567890, "x": 1.5e-7}).item
    memory.update(one.id, content="second")
    memory.link(one.id, "related", two.id)
    memory.add_messages(
        [Message("hello", "user", Speaker("Ann", "a1")), Message("hi", "assistant")],
        thread=ThreadInfo(title="talk", platform="chat"),
    )
    memory.erase(memory.add("gone").item.id)
    memory.drop(memory.add("dropped").item.id)
    return memory


def test_what_a_file_holds(full: Memory) -> None:
    lines = list(full.export_lines())
    records = [json.loads(line) for line in lines]
    assert all(line.endswith("\n") and "\u2028" not in line for line in lines)
    assert [record["type"] for record in records if record["type"] not in ("version", "entry")] == [
        "header", "thread", "item", "item", "item", "item", "edge", "edge", "edge", "footer",
    ]  # fmt: skip
    assert records[0]["counts"] == records[-1]["counts"]
    assert records[0]["counts"]["version"] == 7
    assert (records[0]["format"], records[0]["version"], records[0]["spaces"]) == ("mh-export", 1, ["default", "work"])
    erased = [record for record in records if record["type"] == "version" and "meta" not in record]
    assert len(erased) == 1
    assert sorted(erased[0]) == ["hash", "item", "type"]


@pytest.mark.parametrize("name", ["all.jsonl", "all.jsonl.gz"])
def test_there_and_back_is_the_same(full: Memory, tmp_path: Path, name: str) -> None:
    file = tmp_path / name
    data = "".join(full.export_lines()).encode()
    file.write_bytes(gzip.compress(data) if name.endswith(".gz") else data)
    with Memory(tmp_path / "other.db") as other:
        report = other.import_(file)
        assert (report.importer, report.scope, report.created) == ("mh-export", name, 6)
        assert export(other) == export(full)
        assert reads(other) == reads(full)
        assert other.doctor(deep=True).ok


def test_filters_give_flat_records_that_start_fresh_chains(full: Memory, tmp_path: Path) -> None:
    file = tmp_path / "flat.jsonl"
    file.write_text("".join(full.export_lines(Filters(space="work"))), encoding="utf-8")
    kinds = [json.loads(line)["type"] for line in file.read_text(encoding="utf-8").splitlines()]
    assert kinds == ["header", "item", "footer"]
    with Memory(tmp_path / "other.db") as other:
        other.import_(file)
        [item] = other.list(Filters(space="work"))
        assert (item.content, item.project, item.attrs) == ("in work", "mast", {"n": 12345678901234567890, "x": 1.5e-7})
        assert len(other.history(item.id)) == 1


def test_a_filtered_conversation_stays_one(full: Memory, tmp_path: Path) -> None:
    file = tmp_path / "talk.jsonl"
    file.write_text("".join(full.export_lines(Filters(layers=("L0",)))), encoding="utf-8")
    with Memory(tmp_path / "other.db") as other:
        other.import_(file)
        [thread] = other.threads()
        turns = other.thread(thread.id).turns
        assert (thread.title, thread.platform) == ("talk", "chat")
        assert [(turn.content, turn.attrs["role"]) for turn in turns] == [("hello", "user"), ("hi", "assistant")]


def test_a_flat_file_of_another_program(memory: Memory, tmp_path: Path) -> None:
    file = write(tmp_path / "export.jsonl", OLD)
    report = memory.import_(file)
    assert (report.created, report.skipped) == (2, ())
    assert report.warnings == (("export.jsonl", "1 earlier versions are kept for the next export, not as history"),)
    rope, oil = memory.get(ROPE), memory.get(OIL)
    assert (rope.title, rope.content) == ("Café rope", "Line one\nLine two \u2028 with a line separator\n")
    assert (rope.labels, rope.importance, rope.space, rope.layer) == (("boat", "rope"), 0.7, "default", "L1")
    assert (rope.created_at, rope.updated_at) == ("2026-05-01T10:00:00.000001Z", "2026-05-02T10:00:00Z")
    assert rope.source is not None
    assert (rope.source.kind, rope.source.path) == ("obsidian", "Rope.md")
    assert (oil.space, oil.kind, oil.pinned, oil.created_at, oil.valid_from) == (
        "work", "fact", True, "2026-05-03", "2026-01-01",
    )  # fmt: skip
    assert [(edge.src, edge.relation, edge.dst) for edge in memory.links(OIL)] == [(OIL, "mentions", ROPE)]
    lines = [json.loads(line) for line in memory.export_lines()]
    unknown = [line for line in lines if line["type"] in ("label", "tombstone") or "item_id" in line]
    assert sorted(unknown, key=_type) == [OLD[1], OLD[6], OLD[3]]
    shown = next(line for line in lines if line["type"] == "item" and line["id"] == ROPE)
    assert shown["x_future"] == {"keep": "me"}
    assert shown["attrs"] == {"aliases": ["line"], "n": 12345678901234567890}
    before = export(memory)
    again = memory.import_(file)
    assert (again.created, again.updated, again.unchanged, again.operation) == (0, 0, 2, None)
    assert export(memory) == before
    memory.undo()
    assert memory.list(Filters(space="default")) == []
    assert "work" not in {space.name for space in memory.spaces()}


def test_unknown_records_survive_and_an_erase_reaches_them(memory: Memory, tmp_path: Path) -> None:
    memory.import_(write(tmp_path / "export.jsonl", OLD))
    with Memory(tmp_path / "other.db") as other:
        other.import_(write_export(memory, tmp_path / "all.jsonl"))
        assert export(other) == export(memory)
        other.erase(ROPE)
        assert "Line one" not in "".join(other.export_lines())
        assert "all about rope" in "".join(other.export_lines())


def test_a_later_flat_text_becomes_the_latest_version(memory: Memory, tmp_path: Path) -> None:
    memory.import_(write(tmp_path / "export.jsonl", OLD))
    newer = {**OLD[4], "content": "Chain oil: wet wax", "updated_at": "2026-05-09"}
    older = {**OLD[2], "content": "older", "updated_at": "2026-05-01T12:00:00Z"}
    records = [OLD[0], newer, older, {"type": "footer", "counts": {"item": 2}}]
    report = memory.import_(write(tmp_path / "newer.jsonl", records))
    assert (report.updated, report.unchanged) == (1, 1)
    assert [version.content for version in memory.history(OIL)] == ["Chain oil: wet wax", "Chain oil: dry wax"]
    assert memory.get(ROPE).title == "Café rope"


def _cut(lines: list[str]) -> list[str]:
    return lines[:-1]


def _forge(lines: list[str]) -> list[str]:
    return [line.replace('"second"', '"forged"') for line in lines]


def _truncate(lines: list[str]) -> list[str]:
    return [*lines[:5], lines[5][:20] + "\n", *lines[6:]]


def _later(lines: list[str]) -> list[str]:
    return [lines[0].replace('"version":1', '"version":2'), *lines[1:]]


def _without_heads(lines: list[str]) -> list[str]:
    return [line.replace('"heads":', '"tails":') for line in lines]


def _negative(lines: list[str]) -> list[str]:
    return [line.replace('"seq":1,', '"seq":-1,') for line in lines]


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (_cut, "is cut off: its last line is no footer"),
        (_forge, "does not have this hash"),
        (_truncate, "line 6: not JSON"),
        (_later, "line 1: mh-export version 2; this mh reads version 1"),
        (_without_heads, "`item.drop` needs `heads` in its payload"),
        (_negative, "`seq` -1 is out of range"),
        (lambda lines: [*lines[:3], *lines[4:]], "does not hold what its footer counts"),
        (lambda lines: lines[1:], "does not begin with a header"),
        (lambda _: [], "is empty"),
        (lambda lines: [lines[0], "[1]\n", *lines[1:]], "line 2: not an object with a `type`"),
        (lambda lines: [lines[0], '{"type":"x","n":NaN}\n', *lines[1:]], "line 2: NaN is not JSON"),
        (lambda lines: [lines[0], "[" * 100_000 + "\n", *lines[1:]], "line 2: "),
    ],
)
def test_a_damaged_file_is_refused_whole(
    full: Memory, tmp_path: Path, damage: Callable[[list[str]], list[str]], message: str
) -> None:
    file = tmp_path / "damaged.jsonl"
    file.write_text("".join(damage(list(full.export_lines()))), encoding="utf-8")
    with Memory(tmp_path / "other.db") as other:
        with pytest.raises(MhError) as caught:
            other.import_export(file)
        assert message in caught.value.message
        assert other.list(Filters(states=("all",))) == []
        assert other.operations() == []


def test_force_takes_what_is_good_and_names_the_rest(full: Memory, tmp_path: Path) -> None:
    file = tmp_path / "cut.jsonl"
    lines = _forge(list(full.export_lines()))[:-1]
    file.write_text("".join(lines) + '{"type": "ite', encoding="utf-8")
    with Memory(tmp_path / "other.db") as other:
        report = other.import_export(file, force=True)
        whys = [skipped.why for skipped in report.skipped]
        assert len(whys) == 2
        assert "does not have this hash" in whys[0]
        assert whys[1].startswith("not JSON")
        assert {item.content for item in other.list()} >= {"hello", "hi"}
        assert "forged" not in {item.content for item in other.list()}


def test_a_gzip_file_cut_in_the_middle(full: Memory, tmp_path: Path) -> None:
    file = tmp_path / "cut.jsonl.gz"
    data = gzip.compress("".join(full.export_lines()).encode())
    file.write_bytes(data[: len(data) // 2])
    with pytest.raises(MhError, match="cannot read"):
        full.import_export(file)


def test_a_dry_run_tells_new_from_known(full: Memory, tmp_path: Path) -> None:
    file = write_export(full, tmp_path / "all.jsonl")
    with Memory(tmp_path / "other.db") as other:
        report = other.import_(file, dry_run=True)
        assert (report.dry_run, report.created, report.unchanged) == (True, 4, 0)
        assert other.operations() == []
    report = full.import_(file, dry_run=True)
    assert (report.created, report.unchanged) == (0, 4)


def test_an_export_is_of_one_moment(full: Memory) -> None:
    lines = full.export_lines()
    first = next(lines)
    full.add("written while the export runs")
    rest = list(lines)
    assert json.loads(first)["counts"] == json.loads(rest[-1])["counts"]
    assert "written while the export runs" not in "".join(rest)
