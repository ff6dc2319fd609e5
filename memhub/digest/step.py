"""What a step of the digest is: a function of one space that tells what it did and can be run again at any time."""

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple, Protocol

from memhub.digest.material import Material
from memhub.llm.call import Llm
from memhub.store.store import Operation, Store

if TYPE_CHECKING:
    from memhub.search.ways import EngineSource

Progress = Callable[[int, int], None]


class Work(NamedTuple):
    """What a step works with.

    `space` is an id; `mark` the clock of the log up to which the step has seen the space (0: never); `clock` that up to
    which the space's vectors are there; `statements` are its live ones, loaded once for all steps of a digest; `llm`
    None means rules only; `until` the Unix ms at which the step stops by itself and goes on next time; `timezone` the
    user's by its IANA name, "" that of the system.
    """

    store: Store
    space: str
    operation: Operation
    mark: int
    engine: "EngineSource | None" = None
    llm: Llm | None = None
    until: int | None = None
    dry_run: bool = False
    progress: Progress | None = None
    timezone: str = ""
    clock: int = 0
    statements: "Callable[[], Material | None]" = lambda: None


class Done(NamedTuple):
    """What a step did: items or other things by their ids; `stale` are those that it took away, for want of evidence.
    `mark` is how far it has seen the log now."""

    mark: int
    new: tuple[str, ...] = ()
    renewed: tuple[str, ...] = ()
    stale: tuple[str, ...] = ()
    is_complete: bool = True


class Step(Protocol):
    """A step: raises an error of `memhub.errors` when it cannot go on, and then nothing of it is half done."""

    def __call__(self, work: Work) -> Done:
        """Do what is new since `work.mark`."""
        ...
