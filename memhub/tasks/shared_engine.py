"""One embedding engine for several threads: opened once, asked by one at a time."""

import threading
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from memhub.embed.engine import Engine, EngineInfo


class SharedEngine:
    """An engine, and the source of one: calling it gives itself, opened. Raises `UnavailableError` as opening does."""

    def __init__(self, source: "Callable[[], Engine]") -> None:
        self._source = source
        self._engine: Engine | None = None
        self._lock = threading.Lock()

    def __call__(self) -> "SharedEngine":
        with self._lock:
            if self._engine is None:
                self._engine = self._source()
        return self

    @property
    def info(self) -> "EngineInfo":
        """The model's name and numbers."""
        return self._opened().info

    def embed(self, texts: Sequence[str]) -> list[bytes]:
        """One vector a text."""
        with self._lock:
            return self._opened().embed(texts)

    def embed_many(self, texts: Sequence[str], progress: Callable[[int], None] | None = None) -> list[bytes]:
        """One vector a text, for many."""
        with self._lock:
            return self._opened().embed_many(texts, progress)

    def _opened(self) -> "Engine":
        assert self._engine is not None
        return self._engine
