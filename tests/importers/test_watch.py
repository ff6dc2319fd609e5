"""`mh import --watch` beside programs that write: each turn arrives once, in order; nothing of theirs is touched."""

import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from live_writer import claude_line, looks
from memhub_importers import sqlite

from memhub import Memory
from memhub.model.query import Filters
from memhub.tasks.watching import changes

pytestmark = pytest.mark.skipif(os.name != "posix", reason="signals as POSIX has them")
WRITER = Path(__file__).with_name("live_writer.py")
PATIENCE = 90.0


class Watch:
    """A running `mh import … --watch`."""

    def __init__(self, *argv: str, folder: Path) -> None:
        self.errors = folder / "errors"
        with open(self.errors, "wb") as errors:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "memhub", "import", *argv, "--watch", "--json"], stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL, stderr=errors, cwd=folder,
            )  # fmt: skip

    def said(self) -> list[str]:
        return self.errors.read_text().splitlines()

    def until_ready(self) -> None:
        wait(lambda: any(line.startswith("mh: watching ") for line in self.said()), self.process)

    def end(self, how: signal.Signals) -> tuple[int, str]:
        self.process.send_signal(how)
        return self.process.wait(PATIENCE), self.said()[-1]


def wait(condition: Callable[[], Any], process: "subprocess.Popen[bytes] | None" = None) -> None:
    end = time.monotonic() + PATIENCE
    while not condition():
        assert process is None or process.poll() is None, "it has ended"
        assert time.monotonic() < end, "it takes too long"
        time.sleep(0.02)


@pytest.fixture
def watching(tmp_path: Path) -> Iterator[Callable[..., Watch]]:
    started: list[Watch] = []

    def start(*argv: str) -> Watch:
        started.append(Watch(*argv, folder=tmp_path))
        started[-1].until_ready()
        return started[-1]

    yield start
    for one in started:
        if one.process.poll() is None:
            one.process.kill()
            one.process.wait()


def turns(memory: Memory) -> dict[str, list[str]]:
    """What is in the file: the texts of each thread by the id its source gives it."""
    threads = [memory.thread(thread.id) for thread in memory.threads(limit=0)]
    return {thread.id: [turn.content for turn in thread.turns] for thread in threads}


def arrived(kind: str, place: Path) -> list[float]:
    """Seconds from the moment each turn was written until it was in the file; the writer's files are left alone."""
    times: dict[str, float] = {}
    with Memory() as memory, subprocess.Popen(
        [sys.executable, str(WRITER), kind, str(place)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as writer:  # fmt: skip
        assert writer.stdout is not None
        assert writer.stdin is not None
        os.set_blocking(writer.stdout.fileno(), False)
        written: list[dict[str, Any]] = []
        rest = b""

        def is_there() -> bool:
            nonlocal rest
            rest += writer.stdout.read() or b""
            *lines, rest = rest.split(b"\n")
            written.extend(json.loads(line) for line in lines)
            for item in memory.list(Filters(layers=("L0",)), limit=0):
                times.setdefault(item.content, time.time())
            return bool(written) and "files" in written[-1] and all(one["text"] in times for one in written[:-1])

        wait(is_there)
        root = place if place.is_dir() else place.parent
        assert looks(root) == written[-1]["files"], "the tool's own files are as it left them"
        writer.stdin.close()
        assert writer.wait(PATIENCE) == 0
    late = [times[one["text"]] - one["at"] for one in written[:-1]]
    sys.stdout.write(
        f"{kind}: {len(late)} turns, half within {sorted(late)[len(late) // 2]:.2f} s, {max(late):.2f} s\n"
    )
    return late


@pytest.mark.timeout(240)
def test_sessions_that_are_appended_to(watching, run, tmp_path, monkeypatch):
    """Half a line is no turn and no error; new files and folders count; what a rewrite took away stays."""
    lamp = tmp_path / "claude/projects/-srv-demo-lamp"
    lamp.mkdir(parents=True)
    for session, count in (("grows", 2), ("rewritten", 4), ("shrinks", 4)):
        lines = (claude_line(session, number, f"{session} turn {number}") for number in range(count))
        (lamp / f"{session}.jsonl").write_bytes(b"".join(lines))
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(tmp_path / "claude"))
    watch = watching("claude-code")
    arrived("claude-code", lamp.parent)
    with Memory() as memory:
        found = {texts[0].split()[0]: texts for texts in turns(memory).values()}
        assert {session: len(texts) for session, texts in found.items()} == {
            "grows": 13, "new": 4, "inside": 4, "rewritten": 6, "shrinks": 5
        }  # fmt: skip
        for session in ("grows", "new", "inside", "rewritten"):
            assert found[session] == [f"{session} turn {number}" for number in range(len(found[session]))]
        assert sorted(found["shrinks"]) == [f"shrinks turn {number}" for number in range(5)]
        assert all(len(memory.history(item.id)) == 1 for item in memory.list(Filters(layers=("L0",)), limit=0))
    assert watch.end(signal.SIGINT) == (130, "mh: no longer watching")
    assert [line for line in watch.said() if "skipped" in line] == []
    assert run("doctor").code == 0
    assert run("import", "claude-code").out == "imported claude-code: nothing new\n"


STORES = {"cursor": "Cursor/User/globalStorage/state.vscdb", "opencode": "opencode.db"}
TABLES = {
    "cursor": ["CREATE TABLE cursorDiskKV (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB)"],
    "opencode": [
        """CREATE TABLE session (id TEXT PRIMARY KEY, project_id TEXT, parent_id TEXT, directory TEXT, title TEXT,
           revert TEXT, time_created INTEGER, time_updated INTEGER)""",
        """CREATE TABLE message (id TEXT PRIMARY KEY, session_id TEXT, time_created INTEGER, time_updated INTEGER,
           data TEXT)""",
        """CREATE TABLE part (id TEXT PRIMARY KEY, message_id TEXT, session_id TEXT, time_created INTEGER,
           time_updated INTEGER, data TEXT)""",
    ],
}


@pytest.mark.timeout(240)
@pytest.mark.parametrize("kind", STORES)
def test_a_store_whose_program_runs(watching, run, tmp_path, kind):
    """Only the write-ahead log changes; what is in it arrives, and neither file nor log nor index is touched."""
    store = tmp_path / kind / STORES[kind]
    store.parent.mkdir(parents=True)
    with sqlite3.connect(store) as made:
        made.execute("PRAGMA journal_mode = WAL")
        for sql in TABLES[kind]:
            made.execute(sql)
    made.close()
    before = looks(store.parent)
    watch = watching("--importer", kind, str(store if kind == "opencode" else tmp_path / kind))
    assert looks(store.parent) == before, "a closed store gets no log and no index"
    arrived(kind, store)
    with Memory() as memory:
        for texts in turns(memory).values():
            session = texts[0].split()[0]
            numbers = [int(text.removeprefix(f"{session} turn ")) for text in texts]
            assert numbers == sorted(set(numbers))
        assert sum(map(len, turns(memory).values())) == (12 if kind == "cursor" else 10)
        wait(lambda: memory.stats()["pending_vectors"] == 0)
    assert watch.end(signal.SIGTERM) == (0, "mh: no longer watching")
    assert run("doctor").code == 0


def test_to_read_a_store_is_no_news(tmp_path):
    """SQLite sets the owner of its files anew when it opens them; a watch that took this for news would never rest."""
    store = tmp_path / "store.db"
    with sqlite3.connect(store, isolation_level=None) as writer:
        writer.execute("PRAGMA journal_mode = WAL")
        writer.execute("CREATE TABLE t (x)")
        watch = changes([tmp_path], tmp_path / "mh.db")
        assert next(watch) == [tmp_path]

        def rounds_until_quiet() -> int:
            count = 0
            while next(watch):
                count += 1
                with sqlite.open_store(store) as reader:
                    reader.execute("SELECT * FROM t").fetchall()
            return count

        writer.execute("INSERT INTO t VALUES (1)")
        wait(lambda: next(watch))
        assert rounds_until_quiet() <= 2
        for _ in range(3):
            with sqlite.open_store(store) as reader:
                reader.execute("SELECT * FROM t").fetchall()
            assert next(watch) == []
        (tmp_path / "mh.db-wal").write_text("ours")
        assert [next(watch) for _ in range(3)] == [[], [], []]
        watch.close()
    writer.close()


def test_a_single_file_is_watched_without_what_lies_below_its_folder(tmp_path):
    note, beside = tmp_path / "note.md", tmp_path / "deep" / "other.md"
    beside.parent.mkdir()
    note.write_text("one")
    watch = changes([note], tmp_path / "mh.db")
    assert next(watch) == [note]
    beside.write_text("x")
    assert [next(watch) for _ in range(3)] == [[], [], []]
    note.with_suffix(".tmp").write_text("two")
    note.with_suffix(".tmp").replace(note)
    wait(lambda: next(watch) == [note])
    watch.close()
