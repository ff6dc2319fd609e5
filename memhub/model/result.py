"""What write verbs answer."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from memhub.model import EMPTY
from memhub.model.item import Item
from memhub.model.record import Skipped
from memhub.model.thread import Thread


class NewNote(NamedTuple):
    """One note to add; None and () take the caller's defaults. `where` names its place in the input."""

    content: str
    title: str | None = None
    labels: tuple[str, ...] = ()
    kind: str | None = None
    importance: float | None = None
    created_at: str | None = None
    project: str | None = None
    source: str | None = None
    attrs: Mapping[str, object] = EMPTY
    request_id: str | None = None
    where: str = ""


@dataclass(frozen=True)
class Added:
    """`status` is `created`, or `known` when the same was already there (then `item` is the one that was)."""

    item: Item
    status: str
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True)
class ThreadAdded:
    """How many turns were new and how many were already known."""

    thread: Thread
    added: int
    known: int


class Erased(NamedTuple):
    """What an erase removed for good; `notices` say where copies may remain."""

    items: int
    versions: int
    notices: tuple[str, ...] = ()


@dataclass(frozen=True)
class LabelCount:
    """A label as first spelt, and how many live items carry it."""

    name: str
    count: int


class SpaceInfo(NamedTuple):
    """An isolation unit; `reads` are the names of other spaces it may read."""

    id: str
    name: str
    description: str
    reads: tuple[str, ...]
    items: int
    is_default: bool


class Indexed(NamedTuple):
    """Chunks embedded by this run, and how many still wait."""

    done: int
    pending: int


@dataclass(frozen=True)
class ImportReport:
    """Counts and places of one import run, the same for `--dry-run`. Changes are (what, external id, title)."""

    importer: str
    scope: str
    dry_run: bool
    created: int = 0
    updated: int = 0
    unchanged: int = 0
    moved: int = 0
    conflicts: tuple[str, ...] = ()
    vanished: tuple[str, ...] = ()
    skipped: tuple[Skipped, ...] = ()
    warnings: tuple[tuple[str, str], ...] = ()
    operation: str | None = None


class Finding(NamedTuple):
    """One thing the doctor looked at: `ok`, or what is wrong and what to do about it."""

    check: str
    ok: bool
    message: str
    hint: str | None = None


class DoctorReport(NamedTuple):
    """All findings of one examination."""

    findings: tuple[Finding, ...]

    @property
    def ok(self) -> bool:
        """Whether every check passed."""
        return all(finding.ok for finding in self.findings)
