"""The process that embeds its share of many texts."""

import json
import sys

from memhub.embed.use import StockEngine

_BATCH = 64


def work() -> None:
    """The worker: texts on standard input, vectors on standard output."""
    engine = StockEngine()
    texts = [json.loads(line) for line in sys.stdin.buffer]
    for first in range(0, len(texts), _BATCH):
        for vector in engine.embed(texts[first : first + _BATCH]):
            sys.stdout.buffer.write(vector)
        sys.stdout.buffer.flush()
