"""Shows the queue by source: notes alone, turns by thread."""

import apsw

from memhub.model.judged import QueueRow
from memhub.pipeline import queue
from memhub.stamp import iso, now_ms
from memhub.store import read, threads


def rows(connection: apsw.Connection, *, limit: int = 0, offset: int = 0) -> list[QueueRow]:
    """One row a source, oldest first; `limit` 0 means all."""
    groups: dict[str, list[queue.Waiting]] = {}
    for row in queue.of_sources(connection, limit, offset):
        groups.setdefault(row.thread or row.item, []).append(row)
    return [_row(connection, source, members) for source, members in groups.items()]


def _row(connection: apsw.Connection, source: str, members: list[queue.Waiting]) -> QueueRow:
    first = members[0]
    next_ms = max(member.next_ms for member in members)
    space = connection.execute(
        "SELECT end.name FROM space JOIN space AS end ON end.n = space.resolved WHERE space.id = ?", (first.space,)
    ).get
    return QueueRow(
        source=source, kind=f"{len(members)} turns" if first.thread else "note", space=str(space or ""),
        title=_title(connection, first), state=first.state, attempts=max(member.attempts for member in members),
        error=first.error, next_try=iso(next_ms) if next_ms > now_ms() else None, added=iso(first.added_ms),
    )  # fmt: skip


def _title(connection: apsw.Connection, row: queue.Waiting) -> str:
    if row.thread:
        found = threads.thread_by_id(connection, row.thread)
        return found.title if found else ""
    item = read.item_by_id(connection, row.item)
    return (item.title or item.content).strip().split("\n")[0][:80] if item else ""
