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
    """One row `composerData:<id>`: the key without its prefix, the parsed value, and the ids of its messages in order.

    `inline` holds the messages of an old chat, which has them in the value.
    """

    key: str
    data: Mapping[str, Any]
    listed: Sequence[str]
    inline: Mapping[str, Mapping[str, Any]]

    @property
    def id(self) -> str:
        """The id as it may be stored."""
        return sqlite.as_text(self.key).strip()


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
    return [user / _STORE for user in users if sqlite.is_file(user / _STORE)]


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
            continue
        digest = _digest(connection, session)
        if cursors.get(session.id) != digest:
            folder, parent = projects.folder_of(session.id, session.data), parents.get(session.id)
            yield _conversation(session, _bubbles(connection, session), scope, folder, parent)
            yield Cursor(session.id, digest)


def _session(connection: sqlite3.Connection, key: str) -> _Session | Skipped:
    """One chat and which messages it lists: what is not listed was deleted or taken back."""
    data = _value(connection, key)
    if not isinstance(data, dict):
        return Skipped(key, "no JSON object", failed=True)
    inline: dict[str, Mapping[str, Any]] = {}
    for number, bubble in enumerate(entries(data, "conversation"), 1):
        if isinstance(bubble, dict):
            inline[text(bubble, "bubbleId").strip() or f"#{number}"] = bubble
    listed = [text(header, "bubbleId") for header in entries(data, "fullConversationHeadersOnly")]
    return _Session(key.removeprefix(_SESSION), data, [one for one in listed if one] or list(inline), inline)


def _digest(connection: sqlite3.Connection, session: _Session) -> str:
    """Of title, folder and messages as they are stored, so that a chat that stayed the same is not parsed."""
    digest = blake2b(digest_size=16)
    workspace = table(session.data, "workspaceIdentifier")
    about = [text(session.data, "name"), str(instant(session.data.get("createdAt")))]
    about += [text(workspace, "id"), text(table(workspace, "uri"), "fsPath"), *session.listed]
    for old in session.inline.values():
        about += [str(old.get("type") == _USER), str(_is_tool(old)), text(old, "text"), str(_time(old))]
    digest.update("\x1e".join(about).encode("utf-8", "replace"))
    for bubble in session.listed:
        query = "SELECT CAST(value AS BLOB) FROM cursorDiskKV WHERE key = ?"
        row = connection.execute(query, (f"bubbleId:{session.key}:{bubble}",)).fetchone()
        digest.update(b"\x1e" if row is None or row[0] is None else b"\x1f" + row[0])
    return digest.hexdigest()


def _bubbles(connection: sqlite3.Connection, session: _Session) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """The messages of a chat, (id, fields), in order."""
    for bubble in session.listed:
        found = _value(connection, f"bubbleId:{session.key}:{bubble}")
        if isinstance(found, dict) or bubble in session.inline:
            yield bubble, found if isinstance(found, dict) else session.inline[bubble]


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


def _conversation(
    session: _Session,
    bubbles: Iterator[tuple[str, Mapping[str, Any]]],
    scope: str,
    folder: str | None,
    parent: str | None,
) -> Conversation | Skipped:
    model = text(table(session.data, "modelConfig"), "modelName")
    messages: list[Message] = []
    answer: int | None = None
    for bubble_id, bubble in bubbles:
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
