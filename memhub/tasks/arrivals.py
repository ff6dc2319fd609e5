"""Gathers what an importer yields into batches, each as much as makes a commit, and counts what becomes of it."""

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from memhub.model.record import Conversation, Cursor, Passed, Record, Skipped
from memhub.pipeline.records import Planned
from memhub.pipeline.relations import Tie, ties_of
from memhub.tasks.sessions import Kept

_ITEMS = 1000
_CHARACTERS = 4_000_000


class Batch(NamedTuple):
    """Records and threads in the order in which they came; `cursors` say how far the source was read with them."""

    records: list[Record]
    threads: list[Conversation]
    cursors: list[Cursor]


class Links(NamedTuple):
    """What an item links to. `rev`: the clock at which its file was written from here, with a part of its links."""

    item: str
    place: str
    ties: tuple[Tie, ...]
    rev: int | None


class Tally:
    """What one run has done so far.

    `linking`: the places of `links`. `returned`: items that were written from here, by the id that their file gives.
    """

    def __init__(self) -> None:
        self.counts = {"created": 0, "updated": 0, "unchanged": 0, "moved": 0}
        self.conflicts: list[str] = []
        self.skipped: list[Skipped] = []
        self.warnings: list[tuple[str, str]] = []
        self.links: list[Links] = []
        self.linking: set[str] = set()
        self.returned: dict[str, str] = {}
        self.done = self.turns = self.threads = self.passed = self.undated = 0

    def note(self, record: Record, planned: Planned) -> None:
        """One record, and what keeping it takes."""
        place = record.path or record.external_id
        self.done += 1
        masked = (f"a secret ({name}) was masked" for name in planned.secrets)
        self.warnings += [(place, warning) for warning in (*record.warnings, *masked)]
        if planned.outcome in self.counts:
            self.counts[planned.outcome] += 1
        elif planned.outcome == "conflict":
            self.conflicts.append(place)
        else:
            self.skipped.append(Skipped(place, f"{planned.outcome} here; it stays so"))
            return
        links, rev = record.links, None
        if record.exported is not None and record.exported.item == planned.item:
            self.returned[record.external_id] = planned.item
            is_edited, rev = record.exported.is_edited, record.exported.rev
            links = tuple(link for link in links if is_edited or link.type == "relation")
        ties = ties_of(links)
        if ties or not planned.is_first:
            self.links.append(Links(planned.item, place, ties, rev))
            self.linking.add(place)

    def note_thread(self, found: Conversation, kept: Kept) -> None:
        """One thread, and what became of it."""
        place = place_of(found)
        self.warnings += [(place, warning) for warning in found.warnings]
        if kept.error is not None:
            self.skipped.append(Skipped(place, kept.error, failed=True))
        elif kept.outcome not in self.counts:
            self.skipped.append(Skipped(place, f"{kept.outcome} here; it stays so"))
        else:
            self.counts[kept.outcome] += 1
            self.turns += kept.turns
            self.threads += 1
            self.done += len(found.messages)


def place_of(found: Conversation) -> str:
    """What a person knows a thread of a source by."""
    return found.info.title or (found.info.key or ("", "", ""))[2]


def batches(source: Iterable[Any], tally: Tally, *, one_by_one: bool = False) -> Iterator[Batch]:
    """What a source yields, as much at a time as makes a commit; what was skipped or passed over only counts."""
    batch, items, characters = Batch([], [], []), 0, 0
    for found in source:
        if isinstance(found, Skipped):
            tally.skipped.append(found)
        elif isinstance(found, Passed):
            tally.counts["unchanged"] += len(found.external_ids)
        elif isinstance(found, Cursor):
            batch.cursors.append(found)
        elif isinstance(found, Record):
            batch.records.append(found)
            items, characters = items + 1, characters + len(found.content)
        elif isinstance(found, Conversation):
            batch.threads.append(found)
            items += max(1, len(found.messages))
            characters += sum(len(message.content) for message in found.messages)
        if items >= (1 if one_by_one else _ITEMS) or characters >= _CHARACTERS:
            yield batch
            batch, items, characters = Batch([], [], []), 0, 0
    yield batch
