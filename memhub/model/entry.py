"""The replication log's records: what a change asks for, and what is written down."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from memhub.model import EMPTY


class Version(NamedTuple):
    """One text state before it is stored. `attrs` holds JSON values only; `source` likewise.

    `spans` names the items whose text this version quotes: erasing one of them erases this version.
    """

    item: str
    parents: tuple[str, ...]
    layer: str
    kind: str
    title: str | None
    content: str
    attrs: dict[str, Any]
    created_at: str | None
    updated_at: str | None
    valid_from: str | None
    valid_to: str | None
    source: dict[str, Any] | None
    spans: tuple[str, ...]
    by: str
    nonce: str


class Draft(NamedTuple):
    """An entry that has no clock and sequence number yet. `version` travels with `version.put` only."""

    kind: str
    key: str
    payload: dict[str, Any]
    version: Version | None = None
    request: str | None = None


class Entry(NamedTuple):
    """One line of the log. `hlc` is int64 `(unix_ms << 16) | counter`; `seq` is dense per device, from 1."""

    device: str
    seq: int
    hlc: int
    at: int
    kind: str
    key: str
    payload: dict[str, Any]
    operation: str
    request: str | None = None

    @property
    def clock(self) -> tuple[int, str, int]:
        """The total order in which the newest entry wins."""
        return (self.hlc, self.device, self.seq)

    @property
    def dot(self) -> str:
        """The name under which a later entry removes or cancels this one."""
        return f"{self.device}/{self.seq}"


class Expect(NamedTuple):
    """What a plan has read; the commit refuses when it is no longer so.

    `heads`: item id → sorted hashes. `epochs`: space id → epoch.
    """

    heads: Mapping[str, tuple[str, ...]] = EMPTY
    epochs: Mapping[str, int] = EMPTY


class OperationInfo(NamedTuple):
    """One user-visible change: `items` are the ids it touched, `undone` whether it still counts."""

    id: str
    command: str
    who: str
    device: str
    at: str
    items: tuple[str, ...]
    summary: str
    undone: bool
    undoes: str | None
    redoes: str | None
