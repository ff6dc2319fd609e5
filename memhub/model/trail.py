"""How an item came to be what it is: its versions, its edges."""

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class VersionInfo:
    """One immutable text state of an item, as `mh history` shows it."""

    hash: str
    parents: tuple[str, ...]
    title: str | None
    content: str | None
    kind: str
    at: str
    device: str
    operation: str
    command: str
    is_head: bool
    erased: bool


@dataclass(frozen=True)
class Edge:
    """A typed link from one thing to another; `src` and `dst` are ids, titles are for display."""

    src: str
    relation: str
    dst: str
    attrs: dict[str, Any]
    src_title: str
    dst_title: str
