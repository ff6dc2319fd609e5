"""A note to add, and what adding it answers."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from memhub.model import EMPTY
from memhub.model.item import Item


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
