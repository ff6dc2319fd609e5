"""Embed many texts at once, in two worker processes.

Each worker holds the package's own class: it takes a second to load and 150 MB, but its tokenizer is a plain dict and
faster than the mapped one. Workers are started fresh (never forked: the caller may hold a database open), read one
text a line as JSON and answer with int8 vectors, so that nothing else passes between the processes.
"""

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

from memhub.embed.engine import USE_INFO
from memhub.errors import UnavailableError

_BATCH = 64


def embed_in_workers(texts: Sequence[str], workers: int = 2) -> list[bytes]:
    """One int8 vector a text, in order. Raises `UnavailableError` when a worker ends before its work does."""
    count = max(1, min(workers, os.cpu_count() or 1))
    order = sorted(
        range(len(texts)), key=lambda i: len(texts[i])
    )  # each worker gets every n-th by length: equal shares
    shares = [order[i::count] for i in range(count)]
    with ThreadPoolExecutor(count) as pool:
        answers = list(pool.map(_run_worker, [[texts[i] for i in share] for share in shares]))
    out = [b""] * len(texts)
    for share, answer in zip(shares, answers, strict=True):
        for i, vector in zip(share, answer, strict=True):
            out[i] = vector
    return out


def _run_worker(texts: list[str]) -> list[bytes]:
    environment = {**os.environ, "OPENBLAS_NUM_THREADS": "1", "PYTHONIOENCODING": "utf-8"}
    done = subprocess.run(
        [sys.executable, "-c", "from memhub.embed.bulk import work; work()"],
        input="".join(json.dumps(text) + "\n" for text in texts).encode(),
        capture_output=True,
        check=False,
        env=environment,
    )
    dims = USE_INFO.dims
    if done.returncode or len(done.stdout) != dims * len(texts):
        last = done.stderr.decode(errors="replace").strip().rpartition("\n")[2]
        raise UnavailableError(f"the embedding worker stopped: {last or f'exit {done.returncode}'}")
    return [done.stdout[i : i + dims] for i in range(0, len(done.stdout), dims)]


def work() -> None:
    """The worker: texts on standard input, vectors on standard output."""
    from memhub.embed.use import StockEngine

    engine = StockEngine()
    texts = [json.loads(line) for line in sys.stdin.buffer]
    for first in range(0, len(texts), _BATCH):
        for vector in engine.embed(texts[first : first + _BATCH]):
            sys.stdout.buffer.write(vector)
    sys.stdout.buffer.flush()
