"""Reads one task of Cline or Roo Code: what the panel showed, else what was sent to the model."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from memhub.model.record import Skipped
from memhub.model.thread import Message
from memhub_importers.cline_api import asked, said
from memhub_importers.dialogue import attrs
from memhub_importers.jsonl import document
from memhub_importers.values import instant, text

PANEL = "ui_messages.json"
API = ("api_conversation_history.json", "claude_messages.json")
_RESULTS = ("completion_result", "plan_completion_result")
_QUESTIONS = {"followup": "question", "plan_mode_respond": "response"}
_CHANGED = "HAS_CHANGES"


def task_state(folder: Path) -> str:
    """What changes when a task goes on: time and size of its files."""
    states = []
    for name in (PANEL, *API):
        try:
            info = (folder / name).stat()
        except OSError:
            continue
        states.append(f"{info.st_mtime_ns}:{info.st_size}")
    return "|".join(states)


def task_messages(folder: Path, name: str, model: str = "") -> tuple[list[Message], list[Skipped]]:
    """The messages of a task, and what is damaged. `name` is what the task is called in `Skipped.where`.

    The panel's list is the best source. When it is not there, cut off, or holds no prompt, the model's is read.
    """
    damage: list[Skipped] = []
    for file, reader in ((PANEL, panel_messages), *((file, api_messages) for file in API)):
        path = folder / file
        if not path.is_file() or path.is_symlink():
            continue
        found = document(path, f"{name}/{file}")
        if isinstance(found, Skipped):
            damage.append(found)
        elif not isinstance(found, list):
            damage.append(Skipped(f"{name}/{file}", "no list of messages", failed=True))
        else:
            messages = list(reader(found, model))
            if any(message.role == "user" for message in messages):
                return messages, damage
    return [], damage


def replaced(damage: list[Skipped]) -> list[str]:
    """The warnings for a task that was read although a file of it is damaged."""
    return [f"{one.where}: {one.why}; read from the file beside it" for one in damage]


def panel_messages(shown: list[Any], model: str = "") -> Iterator[Message]:
    """What the panel showed: prompts, answers and questions. Older versions show the first prompt as plain `text`."""
    has_task = any(text(one, "say") == "task" for one in shown)
    is_begun = has_task
    for number, one in enumerate(shown, 1):
        content = text(one, "text").strip()
        kind = text(one, text(one, "type")) if text(one, "type") in ("say", "ask") else ""
        if not content or one.get("partial") is True:
            continue
        key = str(one["ts"]) if isinstance(one.get("ts"), int | float) else f"#{number}"
        at = instant(one.get("ts"))
        if text(one, "type") == "ask":
            if kind in _QUESTIONS:
                yield Message(_question(content, _QUESTIONS[kind]), "assistant", at=at, id=key, attrs=attrs(model))
        elif kind in ("task", "user_feedback") or (kind == "text" and not is_begun):
            is_begun = True
            yield Message(content, at=at, id=key)
        elif kind == "text":
            yield Message(content, "assistant", at=at, id=key, attrs=attrs(model))
        elif kind in _RESULTS:
            content = content.removesuffix(_CHANGED).strip()
            yield Message(content, "assistant", at=at, id=key, attrs=attrs(model, is_final=True))


def api_messages(sent: list[Any], model: str = "") -> Iterator[Message]:
    """What was sent to the model and came back; the summaries that shortened it, and their markers, are left out."""
    for number, one in enumerate(sent, 1):
        role = text(one, "role")
        if role not in ("user", "assistant") or one.get("isSummary") is True or one.get("isTruncationMarker") is True:
            continue
        key = str(one["ts"]) if isinstance(one.get("ts"), int | float) else f"#{number}"
        at = instant(one.get("ts"))
        if role == "user":
            yield Message(asked(one.get("content")), at=at, id=key)
        else:
            answer, is_result = said(one.get("content"))
            yield Message(answer, "assistant", at=at, id=key, attrs=attrs(model, is_result))


def _question(content: str, field: str) -> str:
    """The question in the JSON that an `ask` holds; older versions wrote it as it is."""
    try:
        value: Any = json.loads(content)
    except (ValueError, RecursionError):
        return content
    return text(value, field) if isinstance(value, Mapping) else content
