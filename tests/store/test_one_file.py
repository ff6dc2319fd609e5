"""The file itself: migrations, foreign and later files, durability, and which device writes it."""

import os
import shutil
import stat
from pathlib import Path
from typing import Any

import apsw
import pytest

from memhub.errors import ExitCode, NewerStoreError, StoreError
from memhub.store import schema
from memhub.store.connection import connect
from memhub.store.store import Store
from memhub.workspace import Memory


def pragma(memory: Memory, name: str) -> Any:
    return memory.store.connection.pragma(name)


def test_a_new_file_is_private_and_durable(tmp_path: Path) -> None:
    path = tmp_path / "new" / "kb.db"
    with Memory(path) as memory:
        memory.add("first")
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
        assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
        assert pragma(memory, "journal_mode") == "wal"
        assert pragma(memory, "synchronous") == 2  # FULL
        assert pragma(memory, "application_id") == 0x6D686462
        assert pragma(memory, "user_version") == schema.VERSION


def test_bulk_work_flushes_once_and_leaves_full_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with Memory(tmp_path / "kb.db") as memory:
        levels = []
        real = Store._stamped

        def watched(store: Store, *args: Any) -> Any:
            levels.append(store.connection.pragma("synchronous"))
            return real(store, *args)

        monkeypatch.setattr(Store, "_stamped", watched)
        items = [memory.add(f"note {n}").item.id for n in range(201)]
        levels.clear()
        memory.set(items, pinned=True)
        assert levels == [1, 2]  # NORMAL for the first 200, FULL for the commit that ends it
        assert pragma(memory, "synchronous") == 2


def test_a_migration_keeps_a_snapshot_and_the_text(tmp_path: Path) -> None:
    path, snapshots = tmp_path / "kb.db", tmp_path / "snapshots"
    with Memory(path) as memory:
        item = memory.add("written by the first schema").item

    def second(connection: apsw.Connection) -> None:
        connection.execute("CREATE TABLE newer(n INTEGER PRIMARY KEY) STRICT")

    connection = connect(path)
    schema.open_schema(connection, path, snapshots, (*schema.MIGRATIONS, second))
    assert connection.pragma("user_version") == schema.VERSION + 1
    assert connection.execute("SELECT count(*) FROM newer").get == 0
    assert connection.execute("SELECT id FROM item").get == item.id
    connection.close()
    [snapshot] = snapshots.iterdir()
    assert snapshot.name == f"kb-schema{schema.VERSION}.db"
    assert stat.S_IMODE(snapshot.stat().st_mode) == 0o600
    with Memory(snapshot) as old:
        assert old.get(item.id).content == "written by the first schema"
    with pytest.raises(NewerStoreError, match="was written by a later mh") as caught, Memory(path) as memory:
        memory.list()
    assert caught.value.exit_code == ExitCode.FAILED
    assert caught.value.hint == "upgrade mh, or name another file with `--db`"


def test_a_migration_that_fails_changes_nothing(tmp_path: Path) -> None:
    path = tmp_path / "kb.db"
    with Memory(path) as memory:
        memory.add("kept")

    def broken(connection: apsw.Connection) -> None:
        connection.execute("CREATE TABLE half(n INTEGER PRIMARY KEY) STRICT")
        raise RuntimeError("power cut")

    connection = connect(path)
    with pytest.raises(RuntimeError):
        schema.open_schema(connection, path, tmp_path / "snapshots", (*schema.MIGRATIONS, broken))
    connection.close()
    with Memory(path) as memory:
        assert [item.content for item in memory.list()] == ["kept"]
        assert memory.store.connection.execute("SELECT count(*) FROM sqlite_schema WHERE name = 'half'").get == 0


def test_files_of_other_programs_are_left_alone(tmp_path: Path) -> None:
    foreign = tmp_path / "foreign.db"
    connection = apsw.Connection(str(foreign))
    connection.execute("CREATE TABLE theirs(x)")
    connection.close()
    before = foreign.read_bytes()
    with pytest.raises(StoreError, match="is a database of another program"), Memory(foreign) as memory:
        memory.add("not here")
    assert foreign.read_bytes() == before
    text = tmp_path / "notes.txt"
    text.write_text("just some text, longer than a header of a database\n" * 20)
    with pytest.raises(StoreError, match="is not a mh file"), Memory(text) as memory:
        memory.add("not here")
    assert text.read_text().startswith("just some text")
    with pytest.raises(StoreError, match="cannot open"), Memory(tmp_path) as memory:
        memory.add("not here")


def device(memory: Memory) -> str:
    memory.add("who writes", again=True)
    return memory.operations(limit=1)[0].device


def test_a_copied_or_restored_file_is_another_device(tmp_path: Path) -> None:
    path, copy = tmp_path / "kb.db", tmp_path / "copy.db"
    with Memory(path) as memory:
        first = device(memory)
    with Memory(path) as memory:
        assert device(memory) == first
    shutil.copy2(path, copy)
    with Memory(copy) as memory:
        assert device(memory) != first
    os.replace(copy, path)  # a backup brought back
    with Memory(path) as memory:
        assert device(memory) != first
        assert len(memory.list(limit=0)) == 4
        assert memory.doctor().ok


def test_renaming_keeps_the_device(tmp_path: Path) -> None:
    with Memory(tmp_path / "kb.db") as memory:
        first = device(memory)
    (tmp_path / "kb.db").rename(tmp_path / "renamed.db")
    with Memory(tmp_path / "renamed.db") as memory:
        assert device(memory) == first
