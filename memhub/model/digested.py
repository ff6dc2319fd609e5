"""What the verbs of the digest answer."""

from dataclasses import dataclass
from typing import NamedTuple


@dataclass(frozen=True)
class StepReport:
    """What one step did in one space. `new`, `renewed` and `dropped` are ids of items; of `judge`, `new` are those that
    now say what was drawn. `error` tells why the step is still pending, if it is."""

    space: str
    step: str
    new: tuple[str, ...] = ()
    renewed: tuple[str, ...] = ()
    dropped: tuple[str, ...] = ()
    error: str | None = None
    seconds: float = 0.0

    @property
    def is_idle(self) -> bool:
        """Whether there was nothing to do."""
        return not (self.new or self.renewed or self.dropped or self.error)


@dataclass(frozen=True)
class DigestReport:
    """One digest. `operation` is what `mh undo` takes back, None when nothing was written; `pending` counts the steps
    that could not be finished."""

    steps: tuple[StepReport, ...]
    pending: int
    operation: str | None = None
    calls: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    cost: float = 0.0


class Decay(NamedTuple):
    """How present an item still is, from 0 to 1, and what that follows from; see docs/digest.md."""

    value: float
    last_used: str
    days: float
    half_life: float
    times: int
    floor: float
    pinned: bool


@dataclass(frozen=True)
class PersonaLine:
    """One thing that mh believes about the owner of the notes, and from what. `item` is a profile line or a derived
    one; `evidence` are ids of what speaks for it."""

    item: str
    domain: str
    text: str
    since: str | None
    confidence: float | None
    evidence: tuple[str, ...]
    pinned: bool
    banned: bool
    corrected: bool
    flags: tuple[str, ...] = ()
