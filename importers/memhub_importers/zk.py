"""Notebooks of zk: Markdown with labels and links as its configuration says, or the list of notes that zk prints."""

import posixpath
import re
from collections.abc import Iterator, Mapping
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from memhub.model import EMPTY
from memhub.model.record import Cursor, Origin, Passed, Record, Skipped
from memhub.text.labels import find_labels, is_label, normalise, unique_labels
from memhub.text.masks import MASK
from memhub_importers import note_folders
from memhub_importers.encoding import decode, nfc
from memhub_importers.files import Found
from memhub_importers.jsonl import open_regular
from memhub_importers.links import NOTE_ENDINGS, Names
from memhub_importers.note import Dialect
from memhub_importers.notebook import Profile, read_notes
from memhub_importers.options import DOCUMENTS
from memhub_importers.zk_list import ENDINGS, is_list, notebook_of, read_list

OPTIONS = DOCUMENTS
GOES_BY_NAME = True
STDIN_ENDING = ".json"
_MANY_WORDS = re.compile(r"(?<!\S)#([^\s#\0][^#\n\0]{0,98}[^\s#\0]|[^\s#\0])#(?![\w#])")
_COLONS = re.compile(r"(?<!\S):((?:[^\s:\0]{1,100}:){1,50})(?!\S)")


def places(home: Path, environ: Mapping[str, str]) -> list[Path]:
    """The notebooks of zk."""
    return [folder for folder in note_folders.zk(home, environ) if sniff(folder)]


def survey(path: Path) -> tuple[int, str]:
    """How many notes there are, by the endings of their names."""
    return note_folders.count(path, NOTE_ENDINGS), "notes"


def sniff(path: Path) -> bool:
    """Whether `path` is the root of a notebook, or what `zk list --format json` printed."""
    return (path / ".zk" / "config.toml").is_file() if path.is_dir() else is_list(path)


def origin(path: Path) -> Origin:
    """`zk`, named after the notebook, also where its notes are listed in a file."""
    path = path.resolve()
    return Origin("zk", (notebook_of(path) if is_list(path) else None) or path.stem if path.is_file() else path.name)


def read(
    path: Path, *, scope: str = "", cursors: Mapping[str, str] = EMPTY, options: Mapping[str, str] = EMPTY
) -> Iterator[Record | Skipped | Cursor | Passed]:
    """Each note of a notebook as a record, in the order of their names or of the list. Raises `NotFoundError`."""
    is_file = path.is_file() and path.suffix.lower() in ENDINGS
    yield from read_list(path, _ZkNames()) if is_file else read_notes(path, _Notebook(path, options), cursors)


class _Notebook(Profile):
    """Labels as the settings allow them, and links to parts of names."""

    def __init__(self, root: Path, options: Mapping[str, str] = EMPTY) -> None:
        super().__init__(root, options)
        config = _config(root)
        self._excluded = [glob for glob in _list(config, "note", "exclude") if isinstance(glob, str)]
        settings = _table(_table(config, "format"), "markdown")
        self._mark = repr(settings)
        has_hashtags = settings.get("hashtags", True) is not False
        has_colons, has_words = (settings.get(key) is True for key in ("colon-tags", "multiword-tags"))

        def labels(text: str, masked: str) -> tuple[str, ...]:
            return _labels(text, masked, has_hashtags, has_colons, has_words)

        self.dialect = Dialect(label_keys=("tags", "tag", "keywords", "keyword"), labels=labels)

    def mark(self, found: Found) -> str:
        """The settings, which decide what is a label."""
        return self._mark

    def names(self) -> Names:
        """Names as zk looks them up."""
        return _ZkNames()

    def place(self, place: Found | Skipped) -> Found | Skipped | None:
        """Notes that the settings exclude are named."""
        if isinstance(place, Found) and any(_matches(place.name, glob) for glob in self._excluded):
            return Skipped(place.name, "excluded by the configuration of zk")
        return place


class _ZkNames(Names):
    """A target is a path without ending, from the note or from the root; else a part of one.

    `[shown](target)` may be the start of a path; `[[target]]` any part of a file name, then of a path. Of several the
    shortest path is meant.
    """

    def __init__(self) -> None:
        super().__init__()
        self._notes: dict[str, str] = {}
        self._parts: dict[tuple[bool, str, str], str | None] = {}

    def add(self, path: str, external_id: str | None, aliases: tuple[str, ...] = ()) -> None:
        """As above; aliases are no names for zk."""
        super().add(path, external_id)
        if external_id is not None:
            stem, ending = posixpath.splitext(path)
            self._notes[_key(stem if ending.lower() in NOTE_ENDINGS else path)] = external_id

    def find(self, target: str, note: str) -> tuple[str | None, str | None]:
        """What `[[target]]` means."""
        return self._find(target, note, is_wiki=True)

    def find_inline(self, target: str, note: str) -> tuple[str | None, str | None]:
        """What `[shown](target)` means."""
        return self._find(target, note, is_wiki=False)

    def relation(self, before: str, after: str, title: str) -> str | None:
        """`#[[up]]`, `[[down]]#` and `[[[down]]]` as in Neuron; else a title of one word: `[shown](target "word")`."""
        if before == "#":
            return "up"
        if after == "#" or (before, after) == ("[", "]"):
            return "down"
        return title if title and len(title.split()) == 1 else None

    def _find(self, target: str, note: str, *, is_wiki: bool) -> tuple[str | None, str | None]:
        wanted = _key(target.partition("#")[0].strip().strip("/"))
        if not wanted:
            return super().find(target, note)
        stem = posixpath.splitext(wanted)[0] if posixpath.splitext(wanted)[1] in NOTE_ENDINGS else wanted
        relative = posixpath.normpath(posixpath.join(posixpath.dirname(_key(note)), stem))
        for path in (relative, stem):
            if path in self._notes:
                return self._notes[path], None
        part = (is_wiki, stem, "" if is_wiki else relative)
        if part not in self._parts:
            self._parts[part] = self._by_part(*part)
        path = self._parts[part] or ""
        return (self._notes[path], None) if path else (None, self._file(wanted, note))

    def _by_part(self, is_wiki: bool, stem: str, relative: str) -> str | None:
        """The shortest path of which a target is a part, as the kind of link allows."""
        if not is_wiki:
            found = [path for path in self._notes if path.startswith((stem, relative))]
        else:
            found = [path for path in self._notes if stem in posixpath.basename(path)]
            found = found or [path for path in self._notes if stem in path]
        return min(found, key=lambda path: (len(path), path), default=None)

    def _file(self, wanted: str, note: str) -> str | None:
        """Another file of exactly this path."""
        relative = posixpath.normpath(posixpath.join(posixpath.dirname(_key(note)), wanted))
        for path in (relative, wanted):
            if path in self._files:
                return self._files[path]
        return None


def _labels(text: str, masked: str, has_hashtags: bool, has_colons: bool, has_words: bool) -> tuple[str, ...]:
    """`#one`, `#several words#` and `:one:after:another:`, each kind where the settings have it on."""
    found: list[str] = []
    if has_words and has_hashtags:
        found += [match[1] for match in _MANY_WORDS.finditer(masked)]
        masked = _MANY_WORDS.sub(lambda match: MASK * len(match[0]), masked)
    if has_colons:
        found += [label for match in _COLONS.finditer(masked) for label in match[1].split(":")]
    labels = [label for label in map(normalise, found) if is_label(label)]
    return unique_labels([*labels, *(find_labels(text, masked) if has_hashtags else ())])


def _config(root: Path) -> dict[str, Any]:
    """The settings of a notebook; nothing when they cannot be read."""
    import tomllib

    try:
        with open_regular(root / ".zk" / "config.toml") as file:
            data = file.read(1_000_000)
        decoded = decode(data)
        return tomllib.loads(decoded.text) if decoded else {}
    except (OSError, ValueError, RecursionError):
        return {}


def _table(value: Any, key: str) -> dict[str, Any]:
    found = value.get(key) if isinstance(value, dict) else None
    return found if isinstance(found, dict) else {}


def _list(config: dict[str, Any], table: str, key: str) -> list[Any]:
    found = _table(config, table).get(key)
    return found if isinstance(found, list) else []


def _matches(name: str, glob: str) -> bool:
    return fnmatchcase(name, glob) or fnmatchcase(name, glob.removeprefix("**/"))


def _key(text: str) -> str:
    return nfc(nfc(text).casefold())
