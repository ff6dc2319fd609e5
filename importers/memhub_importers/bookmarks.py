"""Bookmarks as browsers export them, the Netscape file: one item for each address, its folders as labels."""

import re
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from memhub.model import EMPTY
from memhub.model.record import Cursor, Link, Origin, Record, Skipped
from memhub_importers.encoding import nfc
from memhub_importers.files import Found, read_bytes, walk, why
from memhub_importers.markup import Token, decode_markup, normal_url, plain, tokens
from memhub_importers.options import FILES, YES

MARK = "<!doctype netscape-bookmark-file-1>"
_SKIPPED_SCHEMES = ("place", "javascript", "about", "chrome", "data", "file", "edge", "vivaldi", "brave", "view-source")
_SCHEME = re.compile(r"\s*([A-Za-z][A-Za-z0-9+.-]{0,30}):")
_ROOT_FLAGS = ("personal_toolbar_folder", "unfiled_bookmarks_folder")
_ROOTS = (
    "bookmarks", "bookmarks bar", "bookmarks toolbar", "bookmarks menu", "other bookmarks", "mobile bookmarks",
    "favorites", "favorites bar", "favourites", "favourites bar", "other favorites", "other favourites",
    "bookmarksbar", "bookmarksmenu", "toolbar", "menu", "unfiled",
)  # fmt: skip
_MAX_DEPTH = 100
OPTIONS = (FILES,)
STDIN_ENDING = ".html"


def sniff(path: Path) -> bool:
    """Whether the file begins as the Netscape format does, whatever it is called."""
    if not path.is_file():
        return False
    with open(path, "rb") as file:
        return is_bookmarks(decoded.text if (decoded := decode_markup(file.read(1024))) else "")


def origin(path: Path) -> Origin:
    """`bookmarks`, named after the file."""
    path = path.resolve()
    return Origin("bookmarks", path.stem if path.is_file() else path.name)


def read(
    path: Path, *, scope: str = "", cursors: Mapping[str, str] = EMPTY, options: Mapping[str, str] = EMPTY
) -> Iterator[Record | Skipped | Cursor]:
    """Each address of the file as a record, in the order they come first. Raises `NotFoundError`."""
    for found in walk(path):
        if isinstance(found, Skipped):
            yield found
            continue
        try:
            decoded = decode_markup(read_bytes(found))
        except (OSError, ValueError) as error:
            yield Skipped(found.name, why(error), failed=True)
            continue
        if decoded is None or not is_bookmarks(decoded.text):
            yield Skipped(found.name, "no bookmark file")
        else:
            yield from read_bookmarks(decoded.text, found if path.is_dir() else None, options)


def is_bookmarks(text: str) -> bool:
    """Whether a text is a Netscape bookmark file."""
    return text.lstrip()[: len(MARK)].lower() == MARK


class _Entry(NamedTuple):
    """One `<A>` with what belongs to it: its folders from the outermost, and the lines under it."""

    attrs: Mapping[str, str]
    folders: tuple[str, ...]
    title: str
    description: str


def read_bookmarks(
    text: str, found: Found | None = None, options: Mapping[str, str] = EMPTY
) -> Iterator[Record | Skipped]:
    """The records of a bookmark file; an address in two folders is one. `found`: the file, when it is one of many."""
    with_files = FILES.of(options) == YES
    skipped = [scheme for scheme in _SKIPPED_SCHEMES if not (with_files and scheme == "file")]
    entries: dict[str, list[_Entry]] = {}
    for entry in _entries(text):
        url = plain(entry.attrs.get("href", "")).strip()
        scheme = _SCHEME.match(url)
        if not url:
            yield Skipped(entry.title or "a bookmark without an address", "no address")
        elif scheme and scheme[1].lower() in skipped:
            yield Skipped(url[:200], f"scheme `{scheme[1].lower()}:`")
        else:
            entries.setdefault(nfc(normal_url(url)), []).append(entry)
    for url, same in entries.items():
        yield _record(url, same, found)


def _record(key: str, same: list[_Entry], found: Found | None) -> Record:
    url = plain(same[0].attrs["href"]).strip()
    labels: list[str] = []
    attrs: dict[str, object] = {"folders": [list(folders) for folders in dict.fromkeys(x.folders for x in same)]}
    for entry in same:
        labels += [*entry.attrs.get("tags", "").split(","), *entry.folders]
        labels += ["unread"] if entry.attrs.get("toread") == "1" else []
        if entry.attrs.get("shortcuturl"):
            attrs.setdefault("shortcut", plain(entry.attrs["shortcuturl"]))
    created = [time for entry in same if (time := _time(entry.attrs.get("add_date")))]
    updated = [time for entry in same if (time := _time(entry.attrs.get("last_modified")))]
    return Record(
        external_id=f"url:{key}",
        content="\n\n".join(dict.fromkeys(entry.description for entry in same if entry.description)),
        title=next((entry.title for entry in same if entry.title), url),
        labels=tuple(dict.fromkeys(label for label in (plain(label).strip() for label in labels) if label)),
        created_at=min(created, default=None),
        updated_at=max(updated, default=None),
        attrs=attrs,
        path=found.name if found else None,
        url=url,
        links=(Link("url", url, None, {"primary": True}),),
    )


def _entries(text: str) -> Iterator[_Entry]:
    """Every `<A>` in file order."""
    outline = _Outline()
    for token in tokens(text):
        done = outline.take(token)
        if done is not None:
            yield done
    done = outline.take(Token("end", "dl"))
    if done is not None:
        yield done


class _Outline:
    """Where a reader of the file is. A folder is open from the `<DL>` after its `<H3>` to the `</DL>` of that list."""

    def __init__(self) -> None:
        self._lists: list[str | None] = []  # the folder that each open list is of; None for one that names nothing
        self._waiting: str | None = None  # the folder whose list has not begun
        self._is_root = False
        self._link: _Entry | None = None  # its description may follow
        self._into = ""  # the element whose text comes: a, h3, dd
        self._parts: list[str] = []

    def take(self, token: Token) -> _Entry | None:
        """Reads one token; the entry that is complete with it."""
        if token.kind == "text":
            self._parts.append(token.data)
            return None
        if token.kind not in ("start", "end") or not _ends_text(token, self._into):
            self._parts += ["\n"] if token.name == "br" else []
            return None
        self._end_text()
        if token.kind == "start" and token.name == "dd":
            self._into = "dd"
            return None
        if token.kind == "end" and token.name != "dl":
            return None
        done, self._link = self._link, None
        if token.kind == "end":
            self._lists = self._lists[:-1]
        elif token.name == "dl":
            self._lists.append(self._waiting)
            self._waiting = None
        elif token.name == "h3":
            self._is_root = any(token.attrs.get(flag, "").lower() == "true" for flag in _ROOT_FLAGS)
            self._into = "h3"
        elif token.name == "a":
            folders = tuple(name for name in self._lists if name)[:_MAX_DEPTH]
            self._link, self._into = _Entry(token.attrs, folders, "", ""), "a"
        return done

    def _end_text(self) -> None:
        text = plain("".join(self._parts)) if self._into else ""
        words = " ".join(text.split())
        if self._into == "h3":
            is_root = self._is_root or (len(self._lists) < 2 and words.lower() in _ROOTS)
            self._waiting = None if is_root else words
        elif self._link is not None and self._into == "a":
            self._link = self._link._replace(title=words)
        elif self._link is not None and self._into == "dd":
            description = "\n".join(line.rstrip() for line in text.strip().split("\n"))
            self._link = self._link._replace(description=description)
        self._into, self._parts = "", []


def _ends_text(token: Token, into: str) -> bool:
    """Whether a tag ends the title or description before it. Tags that only shape text do not."""
    if token.kind == "end":
        return token.name == "dl" or token.name == into
    return token.name in ("a", "dd", "dl", "dt", "h3", "hr")


def _time(raw: str | None) -> str | None:
    """Seconds, milliseconds or microseconds since 1970, told by their size, as ISO 8601 with the fraction given."""
    digits = (raw or "").strip()
    if not digits.isascii() or not digits.isdigit() or len(digits) > 18 or int(digits) == 0:
        return None
    value = int(digits)
    unit, places = (1, 0) if value < 10**11 else (10**3, 3) if value < 10**14 else (10**6, 6)
    seconds, rest = divmod(value, unit)
    try:
        moment = datetime.fromtimestamp(seconds, UTC)
    except (ValueError, OverflowError, OSError):
        return None
    fraction = f".{rest:0{places}d}" if rest else ""
    return f"{moment:%Y-%m-%dT%H:%M:%S}{fraction}Z"
