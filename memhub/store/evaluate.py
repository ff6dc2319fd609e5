"""The merge rules: what a set of log entries about one thing means, whatever order they came in.

Each rule is a function of the *set* of entries. It sorts them by clock (hlc, device, sequence), so arrival order and
repetition cannot matter. Projections are these results written down; a rebuild calls the same functions.

| kind | rule |
|---|---|
| `version.put` | a set; heads are the versions that no other version names as parent |
| `item.set`; `put` of space, project, thread, ruling, entity | a field: newest wins; members: observed-remove set |
| `item.drop` | holds while every head is one that it saw, or an ancestor of one |
| `item.restore` | cancels the drops it names |
| `item.erase` | holds for ever |
| `edge.put`, `edge.drop` | newest clock wins |
| `op.put` | written once |
"""

import unicodedata
from collections.abc import Iterable
from operator import attrgetter
from typing import Any, NamedTuple

from memhub.model.entry import Entry

REGISTERS = ("item.set", "space.put", "project.put", "thread.put", "ruling.put", "entity.put")


_clock = attrgetter("hlc", "device", "seq")


class Registers(NamedTuple):
    """`fields`: name → value. `members`: field → folded name → (spelling first seen, dots of its live additions)."""

    fields: dict[str, Any]
    members: dict[str, dict[str, tuple[str, tuple[str, ...]]]]


class ItemState(NamedTuple):
    """What the log says of one item; texts are elsewhere.

    `parents`: hash → parents, for every version. `heads` newest first. `drops`: dots of the drops that hold.
    `put`: hash → first entry that brought it.
    """

    parents: dict[str, tuple[str, ...]]
    put: dict[str, Entry]
    heads: tuple[str, ...]
    registers: Registers
    drops: tuple[str, ...]
    is_erased: bool

    @property
    def labels(self) -> dict[str, tuple[str, tuple[str, ...]]]:
        """Folded label → (spelling, dots)."""
        return self.registers.members.get("labels", {})


def fold(name: str) -> str:
    """The form in which labels and names are compared: NFC, case folded."""
    return name.casefold() if name.isascii() else unicodedata.normalize("NFC", name).casefold()


def in_order(entries: Iterable[Entry]) -> list[Entry]:
    """Entries by clock, each once."""
    return sorted({(e.device, e.seq): e for e in entries}.values(), key=_clock)


def registers(entries: Iterable[Entry]) -> Registers:
    """Fields and member lists of one thing. Entries must be in order."""
    fields: dict[str, Any] = {}
    added: dict[str, dict[str, list[tuple[str, str]]]] = {}
    removed: set[tuple[str, str, str]] = set()
    for entry in entries:
        if entry.kind not in REGISTERS:
            continue
        fields.update(entry.payload.get("set", {}))
        for field, names in entry.payload.get("add", {}).items():
            for name in names:
                added.setdefault(field, {}).setdefault(fold(name), []).append((name, entry.dot))
        for field, gone in entry.payload.get("remove", {}).items():
            removed.update((field, fold(name), dot) for name, dots in gone.items() for dot in dots)
    members: dict[str, dict[str, tuple[str, tuple[str, ...]]]] = {}
    for field, by_name in added.items():
        for key, additions in by_name.items():
            live = [(name, dot) for name, dot in additions if (field, key, dot) not in removed]
            if live:
                members.setdefault(field, {})[key] = (live[0][0], tuple(dot for _, dot in live))
    return Registers(fields, members)


def item_state(entries: Iterable[Entry]) -> ItemState:
    """What all entries about one item mean."""
    ordered = in_order(entries)
    parents: dict[str, tuple[str, ...]] = {}
    put: dict[str, Entry] = {}
    for entry in ordered:
        if entry.kind == "version.put":
            parents.setdefault(entry.payload["hash"], tuple(entry.payload["parents"]))
            put.setdefault(entry.payload["hash"], entry)
    has_child = {parent for each in parents.values() for parent in each}
    heads = sorted((h for h in parents if h not in has_child), key=lambda h: put[h].clock, reverse=True)
    restored = {dot for e in ordered if e.kind == "item.restore" for dot in e.payload["drops"]}
    drops = tuple(
        e.dot
        for e in ordered
        if e.kind == "item.drop" and e.dot not in restored and _covers(e.payload["heads"], heads, parents)
    )
    erased = any(e.kind == "item.erase" for e in ordered)
    return ItemState(parents, put, tuple(heads), registers(ordered), drops, erased)


def _covers(seen: list[str], heads: list[str], parents: dict[str, tuple[str, ...]]) -> bool:
    """Whether every head is one of `seen` or an ancestor of one."""
    known = ancestors(seen, parents)
    return all(head in known for head in heads)


def ancestors(start: Iterable[str], parents: dict[str, tuple[str, ...]]) -> set[str]:
    """`start` and everything reachable from it along parents."""
    known: set[str] = set()
    queue = list(start)
    while queue:
        version = queue.pop()
        if version not in known:
            known.add(version)
            queue.extend(parents.get(version, ()))
    return known


def edge_state(entries: Iterable[Entry]) -> tuple[Entry, dict[str, Any]] | None:
    """The entry that holds and the attributes of an edge, or None when it is dropped."""
    last: Entry | None = None
    for entry in in_order(entries):
        if entry.kind in ("edge.put", "edge.drop"):
            last = entry
    return None if last is None or last.kind == "edge.drop" else (last, last.payload.get("attrs", {}))


def edge_key(src: str, relation: str, dst: str) -> str:
    """The key under which the entries of one edge lie."""
    return f"{src} {relation} {dst}"
