"""Reads a fixture folder and compares what an importer yields with its `expected.json`."""

import json
from pathlib import Path
from typing import Any

from memhub_importers.registry import choose

from memhub.model.record import Link, Record, Skipped
from memhub.text.labels import label_key

DATA = Path(__file__).parent / "data"


def run(path: Path) -> tuple[list[Record], list[Skipped], tuple[str, str]]:
    """The records and skipped places of `path`, and (kind, scope) of the source."""
    _, importer = choose(path)
    outcomes = list(importer.read(path, scope=importer.origin(path).scope))
    records = [outcome for outcome in outcomes if isinstance(outcome, Record)]
    skipped = [outcome for outcome in outcomes if isinstance(outcome, Skipped)]
    assert len(records) + len(skipped) == len(outcomes)
    return records, skipped, tuple(importer.origin(path))


def one(path: Path) -> Record:
    """The only record of `path`."""
    records, skipped, _ = run(path)
    assert not skipped
    assert len(records) == 1
    return records[0]


def write(folder: Path, **texts: str) -> Path:
    """`folder` with a file for each keyword, `a_b="…"` as `a_b.md`."""
    for name, text in texts.items():
        (folder / f"{name}.md").write_text(text, encoding="utf-8")
    return folder


def check_fixture(name: str) -> None:
    """Compares as the fixture's format says: every item and no other, links and labels as sets, the rest exact."""
    folder = DATA / name
    wanted = json.loads((folder / "expected.json").read_text(encoding="utf-8"))
    records, skipped, origin = run(folder / wanted["inputs"][0])
    by_id = {record.external_id: record for record in records}
    assert len(by_id) == len(records)
    assert set(by_id) == {item["external_id"] for item in wanted["items"]}
    for item in wanted["items"]:
        assert origin == (item["source"]["kind"], item["source"]["scope"])
        _check_item(by_id[item["external_id"]], item)
    assert {place.where for place in skipped} == {entry["path"] for entry in wanted["skipped"]}
    for entry in wanted["skipped"]:
        assert entry["reason"] in next(place.why for place in skipped if place.where == entry["path"])
    assert {record.path for record in records if record.warnings} == {entry["path"] for entry in wanted["warnings"]}


def _check_item(record: Record, item: dict[str, Any]) -> None:
    assert record.title == item["title"]
    if "text" in item:
        assert record.content == item["text"]
    for part in item.get("text_contains", ()):
        assert part in record.content
    for part in item.get("text_excludes", ()):
        assert part not in record.content
    assert {label_key(label) for label in record.labels} == {label_key(label) for label in item["labels"]}
    assert record.created_at == item["created_at"]
    if item["updated_at"]:
        assert record.updated_at == item["updated_at"]
    assert record.path == item["source"]["path"]
    assert {(link.type, link.target) for link in record.links} == {(x["type"], x["target"]) for x in item["links"]}
    assert len(record.links) == len(item["links"])
    for want in item["links"]:
        _check_link(next(x for x in record.links if (x.type, x.target) == (want["type"], want["target"])), want)
    if "aliases" in item:
        assert list(record.aliases) == item["aliases"]
    if "encoding" in item:
        assert record.attrs["encoding"] == item["encoding"]


def _check_link(link: Link, want: dict[str, Any]) -> None:
    assert link.to == want["to"]
    for extra in ("display", "property", "attachment"):
        if extra in want:
            assert link.attrs[extra] == want[extra]
