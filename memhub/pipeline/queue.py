"""What waits to be judged on this device: one row per note or turn, local, worked off space by space."""

import json
from collections.abc import Iterable
from typing import NamedTuple

import apsw

from memhub import stamp
from memhub.store.connection import query

FIRST_WAIT_MS = 60_000
LONGEST_WAIT_MS = 24 * 3_600_000
LEASE_MS = 10 * 60_000


class Waiting(NamedTuple):
    """One queued item. `state`: waiting, doubt (the rules could not tell; a model may look again) or failed."""

    item: str
    thread: str | None
    space: str
    state: str
    attempts: int
    error: str | None
    next_ms: int
    added_ms: int


def enqueue(connection: apsw.Connection, items: Iterable[str], space: str, thread: str | None = None) -> None:
    """Let items wait; one that waits already keeps its place. Inside a transaction."""
    now = stamp.now_ms()
    connection.executemany(
        "INSERT OR IGNORE INTO queue(item, thread, space, added_ms) VALUES (?,?,?,?)",
        [(item, thread, space, now) for item in items],
    )


_NOW = """SELECT queue.item, queue.thread, coalesce(end.id, queue.space) AS now, queue.state, attempts, error, next_ms,
            queue.added_ms FROM queue LEFT JOIN item ON item.id = queue.item LEFT JOIN space ON space.n = item.space
            LEFT JOIN space AS end ON end.n = space.resolved"""
"""SQL: the queue with the space in which each item is now; it may have been moved, or its space merged into another."""


def waiting(connection: apsw.Connection, space: str | None = None) -> list[Waiting]:
    """Everything that waits, oldest first; what came in one moment in the order in which it came."""
    rows = query(connection, f"{_NOW} WHERE ?1 IS NULL OR now = ?1 ORDER BY queue.added_ms, item.n", (space,))
    return [Waiting(*row) for row in rows]


def count(connection: apsw.Connection) -> int:
    """How many sources wait: notes, and threads with turns that do."""
    return int(connection.execute("SELECT count(DISTINCT coalesce(thread, item)) FROM queue").get)


def of_sources(connection: apsw.Connection, limit: int, offset: int) -> list[Waiting]:
    """Everything that waits of a page of sources, the one whose first item came first at the head; `limit` 0: all."""
    rows = query(
        connection,
        f"""WITH page AS MATERIALIZED (
              SELECT coalesce(queue.thread, queue.item) AS source, min(queue.added_ms) AS first_ms, min(item.n) AS first
              FROM queue LEFT JOIN item ON item.id = queue.item
              GROUP BY 1 ORDER BY first_ms, first LIMIT ?1 OFFSET ?2)
            {_NOW} JOIN page ON page.source = coalesce(queue.thread, queue.item)
            ORDER BY first_ms, first, queue.added_ms, item.n""",
        (limit or -1, offset),
    )
    return [Waiting(*row) for row in rows]


def of_items(connection: apsw.Connection, items: tuple[str, ...]) -> list[Waiting]:
    """Those of these items that wait, oldest first."""
    rows = query(
        connection,
        f"{_NOW} WHERE queue.item IN (SELECT value FROM json_each(?)) ORDER BY queue.added_ms, item.n",
        (json.dumps(items),),
    )
    return [Waiting(*row) for row in rows]


def due(connection: apsw.Connection, space: str, *, with_model: bool) -> list[Waiting]:
    """What may be judged now: not before its time, and doubtful ones only when there is a model to ask."""
    now = stamp.now_ms()
    return [row for row in waiting(connection, space) if row.next_ms <= now and (with_model or row.state != "doubt")]


JUDGED = "NOT EXISTS (SELECT 1 FROM queue WHERE queue.item = item.id AND queue.state <> 'doubt')"
"""SQL over `item`: somebody has ruled on it, or nobody will."""


def spaces(connection: apsw.Connection) -> list[str]:
    """Ids of the spaces in which something waits."""
    return sorted({row.space for row in waiting(connection)})


def done(connection: apsw.Connection, items: tuple[str, ...]) -> None:
    """Take judged items off the queue."""
    connection.executemany("DELETE FROM queue WHERE item = ?", [(item,) for item in items])


def in_doubt(connection: apsw.Connection, items: tuple[str, ...]) -> None:
    """Keep items for a model to look at."""
    connection.executemany("UPDATE queue SET state = 'doubt', error = NULL WHERE item = ?", [(item,) for item in items])


def failed(connection: apsw.Connection, items: tuple[str, ...], error: str) -> None:
    """Note a failure; the next try comes after 1, 2, 4 … minutes, a day at the most."""
    for item in items:
        attempts = int(connection.execute("SELECT attempts FROM queue WHERE item = ?", (item,)).get or 0) + 1
        wait = min(FIRST_WAIT_MS * 2 ** min(attempts - 1, 20), LONGEST_WAIT_MS)
        connection.execute(
            "UPDATE queue SET state = 'failed', attempts = ?, error = ?, next_ms = ? WHERE item = ?",
            (attempts, error, stamp.now_ms() + wait, item),
        )


def retry(connection: apsw.Connection, items: list[str] | None) -> int:
    """Make waiting items (all, when None) due at once; returns how many."""
    if items is None:
        connection.execute("UPDATE queue SET next_ms = 0, state = 'waiting', attempts = 0")
        return int(connection.changes())
    connection.executemany(
        "UPDATE queue SET next_ms = 0, state = 'waiting', attempts = 0 WHERE item = ?", [(item,) for item in items]
    )
    return len(items)


def register(connection: apsw.Connection, space: str) -> None:
    """Remember that there is something new in a space for a digest to look at."""
    connection.execute("INSERT OR IGNORE INTO digest_space VALUES (?,?)", (space, stamp.now_ms()))


def take_lease(connection: apsw.Connection, space: str, holder: str) -> bool:
    """Get the space to oneself, or keep it, until the lease runs out; False when another process has it.

    Inside a transaction.
    """
    now = stamp.now_ms()
    row = connection.execute("SELECT holder, until_ms FROM lease WHERE space = ?", (space,)).fetchone()
    if row is not None and row[0] != holder and int(row[1]) > now and _is_alive(str(row[0])):
        return False
    connection.execute("INSERT OR REPLACE INTO lease VALUES (?,?,?)", (space, holder, now + LEASE_MS))
    return True


def end_lease(connection: apsw.Connection, space: str, holder: str) -> None:
    """Give the space back."""
    connection.execute("DELETE FROM lease WHERE space = ? AND holder = ?", (space, holder))


def new_holder() -> str:
    """A name for this process: machine, process id and something unique."""
    import os
    import platform

    return f"{platform.node()}/{os.getpid()}/{stamp.new_nonce()[:8]}"


def _is_alive(holder: str) -> bool:
    """Whether the holder's process may still run; one of another machine is given its time."""
    import os
    import platform

    machine, pid, _ = holder.rsplit("/", 2)
    if machine != platform.node() or not pid.isdigit():
        return True
    try:
        os.kill(int(pid), 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True
