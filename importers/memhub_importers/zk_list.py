"""What `zk list --format json` (or `jsonl`) prints: an object for each note, with its whole text."""

import posixpath
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from memhub.model.record import Record, Skipped
from memhub.text.clean import clean, one_line
from memhub.text.labels import is_label, normalise, unique_labels
from memhub_importers import jsonl
from memhub_importers.dates import source_time
from memhub_importers.encoding import Decoded, nfc
from memhub_importers.files import Found, relative_name, walk
from memhub_importers.links import Names
from memhub_importers.note import Dialect, read_note
from memhub_importers.text import unique
from memhub_importers.values import text

ENDINGS = (".json", ".jsonl", ".ndjson")
_FIRST_KEYS = ("filename", "path", "absPath", "title")
_TITLE_CHARS = 300


def is_list(path: Path) -> bool:
    """Whether a JSON file begins with a note of zk."""
    if path.suffix.lower() not in ENDINGS or not path.is_file():
        return False
    with jsonl.open_regular(path) as file:
        head = file.read(1 << 16).decode("utf-8", "replace")
    return head.lstrip("\ufeff \t\r\n")[:1] in ("[", "{") and all(f'"{key}"' in head for key in _FIRST_KEYS)


def notebook_of(path: Path) -> str | None:
    """The name of the notebook's folder, as the first note of the list tells it by its two paths."""
    for _, note in _notes(path, path.name):
        if not isinstance(note, Skipped):
            whole, place = (text(note, key).replace("\\", "/") for key in ("absPath", "path"))
            root = whole.removesuffix(f"/{place}")
            return relative_name(posixpath.basename(root)) or None if root != whole else None
    return None


def read_list(path: Path, names: Names) -> Iterator[Record | Skipped]:
    """Each note of the list as a record, as it would come from the folder. Raises `NotFoundError`."""
    for found in walk(path):
        if isinstance(found, Skipped):
            yield found
            continue
        for _, note in _notes(path, found.name):  # first pass: what links can mean
            if not isinstance(note, Skipped) and (place := _path(note)):
                names.add(place, f"path:{place}")
        taken: dict[str, int] = {}
        for where, note in _notes(path, found.name):
            outcome = note if isinstance(note, Skipped) else _record(note, where, names)
            yield unique(outcome, taken) if isinstance(outcome, Record) else outcome


def _notes(path: Path, name: str) -> Iterator[tuple[str, dict[str, Any] | Skipped]]:
    """Where each note is, and its object."""
    whole = jsonl.document(path, name)
    if isinstance(whole, list):
        for number, note in enumerate(whole, 1):
            where = f"{name}: note {number}"
            yield where, note if isinstance(note, dict) else Skipped(where, "no note", failed=True)
        return
    for outcome in jsonl.lines(path, name):
        if isinstance(outcome, Skipped):
            yield outcome.where, outcome._replace(failed=True)
        else:
            yield f"{name}:{outcome[0]}", outcome[1]


def _record(note: Mapping[str, Any], where: str, names: Names) -> Record | Skipped:
    place, content = _path(note), text(note, "rawContent") or text(note, "body")
    if not place:
        return Skipped(where, "a note without a path", failed=True)
    if not content.strip():
        return Skipped(place, "empty")
    found = Found("", place, len(content), 0)
    tags = note.get("tags")
    labels = [normalise(clean(tag)) for tag in tags if isinstance(tag, str)] if isinstance(tags, list) else []
    own = unique_labels([label for label in labels if is_label(label)])
    record = read_note(found, Decoded(clean(content), "utf-8", ()), f"path:{place}", names, _DIALECT)
    return record._replace(
        title=one_line(text(note, "title"), _TITLE_CHARS) or record.title,
        labels=own if isinstance(tags, list) else record.labels,
        created_at=record.created_at or source_time(text(note, "created")),
        updated_at=source_time(text(note, "modified")),
    )


def _path(note: Mapping[str, Any]) -> str:
    path = posixpath.normpath(nfc(clean(text(note, "path"))).replace("\\", "/").strip())
    return "" if path in ("", ".") or path.startswith(("/", "../")) else relative_name(path)


_DIALECT = Dialect(label_keys=("tags", "tag", "keywords", "keyword"))
