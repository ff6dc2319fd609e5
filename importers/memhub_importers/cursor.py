"""Cursor, the editor: its chats, from the database `globalStorage/state.vscdb`."""

import json
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from hashlib import blake2b
from pathlib import Path
from typing import Any, NamedTuple

from memhub.errors import NotFoundError
from memhub.model import EMPTY
from memhub.model.record import Conversation, Cursor, Origin, Skipped
from memhub.model.thread import Message
from memhub_importers import sqlite, vscode
from memhub_importers.cursor_projects import Projects
from memhub_importers.dialogue import attrs, conversation, final
from memhub_importers.values import entries, instant, table, text

SLUG = "cursor"
_STORE = "globalStorage/state.vscdb"
_SESSION = "composerData:"
_USER, _ASSISTANT, _TOOL = 1, 2, 15


class _Session(NamedTuple):
    """One row `composerData:<id>`: the parsed value, and each message with its id, in order."""

    id: str
    data: Mapping[str, Any]
    bubbles: Sequence[tuple[str, Mapping[str, Any]]]
    digest: str


def sniff(path: Path) -> bool:
    """Whether there is a database with Cursor's own table in it."""
    return any(_is_cursors(store) for store in _stores(path))


def origin(path: Path) -> Origin:
    """One source for the whole machine: the ids of chats are unique, and stores move."""
    return Origin(SLUG, SLUG)


def places(home: Path, environ: Mapping[str, str]) -> list[Path]:
    """The `User` folders of Cursor."""
    return [user for user in vscode.usual(home, environ) if sniff(user)]


def survey(path: Path) -> tuple[int, str]:
    """How many chats there are, drafts among them."""
    count = 0
    for store in _stores(path):
        try:
            with sqlite.open_store(store) as connection:
                count += len(_keys(connection))
        except sqlite.ERRORS:
            continue
    return count, "chats"


def read(
    path: Path, *, scope: str = "", cursors: Mapping[str, str] = EMPTY
) -> Iterator[Conversation | Skipped | Cursor]:
    """The chats of each store below `path`, in the order of their ids, those that were read before left out.

    A store whose files did not change since is not opened; else each chat goes by a digest of what is stored of it.
    """
    if not path.exists():
        raise NotFoundError(f"no file or folder `{path}`")
    for store in _stores(path):
        place, state = f"store:{_name(store)}", sqlite.state(store)
        if cursors.get(place) == state:
            continue
        is_whole = True
        try:
            with sqlite.open_store(store) as connection:
                for outcome in _read_store(connection, store, scope or SLUG, cursors):
                    is_whole = is_whole and not (isinstance(outcome, Skipped) and outcome.failed)
                    yield outcome
        except sqlite.ERRORS as error:
            yield Skipped(store.name, sqlite.reason(error), failed=True)
            continue
        if is_whole:
            yield Cursor(place, state)


def _stores(path: Path) -> list[Path]:
    if path.is_file():
        return [path] if path.name == "state.vscdb" else []
    if not path.is_dir():
        return []
    users = [*vscode.below(path), *([path.parent] if path.name == "globalStorage" else [])]
    return [user / _STORE for user in users if sqlite.is_database(user / _STORE)]


def _name(store: Path) -> str:
    """The product's folder: `Cursor`, so that two products beside each other have a cursor each."""
    return store.resolve().parents[2].name or "."


def _is_cursors(store: Path) -> bool:
    try:
        with sqlite.open_store(store) as connection:
            return _has_table(connection)
    except sqlite.ERRORS:
        return False


def _has_table(connection: sqlite3.Connection) -> bool:
    return {"key", "value"} <= sqlite.columns(connection, "cursorDiskKV")


def _keys(connection: sqlite3.Connection) -> list[str]:
    """The keys of all chats; `;` follows `:`, so that the index of the table finds them."""
    if not _has_table(connection):
        return []
    query = "SELECT key FROM cursorDiskKV WHERE key >= ? AND key < ? AND value IS NOT NULL ORDER BY key"
    rows = connection.execute(query, (_SESSION, _SESSION[:-1] + ";"))
    return [key for (key,) in rows if isinstance(key, str) and key.removeprefix(_SESSION).strip()]


def _read_store(
    connection: sqlite3.Connection, store: Path, scope: str, cursors: Mapping[str, str]
) -> Iterator[Conversation | Skipped | Cursor]:
    keys = _keys(connection)
    if not keys and not _has_table(connection):
        yield Skipped(store.name, "no chats of Cursor in it")
        return
    projects = Projects(connection, store.parents[1])
    parents = _parents(connection)
    for key in keys:
        session = _session(connection, key)
        if isinstance(session, Skipped):
            yield session
        elif cursors.get(session.id) != session.digest:
            yield _conversation(session, scope, projects.folder_of(session.id, session.data), parents.get(session.id))
            yield Cursor(session.id, session.digest)


def _session(connection: sqlite3.Connection, key: str) -> _Session | Skipped:
    """One chat with its messages as they are listed: what is not listed was deleted or taken back."""
    name = sqlite.as_text(key.removeprefix(_SESSION)).strip()
    data = _value(connection, key)
    if not isinstance(data, dict):
        return Skipped(key, "no JSON object", failed=True)
    digest = blake2b(digest_size=16)
    inline = [
        (text(bubble, "bubbleId"), bubble) for bubble in entries(data, "conversation") if isinstance(bubble, dict)
    ]
    listed = entries(data, "fullConversationHeadersOnly")
    bubbles = [] if listed else inline
    known = dict(inline)
    for header in listed:
        bubble_id = text(header, "bubbleId")
        bubble = _value(connection, f"bubbleId:{key.removeprefix(_SESSION)}:{bubble_id}") if bubble_id else None
        if isinstance(bubble, dict) or bubble_id in known:
            bubbles.append((bubble_id, bubble if isinstance(bubble, dict) else known[bubble_id]))
    told = [text(data, "name"), str(data.get("createdAt")), _is_folder_known(data)]
    for part in (*told, *(f"{one}\x1f{_gist(bubble)}" for one, bubble in bubbles)):
        digest.update(part.encode("utf-8", "replace") + b"\x1e")
    return _Session(name, data, bubbles, digest.hexdigest())


def _is_folder_known(data: Mapping[str, Any]) -> str:
    return text(table(table(data, "workspaceIdentifier"), "uri"), "fsPath")


def _gist(bubble: Mapping[str, Any]) -> str:
    return f"{bubble.get('type')}\x1f{_is_tool(bubble)}\x1f{text(bubble, 'text')}\x1f{_time(bubble)}"


def _value(connection: sqlite3.Connection, key: str) -> Any:
    """The parsed value of a key; None when there is none, or none that is JSON."""
    row = connection.execute("SELECT value FROM cursorDiskKV WHERE key = ?", (key,)).fetchone()
    if row is None or row[0] is None:
        return None
    try:
        return json.loads(row[0] if isinstance(row[0], str | bytes) else "")
    except (ValueError, RecursionError):
        return None


def _parents(connection: sqlite3.Connection) -> dict[str, str]:
    """The chat that started each sub-agent, by the sub-agent's id. Only values that name some are parsed."""
    query = """
        SELECT key FROM cursorDiskKV WHERE key >= ? AND key < ? AND instr(CAST(value AS TEXT), '"subComposerIds"')
        AND NOT instr(CAST(value AS TEXT), '"subComposerIds":[]')
    """
    found: dict[str, str] = {}
    for (key,) in connection.execute(query, (_SESSION, _SESSION[:-1] + ";")).fetchall():
        parent = sqlite.as_text(key).removeprefix(_SESSION).strip()
        for child in entries(_value(connection, key), "subComposerIds"):
            if isinstance(child, str) and child != parent and parent:
                found.setdefault(child, parent)
    return found


def _conversation(session: _Session, scope: str, folder: str | None, parent: str | None) -> Conversation | Skipped:
    model = text(table(session.data, "modelConfig"), "modelName")
    messages: list[Message] = []
    answer: int | None = None
    for bubble_id, bubble in session.bubbles:
        role = bubble.get("type")
        if role == _USER and answer is not None:
            messages[answer] = final(messages[answer])
            answer = None
        content = text(bubble, "text").strip()
        if _is_tool(bubble) or not content or role not in (_USER, _ASSISTANT):
            continue
        if role == _ASSISTANT:
            answer = len(messages)
        used = attrs(text(table(bubble, "modelInfo"), "modelName") or model) if role == _ASSISTANT else EMPTY
        at = _time(bubble) or (None if messages else instant(session.data.get("createdAt")))
        messages.append(Message(content, "user" if role == _USER else "assistant", at=at, id=bubble_id, attrs=used))
    if answer is not None:
        messages[answer] = final(messages[answer])
    return conversation(
        (SLUG, scope, session.id),
        messages,
        title=text(session.data, "name"),
        folder=folder,
        started_at=instant(session.data.get("createdAt")),
        ended_at=instant(session.data.get("lastUpdatedAt")),
        parent=parent,
    )


def _is_tool(bubble: Mapping[str, Any]) -> bool:
    return bubble.get("capabilityType") == _TOOL or bool(bubble.get("toolFormerData"))


def _time(bubble: Mapping[str, Any]) -> str | None:
    return instant(bubble.get("createdAt")) or instant(table(bubble, "timingInfo").get("clientStartTime"))
