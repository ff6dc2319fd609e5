"""Notebooks of nb: Markdown with numbered notes, bookmarks and todos."""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from memhub.model import EMPTY
from memhub.model.record import Cursor, Origin, Passed, Record, Skipped
from memhub.text.clean import one_line
from memhub.text.labels import find_labels, unique_labels
from memhub.text.masks import mask_markup
from memhub_importers import note_folders
from memhub_importers.dates import source_time
from memhub_importers.encoding import Decoded, decode
from memhub_importers.files import Found, read_bytes, relative_name, walk
from memhub_importers.links import NOTE_ENDINGS, Names
from memhub_importers.note import Dialect, Identity
from memhub_importers.notebook import Profile, read_notes
from memhub_importers.options import DOCUMENTS
from memhub_importers.text import first_line

OPTIONS = DOCUMENTS
GOES_BY_NAME = True
INDEX, PINNED = ".index", ".pindex"
_BOOKMARK, _TODO = ".bookmark.md", ".todo.md"
_STAMP = re.compile(r"\d{14}")
_TODO_TITLE = re.compile(r"\A\s*#[ \t]+\[([ xX])\][ \t]*([^\n]*)")
_TITLE = re.compile(r"\A\s*#[ \t]+([^\n]+)")
_ADDRESS = re.compile(r"<(https?://[^\s<>]{1,2000})>")
_CONTENT = re.compile(r"^##[ \t]+Content[ \t]*$", re.MULTILINE)
_DUE = re.compile(r"^##[ \t]+Due[ \t]*\n\s*([^\n#]{1,60})", re.MULTILINE)
_TITLE_CHARS = 300


def places(home: Path, environ: Mapping[str, str]) -> list[Path]:
    """The notebooks of nb."""
    return [folder for folder in note_folders.nb(home, environ) if sniff(folder)]


def survey(path: Path) -> tuple[int, str]:
    """How many notes there are, by the endings of their names."""
    return note_folders.count(path, NOTE_ENDINGS), "notes"


def sniff(path: Path) -> bool:
    """Whether `path` is a notebook: an index of its own, under version control."""
    return path.is_dir() and (path / INDEX).is_file() and (path / ".git").exists()


def origin(path: Path) -> Origin:
    """`nb`, named after the notebook."""
    path = path.resolve()
    return Origin("nb", path.stem if path.is_file() else path.name)


def read(
    path: Path, *, scope: str = "", cursors: Mapping[str, str] = EMPTY, options: Mapping[str, str] = EMPTY
) -> Iterator[Record | Skipped | Cursor | Passed]:
    """The notes, bookmarks and todos of a notebook, and the files of other kinds in it. Raises `NotFoundError`."""
    yield from read_notes(path, _Notebook(path, options), cursors)


def _labels(text: str, masked: str) -> tuple[str, ...]:
    """Labels in the text; none in the page that a bookmark keeps under `## Content`."""
    found = _CONTENT.search(masked) if _ADDRESS.search(text) else None
    return find_labels(text[: found.start()], masked[: found.start()]) if found else find_labels(text, masked)


class _Notebook(Profile):
    """What nb knows beside the texts: the number of each file, which never changes, and what is pinned."""

    dialect = Dialect(labels=_labels)

    def __init__(self, root: Path, options: Mapping[str, str] = EMPTY) -> None:
        super().__init__(root, options)
        self._name = root.resolve().name
        self._numbers: dict[str, int] = {}
        self._pinned: set[str] = set()
        for found in walk(root) if root.is_dir() else ():
            folder, _, base = found.name.rpartition("/") if isinstance(found, Found) else ("", "", "")
            if base in (INDEX, PINNED) and isinstance(found, Found):
                self._learn(found, folder, base)

    def place(self, place: Found | Skipped) -> Found | Skipped | None:
        """Encrypted files are named; of what nb keeps for itself the one index at the top stands for all."""
        if isinstance(place, Skipped):
            return None if place.where == ".git/" else place
        base = place.name.rpartition("/")[2]
        if base in (INDEX, PINNED):
            return Skipped(INDEX, "configuration of nb") if place.name == INDEX else None
        if base in (".gitignore", ".gitattributes"):
            return None
        return Skipped(place.name, "encrypted") if place.suffix == ".enc" else place

    def mark(self, found: Found) -> str:
        """The number of the file in which notebook, and whether it is pinned."""
        return f"{self._name}:{self._numbers.get(found.name)}:{found.name in self._pinned}"

    def identity(self, found: Found, text: str) -> Identity:
        """A note is linked to by its number, `home:3` or `3`, by its title, and by its name without any ending."""
        known = super().identity(found, text)
        folder, slash, base = found.name.rpartition("/")
        title = _TODO_TITLE.match(text[:2000]) or _TITLE.match(text[:2000])
        names = [found.name, folder + slash + base.partition(".")[0]]
        if found.name in self._numbers:
            names.append(f"{folder}{slash}{self._numbers[found.name]}")
        aliases = [*known.aliases, base.partition(".")[0], *names, *(f"{self._name}:{name}" for name in names)]
        if title:
            aliases.append(one_line(title[title.lastindex or 1], _TITLE_CHARS))
        return Identity(known.own_id, tuple(aliases))

    def note(self, found: Found, decoded: Decoded, external_id: str, names: Names) -> Record:
        """A note with its number, a bookmark with its address, a todo with its state; untitled ones take a line."""
        record = super().note(found, decoded, external_id, names)
        attrs = dict(record.attrs)
        if found.name in self._numbers:
            folder, slash, _ = found.name.rpartition("/")
            attrs["nb_selector"] = f"{self._name}:{folder}{slash}{self._numbers[found.name]}"
        labels = [*record.labels, *(["pinned"] if found.name in self._pinned else [])]
        if record.title == found.stem and (line := first_line(record.content).lstrip("#").strip()):
            created = source_time(found.stem) if _STAMP.fullmatch(found.stem) else None
            record = record._replace(title=line, created_at=record.created_at or created)
        if found.name.endswith(_BOOKMARK):
            record = _bookmark(record)
        elif found.name.endswith(_TODO) and (todo := _TODO_TITLE.match(record.content)):
            is_done = todo[1] != " "
            due = _DUE.search(record.content)
            metadata = {**attrs.get("metadata", {}), "done": is_done}
            if due:
                metadata["due"] = source_time(due[1].strip()) or due[1].strip()
            attrs["metadata"] = metadata
            labels.append("done" if is_done else "todo")
            record = record._replace(title=one_line(todo[2], _TITLE_CHARS) or found.stem)
        return record._replace(attrs=attrs, labels=unique_labels(labels))

    def _learn(self, found: Found, folder: str, base: str) -> None:
        try:
            decoded = decode(read_bytes(found))
        except (OSError, ValueError):
            return
        for number, line in enumerate(decoded.text.split("\n") if decoded else (), 1):
            name = f"{folder}/{relative_name(line.strip())}".lstrip("/")
            if line.strip() and base == INDEX:
                self._numbers[name] = number
            elif line.strip():
                self._pinned.add(name)


def _bookmark(record: Record) -> Record:
    found = _ADDRESS.search(mask_markup(record.content))
    if not found:
        return record
    links = list(record.links)
    place = next((n for n, link in enumerate(links) if link.type == "url" and link.target == found[1]), None)
    if place is not None:
        links[place] = links[place]._replace(attrs={**links[place].attrs, "primary": True})
    return record._replace(url=found[1], links=tuple(links))
