"""Opens the file with the one set of pragmas, and says in words why it cannot."""

import os
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import apsw

from memhub.errors import StoreError

BUSY_MS = 30_000
PAGE_SIZE = 8192
BULK_CACHE_KIB = 5000
BULK_LOG_PAGES = 4000
"""60,000 turns: a tenth less CPU than with the 2,000 and 1,000 of SQLite; 8,000 KiB are hardly better."""


def connect(path: Path) -> apsw.Connection:
    """A connection to `path`, made with mode 0600 (its folder 0700) when it is not there.

    One pragma per call: `execute` of several stops at the first that returns a row.
    """
    try:
        if not path.exists():
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
        connection = apsw.Connection(str(path))
    except OSError as error:
        raise StoreError(f"cannot open `{path}`: {error.strerror}", "`mh config show` names the file in use") from error
    except apsw.Error as error:
        raise StoreError(f"cannot open `{path}`: {error}", "`mh config show` names the file in use") from error
    connection.set_busy_timeout(BUSY_MS)
    try:
        connection.pragma("foreign_keys", "ON")
        connection.pragma("synchronous", "FULL")
        connection.pragma("temp_store", "MEMORY")
    except apsw.NotADBError as error:
        raise StoreError(f"`{path}` is not a mh file", "name another with `--db`, or move this one away") from error
    connection.config(apsw.SQLITE_DBCONFIG_DQS_DML, 0)
    connection.config(apsw.SQLITE_DBCONFIG_DQS_DDL, 0)
    return connection


def prepare_for_bulk(connection: apsw.Connection) -> None:
    """More memory for pages and a longer write-ahead log, for what writes much in a row."""
    connection.pragma("cache_size", -BULK_CACHE_KIB)
    connection.pragma("wal_autocheckpoint", BULK_LOG_PAGES)


@contextmanager
def snapshot_of(path: Path) -> Iterator[apsw.Connection]:
    """A second connection that reads the file as it is at this moment, whatever is written meanwhile."""
    with said_plainly(path):
        connection = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY)
        try:
            connection.set_busy_timeout(BUSY_MS)
            connection.pragma("temp_store", "MEMORY")
            connection.execute("BEGIN")
            yield connection
        finally:
            connection.close()


@contextmanager
def copy_of(connection: apsw.Connection) -> Iterator[apsw.Connection]:
    """A private copy of the file as it is now, to try something on; it is gone afterwards. Blocks no writer."""
    from tempfile import TemporaryDirectory

    with TemporaryDirectory(prefix="mh-") as folder:
        target = os.path.join(folder, "copy.db")
        connection.execute("VACUUM INTO ?", (target,))
        copy = apsw.Connection(target)
        try:
            copy.pragma("journal_mode", "OFF")
            copy.pragma("synchronous", "OFF")
            yield copy
        finally:
            copy.close()


def make_wal(connection: apsw.Connection) -> None:
    """Set what a new file keeps for ever: page size, write-ahead log.

    Several that want to make the same file would wait for each other for ever, so SQLite refuses one at once, whatever
    the busy timeout is: it tries again.
    """
    connection.pragma("page_size", PAGE_SIZE)
    give_up = time.monotonic() + BUSY_MS / 1000
    while True:
        try:
            connection.pragma("journal_mode", "WAL")
            return
        except apsw.BusyError:
            if time.monotonic() > give_up:
                raise
            time.sleep(0.01)


@contextmanager
def patience(connection: apsw.Connection, ms: int) -> Iterator[None]:
    """Wait no longer than `ms` for another program that writes."""
    connection.set_busy_timeout(ms)
    try:
        yield
    finally:
        connection.set_busy_timeout(BUSY_MS)


@contextmanager
def transaction(connection: apsw.Connection) -> Iterator[None]:
    """`BEGIN IMMEDIATE` … `COMMIT`; any exception, Ctrl-C included, rolls back."""
    try:
        connection.execute("BEGIN IMMEDIATE")  # inside: Ctrl-C may be noticed when the call has returned
        yield
    except BaseException:
        if not connection.get_autocommit():
            connection.execute("ROLLBACK")
        raise
    try:
        connection.execute("COMMIT")
    except BaseException:
        if not connection.get_autocommit():
            connection.execute("ROLLBACK")
        raise


@contextmanager
def said_plainly(path: Path) -> Iterator[None]:
    """Turn the database's own errors into ours."""
    try:
        yield
    except apsw.Error as error:
        plain = in_words(error, path)
        if plain is None:
            raise
        raise plain from error


def in_words(error: BaseException, path: Path) -> StoreError | None:
    """The database's complaint about the file as ours; None when `error` is something else, such as our own fault."""
    if isinstance(error, apsw.BusyError):
        return StoreError(f"`{path}` is in use by another program", "try again in a moment")
    if isinstance(error, apsw.ReadOnlyError | apsw.PermissionsError | apsw.CantOpenError):
        return StoreError(f"cannot write `{path}`: {error}", "check who may write the file and its folder")
    if isinstance(error, apsw.NotADBError | apsw.CorruptError | UnicodeDecodeError):
        return StoreError(f"`{path}` is damaged: {error}", "keep a copy of it; `mh doctor` looks into it")
    if isinstance(error, apsw.FullError):
        return StoreError(f"no space left to write `{path}`", "nothing was changed; free some space and repeat")
    if isinstance(error, apsw.IOError):
        return StoreError(f"the disk refused `{path}`: {error}", "nothing was changed")
    return None


def query(connection: apsw.Connection, sql: str, values: Sequence[Any] | dict[str, Any] = ()) -> list[tuple[Any, ...]]:
    """All rows of a statement."""
    return list(connection.execute(sql, values))
