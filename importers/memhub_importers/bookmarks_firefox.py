"""The bookmarks of Firefox: the store `places.sqlite` in each profile, which holds the history too."""

import sqlite3
from collections.abc import Iterator, Mapping
from pathlib import Path

from memhub_importers import sqlite
from memhub_importers.bookmark import Entry

NAME = "places.sqlite"
_TAGS = "tags________"
_ROOTS = ("root________", "menu________", "toolbar_____", "unfiled_____", "mobile______")
_MAX_DEPTH = 100
_FOLDERS = (
    ".mozilla/firefox", "snap/firefox/common/.mozilla/firefox", ".var/app/org.mozilla.firefox/.mozilla/firefox",
    "Library/Application Support/Firefox/Profiles", "AppData/Roaming/Mozilla/Firefox/Profiles", ".librewolf",
)  # fmt: skip


def places(home: Path, environ: Mapping[str, str]) -> list[Path]:
    """The stores of all profiles of a person."""
    return [file for folder in _FOLDERS for file in sorted((home / folder).glob(f"*/{NAME}")) if file.is_file()]


def is_store(path: Path) -> bool:
    """Whether a file is what Firefox keeps its bookmarks in."""
    return path.name == NAME and sqlite.is_database(path)


def scope_of(path: Path) -> str:
    """`firefox default-release`: the profile without the letters that make its folder unique."""
    return f"firefox {path.parent.name.partition('.')[2] or path.parent.name}"


def entries(path: Path) -> Iterator[Entry]:
    """Each bookmark, with the tags of its address. Raises one of `sqlite.ERRORS`."""
    with sqlite.open_store(path) as connection:
        tags = _tags(connection)
        folders = _folders(connection)
        rows = connection.execute(
            """SELECT moz_places.url, moz_places.id, moz_bookmarks.parent, moz_bookmarks.title, moz_bookmarks.dateAdded,
                      moz_bookmarks.lastModified
               FROM moz_bookmarks JOIN moz_places ON moz_places.id = moz_bookmarks.fk
               WHERE moz_bookmarks.type = 1 ORDER BY moz_bookmarks.parent, moz_bookmarks.position"""
        )
        for url, place, parent, title, added, modified in rows:
            if parent in folders:
                attrs = {
                    "href": sqlite.as_text(url), "tags": ",".join(tags.get(place, ())),
                    "add_date": sqlite.as_text(added), "last_modified": sqlite.as_text(modified),
                }  # fmt: skip
                yield Entry(attrs, folders[parent], sqlite.as_text(title))


def _tags(connection: sqlite3.Connection) -> dict[int, list[str]]:
    """Tags by address: each is a folder below the one of all tags, with the addresses in it."""
    found: dict[int, list[str]] = {}
    rows = connection.execute(
        """SELECT marked.fk, tag.title FROM moz_bookmarks AS marked JOIN moz_bookmarks AS tag ON tag.id = marked.parent
           JOIN moz_bookmarks AS root ON root.id = tag.parent WHERE root.guid = ? AND marked.fk IS NOT NULL
           ORDER BY tag.title""",
        (_TAGS,),
    )
    for place, tag in rows:
        found.setdefault(place, []).append(sqlite.as_text(tag))
    return found


def _folders(connection: sqlite3.Connection) -> dict[int, tuple[str, ...]]:
    """The names from the outermost on, by folder, without those that every Firefox has; tags are no folders."""
    rows = connection.execute("SELECT id, parent, title, guid FROM moz_bookmarks WHERE type = 2").fetchall()
    known = {row[0]: row[1:] for row in rows}
    found = {}
    for folder in known:
        names: list[str] = []
        at, guid = folder, ""
        while at in known and len(names) < _MAX_DEPTH and guid not in _ROOTS:
            at, title, guid = known[at]
            names += [] if guid in _ROOTS else [sqlite.as_text(title)]
            if guid == _TAGS:
                break
        if guid != _TAGS:
            found[folder] = tuple(name for name in reversed(names) if name)
    return found
