"""What reads return: an item."""

from dataclasses import dataclass
from typing import Any, NamedTuple


class Source(NamedTuple):
    """Where an item came from; every field is what the source said, or None."""

    kind: str | None = None
    scope: str | None = None
    external_id: str | None = None
    app: str | None = None
    thread: str | None = None
    path: str | None = None
    url: str | None = None


@dataclass(frozen=True)
class Item:
    """One remembered thing in its latest state.

    `created_at` is an ISO 8601 UTC instant (`…Z`), or a plain date or month where the source knew no more, or None.
    `version` is the hash of the version shown; with several heads, that of the one written last.
    """

    id: str
    layer: str
    kind: str
    title: str | None
    content: str
    attrs: dict[str, Any]
    labels: tuple[str, ...]
    importance: float | None
    confidence: float | None
    pinned: bool
    space: str
    project: str | None
    created_at: str | None
    updated_at: str
    valid_from: str | None
    valid_to: str | None
    version: str
    state: str
    flags: tuple[str, ...]
    source: Source | None
