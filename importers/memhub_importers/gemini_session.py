"""One recorded session of Gemini CLI: a document, or a log of operations that is replayed."""

from collections.abc import Iterable, Mapping
from typing import Any

from memhub.model.record import Conversation, Skipped
from memhub.model.thread import Message
from memhub_importers import dialogue
from memhub_importers.values import entries, instant, table, text

KIND = "gemini-cli"
_NOT_SAID = ("/", "?", "<session_context>", "<hook_context>")


class Recording:
    """The state that the records of a file lead to: what is known of the session, and its messages in order.

    A rewind to an id that is not there takes all messages away, as the tool does it; not so when a line before it could
    not be read (`is_damaged`), for then the id may have been in that line.
    """

    def __init__(self) -> None:
        self.is_damaged = False
        self.meta: dict[str, Any] = {}
        self._messages: dict[str, Mapping[str, Any]] = {}

    @property
    def id(self) -> str:
        """The id of the session, or nothing."""
        return text(self.meta, "sessionId").strip()

    @property
    def updated(self) -> str:
        """When it was last changed, ISO 8601, or nothing."""
        return instant(self.meta.get("lastUpdated")) or ""

    @property
    def has_prompt(self) -> bool:
        """Whether anybody said anything in it."""
        return any(message and message.role == "user" for message in self._said())

    def add(self, record: Mapping[str, Any]) -> None:
        """Takes in the next record; whatever its fields hold. A whole document is one record."""
        if "$rewindTo" in record:
            self._rewind(text(record, "$rewindTo"))
        elif "$set" in record:
            self._set(table(record, "$set"))
        elif "sessionId" in record or ("messages" in record and "id" not in record):
            self._set(record)
        elif id := text(record, "id"):
            self._messages[id] = record  # one that was there keeps its place

    def conversation(self, id: str, scope: str, *, folder: str, parent: str = "") -> Conversation | Skipped:
        """The thread."""
        folders = [folder for folder in entries(self.meta, "directories") if isinstance(folder, str)]
        return dialogue.conversation(
            (KIND, scope, id),
            dialogue.marked(list(self._said())),
            title=text(self.meta, "summary"),
            folder=folder or (text({"": folders[0]}, "") if folders else ""),
            started_at=instant(self.meta.get("startTime")),
            ended_at=self.updated or None,
            parent=parent,
        )

    def _said(self) -> Iterable[Message | None]:
        """The turns; None where tools were called."""
        for id, message in self._messages.items():
            kind, at = text(message, "type"), instant(message.get("timestamp"))
            if kind == "user":
                content = _content(message.get("displayContent")) or _content(message.get("content"))
                if content and not content.startswith(_NOT_SAID):
                    yield Message(content, at=at, id=id)
            elif kind == "gemini":
                if content := _content(message.get("content")):
                    yield Message(content, "assistant", at=at, id=id, attrs=dialogue.attrs(text(message, "model")))
                if entries(message, "toolCalls"):
                    yield None

    def _rewind(self, id: str) -> None:
        if self.is_damaged and id not in self._messages:
            return
        ids = list(self._messages)
        for gone in ids[ids.index(id) if id in self._messages else 0 :]:
            del self._messages[gone]

    def _set(self, fields: Mapping[str, Any]) -> None:
        self.meta |= {key: value for key, value in fields.items() if key != "messages"}
        if isinstance(fields.get("messages"), list):
            self._messages = {
                text(message, "id") or f"#{number}": message
                for number, message in enumerate(entries(fields, "messages"), 1)
                if isinstance(message, dict)
            }


def _content(content: Any) -> str:
    """The text of a message: a string, a part, or parts, which follow each other without anything between."""
    parts = content if isinstance(content, list) else [content]
    said = (text({"text": part}, "text") if isinstance(part, str) else _part(part) for part in parts)
    return "".join(said).strip()


def _part(part: Any) -> str:
    """The text of a part; a thought is none."""
    return "" if isinstance(part, dict) and part.get("thought") else text(part, "text")
