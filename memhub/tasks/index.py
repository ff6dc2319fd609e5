"""Computes the vectors that are still missing, in short commits."""

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from memhub.model.report import Indexed
from memhub.store import index, vectors
from memhub.store.store import Store

if TYPE_CHECKING:
    from memhub.embed.engine import Engine

_BATCH = 4000


def drain(
    store: Store, engine: "Engine", progress: Callable[[int, int], None] | None = None, *, limit: int | None = None
) -> Indexed:
    """Embed every pending chunk, or so many. Stopping it at any point leaves the rest pending."""
    connection = store.connection
    info = engine.info
    with store.writing():
        model = vectors.register_model(connection, info.name, info.dims, info.floor, info.threshold)
    done = 0
    total = vectors.pending_count(connection)
    if progress is not None:
        progress(0, total)
    while chunks := vectors.pending(connection, _BATCH if limit is None else min(_BATCH, limit - done)):
        texts = index.embed_texts(connection, chunks)
        told = partial(_told, progress, done, total) if progress is not None else None
        vectors_of = dict(zip(texts, engine.embed_many(list(texts.values()), told), strict=True))
        with store.writing():
            vectors.put(connection, model, vectors_of)
            gone = [(chunk,) for chunk in chunks if chunk not in texts]
            connection.executemany("DELETE FROM pending WHERE chunk = ?", gone)
        done += len(chunks)
        if progress is not None:
            progress(done, max(total, done))
    return Indexed(done, vectors.pending_count(connection))


def _told(progress: Callable[[int, int], None], before: int, total: int, made: int) -> None:
    progress(before + made, max(total, before + made))


def waiting(store: Store) -> int:
    """How many chunks can be found by their words alone so far."""
    return vectors.pending_count(store.connection)
