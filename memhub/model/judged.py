"""What the verbs of judging answer."""

from dataclasses import dataclass
from typing import NamedTuple

from memhub.model.digested import Decay
from memhub.model.item import Item
from memhub.model.trail import Edge, VersionInfo


@dataclass(frozen=True)
class ResultLine:
    """What became of one candidate. `targets` are ids; `judge` is `rules`, a model's name, or empty without one."""

    action: str
    kind: str
    text: str
    item: str | None
    targets: tuple[str, ...]
    reason: str
    difference: str
    judge: str


@dataclass(frozen=True)
class JudgedSource:
    """One note, or the turns of one thread. `error` tells why it still waits; `in_doubt`: rules could not tell, and it
    is kept as it came until a model looks at it."""

    source: str
    title: str
    results: tuple[ResultLine, ...]
    error: str | None = None
    in_doubt: bool = False


@dataclass(frozen=True)
class JudgeReport:
    """One run over the queue. `waiting` counts the sources left for the next one, without a model not those in doubt;
    `stopped` says which limit ended the run, if one did."""

    judged: tuple[JudgedSource, ...]
    waiting: int
    calls: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    cost: float = 0.0
    stopped: str | None = None


@dataclass(frozen=True)
class RulingInfo:
    """One ruling as it was written down. Texts are None where an erase took them."""

    id: str
    at: str
    action: str
    kind: str
    source: str
    item: str | None
    text: str | None
    targets: tuple[tuple[str, str], ...]
    reason: str | None
    difference: str | None
    judge: str
    prompt: str | None
    confidence: float
    overturned: bool


class Quote(NamedTuple):
    """Where a statement came from: the item, the words, when and by whom."""

    item: str
    text: str
    at: str | None
    speaker: str | None


@dataclass(frozen=True)
class Why:
    """Everything that speaks for an item, and everything that was ruled about it."""

    item: Item
    spans: tuple[Quote, ...]
    rulings: tuple[RulingInfo, ...]
    edges: tuple[Edge, ...]
    versions: tuple[VersionInfo, ...]
    confidence: float | None
    support: int
    decay: Decay | None = None


@dataclass(frozen=True)
class Step:
    """One stage of an evolution, oldest first. `relation` is what it did to the stage before."""

    item: str
    relation: str | None
    text: str
    at: str | None
    state: str


@dataclass(frozen=True)
class ReviewEntry:
    """Something that needs a person: contested, forked or low_confidence."""

    kind: str
    item: Item
    other: Item | None
    reason: str


@dataclass(frozen=True)
class ProfileLine:
    """One slot of a profile: what holds now, since when, and how sure that is."""

    item: str
    subject: str
    dimension: str
    qualifier: str
    value: str
    text: str
    since: str | None
    confidence: float | None
    evidence: tuple[str, ...]
    versions: int


@dataclass(frozen=True)
class QueueRow:
    """Something that waits to be judged. `next_try` is None when it may be judged at once."""

    source: str
    kind: str
    space: str
    title: str
    state: str
    attempts: int
    error: str | None
    next_try: str | None
    added: str
