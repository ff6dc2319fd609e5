"""The one table of documents: which ending is read by which module, here and among notes of other kinds.

A reader is a module with `read_file(found, options) -> Iterator[Record | Skipped]`. It raises `UnavailableError` when
the library that it needs is not installed; among other files the document is then named and left out.
"""

import os
from collections.abc import Iterable, Iterator, Mapping
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import NamedTuple, Protocol, cast

from memhub.errors import UnavailableError
from memhub.model import EMPTY
from memhub.model.record import Record, Skipped
from memhub_importers.files import Found, left_over, walk
from memhub_importers.links import NOTE_ENDINGS
from memhub_importers.text import is_text_name, unique

EXTRA = "pip install 'memhub[docs]'"
_SNIFFED = 2000
_PARTS = (
    "_files",
    "_Dateien",
    "-Dateien",
    "_fichiers",
    "_archivos",
    ".files",
)  # folders that browsers save beside a page


class Reader(Protocol):
    """What a module in the table has."""

    def read_file(self, found: Found, options: Mapping[str, str] = EMPTY) -> Iterator[Record | Skipped]:
        """The records of one file."""


class Document(NamedTuple):
    """A kind of document and the module that reads it."""

    kind: str
    module: str


_ORG = Document("org", "memhub_importers.org")
_HTML = Document("html", "memhub_importers.html")
_PDF = Document("pdf", "memhub_importers.pdf")
READERS = {
    ".org": _ORG,
    ".org_archive": _ORG,
    ".html": _HTML,
    ".htm": _HTML,
    ".xhtml": _HTML,
    ".pdf": _PDF,
}


def is_document(name: str) -> bool:
    """Whether a file of this name has a reader in the table."""
    return _ending(name) in READERS


def kinds_in(path: Path) -> Iterator[str]:
    """The kinds of notes and documents among the first files of a folder, each once: markdown, text, org, html, pdf."""
    kinds: set[str] = set()
    for number, found in enumerate(walk(path)):
        if number >= _SNIFFED:
            break
        kind = _kind(found) if isinstance(found, Found) else None
        if kind and kind not in kinds:
            kinds.add(kind)
            yield kind


def sniff_kind(path: Path, kind: str) -> bool:
    """Whether `path` is a document of a kind by its name, or a folder in which there is this kind of notes only."""
    if path.is_dir():
        kinds = kinds_in(path)
        return next(kinds, None) == kind and next(kinds, None) is None
    return is_document(path.name) and READERS[_ending(path.name)].kind == kind


def read_kind(path: Path, kind: str, options: Mapping[str, str] = EMPTY) -> Iterator[Record | Skipped]:
    """The documents of one kind below `path`, or `path` itself whatever it is called.

    Raises `UnavailableError` when their library is not installed, `NotFoundError` when there is no `path`.
    """
    places = list(walk(path))
    files = [place for place in places if isinstance(place, Found)]
    documents = Documents(files, options)
    module = next(reader.module for reader in READERS.values() if reader.kind == kind)
    others: list[str] = []
    taken: dict[str, int] = {}
    for place in places:
        if isinstance(place, Skipped):
            yield place
        elif path.is_dir() and (place.suffix not in READERS or READERS[place.suffix].kind != kind):
            others.append(place.name)
        else:
            for outcome in documents.read(place, module, raising=True):
                yield unique(outcome, taken) if isinstance(outcome, Record) else outcome
    yield from left_over(others)


class Documents:
    """Reads the documents of one source, and tells which are parts of a saved page or the same file again."""

    def __init__(self, files: Iterable[Found], options: Mapping[str, str] = EMPTY) -> None:
        self._options = options
        stems = {os.path.splitext(file.name)[0] for file in files if file.suffix in (".html", ".htm")}
        self._parts = {stem + ending for stem in stems for ending in _PARTS}
        self._seen: dict[str, str] = {}

    def read(self, found: Found, module: str | None = None, *, raising: bool = False) -> Iterator[Record | Skipped]:
        """The records of one document. Without its library: `Skipped`, or with `raising` an `UnavailableError`."""
        if self.is_part(found):
            yield Skipped(found.name, "part of a saved page")
            return
        try:
            reader = cast(Reader, import_module(module or READERS[found.suffix].module))
            for outcome in reader.read_file(found, self._options):
                yield self._told(outcome) if isinstance(outcome, Record) else outcome
        except UnavailableError as error:
            if raising:
                raise
            yield Skipped(found.name, f"{error.message}: {error.hint}")

    def is_part(self, found: Found) -> bool:
        """Whether a page was saved beside another one, as part of it."""
        folders = [found.name[:end] for end, letter in enumerate(found.name) if letter == "/"]
        return READERS.get(found.suffix) == _HTML and not self._parts.isdisjoint(folders)

    def know(self, digest: str, external_id: str) -> None:
        """Take note of a file that is not read again, so that another one with the same bytes is told."""
        self._seen.setdefault(digest, external_id)

    def _told(self, record: Record) -> Record:
        """`record`, with a warning when another file of this source has the same bytes."""
        digest = record.attrs.get("sha256")
        first = self._seen.setdefault(digest, record.external_id) if isinstance(digest, str) else record.external_id
        if first == record.external_id:
            return record
        warning = f"the same file as `{first.removeprefix('path:')}`"
        return record._replace(warnings=(*record.warnings, warning))


def library(name: str, what: str) -> ModuleType:
    """A library of the extra, loaded when it is needed. Raises `UnavailableError` when it cannot be."""
    try:
        return import_module(name)
    except (ImportError, OSError) as error:  # OSError: a native part that does not fit the system
        raise UnavailableError(f"reading {what} needs `{name}`, which is not installed", EXTRA) from error


def _kind(found: Found) -> str | None:
    if found.suffix in NOTE_ENDINGS:
        return "markdown"
    if found.suffix in READERS:
        return READERS[found.suffix].kind
    return "text" if found.suffix and is_text_name(found.name) else None


def _ending(name: str) -> str:
    return os.path.splitext(name)[1].lower()
