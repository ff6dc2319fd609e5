"""Foreign databases: live ones with their write-ahead log, and nothing is left beside them."""

import os
import shutil
import sqlite3
from pathlib import Path

import pytest
from memhub_importers import sqlite


def _make(path: Path, *statements: str) -> sqlite3.Connection:
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA journal_mode = WAL")
    for statement in ("CREATE TABLE t (x)", "INSERT INTO t VALUES ('one')", *statements):
        connection.execute(statement)
    connection.commit()
    return connection


def _rows(path: Path) -> list[str]:
    with sqlite.open_store(path) as connection:
        return [row[0] for row in connection.execute("SELECT x FROM t ORDER BY rowid")]


def _files(folder: Path) -> dict[str, tuple[int, bytes]]:
    return {path.name: (path.stat().st_mtime_ns, path.read_bytes()) for path in folder.iterdir()}


def test_a_closed_store_is_read_and_gets_no_company(tmp_path: Path) -> None:
    store = tmp_path / "a #1?%20.db"
    _make(store).close()
    before = _files(tmp_path)
    assert list(before) == [store.name]
    assert _rows(store) == ["one"]
    assert _files(tmp_path) == before


def test_what_only_the_log_of_a_running_program_holds_is_read_as_it_comes(tmp_path: Path) -> None:
    store = tmp_path / "a.db"
    writer = _make(store, "INSERT INTO t VALUES ('two')")
    assert store.with_name("a.db-wal").stat().st_size > 0
    assert _rows(store) == ["one", "two"]
    state = sqlite.state(store)
    writer.execute("INSERT INTO t VALUES ('three')")
    assert _rows(store) == ["one", "two"]
    writer.commit()
    assert sqlite.state(store) != state
    assert _rows(store) == ["one", "two", "three"]
    writer.close()


def test_what_a_crash_left_is_read_with_its_log_and_only_looked_at(tmp_path: Path) -> None:
    """A reader as SQLite makes it would note its place in the index of the log."""
    running = tmp_path / "running" / "a.db"
    running.parent.mkdir()
    writer = _make(running, "INSERT INTO t VALUES ('two')")
    store = shutil.copytree(running.parent, tmp_path / "crashed") / "a.db"
    writer.close()
    before = _files(store.parent)
    assert sorted(before) == ["a.db", "a.db-shm", "a.db-wal"]
    assert _rows(store) == ["one", "two"]
    assert _files(store.parent) == before


def test_a_writer_is_not_held_up_by_a_reader(tmp_path: Path) -> None:
    store = tmp_path / "a.db"
    writer = _make(store)
    with sqlite.open_store(store) as connection:
        rows = connection.execute("SELECT x FROM t")
        assert rows.fetchone() == ("one",)
        writer.execute("INSERT INTO t VALUES ('two')")
        writer.commit()
    writer.close()


def test_a_log_without_its_index_is_read_from_a_private_copy(tmp_path: Path) -> None:
    writer = _make(tmp_path / "a.db", "INSERT INTO t VALUES ('two')")
    folder = tmp_path / "crashed"
    folder.mkdir()
    for name in ("a.db", "a.db-wal"):
        shutil.copy(tmp_path / name, folder / name)
    writer.close()
    before = _files(folder)
    assert _rows(folder / "a.db") == ["one", "two"]
    assert _files(folder) == before


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="needs a folder that cannot be written to")
def test_a_folder_that_cannot_be_written_to(tmp_path: Path) -> None:
    _make(tmp_path / "a.db").close()
    tmp_path.chmod(0o500)
    assert _rows(tmp_path / "a.db") == ["one"]
    tmp_path.chmod(0o700)


def test_nothing_can_be_written_and_nothing_is_made(tmp_path: Path) -> None:
    _make(tmp_path / "a.db").close()
    with sqlite.open_store(tmp_path / "a.db") as connection, pytest.raises(sqlite3.OperationalError):
        connection.execute("INSERT INTO t VALUES ('x')")
    with pytest.raises(sqlite3.DatabaseError), sqlite.open_store(tmp_path / "none.db"):
        pass
    assert not (tmp_path / "none.db").exists()
    (tmp_path / "text.db").write_text("SQLite, but no database")
    with pytest.raises(sqlite3.DatabaseError, match="no SQLite database"), sqlite.open_store(tmp_path / "text.db"):
        pass


def test_links_and_pipes_are_no_stores(tmp_path: Path) -> None:
    _make(tmp_path / "a.db").close()
    (tmp_path / "link.db").symlink_to(tmp_path / "a.db")
    assert sqlite.is_database(tmp_path / "a.db")
    assert not sqlite.is_database(tmp_path / "link.db")
    os.mkfifo(tmp_path / "pipe.db")
    assert not sqlite.is_database(tmp_path / "pipe.db")


def test_columns_are_those_of_tables_and_a_view_that_never_ends_is_none(tmp_path: Path) -> None:
    endless = "CREATE VIEW v AS WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x FROM n) SELECT x FROM n"
    _make(tmp_path / "a.db", endless).close()
    with sqlite.open_store(tmp_path / "a.db") as connection:
        assert sqlite.columns(connection, "t") == {"x"}
        assert sqlite.columns(connection, "v") == frozenset()
        assert sqlite.columns(connection, "gone") == frozenset()


def test_text_that_is_no_utf_8_is_shown_with_its_damage(tmp_path: Path) -> None:
    _make(tmp_path / "a.db", "INSERT INTO t VALUES (CAST(x'61ff62' AS TEXT))").close()
    assert _rows(tmp_path / "a.db") == ["one", "a\ufffdb"]
    assert [sqlite.as_text(value) for value in (b"a\xff", "b\x1b[2J", None, 7)] == ["a\ufffd", "b", "", "7"]
