"""What an embedding engine is, and the numbers of the one that ships inside."""

from collections.abc import Callable, Sequence
from typing import NamedTuple, Protocol

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
