"""Writes one conversation for people: Markdown with a heading, what is known about it, and a section for each turn."""

import re
from collections.abc import Callable

from memhub.model.item import Item
from memhub.model.thread import Thread
from memhub.text.clean import one_line

_FENCE = re.compile(r"^[ \t]{0,3}(`{3,}|~{3,})", re.MULTILINE)


def thread_markdown(thread: Thread, show_time: Callable[[str | None], str]) -> str:
    """The whole text, ended by a newline. `show_time` turns an instant into what the reader's clock shows.

    What a turn says stands as it is; a code block that it leaves open is closed, so that the next heading is one.
    """
    people = ", ".join(one_line(who.name or who.id or "") for who in thread.participants)
    facts = {
        "Platform": thread.platform, "Chat": thread.chat_name, "With": people, "Bot": thread.bot_name,
        "Folder": thread.folder, "Project": thread.project, "From": show_time(thread.started_at),
        "To": show_time(thread.updated_at), "Turns": str(thread.length), "Id": thread.id,
    }  # fmt: skip
    head = [
        f"# {one_line(thread.title)}",
        "",
        *(f"- {name}: {one_line(value)}" for name, value in facts.items() if value),
    ]
    sections = [f"\n## {_said_by(turn, show_time)}\n\n{_closed(turn.content.strip(chr(10)))}" for turn in thread.turns]
    return "\n".join([*head, *sections]) + "\n"


def speaker_of(turn: Item) -> str:
    """Who said a turn: the name that was shown, else the role."""
    speaker = turn.attrs.get("speaker") or turn.attrs.get("role") or turn.kind
    return one_line(str(speaker))


def _said_by(turn: Item, show_time: Callable[[str | None], str]) -> str:
    role = str(turn.attrs.get("role") or "")
    speaker = speaker_of(turn)
    who = speaker if not role or role == speaker else f"{speaker} ({role})"
    return " · ".join(part for part in (who, show_time(turn.created_at)) if part)


def _closed(text: str) -> str:
    """The text with an open code fence closed."""
    opened = ""
    for mark in _FENCE.findall(text):
        if not opened:
            opened = mark
        elif mark[0] == opened[0] and len(mark) >= len(opened):
            opened = ""
    return f"{text}\n{opened}" if opened else text
