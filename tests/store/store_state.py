"""What two states of a file have in common: projections without row numbers, what reads answer, exports."""

import json
from pathlib import Path
from typing import Any

from memhub.doctor.compare import TABLES, rows_of
from memhub.model.query import Filters
from memhub.store.projection import rebuild
from memhub.workspace import Memory

EVERYWHERE = ("live", "replaced", "duplicate", "archived")
LAYERS = ("L0", "L1", "L2")


def projections(memory: Memory) -> dict[str, list[tuple[Any, ...]]]:
    """Every projection, full text word by word included."""
    return {name: rows_of(memory.store.connection, name) for name in TABLES}


def assert_rebuild_is_equal(memory: Memory) -> None:
    before = projections(memory)
    with memory.store.writing():
        rebuild(memory.store.connection)
    after = projections(memory)
    for name in TABLES:
        assert after[name] == before[name], name


def reads(memory: Memory) -> dict[str, Any]:
    """What default reads answer in every space; version ids and `updated_at` aside."""
    found: dict[str, Any] = {}
    for space in memory.spaces():
        filters = Filters(space=space.id, states=EVERYWHERE, layers=LAYERS)
        items = memory.list(filters, limit=0)
        found[space.id] = {
            "space": space,
            "items": {item.id: _plain(item) for item in items},
            "labels": {label.name: label.count for label in memory.labels(filters)},
            "links": {item.id: [(e.src, e.relation, e.dst) for e in memory.links(item.id)] for item in items},
        }
        found[space.id]["threads"] = {
            thread.id: (thread.title, thread.length, [turn.id for turn in memory.thread(thread.id).turns])
            for thread in memory.threads(filters, limit=1000)
        }
    return found


def _plain(item: Any) -> dict[str, Any]:
    fields = {name: getattr(item, name) for name in item.__dataclass_fields__}
    return {name: value for name, value in fields.items() if name not in ("version", "updated_at")}


def export(memory: Memory) -> list[str]:
    """The lines of an export with its time masked."""
    lines = list(memory.export_lines())
    header = json.loads(lines[0])
    header["exported_at"] = ""
    return [json.dumps(header, sort_keys=True), *lines[1:]]


def write_export(memory: Memory, path: Path) -> Path:
    path.write_text("".join(memory.export_lines()), encoding="utf-8", newline="\n")
    return path


def bytes_of(path: Path) -> bytes:
    """All bytes of a database: file, write-ahead log, shared memory."""
    parts = [path, path.with_name(path.name + "-wal"), path.with_name(path.name + "-shm")]
    return b"".join(part.read_bytes() for part in parts if part.exists())
