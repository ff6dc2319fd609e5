"""Confidence: how much independent, live evidence speaks for an item. Never stored, so it follows undo and erase."""

from collections.abc import Iterable
from typing import NamedTuple

import apsw

from memhub.store.connection import query

TYPED, DRAWN = 0.4, 0.8
"""What a single piece of evidence leaves in doubt, twice over: `confidence = 1 - doubt * 0.5 ** support`.

Typed by the user: .80, .90, .95 …; drawn from a text: .60, .80, .90 …
"""
LOW = 0.65
"""Below this an item is offered for review."""


SPEAKS = """(target.kind <> 'profile' OR coalesce(shown.meta ->> 'by', '') <> 'judge'
             OR coalesce(edge.attrs ->> 'version', shown.hash) = shown.hash)"""
"""SQL: whether an `evidence_of` edge speaks for what its target says now. What said that I live in Paris is no evidence
that I live in Berlin, though both are versions of one line. Over `edge`, `item AS target`, `version AS shown`."""


class Voice(NamedTuple):
    """One piece of evidence: the source that said it, its thread (or the item itself) and its day."""

    source: str
    thread: str
    day: str


def confidence(support: int, *, typed: bool) -> float:
    """From the number of independent pieces of evidence, the item's own included; between 0 and 1."""
    return round(1 - (TYPED if typed else DRAWN) * 0.5 ** max(support, 0), 4)


def independent(voices: Iterable[Voice]) -> int:
    """How many are independent: of another source, or another thread *and* another day, than all counted before."""
    counted: list[Voice] = []
    for voice in sorted(voices):
        if all(voice.source != o.source or (voice.thread != o.thread and voice.day != o.day) for o in counted):
            counted.append(voice)
    return len(counted)


def voices_of(connection: apsw.Connection, items: list[str]) -> dict[str, list[Voice]]:
    """For each item the live evidence that other items give it."""
    found: dict[str, list[Voice]] = {}
    for start in range(0, len(items), 500):
        some = items[start : start + 500]
        rows = query(
            connection,
            f"""SELECT edge.dst, edge.src, coalesce(source.created_at, source.updated_at),
                  coalesce(version.meta -> 'source' ->> 'kind', 'hand') || '/'
                    || coalesce(version.meta -> 'source' ->> 'scope', ''),
                  (SELECT dst FROM edge AS part WHERE part.src = edge.src AND part.relation = 'part_of' LIMIT 1)
                FROM edge JOIN item AS source ON source.id = edge.src AND source.is_present
                JOIN version ON version.n = source.shown
                JOIN item AS target ON target.id = edge.dst JOIN version AS shown ON shown.n = target.shown
                WHERE edge.dst IN ({",".join("?" * len(some))}) AND edge.relation IN ('evidence_of', 'confirms')
                  AND {SPEAKS}""",
            some,
        )
        for item, src, at, source, thread in rows:
            found.setdefault(item, []).append(Voice(source, thread or src, (at or "")[:10]))
    return found
