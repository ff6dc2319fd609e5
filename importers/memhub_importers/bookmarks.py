"""Bookmarks: those of browsers, from where they keep them, and files that browsers export."""

from collections.abc import Iterator, Mapping
from pathlib import Path

from memhub.model import EMPTY
from memhub.model.record import Cursor, Origin, Record, Skipped
from memhub_importers import bookmarks_chromium, bookmarks_firefox, bookmarks_html, sqlite
from memhub_importers.bookmark import records
from memhub_importers.files import read_bytes, walk, why
from memhub_importers.markup import decode_markup
from memhub_importers.options import FILES

OPTIONS = (FILES,)
STDIN_ENDING = ".html"
GOES_BY_NAME = True
_BROWSERS = (bookmarks_chromium, bookmarks_firefox)


def places(home: Path, environ: Mapping[str, str]) -> list[Path]:
    """Where browsers keep the bookmarks of each profile."""
    return [path for browser in _BROWSERS for path in browser.places(home, environ)]


def survey(path: Path) -> tuple[int, str]:
    """How many bookmarks there are in a browser's file."""
    browser = next(browser for browser in _BROWSERS if browser.is_store(path))
    return sum(1 for _ in browser.entries(path)), "bookmarks"


def sniff(path: Path) -> bool:
    """Whether the file is a browser's, or begins as the Netscape format does, whatever it is called."""
    if not path.is_file():
        return False
    if any(browser.is_store(path) for browser in _BROWSERS):
        return True
    with open(path, "rb") as file:
        return bookmarks_html.is_bookmarks(decoded.text if (decoded := decode_markup(file.read(1024))) else "")


def origin(path: Path) -> Origin:
    """`bookmarks`, named after the browser and its profile, or the file."""
    path = path.resolve()
    browser = next((browser for browser in _BROWSERS if browser.is_store(path)), None)
    name = browser.scope_of(path) if browser else path.stem if path.is_file() else path.name
    return Origin("bookmarks", name)


def read(
    path: Path, *, scope: str = "", cursors: Mapping[str, str] = EMPTY, options: Mapping[str, str] = EMPTY
) -> Iterator[Record | Skipped | Cursor]:
    """Each address of the file as a record, in the order they come first. Raises `NotFoundError`."""
    for browser in _BROWSERS:
        if browser.is_store(path):
            try:
                found_there = list(browser.entries(path))
            except sqlite.ERRORS as error:
                yield Skipped(path.name, sqlite.reason(error), failed=True)
                return
            yield from records(found_there, None, options)
            return
    for found in walk(path):
        if isinstance(found, Skipped):
            yield found
            continue
        try:
            decoded = decode_markup(read_bytes(found))
        except (OSError, ValueError) as error:
            yield Skipped(found.name, why(error), failed=True)
            continue
        if decoded is None or not bookmarks_html.is_bookmarks(decoded.text):
            yield Skipped(found.name, "no bookmark file")
        else:
            yield from records(bookmarks_html.entries(decoded.text), found if path.is_dir() else None, options)
