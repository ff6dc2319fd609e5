"""ChatGPT: the export of a person's data, as a zip, a folder, or `conversations.json` by itself."""

import re
from collections.abc import Iterator, Mapping
from hashlib import blake2b
from pathlib import Path
from typing import Any

from memhub.errors import NotFoundError
from memhub.model import EMPTY
from memhub.model.record import Conversation, Cursor, Origin, Skipped
from memhub.model.thread import Message
from memhub_importers import chat_exports
from memhub_importers.chat_cursor import is_news, state_of
from memhub_importers.dialogue import attrs, conversation
from memhub_importers.values import entries, instant, table, text

SLUG = "chatgpt"
_MARKS = ("mapping", "current_node")
_SHOWN = ("text", "multimodal_text", "")
# A citation stands between two private-use characters; the space before it goes with it.
_CITATION = re.compile(" ?\ue200[^\ue200\ue201]*\ue201")


STDIN_ENDING = ".json"


def sniff(path: Path) -> bool:
    """Whether the first conversation in it is a tree of messages."""
    return chat_exports.is_export(path, _MARKS[:1])


def origin(path: Path) -> Origin:
    """One source: each export is the whole account under another file name."""
    return Origin(SLUG, SLUG)


def places(home: Path, environ: Mapping[str, str]) -> list[Path]:
    """None: an export lies where it was saved."""
    return []


def survey(path: Path) -> tuple[int, str]:
    """How many conversations there are, empty ones among them."""
    return chat_exports.count(path, "current_node"), "conversations"


def read(
    path: Path, *, scope: str = "", cursors: Mapping[str, str] = EMPTY
) -> Iterator[Conversation | Skipped | Cursor]:
    """The branch that is shown of each conversation, in file order; conversations as they were are passed over."""
    if not path.exists():
        raise NotFoundError(f"no file or folder `{path}`")
    for found in chat_exports.conversations(path, _MARKS):
        if isinstance(found, Skipped):
            yield found
            continue
        file, data = found
        if not isinstance(data.get("mapping"), dict):
            yield Skipped(f"{file}: {_name(data)}", "no messages in it: no `mapping`", failed=True)
            continue
        outcome = _conversation(data, scope or SLUG)
        name, state = _name(data), state_of(outcome, data.get("update_time"))
        if is_news(cursors.get(name), state):
            yield (
                outcome._replace(where=f"{file}: {text(data, 'title').strip() or name}")
                if isinstance(outcome, Skipped)
                else outcome
            )
            yield Cursor(name, state)


def _name(data: Mapping[str, Any]) -> str:
    """The id of a conversation; of one without, a hash of the ids in it, which stay as it grows."""
    if name := text(data, "conversation_id").strip() or text(data, "id").strip():
        return name
    first = next(iter(table(data, "mapping")), "")
    return "#" + blake2b(f"{first}\x1f{data.get('create_time')}".encode("utf-8", "replace"), digest_size=8).hexdigest()


def _conversation(data: Mapping[str, Any], scope: str) -> Conversation | Skipped:
    nodes = {key: node for key, node in table(data, "mapping").items() if isinstance(node, dict)}
    current = text(data, "current_node")
    warnings = []
    if current not in nodes:
        leaves = _leaves(nodes)
        current = max(leaves, key=lambda key: _age(nodes[key]), default="") if leaves else ""
        if len(leaves) > 1:
            warnings.append(f"{_name(data)}: which branch is shown is not said; the newest of {len(leaves)} was read")
    messages = (_message(key, table(nodes[key], "message")) for key in _branch(nodes, current))
    started, ended = instant(data.get("create_time")), instant(data.get("update_time"))
    if data.get("create_time") and started is None:
        warnings.append(f"{_name(data)}: the time `{str(data['create_time'])[:40]}` cannot be read")
    return conversation(
        (SLUG, scope, _name(data)),
        [message for message in messages if message is not None],
        title=text(data, "title"),
        started_at=started,
        ended_at=ended,
        warnings=warnings,
    )


def _leaves(nodes: Mapping[str, Any]) -> list[str]:
    """The nodes that are no other's parent and hold a message; all nodes where they form a circle."""
    parents = {text(node, "parent") for node in nodes.values()}
    return [key for key, node in nodes.items() if key not in parents and table(node, "message")]


def _age(node: Mapping[str, Any]) -> str:
    return instant(table(node, "message").get("create_time")) or ""


def _branch(nodes: Mapping[str, Any], current: str) -> list[str]:
    """The keys from the root to `current`."""
    found: dict[str, None] = {}
    while current in nodes and current not in found:
        found[current] = None
        current = text(nodes[current], "parent")
    return list(found)[::-1]


def _message(key: str, message: Mapping[str, Any]) -> Message | None:
    """What a person saw of one message; None for what is hidden, and for what went to or came from a tool."""
    role, meta, content = text(table(message, "author"), "role"), table(message, "metadata"), table(message, "content")
    if role not in ("user", "assistant") or (text(message, "recipient") or "all") != "all":
        return None
    if meta.get("is_visually_hidden_from_conversation") or text(content, "content_type") not in _SHOWN:
        return None
    parts = [_part(part) for part in entries(content, "parts")]
    words = "\n\n".join(part for part in parts if part) or text(content, "text").strip()
    used = attrs(text(meta, "model_slug"), message.get("end_turn") is True) if role == "assistant" else EMPTY
    at = instant(message.get("create_time"))
    return Message(words, role, at=at, id=text(message, "id").strip() or key.strip() or None, attrs=used)


def _part(part: Any) -> str:
    """A text as it is, and what was said aloud; pictures and files give nothing."""
    if isinstance(part, dict):
        return text(part, "text").strip() if text(part, "content_type") == "audio_transcription" else ""
    return _CITATION.sub("", text({"": part}, "")).strip()
