"""Many processes at one file: all at once, and one killed in the middle of its work."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from store_state import assert_rebuild_is_equal, export, write_export

from memhub.model.query import Filters
from memhub.model.result import NewNote
from memhub.workspace import Memory

ADD = """
import sys
from memhub.workspace import Memory
path, name, count = sys.argv[1], sys.argv[2], int(sys.argv[3])
print("ready", flush=True)
sys.stdin.readline()
with Memory(path) as memory:
    for n in range(count):
        memory.add(f"process {name} note {n}", labels=[f"p{name}"])
"""
BULK = """
import sys
from memhub.model.result import NewNote
from memhub.workspace import Memory
with Memory(sys.argv[1]) as memory:
    notes = (NewNote(f"bulk note {n} about rope", request_id=f"r{n}") for n in range(int(sys.argv[2])))
    for done, _ in enumerate(memory.add_many(notes), 1):
        if done % 200 == 0:
            print(done, flush=True)
"""
IMPORT = """
import sys
from memhub.workspace import Memory
with Memory(sys.argv[1]) as memory:
    memory.import_(sys.argv[2], progress=lambda done, place: print(done, flush=True))
"""


def start(script: str, *args: object) -> "subprocess.Popen[bytes]":
    environment = {**os.environ, "MH_HOME": str(Path(os.environ["MH_HOME"]))}
    return subprocess.Popen(
        [sys.executable, "-c", script, *map(str, args)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment,
    )


def kill_after(process: "subprocess.Popen[bytes]", lines: int, pause: float) -> None:
    """Wait for so many lines of progress and a little more, then kill -9."""
    assert process.stdout is not None
    for _ in range(lines):
        assert process.stdout.readline(), process.communicate()[1].decode()
    time.sleep(pause)  # anywhere in the next commit: a kill has no condition to wait for
    process.send_signal(signal.SIGKILL)
    process.communicate()


def test_sixteen_processes_add_at_once_and_the_first_makes_the_file(tmp_path: Path) -> None:
    path = tmp_path / "kb.db"
    processes = [start(ADD, path, n, 5) for n in range(16)]
    for process in processes:
        assert process.stdout is not None
        assert process.stdout.readline() == b"ready\n"
    for process in processes:
        assert process.stdin is not None
        process.stdin.write(b"go\n")
        process.stdin.flush()
    for process in processes:
        _, err = process.communicate()
        assert (process.returncode, err.decode()) == (0, "")
    with Memory(path) as memory:
        found = {item.content for item in memory.list(limit=0)}
        assert found == {f"process {p} note {n}" for p in range(16) for n in range(5)}
        assert len(memory.list(Filters(labels=("p7",)), limit=0)) == 5
        assert memory.doctor(deep=True).ok
        assert memory.store.connection.execute("SELECT count(*) FROM device").get == 1


@pytest.mark.slow
@pytest.mark.parametrize(("lines", "pause"), [(1, 0.0), (2, 0.02), (3, 0.1), (5, 0.05)])
def test_adding_killed_and_repeated_loses_and_doubles_nothing(tmp_path: Path, lines: int, pause: float) -> None:
    path, count = tmp_path / "kb.db", 3000
    process = start(BULK, path, count)
    kill_after(process, lines, pause)
    with Memory(path) as memory:
        there = {item.content for item in memory.list(limit=0)}
        assert len(there) >= lines * 200, "what was reported is on disk"
        assert memory.doctor().ok
        notes = (NewNote(f"bulk note {n} about rope", request_id=f"r{n}") for n in range(count))
        statuses = [added.status for added in memory.add_many(notes)]  # type: ignore[union-attr]
        assert statuses.count("known") == len(there)
        items = memory.list(limit=0)
        assert len(items) == count
        assert {item.content for item in items} == {f"bulk note {n} about rope" for n in range(count)}
        assert_rebuild_is_equal(memory)


@pytest.mark.slow
@pytest.mark.parametrize(("lines", "pause"), [(1, 0.0), (2, 0.05), (4, 0.02)])
def test_importing_a_folder_killed_and_repeated(tmp_path: Path, lines: int, pause: float) -> None:
    path, folder, count = tmp_path / "kb.db", tmp_path / "notes", 4500
    folder.mkdir()
    for n in range(count):
        (folder / f"note {n}.md").write_text(f"# Note {n}\n\nabout rope, see [[note {n - 1}]] #sea\n")
    kill_after(start(IMPORT, path, folder), lines, pause)
    with Memory(path) as memory:
        assert memory.doctor().ok
        there = memory.count()
        report = memory.import_(folder)
        assert report.created + report.unchanged + report.updated == count
        assert report.created == count - there
        assert len({item.title for item in memory.list(limit=0)}) == memory.count() == count
        again = memory.import_(folder)
        assert (again.created, again.updated, again.unchanged) == (0, 0, count)
        assert_rebuild_is_equal(memory)


@pytest.mark.slow
@pytest.mark.parametrize(("lines", "pause"), [(1, 0.0), (7, 0.05), (10, 0.1)])
def test_importing_an_export_killed_and_repeated(tmp_path: Path, lines: int, pause: float) -> None:
    path, count = tmp_path / "kb.db", 2000
    with Memory(tmp_path / "source.db") as source:
        for _ in source.add_many(NewNote(f"note {n} about rope", labels=("sea",)) for n in range(count)):
            pass
        file = write_export(source, tmp_path / "all.jsonl")
        kill_after(start(IMPORT, path, file), lines, pause)
        with Memory(path) as memory:
            memory.import_(file)
            assert memory.count() == count
            assert export(memory) == export(source)
            assert_rebuild_is_equal(memory)
