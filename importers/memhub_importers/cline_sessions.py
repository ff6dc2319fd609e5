"""Reads the sessions of Cline's new engine: a manifest and a list of messages in a folder of their own."""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from memhub.model.record import Conversation, Skipped
from memhub.model.thread import Message
from memhub_importers.cline_api import cut, without_noise
from memhub_importers.dialogue import attrs, conversation, marked
from memhub_importers.files import relative_name
from memhub_importers.jsonl import document
from memhub_importers.values import entries, instant, table, text

MESSAGES = ".messages.json"
_HIDDEN_ROLES = ("system", "status", "error")
_INPUT = re.compile(r"\s*<user_input(?:\s[^<>]*)?>(.*)</user_input>\s*", re.S)
_COMMAND = re.compile(r"""\s*<user_command\s[^<>]*?slash=["']?/?([^"'<>\s]+)["']?[^<>]*>(.*)</user_command>\s*""", re.S)


class SessionFile(NamedTuple):
    """One file of messages; `session` names it, `is_lead` tells the session itself from those of its sub-agents."""

    path: Path
    session: str
    is_lead: bool

    @property
    def manifest(self) -> Path:
        """The file with folder, model and title of the session."""
        return self.path.parent / f"{self.path.parent.name}.json"

    @property
    def state(self) -> str:
        """What changes when the session goes on."""
        states = []
        for file in (self.path, self.manifest):
            try:
                info = file.stat()
            except OSError:
                continue
            states.append(f"{info.st_mtime_ns}:{info.st_size}")
        return "|".join(states)


def session_files(folder: Path) -> Iterator[SessionFile]:
    """The files of messages in one session's folder, its own first."""
    try:
        files = sorted(file for file in folder.iterdir() if file.name.endswith(MESSAGES))
    except OSError:
        return
    own = folder.name + MESSAGES
    for file in sorted(files, key=lambda file: file.name != own):
        if file.is_file() and not file.is_symlink():
            name, is_own = file.name.removesuffix(MESSAGES), file.name == own
            yield SessionFile(file, relative_name(name if is_own else f"{folder.name}/{name}"), is_own)


def legacy_id(file: SessionFile) -> str:
    """The id that a session had as a task of the old engine, or nothing."""
    return text(table(_manifest(file), "metadata"), "legacyTask").strip()


def read_session(file: SessionFile, slug: str, scope: str) -> Conversation | Skipped:
    """One session, or why there is none. A sub-agent's carries the session that started it as `parent`."""
    data = document(file.path, f"{relative_name(file.path.parent.name)}/{relative_name(file.path.name)}")
    if isinstance(data, Skipped):
        return data
    manifest = _manifest(file)
    lead = relative_name(file.path.parent.name)
    session, parent = lead, None
    if not file.is_lead:
        session, parent = text(data, "sessionId").strip() or file.session, lead
    return conversation(
        (slug, scope, session),
        _messages(entries(data, "messages"), text(manifest, "model")),
        title=text(table(manifest, "metadata"), "title") if file.is_lead else None,
        folder=text(manifest, "cwd") or text(manifest, "workspace_root"),
        started_at=instant(manifest.get("started_at")),
        ended_at=instant(manifest.get("ended_at")),
        parent=parent if parent != session else None,
    )


def _manifest(file: SessionFile) -> Mapping[str, Any]:
    found = document(file.manifest) if file.manifest.is_file() else None
    return found if isinstance(found, dict) else {}


def _messages(sent: list[Any], model: str) -> list[Message]:
    has_wrappers = any(_unwrapped(one) is not None for message in sent for one in _texts(message) if _is_user(message))
    kept: list[Message | None] = []
    for message in sent:
        role, meta = text(message, "role"), table(message, "metadata")
        if role not in ("user", "assistant") or meta.get("displayOnly") is True:
            continue
        if text(meta, "displayRole") in _HIDDEN_ROLES or text(meta, "kind") == "compaction_summary":
            continue
        texts = _texts(message)
        if role == "user":
            texts = [_prompt(one, has_wrappers) for one in texts]
        content = "\n\n".join(part for one in texts if (part := one.strip()))
        if content:
            key, at = text(message, "id").strip() or None, instant(message.get("ts"))
            used = attrs(model) if role == "assistant" else {}
            kept.append(Message(content, role, at=at, id=key, attrs=used))
        if role == "assistant" and any(text(block, "type") == "tool_use" for block in entries(message, "content")):
            kept.append(None)
    return marked(kept)


def _is_user(message: Any) -> bool:
    return text(message, "role") == "user"


def _texts(message: Any) -> list[str]:
    if content := text(message, "content"):
        return [content]
    return [text(block, "text") for block in entries(message, "content") if text(block, "type") == "text"]


def _prompt(content: str, has_wrappers: bool) -> str:
    """A prompt as it was typed; nothing of a text of the engine's own, where prompts are wrapped."""
    found = _unwrapped(content)
    return without_noise(content) if found is None and not has_wrappers else without_noise(found or "")


def _unwrapped(content: str) -> str | None:
    content = without_noise(cut(content, "mode_notice"))
    if found := _INPUT.fullmatch(content):
        return found[1].strip()
    if found := _COMMAND.fullmatch(content):
        return f"/{found[1]} {found[2].strip()}".strip()
    return None
