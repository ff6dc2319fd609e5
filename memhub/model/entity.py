"""Who and what texts speak of."""

from dataclasses import dataclass
from typing import NamedTuple

from memhub.model.item import Item

TYPES = ("person", "organisation", "place", "tool", "project", "concept", "site", "code", "file")
"""What the rules tell apart; a person may write any other word."""


class EntityInfo(NamedTuple):
    """One entity as lists show it: other names, and how many items speak of it under any of them."""

    id: str
    name: str
    type: str
    aliases: tuple[str, ...]
    items: int


class EntityRelation(NamedTuple):
    """To another entity, or (`is_outgoing` False) from it; `evidence` is the item that says so."""

    relation: str
    id: str
    name: str
    is_outgoing: bool
    evidence: str | None


@dataclass(frozen=True)
class Entity:
    """One entity with what is known of it. `merged` are entities that were made one with it: id and name."""

    id: str
    name: str
    type: str
    aliases: tuple[str, ...]
    count: int
    items: tuple[Item, ...] = ()
    relations: tuple[EntityRelation, ...] = ()
    merged: tuple[tuple[str, str], ...] = ()


class LookedThrough(NamedTuple):
    """What looking through texts came to: items read, entities new, and items that were left for another time."""

    items: int
    new: int
    left: int
