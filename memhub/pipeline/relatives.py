"""Finds what is known already that a candidate may have to do with: alike in meaning or words, or in the same slot."""

from typing import Any

import apsw

from memhub.errors import UnavailableError
from memhub.model.item import Item
from memhub.model.judging import Candidate, Relative, Slot, Source
from memhub.model.query import Filters
from memhub.pipeline.queue import unjudged
from memhub.pipeline.slots import slot_of
from memhub.pipeline.statements import compare
from memhub.search.ways import EngineSource, by_meaning, by_words, complete, scope_of
from memhub.stamp import derived_id
from memhub.store import read
from memhub.store.evaluate import fold

STRONG_OVERLAP = 0.6
"""Share of content words from which two statements may be about the same matter, whatever their cosine."""
DEFAULT_THRESHOLD = 0.5
DEPTH = 20
MOST = 8


def slot_item(space: str, slot: Slot) -> str:
    """The id of the profile line that holds a slot: the same on every device."""
    subject, dimension, qualifier = slot.key
    return derived_id("slot", space, fold(subject), dimension, fold(qualifier))


def relatives_of(
    connection: apsw.Connection, source: Source, candidate: Candidate, engine: EngineSource | None
) -> tuple[Relative, ...]:
    """The nearest live items of the space by meaning and words, and those in the same slot; left out are the source
    itself and what waits to be judged: that will be held against this one, when its turn comes.

    Alike enough is a cosine at the engine's threshold, a strong word overlap, or the same slot.
    """
    own = {text.item for text in source.texts} | unjudged(connection)
    scope = scope_of(connection, Filters(space=source.space, layers=("L1", "L2"), alone=True))
    lexical = by_words(scope, candidate.content[:1000], DEPTH)
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
    found = []
    for number, item in items.items():
        if item.id in own or _drawn_from(item, own):
            continue
        relative = _relative(item, candidate, cosines.get(number))
        is_near = relative.cosine is not None and relative.cosine >= threshold
        if is_near or relative.overlap >= STRONG_OVERLAP or item.id in in_slot:
            found.append(relative)
    found.sort(key=lambda r: (r.item not in in_slot, -max(r.overlap, r.cosine or 0.0), r.item))
    return tuple(dict.fromkeys(found[:MOST]))


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
    line = read.item_by_id(connection, slot_item(space, slot))
    if line is None or line.state != "live":
        return []
    rows = connection.execute("SELECT item FROM span WHERE version = ?", (line.version,))
    sources = read.items_by_ids(connection, [row[0] for row in rows])
    return [line, *(item for item in sources if item.layer == "L1" and item.state == "live")]


def _drawn_from(item: Item, sources: set[str]) -> bool:
    """Whether an item was drawn from the source that is being judged; it cannot be its own relative."""
    return item.kind != "profile" and bool(set(item.attrs.get("drawn_from", ())) & sources)


def _relative(item: Item, candidate: Candidate, cosine: float | None) -> Relative:
    return Relative(
        item=item.id, version=item.version, kind=item.kind, content=item.content,
        slot=slot_from(item.attrs) or slot_of(item.content[:1000]), cosine=cosine,
        overlap=compare(item.content[:4000], candidate.content[:4000]).overlap, at=item.created_at,
    )  # fmt: skip
