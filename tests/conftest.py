"""Every test runs in its own empty home, at a fixed time, with repeatable ids, in UTC, 80 columns wide."""

import hashlib
import io
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from memhub import stamp

# A shell that runs the tests in the background has SIGINT ignored, and children would inherit that.
signal.signal(signal.SIGINT, signal.default_int_handler)

NOON = 1_770_724_800_000  # 2026-02-10T12:00:00Z


class Result(NamedTuple):
    """What a command answered."""

    code: int
    out: str
    err: str


class Clock:
    """The time that the code under test sees."""

    def __init__(self) -> None:
        self.ms = NOON

    def advance(self, seconds: float) -> None:
        self.ms += int(seconds * 1000)


@pytest.fixture(autouse=True)
def clock(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Iterator[Clock]:
    """Isolates the test and hands out the clock that it may move."""
    for name in list(os.environ):
        if name.startswith("MH_") and name != "MH_BENCH_DATA":
            monkeypatch.delenv(name)
    for name in ("EDITOR", "VISUAL", "NO_COLOR", "FORCE_COLOR", "LANGUAGE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("MH_HOME", str(tmp_path_factory.mktemp("home") / "mh"))
    monkeypatch.setenv("LC_ALL", "C.UTF-8")
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("TZ", "UTC")
    time.tzset()
    fixed = Clock()
    count = 0

    def random_bytes(size: int) -> bytes:
        nonlocal count
        count += 1
        return hashlib.shake_128(str(count).encode()).digest(size)

    monkeypatch.setattr(stamp, "now_ms", lambda: fixed.ms)
    monkeypatch.setattr(stamp, "random_bytes", random_bytes)
    yield fixed
    monkeypatch.undo()
    time.tzset()


@pytest.fixture
def zone(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Puts this process, and those it starts, into another time zone."""

    def put(name: str) -> None:
        monkeypatch.setenv("TZ", name)
        time.tzset()

    return put


@pytest.fixture
def mh(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Callable[..., Result]:
    """Runs a command in this process, at the fixed time and with repeatable ids, in a folder that is no project."""
    from memhub.cli import main

    monkeypatch.chdir(tmp_path)

    def run(*argv: str, stdin: str | bytes = b"") -> Result:
        given = stdin.encode() if isinstance(stdin, str) else stdin
        out, err = _stream(), _stream()
        with monkeypatch.context() as patch:
            patch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(given), encoding="utf-8"))
            patch.setattr(sys, "stdout", out)
            patch.setattr(sys, "stderr", err)
            code = main(argv)
            out.flush()
            err.flush()
        return Result(code, out.buffer.getvalue().decode(), err.buffer.getvalue().decode())  # type: ignore[attr-defined]

    return run


@pytest.fixture
def run(tmp_path: Path) -> Callable[..., Result]:
    """Runs a command as a process of its own; `env` adds variables."""

    def start(
        *argv: str, stdin: str | bytes = b"", env: dict[str, str] | None = None, cwd: Path | None = None
    ) -> Result:
        given = stdin.encode() if isinstance(stdin, str) else stdin
        done = subprocess.run(
            [sys.executable, "-m", "memhub", *argv],
            input=given,
            capture_output=True,
            env={**os.environ, **(env or {})},
            cwd=cwd or tmp_path,
            timeout=600,
            check=False,
        )
        return Result(done.returncode, done.stdout.decode(), done.stderr.decode())

    return start


def _stream() -> Any:
    return io.TextIOWrapper(io.BytesIO(), encoding="utf-8", newline="\n")
