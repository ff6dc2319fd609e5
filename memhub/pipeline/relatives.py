"""Finds what is known already that a candidate may have to do with: alike in meaning or words, or in the same slot."""

import json
from itertools import zip_longest
from typing import Any

import apsw

from memhub.errors import ConflictError, UnavailableError
from memhub.model.item import Item
from memhub.model.judging import Candidate, Relative, Slot, Source
from memhub.model.query import Filters
from memhub.pipeline.queue import JUDGED
from memhub.pipeline.slots import slot_of
from memhub.pipeline.statements import compare
from memhub.search.ways import EngineSource, by_meaning, by_words, complete, scope_of
from memhub.stamp import derived_id
from memhub.store import read
from memhub.store.evaluate import fold
from memhub.text.analyse import query_terms

STRONG_OVERLAP = 0.6
"""Share of content words from which two statements may be about the same matter, whatever their cosine."""
DEFAULT_THRESHOLD = 0.5
DEPTH = 20
MOST = 8
_MOST_LINES = 100


def slot_item(connection: apsw.Connection, space: str, slot: Slot) -> str:
    """The id of the profile line that holds a slot in a space: the same on every device.

    A line that was moved here holds it as well, and one that was moved away leaves the slot to another id.
    """
    subject, dimension, qualifier = fold(slot.subject), slot.dimension, fold(slot.qualifier)
    for number in range(1, _MOST_LINES):
        more = () if number == 1 else (f"~{number}",)
        item = derived_id("slot", space, subject, dimension, qualifier, *more)
        where = space_of(connection, item)
        if where == space:
            return item
        if where is None:
            return _line_in(connection, space, slot) or item
    raise ConflictError(f"too many lines for {dimension} were moved away")


def space_of(connection: apsw.Connection, item: str) -> str | None:
    """The id of the space in which an item is now, aliases followed; None when it is not there."""
    found = connection.execute(
        """SELECT end.id FROM item JOIN space ON space.n = item.space JOIN space AS end ON end.n = space.resolved
           WHERE item.id = ?""",
        (item,),
    ).get
    return None if found is None else str(found)


def _line_in(connection: apsw.Connection, space: str, slot: Slot) -> str | None:
    """A live profile line of the space for this slot under another id."""
    rows = connection.execute(
        """SELECT item.id, version.meta -> 'attrs' ->> 'slot' FROM item JOIN version ON version.n = item.shown
           JOIN space ON space.n = item.space JOIN space AS end ON end.n = space.resolved
           WHERE item.kind = 'profile' AND item.state = 'live' AND end.id = ? ORDER BY item.id""",
        (space,),
    )
    wanted = (fold(slot.subject), slot.dimension, fold(slot.qualifier))
    for item, kept in rows:
        fields = json.loads(kept) if kept else {}
        if wanted == (fold(fields.get("subject", "")), fields.get("dimension"), fold(fields.get("qualifier", ""))):
            return str(item)
    return None


def relatives_of(
    connection: apsw.Connection, source: Source, candidate: Candidate, engine: EngineSource | None
) -> tuple[Relative, ...]:
    """The nearest live items of the space by meaning and words, and those in the same slot; left out are the source
    itself and what waits to be judged: that will be held against this one, when its turn comes.

    Alike enough is a cosine at the engine's threshold, a strong word overlap, or the same slot.
    """
    own = {text.item for text in source.texts}
    scope = scope_of(connection, Filters(space=source.space, layers=("L1", "L2"), alone=True))
    scope = scope._replace(where=f"{scope.where} AND {JUDGED}")
    said = candidate.content[:1000]
    lexical = by_words(scope, said, query_terms(said), DEPTH)
    cosines: dict[int, float] = {}
    threshold = 1.0
    if engine is not None:
        try:
            opened = engine()
            meaning = by_meaning(scope, candidate.content[:1000], opened, DEPTH)
            cosines = {n: near.cosine for n, near in complete(scope, meaning, [*meaning.near, *lexical.bm25]).items()}
            threshold = opened.info.threshold
        except UnavailableError:
            pass  # words and slots alone
    numbers = dict.fromkeys([*lexical.bm25, *cosines])
    items = read.load_items(connection, numbers)
    in_slot = {item.id for item in _same_slot(connection, source.space, candidate.slot)}
    seen = {item.id for item in items.values()}
    for item in read.items_by_ids(connection, in_slot - seen):
        items[-len(items) - 1] = item
    found: dict[int, Relative] = {}
    for number, item in items.items():
        if item.id in own or _drawn_from(item, own):
            continue
        relative = _relative(item, candidate, cosines.get(number))
        is_near = relative.cosine is not None and relative.cosine >= threshold
        if is_near or relative.overlap >= STRONG_OVERLAP or item.id in in_slot:
            found[number] = relative
    return _nearest(found, in_slot, list(lexical.bm25))


def _nearest(found: dict[int, Relative], in_slot: set[str], by_words: list[int]) -> tuple[Relative, ...]:
    """At most `MOST`: those in the slot first, then in turn the most alike and those that share the rarest words.

    Of sixty statements that differ in a number alone, all are equally alike; the words know which share it.
    """
    alike = sorted(found, key=lambda n: (-max(found[n].overlap, found[n].cosine or 0.0), found[n].item))
    rare = [number for number in by_words if number in found]
    chosen = [number for number in alike if found[number].item in in_slot]
    for pair in zip_longest(alike, rare):
        chosen += [number for number in pair if number is not None]
    kept = list(dict.fromkeys(chosen))[:MOST]
    return tuple(found[number] for number in kept)


def threshold_of(engine: EngineSource | None) -> float:
    """The cosine from which two statements may be about the same matter; it belongs to the model."""
    try:
        return engine().info.threshold if engine is not None else DEFAULT_THRESHOLD
    except UnavailableError:
        return DEFAULT_THRESHOLD


def slot_from(attrs: dict[str, Any]) -> Slot | None:
    """The slot that a profile line keeps in its attributes."""
    kept = attrs.get("slot")
    return Slot(**{name: kept[name] for name in ("subject", "dimension", "qualifier", "value")}) if kept else None


def _same_slot(connection: apsw.Connection, space: str, slot: Slot | None) -> list[Item]:
    """The profile line of a slot and the live notes that its latest version was drawn from."""
    if slot is None:
        return []
    line = read.item_by_id(connection, slot_item(connection, space, slot))
    if line is None or line.state != "live":
        return []
    rows = connection.execute("SELECT item FROM span WHERE version = ?", (line.version,))
    sources = read.items_by_ids(connection, [row[0] for row in rows])
    notes = (item for item in sources if item.layer == "L1" and item.state == "live")
    return [line, *(item for item in notes if space_of(connection, item.id) == space)]


def _drawn_from(item: Item, sources: set[str]) -> bool:
    """Whether an item was drawn from the source that is being judged; it cannot be its own relative."""
    return item.kind != "profile" and bool(set(item.attrs.get("drawn_from", ())) & sources)


def _relative(item: Item, candidate: Candidate, cosine: float | None) -> Relative:
    return Relative(
        item=item.id, version=item.version, kind=item.kind, content=item.content,
        slot=slot_from(item.attrs) or slot_of(item.content[:1000]), cosine=cosine,
        overlap=compare(item.content[:4000], candidate.content[:4000]).overlap, at=item.created_at,
    )  # fmt: skip
