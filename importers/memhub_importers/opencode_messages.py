"""The messages of OpenCode, of all generations of its store, as they are kept here."""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from memhub.model import EMPTY
from memhub.model.record import Conversation, Skipped
from memhub.model.thread import Message
from memhub_importers.dialogue import attrs, conversation
from memhub_importers.values import entries, instant, table, text

SLUG = "opencode"
_DEFAULT_TITLE = re.compile(r"(?:New|Child) session(?: - .*)?", re.S)


class Session(NamedTuple):
    """What is known of a session beside its messages. `revert` = what was taken back; times as the store has them."""

    id: str
    title: str = ""
    folder: str = ""
    parent: str = ""
    revert: Mapping[str, Any] = EMPTY
    created: Any = None
    updated: Any = None


class Turn(NamedTuple):
    """One message: its fields, and its parts (id, fields) in order."""

    id: str
    data: Mapping[str, Any]
    parts: Sequence[tuple[str, Mapping[str, Any]]]


def from_parts(
    session: Session, scope: str, turns: Iterable[Turn], warnings: Sequence[str] = ()
) -> Conversation | Skipped:
    """A session of generation A or B: `turns` in order, their texts are parts of their own."""
    messages: list[Message] = []
    folder = session.folder
    for turn in turns:
        stop = text(session.revert, "partID")
        is_taken_back = bool(turn.id) and turn.id == text(session.revert, "messageID")
        if is_taken_back and not stop:
            break
        folder = folder or text(table(turn.data, "path"), "cwd")
        if message := _message(turn, stop if is_taken_back else ""):
            messages.append(message)
        if is_taken_back:
            break
    return _conversation(session._replace(folder=folder), scope, messages, warnings)


def from_rows(
    session: Session, scope: str, rows: Iterable[tuple[str, str, Any, Mapping[str, Any]]], warnings: Sequence[str] = ()
) -> Conversation | Skipped:
    """A session of generation C: (id, type, time, fields) of each message in order."""
    messages: list[Message] = []
    for key, kind, created, data in rows:
        if key and key == text(session.revert, "messageID"):
            break
        at = instant(table(data, "time").get("created")) or instant(created)
        if kind == "user":
            messages.append(Message(text(data, "text"), at=at, id=key))
        elif kind == "assistant":
            texts = [text(part, "text") for part in entries(data, "content") if text(part, "type") == "text"]
            used = attrs(text(table(data, "model"), "id"), text(data, "finish") == "stop")
            messages.append(Message(_joined(texts), "assistant", at=at, id=key, attrs=used))
    return _conversation(session, scope, messages, warnings)


def _message(turn: Turn, stop: str) -> Message | None:
    """The visible text of one message; None for a summary that shortened the session, and for other roles."""
    role = text(turn.data, "role")
    if role not in ("user", "assistant") or (role == "assistant" and turn.data.get("summary") is True):
        return None
    texts: list[str] = []
    for key, part in turn.parts:
        if stop and key == stop:
            break
        is_shown = part.get("synthetic") is not True and part.get("ignored") is not True
        if text(part, "type") == "text" and is_shown:
            texts.append(text(part, "text"))
    at = instant(table(turn.data, "time").get("created"))
    if role == "user":
        return Message(_joined(texts), at=at, id=turn.id)
    model = text(turn.data, "modelID") or text(table(turn.data, "model"), "modelID")
    return Message(_joined(texts), role, at=at, id=turn.id, attrs=attrs(model, text(turn.data, "finish") == "stop"))


def _joined(texts: Iterable[str]) -> str:
    return "\n\n".join(part for one in texts if (part := one.strip()))


def _conversation(
    session: Session, scope: str, messages: list[Message], warnings: Sequence[str]
) -> Conversation | Skipped:
    title = session.title.strip()
    return conversation(
        (SLUG, scope, session.id),
        messages,
        title=None if _DEFAULT_TITLE.fullmatch(title) else title,
        folder=session.folder,
        started_at=instant(session.created),
        ended_at=instant(session.updated),
        parent=session.parent if session.parent != session.id else None,
        warnings=warnings,
    )
