"""`mh tui --web` as a process, for the tests of it, and the processes below it."""

import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple


class Served(NamedTuple):
    """A running server: its process, the link that it printed, and the address in it."""

    process: subprocess.Popen[str]
    link: str

    @property
    def address(self) -> str:
        """`127.0.0.1:PORT`."""
        return self.link.split("/")[2]

    @property
    def apps(self) -> list[int]:
        """The processes of its tabs."""
        return [int(pid) for pid in _children(self.process.pid)]

    def stop(self) -> int:
        """Ctrl-C; the exit code."""
        self.process.send_signal(signal.SIGINT)
        return self.process.wait(30)


def _children(pid: int) -> list[str]:
    return [pid for task in Path(f"/proc/{pid}/task").iterdir() for pid in (task / "children").read_text().split()]


@contextmanager
def serving(database: Path, *options: str) -> Iterator[Served]:
    """A server that has printed its link."""
    process = subprocess.Popen(
        [sys.executable, "-m", "memhub", "tui", "--web", "--no-open", "--db", str(database), *options],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert process.stdout is not None
    try:
        yield Served(process, process.stdout.readline().strip())
    finally:
        if process.poll() is None:
            process.terminate()
        process.communicate(timeout=30)


def wait_for(condition: Callable[[], object], seconds: float = 30) -> None:
    """Until something holds."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it did not come to hold"
        time.sleep(0.02)


def is_there(pid: int) -> bool:
    """Whether a process still runs."""
    try:
        return "Z" not in Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return False
