"""Takes a lossless export as a sync takes another device's log: texts first, then entries, in short commits.

Entries keep device, sequence number and operation, and what is here already is known, so that a second import changes
nothing and a broken off one is finished by the next. The import itself is no entry: only this file remembers it, as an
operation with the ranges of entries that were new. `mh log` shows it, and `mh undo` writes drops for what came with it.
"""

import json
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any

from memhub.export.check import Checked, entry_of, records, text_of
from memhub.export.jsonl import KNOWN, escaped
from memhub.model.entry import Entry
from memhub.model.record import Skipped
from memhub.model.report import ImportReport
from memhub.store.connection import query
from memhub.store.erasure import is_erased
from memhub.store.store import Operation, Store, Text

_TEXTS = 500
_ENTRIES = 300
Progress = Callable[[int, str], None]


def take(
    store: Store, operation: Operation, path: Path, checked: Checked, progress: Progress | None = None
) -> ImportReport:
    """Apply a checked file. The last commit is durable, and nothing that an erase takes is left in the bytes."""
    before = _items(store)
    dropped: list[Skipped] = []
    done = 0
    for batch in _batches(_texts(path, dropped), _TEXTS):
        store.apply([], batch, durable=False)
        done = _tell(progress, done + len(batch), path)
    for entries in _batches(_entries(path, dropped), _ENTRIES):
        store.apply(entries, [], under=operation, durable=False)
        done = _tell(progress, done + len(entries), path)
    keep_extra(store, path, known=KNOWN)
    store.flush()
    if not store.is_clean:
        store.purge()
    created = _items(store) - before
    touched = store.connection.execute(
        """SELECT count(DISTINCT key) FROM imported JOIN entry ON entry.device = imported.device
           AND entry.seq BETWEEN imported.first AND imported.last
           WHERE imported.operation = ? AND (kind LIKE 'item.%' OR kind LIKE 'version.%')""",
        (operation.id,),
    ).get
    updated = max(touched - created, 0)
    return ImportReport(
        "mh-export", path.name, False, created=created, updated=updated,
        unchanged=max(checked.counts["item"] - created - updated, 0), skipped=tuple(checked.bad),
        operation=operation.id if touched else None,
    )  # fmt: skip


def rehearse(store: Store, path: Path, checked: Checked) -> ImportReport:
    """What an import would find: items of the file that are new, and those that are here (changed or not)."""
    new = 0
    for _, record in records(path, []):
        if record["type"] == "item":
            identifier = str(record.get("id")).lower()
            new += store.connection.execute("SELECT 1 FROM item WHERE id = ?", (identifier,)).fetchone() is None
    known = checked.counts["item"] - new
    return ImportReport("mh-export", path.name, True, created=new, unchanged=known, skipped=tuple(checked.bad))


def _items(store: Store) -> int:
    return int(store.connection.execute("SELECT count(*) FROM item").get)


def _texts(path: Path, bad: list[Skipped]) -> Iterator[Text]:
    """Texts of the file; what the first reading refused is left out again."""
    for _, record in records(path, bad):
        if record["type"] == "version" and "hash" in record:
            try:
                yield text_of(record)
            except ValueError:
                continue


def _entries(path: Path, bad: list[Skipped]) -> Iterator[Entry]:
    for _, record in records(path, bad):
        if record["type"] == "entry":
            try:
                yield entry_of(record)
            except ValueError:
                continue


def _batches(things: Iterator[Any], size: int) -> Iterator[list[Any]]:
    while batch := list(islice(things, size)):
        yield batch


def _tell(progress: Progress | None, done: int, path: Path) -> int:
    if progress is not None:
        progress(done, path.name)
    return done


def keep_extra(store: Store, path: Path, known: tuple[str, ...]) -> int:
    """Keep the records that this mh does not know, for the next export; none that names an erased item."""
    kept = 0
    for batch in _batches((record for _, record in records(path, [])), _TEXTS):
        lines = [
            escaped(json.dumps(record, ensure_ascii=False, sort_keys=True, separators=(",", ":")))
            for record in batch
            if record["type"] not in known or _is_old_version(record)
        ]
        if not lines:
            continue
        with store.writing():
            for line in lines:
                if not any(is_erased(store.connection, item) for item in _ids(store, line)):
                    store.connection.execute("INSERT OR IGNORE INTO extra(line) VALUES (?)", (line,))
                    kept += store.connection.changes()
    return kept


def _ids(store: Store, line: str) -> list[str]:
    """Erased items that a line speaks of."""
    rows = query(store.connection, "SELECT id FROM item WHERE state = 'erased' AND instr(?, id)", (line.lower(),))
    return [identifier for (identifier,) in rows]


def _is_old_version(record: dict[str, Any]) -> bool:
    """An earlier version as files without a log have it; it has no place in the log."""
    return record["type"] == "version" and "hash" not in record
