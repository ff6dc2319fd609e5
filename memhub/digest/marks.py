"""How far each step of the digest came in a space, and what changed in the space since."""

from typing import NamedTuple

import apsw

from memhub import stamp
from memhub.store.connection import query
from memhub.store.filters import readable_spaces


class Mark(NamedTuple):
    """A step's row: the clock of the log that it has seen, and why it could not go on, if it could not."""

    clock: int = 0
    error: str | None = None
    attempts: int = 0


def read(connection: apsw.Connection, space: str, step: str) -> Mark:
    """How far a step came in a space."""
    row = connection.execute(
        "SELECT mark, error, attempts FROM digest_step WHERE space = ? AND step = ?", (space, step)
    ).fetchone()
    return Mark(*row) if row else Mark()


def finished(connection: apsw.Connection, space: str, step: str, clock: int) -> None:
    """Note that a step is done up to `clock`. Inside a transaction."""
    connection.execute(
        "INSERT OR REPLACE INTO digest_step(space, step, mark, done_ms, error, attempts) VALUES (?,?,?,?,NULL,0)",
        (space, step, clock, stamp.now_ms()),
    )


def failed(connection: apsw.Connection, space: str, step: str, error: str) -> None:
    """Note why a step could not go on; its mark stays, so that the next digest tries again. Inside a transaction."""
    connection.execute(
        """INSERT INTO digest_step(space, step, error, attempts) VALUES (?,?,?,1)
           ON CONFLICT(space, step) DO UPDATE SET error = excluded.error, attempts = attempts + 1""",
        (space, step, error),
    )


def forget(connection: apsw.Connection) -> None:
    """Everything is to be looked at again, as after an undo. Inside a transaction."""
    connection.execute("UPDATE digest_step SET mark = 0")


def clock(connection: apsw.Connection) -> int:
    """The clock of the log now."""
    return int(connection.execute("SELECT value FROM meta WHERE key = 'clock'").get or 0)


def changed(connection: apsw.Connection, space: str, mark: int, layers: tuple[str, ...] = ("L1", "L2")) -> set[int]:
    """Row numbers of the items of a space, in these layers, about which the log says something since `mark`.

    Entries of other devices may carry earlier clocks; what an import brought since counts whatever its clock is.
    """
    spaces = readable_spaces(connection, space, alone=True)
    where = f"item.space IN ({','.join('?' * len(spaces))}) AND item.layer IN ({','.join('?' * len(layers))})"
    values = (*spaces, *layers)
    if mark <= 0:
        return {n for (n,) in query(connection, f"SELECT n FROM item WHERE {where}", values)}
    keys: set[str] = set()
    for (device,) in query(connection, "SELECT n FROM device"):
        seen = connection.execute(
            "SELECT seq FROM entry WHERE device = ? AND hlc <= ? ORDER BY seq DESC LIMIT 1", (device, mark)
        ).get
        keys.update(
            row[0]
            for row in query(
                connection,
                f"SELECT DISTINCT key FROM entry WHERE device = ? AND seq > ? AND {_ABOUT_ITEMS}",
                (device, seen or 0),
            )
        )
    keys.update(
        row[0]
        for row in query(
            connection,
            f"""SELECT DISTINCT key FROM operation JOIN imported ON imported.operation = operation.id
                JOIN entry ON entry.device = imported.device AND entry.seq BETWEEN imported.first AND imported.last
                WHERE operation.hlc > ? AND {_ABOUT_ITEMS}""",
            (mark,),
        )
    )
    found: set[int] = set()
    for key in keys:
        found.update(n for (n,) in query(connection, f"SELECT n FROM item WHERE id = ? AND {where}", (key, *values)))
    return found


_ABOUT_ITEMS = "entry.kind IN ('version.put', 'item.set', 'item.drop', 'item.restore')"
