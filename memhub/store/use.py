"""How often, and when last, an item was looked at: local to the device, and never worth waiting for."""

from collections.abc import Iterable
from typing import NamedTuple

import apsw

from memhub import stamp
from memhub.store.connection import BUSY_MS, transaction


class Use(NamedTuple):
    """When an item was last looked at here, and how often; 0 for never."""

    last_ms: int = 0
    times: int = 0


def count(connection: apsw.Connection, items: Iterable[str]) -> bool:
    """Count a look at items. False when that would have to wait, or cannot be written: then it is not counted."""
    now = stamp.now_ms()
    connection.set_busy_timeout(0)
    try:
        with transaction(connection):
            connection.executemany(
                """INSERT INTO used VALUES (?1, ?2, 1)
                   ON CONFLICT(item) DO UPDATE SET last_ms = max(last_ms, ?2), times = times + 1""",
                [(item, now) for item in items],
            )
    except (apsw.BusyError, apsw.LockedError, apsw.ReadOnlyError, apsw.FullError, apsw.IOError):
        return False
    finally:
        connection.set_busy_timeout(BUSY_MS)
    return True


def of(connection: apsw.Connection, item: str) -> Use:
    """What is known of one item."""
    row = connection.execute("SELECT last_ms, times FROM used WHERE item = ?", (item,)).fetchone()
    return Use(*row) if row else Use()
