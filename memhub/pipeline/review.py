"""What needs a person: contradictions, forks and what little speaks for; and carrying out what the person says."""

from typing import Any

import apsw

from memhub.errors import ConflictError, UsageError
from memhub.model.entry import Draft
from memhub.model.item import Item
from memhub.model.judged import ReviewEntry
from memhub.pipeline import change
from memhub.pipeline.lines import restated
from memhub.store import log, read
from memhub.store.connection import query
from memhub.store.evaluate import edge_key, item_state
from memhub.store.support import LOW

HOW = ("new", "old", "both", "merge", "note")
MATTERS = 0.9
"""From this importance on, which rules never give, what rules drew is offered for review too."""


def entries(connection: apsw.Connection, spaces: list[int], limit: int) -> list[ReviewEntry]:
    """Contested pairs first, then forked items, then those of low confidence; `limit` 0 means all."""
    marks = ",".join("?" * len(spaces))
    found: list[ReviewEntry] = []
    pairs = query(
        connection,
        f"""SELECT edge.src, edge.dst FROM edge JOIN item AS new ON new.id = edge.src AND new.is_present
            JOIN item AS old ON old.id = edge.dst AND old.is_present
            WHERE edge.relation = 'challenges' AND coalesce(edge.attrs ->> 'resolved', 0) = 0 AND new.space IN ({marks})
            ORDER BY edge.hlc DESC""",
        (*spaces,),
    )
    for new, old in pairs:
        items = read.items_by_ids(connection, [new, old])
        if len(items) == 2:
            found.append(ReviewEntry("contested", items[0], items[1], "both cannot hold"))
    forked = query(
        connection,
        f"""SELECT id FROM item WHERE is_present AND instr(' ' || flags || ' ', ' forked ') AND space IN ({marks})
            ORDER BY updated_ms DESC""",
        (*spaces,),
    )
    for item in read.items_by_ids(connection, [row[0] for row in forked]):
        found.append(
            ReviewEntry("forked", item, None, "was changed in two places, and the changes do not fit together")
        )
    found += _unsupported(connection, spaces)
    return found[:limit] if limit else found


def _unsupported(connection: apsw.Connection, spaces: list[int]) -> list[ReviewEntry]:
    """What only one place says, the most important first: of what a model drew all, of what rules drew what matters.

    Rules draw a statement in the words in which it was said, so that most of theirs need nobody.
    """
    rows = query(
        connection,
        f"""SELECT item.id FROM item JOIN version ON version.n = item.shown
            WHERE item.state = 'live' AND item.layer IN ('L1', 'L2') AND item.space IN ({",".join("?" * len(spaces))})
              AND version.meta -> 'attrs' ->> 'drawn_from' IS NOT NULL AND version.meta ->> 'by' = 'judge'
              AND (version.meta -> 'attrs' ->> 'drawn_by' IS NOT NULL OR pinned OR importance >= ?)
            ORDER BY coalesce(importance, 0) DESC, added_ms DESC, item.n DESC LIMIT 1000""",
        (*spaces, MATTERS),
    )
    return [
        ReviewEntry("low_confidence", item, None, f"{_who_drew(item)}, and only one place says so")
        for item in read.items_by_ids(connection, [row[0] for row in rows])
        if item.confidence is not None and item.confidence < LOW
    ]


def _who_drew(item: Item) -> str:
    model = item.attrs.get("drawn_by")
    return f"{model} drew it" if model else "it matters to you"


def resolve(connection: apsw.Connection, item: str, how: str, other: str | None, text: str | None) -> list[Draft]:
    """What the person's word writes.

    Contested: `new` keeps the challenger (it replaces the other), `old` keeps what it challenged, `both` lets both
    stand, `merge` writes `text` into the older one, which replaces both, `note` keeps `text` with the challenge.
    Forked: `new` and `old` keep the newest or the oldest head, `merge` writes `text`. Low confidence: `new` confirms,
    `old` drops.
    """
    if how not in HOW:
        raise UsageError(f"cannot keep `{how}`", f"one of {', '.join(HOW)}")
    if how in ("merge", "note") and not (text or "").strip():
        raise UsageError(f"`{how}` needs a text")
    state = item_state(log.entries_of(connection, item))
    found = read.item_by_id(connection, item)
    if found is None:
        raise ConflictError(f"item …{item[-6:]} is not there")
    pair = _challenge(connection, item, other)
    if pair is not None:
        return _contested(connection, pair, how, text or "")
    if len(state.heads) > 1:
        return _forked(connection, item, state.heads, how, text)
    return _unsure(connection, found, how, text)


def _challenge(connection: apsw.Connection, item: str, other: str | None) -> tuple[str, str] | None:
    rows = query(
        connection,
        """SELECT src, dst FROM edge WHERE relation = 'challenges' AND coalesce(attrs ->> 'resolved', 0) = 0
           AND (src = ?1 OR dst = ?1) AND (?2 IS NULL OR src = ?2 OR dst = ?2) ORDER BY hlc DESC""",
        (item, other),
    )
    if len(rows) > 1:
        raise UsageError(f"item …{item[-6:]} is challenged more than once", "name the other item too")
    return (str(rows[0][0]), str(rows[0][1])) if rows else None


def _contested(connection: apsw.Connection, pair: tuple[str, str], how: str, text: str) -> list[Draft]:
    new, old = pair
    attrs: dict[str, Any] = {"by": "hand", "resolved": how}
    if how == "note":
        attrs = {"by": "hand", "note": text}
    ends = {"src": new, "relation": "challenges", "dst": old}
    drafts = [Draft("edge.put", edge_key(new, "challenges", old), {**ends, "attrs": attrs})]
    line, said = read.item_by_id(connection, old), read.item_by_id(connection, new)
    if line is not None and said is not None and line.layer == "L2" and how in ("new", "merge"):
        drafts += restated(connection, old, said.content if how == "new" else text)
        drafts += change.link(connection, new, "evidence_of", old, {"by": "hand"})
    elif how == "new":
        drafts += change.link(connection, new, "replaces", old, {"by": "hand"})
    elif how == "old":
        drafts += change.link(connection, old, "replaces", new, {"by": "hand"})
    elif how == "merge":
        drafts += change.edit(connection, old, {"content": text})
        drafts += change.link(connection, old, "replaces", new, {"by": "hand"})
    return drafts


def _forked(connection: apsw.Connection, item: str, heads: tuple[str, ...], how: str, text: str | None) -> list[Draft]:
    texts = [version for head in heads if (version := log.load_version(connection, head)) is not None]
    if how in ("both", "note") or not texts:
        raise UsageError("a forked item needs one text", "keep `new` or `old`, or `merge` with a text")
    chosen = texts[0] if how == "new" else texts[-1]
    if how == "merge":
        chosen = texts[0]._replace(content=text or "")
    return [Draft("version.put", item, {}, change.by_hand(chosen, heads))]


def _unsure(connection: apsw.Connection, item: Item, how: str, text: str | None) -> list[Draft]:
    if how == "old":
        return change.drop(connection, item.id)
    changes: dict[str, Any] = {"attrs": {**item.attrs, "confirmed": True}}
    if how == "merge":
        changes["content"] = text
    if how == "note":
        changes["attrs"] = {**item.attrs, "confirmed": True, "note": text}
    return change.edit(connection, item.id, changes)
