"""Text that is being typed, kept on disk until it is stored, so that no crash takes it.

One file for each item, or for each new note; written as one types, removed when the text is stored or thrown away.
"""

import contextlib
import json
import os
from pathlib import Path
from typing import NamedTuple

from memhub import stamp
from memhub.paths import make_folder, state_folder


class Draft(NamedTuple):
    """`item` is None for a new note; `version` is the one that was being changed; `at` when, in Unix ms."""

    key: str
    item: str | None
    version: str
    title: str
    content: str
    at: int
    database: str


def folder() -> Path:
    """Where drafts are kept."""
    return make_folder(state_folder() / "tui-drafts")


def new_key() -> str:
    """A name for the draft of a new note."""
    return f"new-{stamp.now_ms()}-{os.getpid()}"


def keep(draft: Draft) -> None:
    """Write a draft, whole or not at all."""
    file = folder() / f"{draft.key}.json"
    part = file.with_suffix(".part")
    with open(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="utf-8") as out:
        json.dump(draft._asdict(), out, ensure_ascii=False)
    part.replace(file)


def forget(key: str) -> None:
    """Remove a draft."""
    (folder() / f"{key}.json").unlink(missing_ok=True)


def left(database: Path) -> list[Draft]:
    """Drafts for this database that were not stored, the newest first."""
    found = []
    for file in folder().glob("*.json"):
        with contextlib.suppress(ValueError, TypeError, OSError):
            draft = Draft(**json.loads(file.read_text("utf-8")))
            if draft.database == str(database):
                found.append(draft)
    return sorted(found, key=lambda draft: -draft.at)
