"""Plain text: one item for each file, whatever old editor wrote it."""

import hashlib
from collections.abc import Iterator, Mapping
from pathlib import Path

from memhub.model import EMPTY
from memhub.model.record import Cursor, Origin, Record, Skipped
from memhub_importers.encoding import Decoded, decode, nfc
from memhub_importers.files import Found, left_over, read_bytes, walk, why

ENDINGS = (".txt", ".text", ".rst", ".adoc", ".asciidoc", "")
_TITLE_CHARS = 120
_SNIFFED = 2000


def sniff(path: Path) -> bool:
    """Whether `path` is a text file by its name, or a folder with one among its first files."""
    if not path.is_dir():
        return is_text_name(path.name)
    for number, found in enumerate(walk(path)):
        if number >= _SNIFFED:
            break
        if isinstance(found, Found) and found.suffix and is_text_name(found.name):
            return True
    return False


def origin(path: Path) -> Origin:
    """`text`, named after the folder or the file."""
    return Origin("text", path.resolve().stem if path.is_file() else path.resolve().name)


def read(path: Path, *, scope: str = "", cursors: Mapping[str, str] = EMPTY) -> Iterator[Record | Skipped | Cursor]:
    """Each text file below `path` as a record, in the order of their names. Raises `NotFoundError`."""
    others: list[str] = []
    taken: dict[str, int] = {}
    for found in walk(path):
        if isinstance(found, Skipped):
            yield found
        elif is_text_name(found.name):
            outcome = read_text(found)
            yield unique(outcome, taken) if isinstance(outcome, Record) else outcome
        else:
            others.append(found.name)
    yield from left_over(others)


def is_text_name(name: str) -> bool:
    """Whether a file of this name is read as plain text; a name without an ending is, when its bytes are text."""
    base = name.rpartition("/")[2]
    dot = base.rfind(".")
    return (base[dot:].lower() if dot > 0 else "." if dot == 0 else "") in ENDINGS


def read_text(found: Found) -> Record | Skipped:
    """One text file as a record, its id made of its path."""
    decoded = load(found)
    if isinstance(decoded, Skipped):
        return decoded
    content = decoded.text.strip()
    return Record(
        external_id=f"path:{found.name}",
        content=content,
        title=first_line(content) or found.stem,
        updated_at=found.changed_at,
        attrs={"encoding": decoded.encoding} if decoded.encoding != "utf-8" else {},
        path=found.name,
        warnings=decoded.warnings,
    )


def load(found: Found) -> Decoded | Skipped:
    """The text of a file, or why there is none: unreadable (failed), binary, or empty."""
    try:
        decoded = decode(read_bytes(found))
    except (OSError, ValueError) as error:
        return Skipped(found.name, why(error), failed=True)
    if decoded is None:
        return Skipped(found.name, "binary, no text")
    if not decoded.text.strip():
        return Skipped(found.name, "empty")
    return decoded


def first_line(text: str) -> str:
    """The first line that says something, cut at a word after 120 characters."""
    position = 0
    while position < len(text):
        stop = text.find("\n", position)
        stop = len(text) if stop < 0 else stop
        line = text[position : min(stop, position + 4 * _TITLE_CHARS)].strip().lstrip("=").strip()
        if any(letter.isalnum() for letter in line):
            break
        position = stop + 1
    else:
        return ""
    if len(line) <= _TITLE_CHARS:
        return line
    cut = line.rfind(" ", _TITLE_CHARS // 2, _TITLE_CHARS)
    return line[: cut if cut > 0 else _TITLE_CHARS - 1].rstrip() + "…"


def sid(*parts: str) -> str:
    """An id for a record whose format has none: 16 hex digits that stand for its parts."""
    return hashlib.sha256(nfc("\x1f".join(parts)).encode("utf-8", "replace")).hexdigest()[:16]


def unique(record: Record, taken: dict[str, int]) -> Record:
    """`record` with `~2`, `~3` … at its id when the run had that id before, and a warning."""
    count = taken[record.external_id] = taken.get(record.external_id, 0) + 1
    if count == 1:
        return record
    warning = f"a second `{record.external_id}`; kept as `~{count}`"
    return record._replace(external_id=f"{record.external_id}~{count}", warnings=(*record.warnings, warning))
