"""Embed many texts at once, in two worker processes.

Each worker holds the package's own class: it takes a second to load and 150 MB, but its tokenizer is a plain dict and
faster than the mapped one. Workers are started fresh (never forked: the caller may hold a database open), read one
text a line as JSON and answer with int8 vectors, so that nothing else passes between the processes.
"""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from threading import Thread

from memhub.embed.engine import USE_INFO
from memhub.errors import UnavailableError

_LOOK = 0.1  # seconds between two looks at how far the workers are


def embed_in_workers(
    texts: Sequence[str], workers: int = 2, progress: Callable[[int], None] | None = None
) -> list[bytes]:
    """One int8 vector a text, in order; `progress` is told how many there are. No worker outlives the call.

    Raises `UnavailableError` when a worker ends before its work does.
    """
    count = max(1, min(workers, os.cpu_count() or 1))
    order = sorted(
        range(len(texts)), key=lambda i: len(texts[i])
    )  # each worker gets every n-th by length: equal shares
    shares = [order[i::count] for i in range(count)]
    running: list[_Worker] = []
    try:
        running += (_Worker([texts[i] for i in share]) for share in shares)
        for worker in running:
            while not worker.is_done(_LOOK):
                if progress is not None:
                    progress(sum(one.made for one in running))
        out = [b""] * len(texts)
        for share, worker in zip(shares, running, strict=True):
            for i, vector in zip(share, worker.vectors(), strict=True):
                out[i] = vector
        return out
    finally:
        for worker in running:
            worker.stop()


class _Worker:
    """A process that embeds its share, and the thread that feeds it and listens."""

    def __init__(self, texts: list[str]) -> None:
        environment = {**os.environ, "OPENBLAS_NUM_THREADS": "1", "PYTHONIOENCODING": "utf-8"}
        self._process = subprocess.Popen(
            [sys.executable, "-c", "from memhub.embed.worker import work; work()"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment,
        )  # fmt: skip
        self._count = len(texts)
        self._error = b""
        self._parts: list[bytes] = []
        self.made = 0
        self._thread = Thread(target=self._talk, args=(texts,), daemon=True)
        self._thread.start()

    def is_done(self, seconds: float) -> bool:
        """Whether it has ended; waits so long for it."""
        self._thread.join(seconds)
        return not self._thread.is_alive()

    def vectors(self) -> list[bytes]:
        """What it made, once it is done."""
        answer, dims = b"".join(self._parts), USE_INFO.dims
        if self._process.wait() or len(answer) != dims * self._count:
            last = self._error.decode(errors="replace").strip().rpartition("\n")[2]
            raise UnavailableError(f"the embedding worker stopped: {last or f'exit {self._process.returncode}'}")
        return [answer[i : i + dims] for i in range(0, len(answer), dims)]

    def stop(self) -> None:
        """End it, whatever it is at."""
        self._process.kill()
        self._process.wait()
        self._thread.join()

    def _talk(self, texts: list[str]) -> None:
        stdin, stdout, stderr = self._process.stdin, self._process.stdout, self._process.stderr
        assert stdin and stdout and stderr  # noqa: PT018 (all three are pipes)
        size = 0
        with stdout, stderr:
            with suppress(OSError), stdin:  # it ended early: `vectors` says why
                stdin.writelines(json.dumps(text).encode() + b"\n" for text in texts)
            while part := os.read(stdout.fileno(), 1 << 16):
                self._parts.append(part)
                size += len(part)
                self.made = size // USE_INFO.dims
            self._error = stderr.read()
