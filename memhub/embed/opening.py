"""Opens the embedding engine that ships inside."""

import os
from pathlib import Path

from memhub.embed.engine import Engine, Talk
from memhub.errors import UnavailableError


def open_engine(cache: Path, talk: Talk | None = None) -> Engine:
    """The engine that ships inside, from its converted files in `cache` (made on first use, once, about 2 s).

    Raises `UnavailableError` when numpy or the model's package is missing or broken: callers go on with words only.
    """
    os.environ.setdefault(
        "OPENBLAS_NUM_THREADS", "1"
    )  # before numpy: on a busy machine two threads are five times slower
    try:
        from memhub.embed.use import open_use
    except (ImportError, OSError) as error:
        raise UnavailableError(
            f"search by meaning is off: {error}", "reinstall memhub with its dependencies; words are searched meanwhile"
        ) from error
    return open_use(cache, talk)
