"""What `mh import` shows on a terminal: one bar while it brings in, one while vectors follow; nothing into a pipe."""

import os
import select
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from memhub import Memory

pty = pytest.importorskip("pty")
pytestmark = pytest.mark.timeout(240)
PATIENCE = 120.0


class Terminal:
    """A program on a terminal of its own; `seen` is all it wrote."""

    def __init__(self, *argv: str, folder: Path) -> None:
        self.screen, inner = pty.openpty()
        self.process = subprocess.Popen(
            [sys.executable, "-m", "memhub", *argv], stdin=inner, stdout=inner, stderr=inner, cwd=folder,
            start_new_session=True, preexec_fn=lambda: os.close(os.open(os.ttyname(0), os.O_RDWR)),
        )  # fmt: skip
        os.close(inner)
        self.seen = ""

    def until(self, words: str) -> None:
        end = time.monotonic() + PATIENCE
        while words not in self.seen:
            assert time.monotonic() < end, self.seen[-500:]
            assert self._read() or words in self.seen, self.seen[-500:]

    def code(self) -> int:
        while self._read():
            pass
        return self.process.wait(PATIENCE)

    def _read(self) -> bool:
        if not select.select([self.screen], [], [], PATIENCE)[0]:
            return False
        try:
            part = os.read(self.screen, 1 << 16)
        except OSError:  # the program has closed its end
            return False
        self.seen += part.decode(errors="replace")
        return bool(part)


@contextmanager
def terminal(*argv: str, folder: Path) -> Iterator[Terminal]:
    one = Terminal(*argv, folder=folder)
    try:
        yield one
    finally:
        if one.process.poll() is None:
            one.process.send_signal(signal.SIGKILL)
            one.process.wait()
        os.close(one.screen)


def notes(folder: Path, count: int) -> str:
    (folder / "notes").mkdir()
    for number in range(count):
        (folder / f"notes/note {number}.md").write_text(f"# Note {number}\n\nthe boat {number} lies at the pier\n")
    return "notes"


def pending() -> int:
    with Memory() as memory:
        return int(memory.stats()["pending_vectors"])


def test_the_bars_follow_one_another_and_vectors_are_there(tmp_path):
    with terminal("import", notes(tmp_path, 900), folder=tmp_path) as shown:
        assert shown.code() == 0
        seen = shown.seen
    assert "imported notes: 900 new\r\n" in seen
    assert seen.index("import: ") < seen.index("imported notes") < seen.index("vectors: [....................] 0 of 9")
    assert "/s" in seen
    assert pending() == 0


def test_ctrl_c_leaves_the_rest_of_the_vectors_and_loses_nothing(run, tmp_path):
    with terminal("import", notes(tmp_path, 900), folder=tmp_path) as shown:
        shown.until("vectors: [")
        os.write(shown.screen, b"\x03")
        assert shown.code() == 130
        assert "mh: 900 still by words only; `mh index` goes on\r\n" in shown.seen
    assert pending() == 900
    assert run("search", "boat 77", "--mode", "words").out.startswith(
        run("search", "boat 77", "-q", "-n", "1").out[20:26]
    )
    assert run("import", "notes").out == "imported notes: 900 unchanged\n"
    assert run("index").out == "indexed 900, 0 pending\n"


@pytest.mark.parametrize("option", ["--no-index", "-q"])
def test_vectors_wait_where_nobody_wants_them_now(tmp_path, option):
    with terminal("import", notes(tmp_path, 60), option, folder=tmp_path) as shown:
        assert shown.code() == 0
        assert "vectors" not in shown.seen
    assert pending() == 60


def test_a_pipe_gets_the_answer_alone(run, tmp_path):
    done = run("import", notes(tmp_path, 60))
    assert done == (0, "imported notes: 60 new\n", "")
    assert pending() == 60


def test_few_vectors_are_left_to_the_next_search(run, tmp_path):
    with terminal("import", notes(tmp_path, 40), folder=tmp_path) as shown:
        assert shown.code() == 0
        assert "vectors" not in shown.seen
    assert pending() == 40
    assert run("search", "boat").err.count("mh index") == 0
    assert pending() == 0
