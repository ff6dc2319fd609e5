"""Reads a fixture folder and compares what an importer yields with its `expected.json`."""

import json
import shutil
from pathlib import Path
from typing import Any

from memhub_importers.registry import choose

from memhub.model.record import Conversation, Cursor, Link, Record, Skipped
from memhub.text.labels import label_key

DATA = Path(__file__).parent / "data"


def run(path: Path) -> tuple[list[Record], list[Skipped], tuple[str, str]]:
    """The records and skipped places of `path`, and (kind, scope) of the source."""
    _, importer = choose(path)
    outcomes = list(importer.read(path, scope=importer.origin(path).scope))
    records = [outcome for outcome in outcomes if isinstance(outcome, Record)]
    skipped = [outcome for outcome in outcomes if isinstance(outcome, Skipped)]
    assert all(isinstance(outcome, Record | Skipped | Cursor) for outcome in outcomes)
    return records, skipped, tuple(importer.origin(path))


def run_threads(path: Path) -> tuple[list[Record], list[Skipped], tuple[str, str]]:
    """The same for a source of conversations, each as the record that `expected.json` describes."""
    _, importer = choose(path)
    outcomes = list(importer.read(path, scope=importer.origin(path).scope))
    records = [_as_record(outcome) for outcome in outcomes if isinstance(outcome, Conversation)]
    return records, [x for x in outcomes if isinstance(x, Skipped)], tuple(importer.origin(path))


def _as_record(conversation: Conversation) -> Record:
    """Texts and models of all turns; whole seconds; the number of prompts as `turns`."""
    messages = conversation.messages
    assert conversation.info.key is not None
    forks = [message.attrs["forked_from"] for message in messages if "forked_from" in message.attrs]
    return Record(
        external_id=conversation.info.key[2],
        content="\n\n".join(message.content for message in messages),
        title=conversation.info.title,
        labels=tuple(dict.fromkeys(message.attrs["model"] for message in messages if "model" in message.attrs)),
        created_at=messages[0].at,
        updated_at=messages[-1].at,
        attrs={"turns": sum(message.role == "user" for message in messages)},
        links=tuple(Link("relation", "forked_from", fork) for fork in forks),
    )


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


def copy_fixture(name: str, to: Path) -> Path:
    """A copy of a fixture, with the folder that git keeps in a notebook of nb, which cannot be stored in git."""
    folder = shutil.copytree(DATA / name, to / name)
    if name == "nb":
        (folder / "home" / ".git").mkdir()
        (folder / "home" / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
    return folder


def check_fixture(name: str, to: Path) -> None:
    """Compares as the fixture's format says: every item and no other, links and labels as sets, the rest exact.

    Reasons and warnings are compared by what they are about; of a reason the first word must be there.
    """
    folder = copy_fixture(name, to)
    wanted = json.loads((folder / "expected.json").read_text(encoding="utf-8"))
    has_threads = any("turns" in item for item in wanted["items"])
    records, skipped, origin = (run_threads if has_threads else run)(folder / wanted["inputs"][0])
    by_id = {record.external_id: record for record in records}
    assert len(by_id) == len(records)
    assert set(by_id) == {item["external_id"] for item in wanted["items"]}
    for item in wanted["items"]:
        assert origin == (item["source"]["kind"], item["source"]["scope"])
        _check_item(by_id[item["external_id"]], item)
    lines = {f"{wanted['inputs'][0]}:{entry['line']}" for entry in wanted["warnings"] if "line" in entry}
    assert {place.where for place in skipped} - lines == {_subject(entry) for entry in wanted["skipped"]}
    for entry in wanted["skipped"]:
        why = next(place.why for place in skipped if place.where == _subject(entry))
        assert entry["reason"].split()[0] in why
    for entry in wanted["warnings"]:
        if "line" in entry:
            told = [warning for record in records for warning in record.warnings]
            told += [f"line {place.where.rpartition(':')[2]}: {place.why}" for place in skipped if place.failed]
            assert any(warning.startswith(f"line {entry['line']}:") for warning in told)
    if not lines:
        assert {record.path for record in records if record.warnings} == {entry["path"] for entry in wanted["warnings"]}


def _subject(entry: dict[str, Any]) -> str:
    return str(entry.get("path") or entry["url"])


def _check_item(record: Record, item: dict[str, Any]) -> None:
    assert record.title == item["title"]
    if "text" in item:
        assert record.content == item["text"]
    for part in item.get("text_contains", ()):
        assert part in record.content
    for part in item.get("text_excludes", ()):
        assert part not in record.content
    assert {label_key(label) for label in record.labels} == {label_key(label) for label in item["labels"]}
    assert _second(record, record.created_at) == _second(record, item["created_at"])
    if item["updated_at"]:
        assert _second(record, record.updated_at) == _second(record, item["updated_at"])
    assert record.path == item["source"].get("path")
    _check_links(record.links, item["links"])
    if "aliases" in item:
        assert list(record.aliases) == item["aliases"]
    for key, value in item["source"].items():
        if key == "url":
            assert record.url == value
        elif key not in ("kind", "scope", "path"):
            assert record.attrs[key] == value
    for key in ("encoding", "observations", "pages_without_text", "turns"):
        if key in item:
            assert record.attrs[key] == item[key]
    for key, value in item.get("metadata", {}).items():
        assert record.attrs["metadata"][key] == value


def _second(record: Record, moment: str | None) -> str | None:
    """A time as it is compared: turns of threads are kept to the second."""
    return moment.partition(".")[0].removesuffix("Z") if moment and "turns" in record.attrs else moment


def _check_links(links: tuple[Link, ...], wanted: list[dict[str, Any]]) -> None:
    assert {(link.type, link.target) for link in links} == {(want["type"], want["target"]) for want in wanted}
    assert len(links) == len(wanted)
    for want in wanted:
        extras = [
            key
            for key in ("display", "property", "attachment", "title", "to_title", "context", "primary")
            if key in want
        ]
        assert any(
            (link.type, link.target, link.to) == (want["type"], want["target"], want["to"])
            and all(link.attrs.get(key) == want[key] for key in extras)
            for link in links
        ), want
