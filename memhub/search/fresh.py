"""Vectors that are not there yet: a search makes a few itself, and says how many it left."""

from typing import NamedTuple

import apsw

from memhub.embed.engine import Engine
from memhub.store import index, vectors
from memhub.store.connection import BUSY_MS

FEW = 50
"""Chunks a search embeds by itself: about a tenth of a second for short notes."""


class Fresh(NamedTuple):
    """The model's row (None while it has none), vectors that could not be stored by chunk, and how many are missing."""

    model: int | None
    held: dict[int, bytes]
    missing: int


def catch_up(connection: apsw.Connection, engine: Engine) -> Fresh:
    """Embed what waits if it is little, and store it unless another process is writing: a read never waits."""
    info = engine.info
    model = vectors.model_number(connection, info.name)
    if model is None:  # a file that never had vectors of this model: everything waits
        waiting = [n for (n,) in connection.execute("SELECT n FROM chunk ORDER BY n LIMIT ?", (FEW + 1,))]
        total = int(connection.execute("SELECT count(*) FROM chunk").get) if len(waiting) > FEW else len(waiting)
    else:
        waiting = vectors.pending(connection, FEW + 1)
        total = vectors.pending_count(connection) if len(waiting) > FEW else len(waiting)
    if not waiting or len(waiting) > FEW:
        return Fresh(model, {}, total)
    texts = index.embed_texts(connection, waiting)
    made = dict(zip(texts, engine.embed(list(texts.values())), strict=True))
    stored = _store(connection, engine, made)
    return Fresh(model, made, 0) if stored is None else Fresh(stored, {}, 0)


def _store(connection: apsw.Connection, engine: Engine, made: dict[int, bytes]) -> int | None:
    """The model's row when the vectors could be stored at once, else None."""
    if not connection.get_autocommit():
        return None
    connection.set_busy_timeout(0)
    try:
        connection.execute("BEGIN IMMEDIATE")
    except (apsw.BusyError, apsw.ReadOnlyError, apsw.CantOpenError):
        return None
    finally:
        connection.set_busy_timeout(BUSY_MS)
    try:
        info = engine.info
        model = vectors.register_model(connection, info.name, info.dims, info.floor, info.threshold)
        vectors.put(connection, model, made)
        connection.execute("COMMIT")
    except (apsw.BusyError, apsw.ReadOnlyError, apsw.FullError, apsw.IOError):
        if not connection.get_autocommit():
            connection.execute("ROLLBACK")
        return None
    except BaseException:
        if not connection.get_autocommit():
            connection.execute("ROLLBACK")
        raise
    return model
