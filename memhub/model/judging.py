"""What the steps of judging hand to one another: sources, candidates, relatives, rulings.

A *source* is what came in (a note, or new turns of a thread). *Candidates* are the statements in it, each with the
exact span it came from. *Relatives* are what is known already that a candidate may repeat, renew or contradict. A
*ruling* says what becomes of a candidate.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from memhub.model import EMPTY

ACTIONS = ("append", "duplicate", "enriches", "replaces", "challenges", "ignore")


@dataclass(frozen=True)
class Text:
    """One text of a source: a note or a turn. `hidden` are spans that must not be extracted (injected context)."""

    item: str
    version: str
    content: str
    role: str = "user"
    speaker: str | None = None
    speaker_id: str | None = None
    at: str | None = None
    hidden: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True)
class Source:
    """What is judged in one commit. `key` is the item id of a note, or the id of a thread; `kind` note or turns.

    In a group, "I" is whoever speaks; elsewhere it is the owner of the notes.
    """

    key: str
    kind: str
    space: str
    texts: tuple[Text, ...]
    project: str | None = None
    thread: str | None = None
    is_group: bool = False


@dataclass(frozen=True)
class Span:
    """Characters `start` to `stop` of the content of one version of one item."""

    item: str
    version: str
    start: int
    stop: int


@dataclass(frozen=True)
class Slot:
    """A place that holds one value at a time: who, which dimension (`state.location`), and what sets it apart.

    `subject` is `user` for the owner of the notes, else a name as written. `qualifier` tells two of one kind apart
    (`preference.food` for `breakfast`). `value` is what the statement puts there, as written.
    """

    subject: str
    dimension: str
    qualifier: str
    value: str

    @property
    def key(self) -> tuple[str, str, str]:
        """What makes two statements speak of the same slot."""
        return (self.subject.casefold(), self.dimension, self.qualifier.casefold())


@dataclass(frozen=True)
class Candidate:
    """One statement drawn from a source, in the source's own language and words.

    `kind`: note (the typed note itself), fact, event, intent, procedure, profile. `attrs` holds what the kind knows
    besides (due, steps, task). `refused` says why a statement that a model offered is not taken. `is_correction` says
    that the writer marked it as replacing something.
    """

    kind: str
    content: str
    span: Span
    slot: Slot | None = None
    importance: float | None = None
    attrs: Mapping[str, Any] = field(default_factory=lambda: EMPTY)
    is_correction: bool = False
    by: str = "rules"
    refused: str = ""


@dataclass(frozen=True)
class Relative:
    """A live item that a candidate may have to do with.

    `cosine` is None without vectors; `overlap` the share of content words, 0 to 1.
    """

    item: str
    version: str
    kind: str
    content: str
    slot: Slot | None
    cosine: float | None
    overlap: float
    at: str | None = None


@dataclass(frozen=True)
class Ruling:
    """What becomes of a candidate. `difference` names what decided ("14 → 15 October"), `reason` says it in a sentence.

    `judge` is `rules` or the model's name; `prompt` the hash of the prompt. `is_doubtful`: the rules appended because
    they could not tell; a model may look again.
    """

    action: str
    targets: tuple[str, ...] = ()
    reason: str = ""
    difference: str = ""
    confidence: float = 1.0
    judge: str = "rules"
    prompt: str | None = None
    is_doubtful: bool = False


@dataclass(frozen=True)
class Judged:
    """A candidate with its relatives and its ruling; None when there was nothing to rule about."""

    candidate: Candidate
    relatives: tuple[Relative, ...] = ()
    ruling: Ruling | None = None
