"""What longer work and overviews answer."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from memhub.model.record import Option, Skipped
from memhub.model.thread import Thread


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
    """Counts and places of one import run, the same for `--dry-run`.

    `created`, `updated` and `unchanged` count records and threads, `turns` the new turns of threads, `passed` what
    filters or `limit` left out, `undated` those of them that have no time for `since`. `options` are what the importer
    was told, now or by an earlier import.
    """

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
    turns: int = 0
    passed: int = 0
    undated: int = 0
    options: Mapping[str, str] = field(default_factory=dict)


class ImporterInfo(NamedTuple):
    """An importer by its name on the command line, and what it can be told."""

    name: str
    help: str
    options: tuple[Option, ...] = ()


@dataclass(frozen=True)
class Discovered:
    """A store found in a usual place: which importer reads it, and about how much is in it (`214`, `sessions`)."""

    importer: str
    path: str
    count: int
    what: str


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
