"""What an embedding engine is, and how the one that ships inside is opened."""

import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple, Protocol

from memhub.errors import UnavailableError

Talk = Callable[[str], None]
"""Where a message for the user goes."""


class EngineInfo(NamedTuple):
    """What belongs to a model and must be stored beside its vectors; vectors of two models are never compared.

    `name` includes the version. `floor` is the cosine of unrelated texts, below which a likeness counts nothing;
    `threshold` the cosine from which two statements may be about the same matter.
    """

    name: str
    dims: int
    floor: float
    threshold: float


class Engine(Protocol):
    """Turns texts into vectors."""

    @property
    def info(self) -> EngineInfo:
        """The model's name and numbers."""
        ...

    def embed(self, texts: Sequence[str]) -> list[bytes]:
        """One int8 vector of `info.dims` bytes a text, all of about the same Euclidean length."""
        ...

    def embed_many(self, texts: Sequence[str], progress: Callable[[int], None] | None = None) -> list[bytes]:
        """The same for hundreds of texts and more, on all cores where that pays; `progress` may be told how many."""
        ...


USE_INFO = EngineInfo("use-multilingual-3/0.2.1", 512, 0.0, 0.50)
"""Universal Sentence Encoder multilingual 3. The threshold comes from probe pairs in English and Chinese: unrelated
pairs end at .54, pairs about the same fact begin at .50."""


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
