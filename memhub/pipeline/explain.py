"""Says why: the evidence of an item, what was ruled about it, and how it came to be what it is."""

from typing import Any

import apsw

from memhub.model.item import Item
from memhub.model.judged import ProfileLine, Quote, RulingInfo, Step, Why
from memhub.pipeline.relatives import slot_from
from memhub.stamp import iso
from memhub.store import log, read, rulings
from memhub.store.connection import query
from memhub.store.support import SPEAKS, independent, voices_of

_STAGES = ("replaces", "enriches", "challenges", "confirms")


def why(connection: apsw.Connection, item: Item) -> Why:
    """Everything that speaks for an item."""
    return Why(
        item=item,
        spans=tuple(_quotes(connection, item)),
        rulings=tuple(ruling_info(connection, one) for one in rulings.of_item(connection, item.id)),
        edges=tuple(read.edges_of(connection, item.id)),
        versions=tuple(read.history(connection, item.id)),
        confidence=item.confidence,
        support=_support(connection, item),
    )


def ruling_info(connection: apsw.Connection, stored: rulings.Stored) -> RulingInfo:
    """A stored ruling, with the words of its targets as they are now."""
    fields: dict[str, Any] = stored.fields
    targets = [(target, _words(connection, target)) for target in fields.get("targets", ())]
    return RulingInfo(
        id=stored.id, at=iso(stored.at), action=fields["action"], kind=fields["kind"], source=fields["source"],
        item=fields.get("item"), text=fields.get("text"), targets=tuple(targets), reason=fields.get("reason"),
        difference=fields.get("difference") or None, judge=fields["judge"], prompt=fields.get("prompt"),
        confidence=fields.get("confidence", 1.0), overturned=bool(fields.get("overturned")),
    )  # fmt: skip


def evolution(connection: apsw.Connection, item: str) -> list[Step]:
    """The stages of a statement, oldest first: items that replace, enrich, confirm or challenge one another, and the
    versions of a profile line."""
    found = read.item_by_id(connection, item)
    if found is not None and found.kind == "profile":
        versions = reversed(read.history(connection, item))
        return [
            Step(item, "replaces" if number else None, version.content or "", version.at,
                 found.state if version.hash == found.version else "dropped" if version.is_head else "replaced")
            for number, version in enumerate(versions)
        ]  # fmt: skip
    members = _component(connection, item)
    edges = {
        str(src): str(relation)
        for src, relation in query(
            connection,
            f"""SELECT src, relation FROM edge WHERE relation IN ({_marks(_STAGES)}) AND src IN ({_marks(members)})
                ORDER BY hlc""",
            (*_STAGES, *members),
        )
    }
    rows = query(connection, f"SELECT id FROM item WHERE id IN ({_marks(members)}) ORDER BY added_ms, n", (*members,))
    return [
        Step(stage.id, edges.get(stage.id), stage.content, stage.created_at or stage.updated_at, stage.state)
        for stage in read.items_by_ids(connection, [row[0] for row in rows])
    ]


def profile(connection: apsw.Connection, spaces: list[int], subject: str | None) -> list[ProfileLine]:
    """The live profile lines of these spaces, by subject and dimension."""
    rows = query(
        connection,
        f"SELECT id FROM item WHERE kind = 'profile' AND state = 'live' AND space IN ({_marks(spaces)})",
        (*spaces,),
    )
    lines = []
    for item in read.items_by_ids(connection, [row[0] for row in rows]):
        slot = slot_from(item.attrs)
        if slot is None or (subject is not None and slot.subject.casefold() != subject.casefold()):
            continue
        evidence = query(
            connection,
            f"""SELECT edge.src FROM edge JOIN item AS target ON target.id = edge.dst
                JOIN version AS shown ON shown.n = target.shown JOIN item AS source ON source.id = edge.src
                WHERE edge.dst = ? AND edge.relation = 'evidence_of' AND source.is_present AND {SPEAKS}
                ORDER BY edge.hlc""",
            (item.id,),
        )
        lines.append(
            ProfileLine(
                item=item.id, subject=slot.subject, dimension=slot.dimension, qualifier=slot.qualifier,
                value=slot.value, text=item.content, since=item.created_at, confidence=item.confidence,
                evidence=tuple(row[0] for row in evidence), versions=len(read.history(connection, item.id)),
            )
        )  # fmt: skip
    return sorted(lines, key=lambda line: (line.subject != "user", line.subject, line.dimension, line.qualifier))


def _quotes(connection: apsw.Connection, item: Item) -> list[Quote]:
    """The exact words that each version was drawn from, newest first."""
    found = []
    for info in read.history(connection, item.id):
        version = log.load_version(connection, info.hash)
        source = (version.source if version else None) or {}
        for place in (source, *source.get("evidence", ())):
            quote = _quote(connection, place) if "start" in place else None
            if quote is not None and quote not in found:
                found.append(quote)
    return found


def _quote(connection: apsw.Connection, place: dict[str, Any]) -> Quote | None:
    """The words at a place, as the item says them now."""
    origin = read.item_by_id(connection, place["item"])
    if origin is None or not origin.content:
        return None
    words = origin.content[place["start"] : place["stop"]]
    return Quote(origin.id, words, origin.created_at, origin.attrs.get("speaker"))


def _support(connection: apsw.Connection, item: Item) -> int:
    return independent(voices_of(connection, [item.id]).get(item.id, ())) + (0 if is_drawn(item) else 1)


def is_drawn(item: Item) -> bool:
    """Whether an item was drawn from another; then only its evidence speaks for it."""
    return "drawn_from" in item.attrs


def _words(connection: apsw.Connection, item: str) -> str:
    found = read.item_by_id(connection, item)
    return "" if found is None else (found.title or found.content)[:200]


def _component(connection: apsw.Connection, item: str) -> list[str]:
    """The item and all that one of its stages leads to, in either direction."""
    known: set[str] = set()
    ahead = [item]
    while ahead:
        stage = ahead.pop()
        if stage in known:
            continue
        known.add(stage)
        rows = query(
            connection,
            f"""SELECT CASE src WHEN ? THEN dst ELSE src END FROM edge
                WHERE (src = ? OR dst = ?) AND relation IN ({_marks(_STAGES)})""",
            (stage, stage, stage, *_STAGES),
        )
        ahead += [row[0] for row in rows]
    return sorted(known)


def _marks(values: Any) -> str:
    return ",".join("?" * len(values))
