"""Opens the SQLite stores of other programs to read them, while those programs run, and leaves nothing beside them.

All the stores we know run in WAL mode. What is in the `-wal` file counts: while the program runs, `-wal` and `-shm` are
there, and a reader would note in `-shm` how far it reads; ours only looks at it. For a closed store SQLite would create
both files, so that one is opened as immutable. A store with a `-wal` and no `-shm` (a crash, a copied folder) is read
from a private copy.
"""

import os
import shutil
import sqlite3
import stat
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import quote

from memhub.text.clean import clean

BUSY_SECONDS = 5.0
MAX_VALUE = 256 * 1024 * 1024
_MAX_COPY = 1 << 30
_MAGIC = b"SQLite format 3\0"
# What a damaged or busy store raises; the text of SQLite's own errors may quote bytes that are no text.
ERRORS = (OSError, sqlite3.Error, UnicodeDecodeError)
_WAL = 2  # the write version in byte 18 of the file


@contextmanager
def open_store(path: Path) -> Iterator[sqlite3.Connection]:
    """A connection that can read `path` and nothing else; texts that are no UTF-8 come with U+FFFD.

    Raises one of `ERRORS` when there is no database to be read, also while it is used.
    """
    if not is_database(path):
        raise sqlite3.DatabaseError("no SQLite database")
    wal, shm = _beside(path, "-wal"), _beside(path, "-shm")
    if wal.exists() and not shm.exists() and _bytes_of(path) + _bytes_of(wal) <= _MAX_COPY:
        with tempfile.TemporaryDirectory(prefix="mh-") as folder:
            copied = Path(folder) / "store.db"
            shutil.copyfile(path, copied)
            shutil.copyfile(wal, _beside(copied, "-wal"))
            with _connected(copied, "mode=ro") as connection:
                yield connection
        return
    is_closed = not wal.exists() and _write_version(path) == _WAL
    with _connected(path, "mode=ro&immutable=1" if is_closed else "mode=ro&readonly_shm=1") as connection:
        yield connection


def is_database(path: Path) -> bool:
    """Whether `path` is a regular file that starts as SQLite files do."""
    try:
        if not stat.S_ISREG(path.lstat().st_mode):
            return False
        with open(path, "rb") as file:
            return file.read(len(_MAGIC)) == _MAGIC
    except OSError:
        return False


def is_file(path: Path) -> bool:
    """Whether there is a regular file with something in it, be it a database or the remains of one."""
    try:
        info = path.lstat()
    except OSError:
        return False
    return stat.S_ISREG(info.st_mode) and info.st_size > 0


def columns(connection: sqlite3.Connection, table: str) -> frozenset[str]:
    """The columns of a table; none when there is no table of that name (a view is none: it could run for ever)."""
    if not connection.execute("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?", (table,)).fetchone():
        return frozenset()
    return frozenset(str(row[1]) for row in connection.execute(f'PRAGMA table_info("{table}")'))


def state(path: Path) -> str:
    """What changes when anything is written to a store: time and size of its file and of its `-wal`."""
    return "|".join(_file_state(file) for file in (path, _beside(path, "-wal")))


def as_text(value: Any) -> str:
    """A value that should be text, whether it is stored as TEXT, BLOB or something else."""
    if isinstance(value, bytes):
        value = value.decode("utf-8", "replace")
    return clean(value) if isinstance(value, str) else "" if value is None else str(value)


def reason(error: Exception) -> str:
    """Why a store gave nothing, for a `Skipped`."""
    if isinstance(error, OSError):
        return f"cannot be read: {error.strerror or type(error).__name__}"
    if isinstance(error, UnicodeDecodeError):
        return "cannot be read: damaged"
    return f"cannot be read: {error}"


@contextmanager
def _connected(path: Path, options: str) -> Iterator[sqlite3.Connection]:
    # URIs of SQLite want `file:///C:/…` on Windows; `quote` takes care of `?`, `#` and `%`
    address = path.resolve().as_posix()
    uri = f"file:{'' if address.startswith('/') else '///'}{quote(address)}?{options}"
    connection = sqlite3.connect(uri, uri=True, timeout=BUSY_SECONDS, isolation_level=None)
    try:
        connection.text_factory = _decode
        connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, MAX_VALUE)
        connection.execute("PRAGMA query_only = 1")
        connection.execute("PRAGMA trusted_schema = 0")
        yield connection
    finally:
        connection.close()


def _decode(data: bytes) -> str:
    return data.decode("utf-8", "replace")


def _beside(path: Path, ending: str) -> Path:
    return path.with_name(path.name + ending)


def _bytes_of(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0


def _file_state(path: Path) -> str:
    try:
        info = os.stat(path)
    except OSError:
        return ""
    return f"{info.st_mtime_ns}:{info.st_size}" if info.st_size else ""  # an empty `-wal` says as little as none


def _write_version(path: Path) -> int:
    with open(path, "rb") as file:
        head = file.read(20)
    return head[18] if len(head) == 20 else 0
