"""Reads the database in which OpenCode keeps its sessions: tables `session`, `message`, `part` of 1.2 and later, and
`session_v2`, `session_message` of 2.x. A session may be in both; the later one wins."""

import json
import sqlite3
from collections.abc import Iterator
from typing import Any, NamedTuple

from memhub.model import EMPTY
from memhub.model.record import Conversation, Skipped
from memhub_importers import sqlite
from memhub_importers.opencode_messages import Session, Turn, from_parts, from_rows

_MESSAGE = frozenset(("id", "session_id", "data"))
# Only what is JSON is looked into, and only texts leave the database: outputs of tools are most of its size.
_PARTS = """
    SELECT id, message_id,
        CASE WHEN NOT json_valid(data) THEN '' WHEN json_extract(data, '$.type') = 'text' THEN data END
    FROM (SELECT id, message_id, CAST(data AS TEXT) AS data FROM part WHERE session_id = ? ORDER BY id)
"""
_ROWS = """
    SELECT id, type, {created}, CAST(data AS TEXT) FROM session_message
    WHERE session_id = ? AND type IN ('user', 'assistant') ORDER BY {seq}, id
"""


class Found(NamedTuple):
    """A session, where its messages are (`is_later`: in `session_message`), and its watermark."""

    session: Session
    is_later: bool
    watermark: str


def sessions(connection: sqlite3.Connection) -> list[Found]:
    """All sessions by id, each from the generation that holds it. Raises one of `sqlite.ERRORS`."""
    later, earlier = _counts(connection, "session_message"), _counts(connection, "message")
    parts = _counts(connection, "part")
    found: dict[str, Found] = {}
    for table in ("session", "session_v2"):
        for session in _sessions(connection, table):
            is_later = session.id in later or session.id not in earlier
            marks = (later.get(session.id),) if is_later else (earlier.get(session.id), parts.get(session.id))
            mark = f"{2 if is_later else 1}:{session.updated}:" + ":".join(str(one or "0") for one in marks)
            found[session.id] = Found(session, is_later, mark)
    return [found[key] for key in sorted(found)]


def read_session(connection: sqlite3.Connection, found: Found, scope: str) -> Iterator[Conversation | Skipped]:
    """One session with its messages, and what of it is damaged. Raises one of `sqlite.ERRORS`."""
    damage: list[Skipped] = []
    if found.is_later:
        conversation = from_rows(found.session, scope, _later_rows(connection, found.session.id, damage))
    else:
        conversation = from_parts(found.session, scope, _turns(connection, found.session.id, damage))
    yield from damage
    yield conversation


def _counts(connection: sqlite3.Connection, table: str) -> dict[str, str]:
    """`<last change>:<rows>` for each session that has rows in a table of messages."""
    have = sqlite.columns(connection, table)
    if not have >= _MESSAGE:
        return {}
    changed = "max(time_updated)" if "time_updated" in have else "NULL"
    query = f"SELECT session_id, {changed}, count(*) FROM {table} GROUP BY session_id"
    return {sqlite.as_text(key).strip(): f"{last}:{rows}" for key, last, rows in connection.execute(query)}


def _sessions(connection: sqlite3.Connection, table: str) -> Iterator[Session]:
    have = sqlite.columns(connection, table)
    if "id" not in have:
        return
    wanted = ("id", "title", "directory", "parent_id", "revert", "time_created", "time_updated", "project_id")
    selected = ", ".join(name if name in have else "NULL" for name in wanted)
    worktrees = _worktrees(connection)
    for key, title, folder, parent, revert, created, updated, project in connection.execute(
        f"SELECT {selected} FROM {table} ORDER BY id"
    ).fetchall():
        if name := sqlite.as_text(key).strip():
            yield Session(
                id=name,
                title=sqlite.as_text(title),
                folder=sqlite.as_text(folder).strip() or worktrees.get(sqlite.as_text(project), ""),
                parent=sqlite.as_text(parent).strip(),
                revert=_object(revert) or EMPTY,
                created=created,
                updated=updated,
            )


def _worktrees(connection: sqlite3.Connection) -> dict[str, str]:
    """The folder of each project; `/` stands for no project."""
    if not {"id", "worktree"} <= sqlite.columns(connection, "project"):
        return {}
    rows = (
        (sqlite.as_text(key), sqlite.as_text(path))
        for key, path in connection.execute("SELECT id, worktree FROM project")
    )
    return {key: path for key, path in rows if path != "/"}


def _turns(connection: sqlite3.Connection, session: str, damage: list[Skipped]) -> Iterator[Turn]:
    created = "time_created" if "time_created" in sqlite.columns(connection, "message") else "NULL"
    parts: dict[str, list[tuple[str, dict[str, Any]]]] = {}
    if sqlite.columns(connection, "part") >= _MESSAGE | {"message_id"}:
        for key, message, data in connection.execute(_PARTS, (session,)):
            if data is None:
                continue
            part = _object(data)
            if part is None:
                damage.append(Skipped(f"part {sqlite.as_text(key)}", "no JSON object", failed=True))
            else:
                parts.setdefault(sqlite.as_text(message), []).append((sqlite.as_text(key), part))
    query = f"SELECT id, {created}, CAST(data AS TEXT) FROM message WHERE session_id = ? ORDER BY 2, id"
    for key, at, data in connection.execute(query, (session,)).fetchall():
        name, message = sqlite.as_text(key).strip(), _object(data)
        if message is None:
            damage.append(Skipped(f"message {name}", "no JSON object", failed=True))
            continue
        time = message.get("time")
        if not isinstance(time, dict) or "created" not in time:
            message["time"] = {"created": at}
        yield Turn(name, message, parts.get(name, ()))


def _later_rows(
    connection: sqlite3.Connection, session: str, damage: list[Skipped]
) -> Iterator[tuple[str, str, Any, dict[str, Any]]]:
    have = sqlite.columns(connection, "session_message")
    if not have >= _MESSAGE | {"type"}:
        return
    created = "time_created" if "time_created" in have else "NULL"
    query = _ROWS.format(created=created, seq="seq" if "seq" in have else created)
    for key, kind, at, data in connection.execute(query, (session,)).fetchall():
        message = _object(data)
        if message is None:
            damage.append(Skipped(f"message {sqlite.as_text(key)}", "no JSON object", failed=True))
        else:
            yield sqlite.as_text(key).strip(), sqlite.as_text(kind), at, message


def _object(value: Any) -> dict[str, Any] | None:
    try:
        found = json.loads(value) if isinstance(value, str | bytes) else None
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None
