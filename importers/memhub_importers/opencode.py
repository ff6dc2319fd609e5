"""OpenCode: sessions from its database and, for those that never got there, from the files of older versions."""

import sqlite3
from collections.abc import Iterator, Mapping
from pathlib import Path

from memhub.errors import NotFoundError
from memhub.model import EMPTY
from memhub.model.record import Conversation, Cursor, Origin, Skipped
from memhub_importers import opencode_db, sqlite
from memhub_importers.files import relative_name
from memhub_importers.opencode_messages import SLUG
from memhub_importers.opencode_tree import read_tree, session_paths

_TABLES = ("session", "session_v2")


def sniff(path: Path) -> bool:
    """Whether a data folder or a database of OpenCode is there."""
    databases, data = _store(path)
    return any(_is_opencodes(file) for file in databases) or any(next(session_paths(one), None) for one in data)


def origin(path: Path) -> Origin:
    """One source for the whole machine: the ids of sessions are unique."""
    return Origin(SLUG, SLUG)


def places(home: Path, environ: Mapping[str, str]) -> list[Path]:
    """The data folder, and the database that `OPENCODE_DB` names."""
    base = Path(environ["XDG_DATA_HOME"]) if environ.get("XDG_DATA_HOME") else home / ".local" / "share"
    found = [base / "opencode"]
    if environ.get("OPENCODE_DB"):
        found.append(base / "opencode" / environ["OPENCODE_DB"])  # an absolute path stands for itself
    return [path for path in found if path.exists() and sniff(path)]


def survey(path: Path) -> tuple[int, str]:
    """How many sessions there are, sub-agents among them."""
    databases, data = _store(path)
    names = {file.stem for folder in data for file in session_paths(folder)}
    for file in databases:
        try:
            with sqlite.open_store(file) as connection:
                for table in _TABLES:
                    if "id" in sqlite.columns(connection, table):
                        names |= {sqlite.as_text(key) for (key,) in connection.execute(f"SELECT id FROM {table}")}
        except sqlite.ERRORS:
            continue
    return len(names), "sessions"


def read(
    path: Path, *, scope: str = "", cursors: Mapping[str, str] = EMPTY
) -> Iterator[Conversation | Skipped | Cursor]:
    """The sessions by id, those of databases first; a session whose rows or files are as they were is passed over."""
    if not path.exists():
        raise NotFoundError(f"no file or folder `{path}`")
    databases, data = _store(path)
    known: set[str] = set()
    for file in databases:
        try:
            with sqlite.open_store(file) as connection:
                yield from _read_database(connection, file, scope or SLUG, cursors, known)
        except sqlite.ERRORS as error:
            yield Skipped(relative_name(file.name), sqlite.reason(error), failed=True)
    for folder in data:
        for session in session_paths(folder):
            name = relative_name(session.stem)
            if name not in known:
                known.add(name)
                yield from read_tree(session, scope or SLUG, cursors.get(name))


def _read_database(
    connection: sqlite3.Connection, file: Path, scope: str, cursors: Mapping[str, str], known: set[str]
) -> Iterator[Conversation | Skipped | Cursor]:
    for found in opencode_db.sessions(connection):
        name = found.session.id
        if name in known:
            continue
        known.add(name)
        if cursors.get(name) == found.watermark:
            continue
        try:
            yield from opencode_db.read_session(connection, found, scope)
        except sqlite.ERRORS as error:
            yield Skipped(f"{relative_name(file.name)}: {name}", sqlite.reason(error), failed=True)
            continue
        yield Cursor(name, found.watermark)


def _store(path: Path) -> tuple[list[Path], list[Path]]:
    """The databases and the data folders that `path` means: a database, a data folder, `storage` in it, a home."""
    if path.is_file():
        return ([path] if sqlite.is_file(path) else []), []
    if path.name == "storage":
        path = path.parent
    folders = [path, path / "opencode", path / ".local" / "share" / "opencode"]
    folders = [folder for folder in folders if folder.is_dir() and not (folder != path and folder.is_symlink())]
    found = [file for folder in folders for file in sorted(folder.glob("opencode*.db")) if not file.is_symlink()]
    return [file for file in found if sqlite.is_file(file)], folders


def _is_opencodes(file: Path) -> bool:
    try:
        with sqlite.open_store(file) as connection:
            return any({"id", "project_id"} <= sqlite.columns(connection, table) for table in _TABLES) and any(
                {"id", "session_id", "data"} <= sqlite.columns(connection, table)
                for table in ("message", "session_message")
            )
    except sqlite.ERRORS:
        return False
