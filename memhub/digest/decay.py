"""How present an item still is. Nothing is deleted by it, and pinned items never fade.

decay     = 1                                     when pinned
          = max(floor, 0.5 ** (days / half_life)) otherwise
days      = since the last interaction: it was said, written, edited, or looked at here
half_life = that of the kind, times 1 + ln(1 + times it was looked at here)
floor     = 0.8 · importance, where `useful` adds 0.3 and `useless` takes 0.3 away; 0 to 1
"""

from math import log

import apsw

from memhub import stamp
from memhub.model.digested import Decay
from memhub.store import log as entries
from memhub.store import use
from memhub.store.connection import query
from memhub.store.evaluate import item_state

HALF_LIFE = 30.0
BY_KIND = {
    "event": 14.0, "document": 90.0, "procedure": 120.0, "profile": 180.0, "schema": 90.0, "crystal": 180.0,
    "core_schema": 180.0, "persona_catalog": 180.0, "briefing": 7.0,
}  # fmt: skip
"""Days after which half is left, of the kinds that differ."""
FLOOR = 0.8
VERDICT = 0.3


def decay(connection: apsw.Connection, item: str) -> Decay | None:
    """How present an item is now, and what that follows from; None when there is no such item."""
    rows = query(
        connection,
        "SELECT kind, importance, pinned, created_ms, added_ms, updated_ms FROM item WHERE id = ?", (item,),
    )  # fmt: skip
    if not rows:
        return None
    kind, importance, pinned, created, added, updated = rows[0]
    verdict = item_state(entries.entries_of(connection, item)).registers.fields.get("verdict") or 0
    used = use.of(connection, item)
    edited = updated if updated > added else 0
    last = max(created if created is not None else added, edited, used.last_ms)
    return of(
        kind, days=max(0.0, (stamp.now_ms() - last) / stamp.DAY_MS), times=used.times, importance=importance,
        verdict=verdict, pinned=bool(pinned), last=stamp.iso(last),
    )  # fmt: skip


def of(
    kind: str, *, days: float, times: int = 0, importance: float | None = None, verdict: int = 0,
    pinned: bool = False, last: str = "",
) -> Decay:  # fmt: skip
    """The formula by itself."""
    half_life = BY_KIND.get(kind, HALF_LIFE) * (1 + log(1 + times))
    floor = FLOOR * min(1.0, max(0.0, (importance or 0.0) + VERDICT * verdict))
    value = 1.0 if pinned else max(floor, 0.5 ** (days / half_life))
    return Decay(round(value, 4), last, round(days, 2), round(half_life, 2), times, round(floor, 4), pinned)
