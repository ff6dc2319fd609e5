"""The engine for folders of Markdown notes, with the rules of one program as a `Profile`.

Two passes: the first learns what every note is called (path, own id, aliases), so that the second can tell which note
each link means while it yields record after record. Text files among the notes are read as text, documents (Org, HTML,
PDF) by their own readers.
"""

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from memhub.model import EMPTY
from memhub.model.record import Cursor, Passed, Record, Skipped
from memhub_importers.canvas import read_canvas
from memhub_importers.documents import Documents, is_document
from memhub_importers.encoding import Decoded, nfc
from memhub_importers.files import Found, left_over, walk
from memhub_importers.jsonl import open_regular
from memhub_importers.links import NOTE_ENDINGS, Names
from memhub_importers.note import PLAIN, Dialect, Identity, identity, read_note, with_attachment
from memhub_importers.text import is_text_name, load, read_text, unique
from memhub_importers.unread import Asked, Listening, Memo, answers, digest, numbered, state_of

_KNOWN = (*NOTE_ENDINGS, ".canvas", ".base")
_NAMELESS = Identity()
_KEPT_BYTES = 1_000_000
"""So much of the texts is kept from the first pass; what is more is read twice."""


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

    def mark(self, found: Found) -> str:
        """What a program says of a file elsewhere: when it says something else, the file is read again."""
        return ""

    def parts(self, note: Record) -> Iterator[Record]:
        """Records of their own that a note gives beside itself."""
        return iter(())


def read_notes(
    path: Path, profile: Profile, cursors: Mapping[str, str] = EMPTY
) -> Iterator[Record | Skipped | Cursor | Passed]:
    """Each note, text file, document and card of a board below `path` as a record, in the order of their names.

    A file that is as its cursor says is passed over. Raises `NotFoundError` when there is no `path`; whatever is wrong
    with one file is a `Skipped`.
    """
    places = [place for found in walk(path) if (place := profile.place(found)) is not None]
    folder = _Folder([place for place in places if isinstance(place, Found)], profile, cursors)
    for place in places:
        if isinstance(place, Skipped):
            yield place
        else:
            yield from folder.read(place)
    yield from left_over(folder.not_shown())


class _Folder:
    """The files of one source and what is known of all of them; reads one after the other."""

    def __init__(self, files: list[Found], profile: Profile, cursors: Mapping[str, str]) -> None:
        self._profile = profile
        self._texts: dict[str, Decoded | Skipped] = {}
        self._room = _KEPT_BYTES
        self._double_names = {name for name, count in Counter(file.name for file in files).items() if count > 1}
        memos = ((file.path, Memo.of(cursors.get(file.name), self._state(file))) for file in files)
        self._memos = {path: memo for path, memo in memos if memo is not None}
        identities = ((file.path, self._identity(file)) for file in files if file.suffix in NOTE_ENDINGS)
        self._identities = {path: known for path, known in identities if known != _NAMELESS}
        self._names = profile.names()
        self._listening = Listening(self._names)
        self._own_ids: dict[str, str] = {}
        self._double_ids: dict[str, str] = {}
        self._learn(files)
        self._others = {file.name: file for file in files if _is_other(file)}
        self._documents = Documents(files, profile.options)
        self._shown: set[str] = set()
        self._taken: dict[str, int] = {}

    def not_shown(self) -> list[str]:
        """The names of files of other kinds that no note shows."""
        return [name for name in self._others if name not in self._shown]

    def read(self, file: Found) -> Iterator[Record | Skipped | Cursor | Passed]:
        """The records of one file, and its cursor when nothing was wrong with it; or that it is passed over."""
        memo = self._memos.get(file.path)
        if memo is not None and self._is_as(memo, file):
            yield Passed(file.name, self._pass(memo))
            return
        records: list[Record] = []
        ids: list[str] = []
        is_whole = file.name not in self._double_names
        for outcome in self._read(file):
            if isinstance(outcome, Skipped):
                is_whole = False
                yield outcome
            else:
                records.append(self._with_attachments(file, outcome))
                record = unique(records[-1], self._taken)
                ids.append(record.external_id)
                yield record
        asked = self._listening.take()
        shown = [link.attrs["attachment"] for one in records for link in one.links if "attachment" in link.attrs]
        self._shown.update(shown)
        if records and is_whole:
            yield self._cursor(file, records, tuple(ids), asked, tuple(dict.fromkeys(shown)))

    def _read(self, file: Found) -> Iterator[Record | Skipped]:
        if file.suffix in (*NOTE_ENDINGS, ".canvas"):
            decoded = self._load(file)
            if isinstance(decoded, Skipped):
                yield decoded
            elif file.suffix == ".canvas":
                yield from read_canvas(file, decoded.text, self._listening)
            else:
                note = self._profile.note(file, decoded, self._id_of(file), self._listening)
                yield note
                yield from self._profile.parts(note)
        elif file.suffix == ".base":
            yield Skipped(file.name, "a view of Obsidian, no note")
        elif is_text_name(file.name):
            yield read_text(file)
        elif is_document(file.name):
            yield from self._documents.read(file)

    def _learn(self, files: list[Found]) -> None:
        """What can be linked to, the external id of each note, and the ids that several notes claim."""
        holders = Counter(nfc(known.own_id) for known in self._identities.values() if known.own_id)
        for file in files:
            known = self._identities.get(file.path, _NAMELESS)
            if known.own_id and holders[nfc(known.own_id)] > 1:
                self._double_ids[file.path] = known.own_id
            elif known.own_id:
                self._own_ids[file.path] = f"{self._profile.dialect.id_prefix}:{nfc(known.own_id)}"
            is_item = file.suffix in (*NOTE_ENDINGS, ".pdf") or is_text_name(file.name)
            self._names.add(file.name, self._id_of(file) if is_item else None, known.aliases)

    def _id_of(self, file: Found) -> str:
        return self._own_ids.get(file.path) or f"path:{file.name}"

    def _state(self, file: Found) -> str:
        return state_of(file, self._profile.mark(file))

    def _identity(self, file: Found) -> Identity:
        memo = self._memos.get(file.path)
        if memo is not None:
            return memo.identity
        decoded = load(file)
        if file.size <= self._room:
            self._room -= file.size
            self._texts[file.path] = decoded
        return self._profile.identity(file, decoded.text) if isinstance(decoded, Decoded) else _NAMELESS

    def _load(self, file: Found) -> Decoded | Skipped:
        return self._texts.pop(file.path, None) or load(file)

    def _with_attachments(self, file: Found, record: Record) -> Record:
        links = tuple(
            with_attachment(link, self._others.get(link.attrs.get("attachment", ""))) for link in record.links
        )
        warnings = record.warnings
        if file.path in self._double_ids:
            warnings = (*warnings, f"id `{self._double_ids[file.path]}` is in several notes; the path is used instead")
        return record._replace(links=links, warnings=warnings)

    def _is_as(self, memo: Memo, file: Found) -> bool:
        """Whether a file whose bytes are as they were would give the same again."""
        if file.name in self._double_names or self._documents.is_part(file):
            return False
        return memo.rests_on == self._grounds(file, memo.asked, numbered(memo.ids, self._taken), memo.shown)

    def _cursor(
        self, file: Found, records: list[Record], ids: tuple[str, ...], asked: tuple[Asked, ...], shown: tuple[str, ...]
    ) -> Cursor:
        known = self._identities.get(file.path, _NAMELESS)
        own_ids = tuple(record.external_id for record in records)
        rests_on = self._grounds(file, asked, ids, shown)
        memo = Memo(self._state(file), known, asked, own_ids, shown, records[0].attrs.get("sha256"), rests_on)
        return memo.cursor(file.name, [file, *(self._others[name] for name in shown if name in self._others)])

    def _grounds(self, file: Found, asked: Iterable[Asked], ids: tuple[str, ...], shown: Iterable[str]) -> str:
        """A digest of what a file gets from others."""
        own = self._own_ids.get(file.path), file.path in self._double_ids
        states = [(other.mtime_ns, other.size) if (other := self._others.get(name)) else None for name in shown]
        return digest(answers(self._names, file.name, asked), own, ids, states)

    def _pass(self, memo: Memo) -> tuple[str, ...]:
        """Take the place of a file that is not read; returns the ids of its records."""
        ids = numbered(memo.ids, self._taken)
        for identifier in memo.ids:
            self._taken[identifier] = self._taken.get(identifier, 0) + 1
        self._shown.update(memo.shown)
        if memo.sha256:
            self._documents.know(memo.sha256, memo.ids[0])
        return ids


def _is_other(file: Found) -> bool:
    return file.suffix not in _KNOWN and not is_text_name(file.name) and not is_document(file.name)


def _attachment_folder(path: Path) -> str:
    """Where the settings of a vault put pasted files, from its root; nothing when they do not say."""
    settings = path / ".obsidian" / "app.json"
    try:
        with open_regular(settings) as file:
            value = json.loads(file.read(1_000_000))
    except (OSError, ValueError, RecursionError):
        return ""
    folder = value.get("attachmentFolderPath") if isinstance(value, dict) else None
    return folder if isinstance(folder, str) else ""
