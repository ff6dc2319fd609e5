"""Markdown: a folder of notes, an Obsidian vault or one file; text files among the notes are read as text.

Two passes: the first learns what every note is called (path, own id, aliases), so that the second can tell which note
each link means while it yields record after record.
"""

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path

from memhub.model import EMPTY
from memhub.model.record import Cursor, Origin, Record, Skipped
from memhub_importers.canvas import read_canvas
from memhub_importers.encoding import decode, nfc
from memhub_importers.files import Found, left_over, read_bytes, walk
from memhub_importers.links import NOTE_ENDINGS, Names
from memhub_importers.note import Identity, identity, read_note, with_attachment
from memhub_importers.text import is_text_name, load, read_text, unique

_SNIFFED = 2000


def sniff(path: Path) -> bool:
    """Whether `path` is a Markdown file or board, a vault, or a folder with Markdown among its first files."""
    if not path.is_dir():
        return path.suffix.lower() in (*NOTE_ENDINGS, ".canvas")
    if (path / ".obsidian").is_dir():
        return True
    for number, found in enumerate(walk(path)):
        if number >= _SNIFFED:
            break
        if isinstance(found, Found) and found.suffix in NOTE_ENDINGS:
            return True
    return False


def origin(path: Path) -> Origin:
    """`obsidian` for a vault, else `markdown`; named after the folder or the file."""
    path = path.resolve()
    kind = "obsidian" if (path / ".obsidian").is_dir() else "markdown"
    return Origin(kind, path.stem if path.is_file() else path.name)


def read(path: Path, *, scope: str = "", cursors: Mapping[str, str] = EMPTY) -> Iterator[Record | Skipped | Cursor]:
    """Each note, text file and card of a board below `path` as a record, in the order of their names.

    Raises `NotFoundError` when there is no `path`; whatever is wrong with one file is a `Skipped`.
    """
    places = list(walk(path))
    files = [place for place in places if isinstance(place, Found)]
    names, ids, doubled = _learn(files, _attachment_folder(path))
    others = {file.name: file for file in files if _is_other(file)}
    shown: set[str] = set()
    taken: dict[str, int] = {}
    for place in places:
        if isinstance(place, Skipped):
            yield place
            continue
        for outcome in _read_file(place, ids.get(place.path, ""), names):
            if isinstance(outcome, Skipped):
                yield outcome
                continue
            links = tuple(with_attachment(link, others.get(link.attrs.get("attachment", ""))) for link in outcome.links)
            shown.update(link.attrs["attachment"] for link in links if "attachment" in link.attrs)
            warnings = outcome.warnings
            if place.path in doubled:
                warnings = (*warnings, f"id `{doubled[place.path]}` is in several notes; the path is used instead")
            yield unique(outcome._replace(links=links, warnings=warnings), taken)
    yield from left_over(name for name in others if name not in shown)


def _learn(files: list[Found], attachment_folder: str) -> tuple[Names, dict[str, str], dict[str, str]]:
    """First pass: what can be linked to, the external id of each note by place, and the ids several notes claim."""
    known: dict[str, Identity] = {}
    for file in files:
        if file.suffix in NOTE_ENDINGS:
            known[file.path] = _identity(file)
    holders = Counter(nfc(found.own_id) for found in known.values() if found.own_id)
    names = Names(attachment_folder)
    ids: dict[str, str] = {}
    doubled: dict[str, str] = {}
    for file in files:
        own_id = known[file.path].own_id if file.path in known else None
        if own_id and holders[nfc(own_id)] > 1:
            doubled[file.path], own_id = own_id, None
        if file.path in known:
            ids[file.path] = f"id:{nfc(own_id)}" if own_id else f"path:{file.name}"
            names.add(file.name, ids[file.path], known[file.path].aliases)
        else:
            names.add(file.name, f"path:{file.name}" if is_text_name(file.name) else None)
    return names, ids, doubled


def _identity(file: Found) -> Identity:
    try:
        decoded = decode(read_bytes(file))
    except (OSError, ValueError):
        return Identity()  # the second pass says why
    return identity(decoded.text) if decoded else Identity()


def _read_file(file: Found, external_id: str, names: Names) -> Iterator[Record | Skipped]:
    if is_text_name(file.name):
        yield read_text(file)
    elif file.suffix == ".base":
        yield Skipped(file.name, "a view of Obsidian, no note")
    elif not _is_other(file):
        decoded = load(file)
        if isinstance(decoded, Skipped):
            yield decoded
        elif file.suffix == ".canvas":
            yield from read_canvas(file, decoded.text, names)
        else:
            yield read_note(file, decoded, external_id, names)


def _is_other(file: Found) -> bool:
    return file.suffix not in (*NOTE_ENDINGS, ".canvas", ".base") and not is_text_name(file.name)


def _attachment_folder(path: Path) -> str:
    """Where the settings of a vault put pasted files, from its root; nothing when they do not say."""
    settings = path / ".obsidian" / "app.json"
    try:
        if settings.is_symlink() or settings.stat().st_size > 1_000_000:
            return ""
        value = json.loads(settings.read_bytes())
    except (OSError, ValueError, RecursionError):
        return ""
    folder = value.get("attachmentFolderPath") if isinstance(value, dict) else None
    return folder if isinstance(folder, str) else ""
