"""The page of a day."""

from dataclasses import dataclass
from typing import NamedTuple


class Line(NamedTuple):
    """One line of a page in Markdown, and the ids (items, threads) that it rests on."""

    text: str
    ids: tuple[str, ...] = ()


class Section(NamedTuple):
    """A heading and what stands below it. `is_yours`: a person changed it, and it is no longer written anew."""

    title: str
    text: str
    ids: tuple[str, ...] = ()
    is_yours: bool = False


@dataclass(frozen=True)
class Briefing:
    """What a day was and will be about, as it is kept: the item `id` in `space`.

    `content` is the whole page in Markdown, `evidence` the ids of all items and threads it names, `changes` how many
    operations there were since it was written. `is_new`: this call wrote it.
    """

    id: str
    day: str
    space: str
    content: str
    sections: tuple[Section, ...]
    evidence: tuple[str, ...]
    written_at: str
    version: str
    changes: int
    is_new: bool
    notices: tuple[str, ...] = ()
