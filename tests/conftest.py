"""Every test runs in its own home with nothing but the prepared embedding model in it, at a fixed time, with repeatable
ids, in UTC, 80 columns wide.
"""

import gc
import hashlib
import io
import itertools
import os
import signal
import subprocess
import sys
import time
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from memhub import stamp

# Before a test module imports numpy, as `open_engine` does it: the threads of several workers wait for one another.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
# A shell that runs the tests in the background has SIGINT ignored, and children would inherit that.
signal.signal(signal.SIGINT, signal.default_int_handler)

NOON = 1_770_724_800_000  # 2026-02-10T12:00:00Z
QUIET = ("ignore::ResourceWarning", "ignore::DeprecationWarning", "ignore::pytest.PytestUnraisableExceptionWarning")


def pytest_make_parametrize_id(val: object, argname: str) -> str | None:
    """A long value has a short name: names of tests go from process to process, and pytest keeps many copies."""
    return f"{argname} of {len(val)}" if isinstance(val, str | bytes) and len(val) > 100 else None


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """LiteLLM keeps its connections open until the process ends; that is not for the tests that use it to judge."""
    for item in items:
        if "foreign_sockets" in getattr(item, "fixturenames", ()):
            for warning in QUIET:
                item.add_marker(pytest.mark.filterwarnings(warning))


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


@pytest.fixture(scope="session")
def model_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the embedding model is made ready, once for all tests."""
    from memhub.embed.opening import open_engine

    folder = tmp_path_factory.mktemp("model")
    open_engine(folder)
    return folder


@pytest.fixture(scope="session")
def homes(tmp_path_factory: pytest.TempPathFactory, model_folder: Path) -> Iterator[Path]:
    """A new home for each test, with the embedding model in it."""
    folder = tmp_path_factory.mktemp("homes")

    def made() -> Iterator[Path]:
        for number in itertools.count():
            home = folder / str(number) / "mh"
            home.mkdir(parents=True, mode=0o700)
            (home / "cache").symlink_to(model_folder)
            yield home

    return made()


@pytest.fixture(autouse=True)
def clock(homes: Iterator[Path], monkeypatch: pytest.MonkeyPatch) -> Iterator[Clock]:
    """Isolates the test and hands out the clock that it may move."""
    for name in list(os.environ):
        if name.startswith("MH_") and name != "MH_BENCH_DATA":
            monkeypatch.delenv(name)
    for name in ("EDITOR", "VISUAL", "NO_COLOR", "FORCE_COLOR", "LANGUAGE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("MH_HOME", str(next(homes)))
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


@pytest.fixture(scope="module")
def foreign_sockets() -> Iterator[None]:
    """Closes what LiteLLM left open once a module is done, so that no other test is blamed for it."""
    yield
    module = sys.modules.get("litellm")
    if module is not None:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ResourceWarning)
            module.in_memory_llm_clients_cache.flush_cache()
            gc.collect()
            gc.collect()


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
