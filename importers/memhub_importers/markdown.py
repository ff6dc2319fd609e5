"""Markdown: a folder of notes, an Obsidian vault or one file; text files and documents among the notes are read too."""

from collections.abc import Iterator, Mapping
from pathlib import Path

from memhub.model import EMPTY
from memhub.model.record import Cursor, Origin, Passed, Record, Skipped
from memhub_importers import note_folders
from memhub_importers.documents import kinds_in
from memhub_importers.links import NOTE_ENDINGS
from memhub_importers.notebook import Profile, read_notes
from memhub_importers.options import DOCUMENTS

OPTIONS = DOCUMENTS
GOES_BY_NAME = True


def places(home: Path, environ: Mapping[str, str]) -> list[Path]:
    """The vaults of Obsidian."""
    return [folder for folder in note_folders.obsidian(home, environ) if sniff(folder)]


def survey(path: Path) -> tuple[int, str]:
    """How many notes there are, by the endings of their names."""
    return note_folders.count(path, NOTE_ENDINGS), "vault notes"


def sniff(path: Path) -> bool:
    """Whether `path` is a Markdown file or board, a vault, or a folder with Markdown or mixed kinds of notes in it."""
    if not path.is_dir():
        return path.suffix.lower() in (*NOTE_ENDINGS, ".canvas")
    if (path / ".obsidian").is_dir():
        return True
    return any(kind == "markdown" or number > 0 for number, kind in enumerate(kinds_in(path)))


def origin(path: Path) -> Origin:
    """`obsidian` for a vault, else `markdown`; named after the folder or the file."""
    path = path.resolve()
    kind = "obsidian" if (path / ".obsidian").is_dir() else "markdown"
    return Origin(kind, path.stem if path.is_file() else path.name)


def read(
    path: Path, *, scope: str = "", cursors: Mapping[str, str] = EMPTY, options: Mapping[str, str] = EMPTY
) -> Iterator[Record | Skipped | Cursor | Passed]:
    """Each note, text file, document and card of a board below `path`, in the order of their names.

    Raises `NotFoundError` when there is no `path`; whatever is wrong with one file is a `Skipped`.
    """
    yield from read_notes(path, Profile(path, options), cursors)
