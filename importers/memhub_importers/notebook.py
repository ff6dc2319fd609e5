"""The engine for folders of Markdown notes, with the rules of one program as a `Profile`.

Two passes: the first learns what every note is called (path, own id, aliases), so that the second can tell which note
each link means while it yields record after record. Text files among the notes are read as text, documents (Org, HTML,
PDF) by their own readers.
"""

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path

from memhub.model import EMPTY
from memhub.model.record import Record, Skipped
from memhub_importers.canvas import read_canvas
from memhub_importers.documents import Documents, is_document
from memhub_importers.encoding import Decoded, decode, nfc
from memhub_importers.files import Found, left_over, read_bytes, walk
from memhub_importers.links import NOTE_ENDINGS, Names
from memhub_importers.note import PLAIN, Dialect, Identity, identity, read_note, with_attachment
from memhub_importers.text import is_text_name, load, read_text, unique


class Profile:
    """Plain Markdown, as Obsidian has it. A program with rules of its own derives from this and changes a method."""

    dialect: Dialect = PLAIN

    def __init__(self, root: Path, options: Mapping[str, str] = EMPTY) -> None:
        self.root, self.options = root, options

    def names(self) -> Names:
        """What links are resolved against, still empty."""
        return Names(_attachment_folder(self.root))

    def place(self, place: Found | Skipped) -> Found | Skipped | None:
        """What becomes of one place of the folder; None for one that is passed over in silence."""
        return place

    def identity(self, found: Found, text: str) -> Identity:
        """What other notes can call a note."""
        return identity(text)

    def note(self, found: Found, decoded: Decoded, external_id: str, names: Names) -> Record:
        """The record of a note."""
        return read_note(found, decoded, external_id, names, self.dialect)

    def parts(self, note: Record) -> Iterator[Record]:
        """Records of their own that a note gives beside itself."""
        return iter(())


def read_notes(path: Path, profile: Profile) -> Iterator[Record | Skipped]:
    """Each note, text file, document and card of a board below `path` as a record, in the order of their names.

    Raises `NotFoundError` when there is no `path`; whatever is wrong with one file is a `Skipped`.
    """
    places = [place for found in walk(path) if (place := profile.place(found)) is not None]
    files = [place for place in places if isinstance(place, Found)]
    names, ids, doubled = _learn(files, profile)
    others = {file.name: file for file in files if _is_other(file)}
    documents = Documents(files, profile.options)
    shown: set[str] = set()
    taken: dict[str, int] = {}
    for place in places:
        if isinstance(place, Skipped):
            yield place
            continue
        for outcome in _read_file(place, ids.get(place.path, ""), names, profile, documents):
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


def _learn(files: list[Found], profile: Profile) -> tuple[Names, dict[str, str], dict[str, str]]:
    """First pass: what can be linked to, the external id of each note by place, and the ids several notes claim."""
    known: dict[str, Identity] = {}
    for file in files:
        if file.suffix in NOTE_ENDINGS:
            known[file.path] = _identity(file, profile)
    holders = Counter(nfc(found.own_id) for found in known.values() if found.own_id)
    names = profile.names()
    ids: dict[str, str] = {}
    doubled: dict[str, str] = {}
    for file in files:
        own_id = known[file.path].own_id if file.path in known else None
        if own_id and holders[nfc(own_id)] > 1:
            doubled[file.path], own_id = own_id, None
        if file.path in known:
            ids[file.path] = f"{profile.dialect.id_prefix}:{nfc(own_id)}" if own_id else f"path:{file.name}"
            names.add(file.name, ids[file.path], known[file.path].aliases)
        else:
            names.add(file.name, f"path:{file.name}" if is_text_name(file.name) or file.suffix == ".pdf" else None)
    return names, ids, doubled


def _identity(file: Found, profile: Profile) -> Identity:
    try:
        decoded = decode(read_bytes(file))
    except (OSError, ValueError):
        return Identity()  # the second pass says why
    return profile.identity(file, decoded.text) if decoded else Identity()


def _read_file(
    file: Found, external_id: str, names: Names, profile: Profile, documents: Documents
) -> Iterator[Record | Skipped]:
    if is_text_name(file.name):
        yield read_text(file)
    elif is_document(file.name):
        yield from documents.read(file)
    elif file.suffix == ".base":
        yield Skipped(file.name, "a view of Obsidian, no note")
    elif not _is_other(file):
        decoded = load(file)
        if isinstance(decoded, Skipped):
            yield decoded
        elif file.suffix == ".canvas":
            yield from read_canvas(file, decoded.text, names)
        else:
            note = profile.note(file, decoded, external_id, names)
            yield note
            yield from profile.parts(note)


def _is_other(file: Found) -> bool:
    known = (*NOTE_ENDINGS, ".canvas", ".base")
    return file.suffix not in known and not is_text_name(file.name) and not is_document(file.name)


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
