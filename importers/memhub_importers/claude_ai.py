"""Claude.ai: the export of a person's data, as a zip, a folder, or `conversations.json` by itself."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from memhub.errors import NotFoundError
from memhub.model import EMPTY
from memhub.model.record import Conversation, Cursor, Origin, Skipped
from memhub.model.thread import Message
from memhub_importers import chat_exports
from memhub_importers.chat_cursor import is_news, state_of
from memhub_importers.dialogue import conversation, marked
from memhub_importers.values import entries, instant, text

SLUG = "claude-ai"
_MARKS = ("chat_messages",)
_ROLES = {"human": "user", "assistant": "assistant"}


STDIN_ENDING = ".json"


def sniff(path: Path) -> bool:
    """Whether the first conversation in it is a list of messages as Claude.ai writes it."""
    return chat_exports.is_export(path, _MARKS)


def origin(path: Path) -> Origin:
    """One source: each export is the whole account under another file name."""
    return Origin(SLUG, SLUG)


def places(home: Path, environ: Mapping[str, str]) -> list[Path]:
    """None: an export lies where it was saved."""
    return []


def survey(path: Path) -> tuple[int, str]:
    """How many conversations there are, empty ones among them."""
    return chat_exports.count(path, _MARKS[0]), "conversations"


def read(
    path: Path, *, scope: str = "", cursors: Mapping[str, str] = EMPTY
) -> Iterator[Conversation | Skipped | Cursor]:
    """The conversations in file order; those as they were are passed over."""
    if not path.exists():
        raise NotFoundError(f"no file or folder `{path}`")
    for found in chat_exports.conversations(path, _MARKS):
        if isinstance(found, Skipped):
            yield found
            continue
        file, data = found
        name = text(data, "uuid").strip()
        if not name or not isinstance(data.get("chat_messages"), list):
            what = "no `chat_messages`" if name else "no `uuid`"
            yield Skipped(
                f"{file}: {text(data, 'name').strip() or name or '?'}", f"no conversation: {what}", failed=True
            )
            continue
        outcome = _conversation(name, data, scope or SLUG)
        state = state_of(outcome, data.get("updated_at"))
        if is_news(cursors.get(name), state):
            where = f"{file}: {text(data, 'name').strip() or name}"
            yield outcome._replace(where=where) if isinstance(outcome, Skipped) else outcome
            yield Cursor(name, state)


def _conversation(name: str, data: Mapping[str, Any], scope: str) -> Conversation | Skipped:
    messages = (_message(one) for one in _live([one for one in data["chat_messages"] if isinstance(one, dict)]))
    return conversation(
        (SLUG, scope, name),
        marked([message for message in messages if message is not None]),
        title=text(data, "name"),
        started_at=instant(data.get("created_at")),
        ended_at=instant(data.get("updated_at")),
    )


def _message(message: Mapping[str, Any]) -> Message | None:
    """The text blocks of a message; its `text` only without them: there a call of a tool leaves a filler."""
    role = _ROLES.get(text(message, "sender"))
    if role is None:
        return None
    blocks = [text(block, "text").strip() for block in entries(message, "content") if text(block, "type") == "text"]
    content = "\n\n".join(block for block in blocks if block) if blocks else text(message, "text").strip()
    return Message(content, role, at=instant(message.get("created_at")), id=text(message, "uuid").strip() or None)


def _live(messages: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The messages without those that were edited or asked for again: of several with one parent the last one counts.

    Only where the parents make a tree: each answer has a message of this conversation for a parent.
    """
    ids = {text(one, "uuid") for one in messages}
    parents = [text(one, "parent_message_uuid") for one in messages]
    answers = [parent for one, parent in zip(messages, parents, strict=True) if text(one, "sender") == "assistant"]
    if not all(parents) or not all(parent in ids for parent in answers):
        return messages
    last = {(parent, text(one, "sender")): text(one, "uuid") for one, parent in zip(messages, parents, strict=True)}
    dead: set[str] = set()
    kept = []
    for one, parent in zip(messages, parents, strict=True):
        if parent in dead or last[parent, text(one, "sender")] != text(one, "uuid"):
            dead.add(text(one, "uuid"))
        else:
            kept.append(one)
    return kept
