"""The user's own editor on an item: the screen makes way for it, and its text is never lost.

What the editor leaves is in a draft file until it is stored; when the item was changed meanwhile, or the editor fails,
the draft stays and its place is told.
"""

import asyncio
import os
import shlex
import shutil
import subprocess
from pathlib import Path

from textual.app import SuspendNotSupported

from memhub.config import Config
from memhub.errors import ConflictError, MhError, UsageError
from memhub.paths import drafts_folder, make_folder
from memhub_tui.screens.base import MhScreen


async def edit_outside(screen: MhScreen[None], identifier: str) -> None:
    """Edit the text of an item and store it as a new version, if it was changed."""
    item = await screen.backend.view.run(lambda memory: memory.get(identifier))
    words = editor(screen.mh.config)
    draft = await asyncio.to_thread(_write, f"{item.id}-{item.version[:12]}.md", item.content)
    try:
        with screen.app.suspend():
            code = subprocess.run([*words, str(draft)], check=False).returncode
    except SuspendNotSupported as error:
        raise MhError("an editor of your own needs a terminal", "e edits here") from error
    except OSError as error:
        raise MhError(f"cannot run the editor `{words[0]}`: {error.strerror}") from error
    if code:
        raise MhError(f"the editor ended with {code}; nothing was changed", f"what it saved is in {draft}")
    text = await asyncio.to_thread(draft.read_text, "utf-8")
    text = text.rstrip("\n")
    if text == item.content.rstrip("\n"):
        screen.notify(
            "Nothing was changed. An editor that opens a window needs its wait flag: `code --wait`.", markup=False
        )
        return
    try:
        await screen.save(lambda memory: memory.update(item.id, content=text, expect=item.version), "saved")
    except ConflictError as error:
        raise ConflictError(error.message, f"your text is kept in {draft}") from error
    draft.unlink(missing_ok=True)


def editor(config: Config) -> list[str]:
    """The command: the setting `editor`, else VISUAL, else EDITOR, else nano or vi."""
    for command in (config.text("editor"), os.environ.get("VISUAL", ""), os.environ.get("EDITOR", "")):
        if command.strip():
            return shlex.split(command)
    for name in ("nano", "vi"):
        if shutil.which(name):
            return [name]
    raise UsageError("no editor found", "set EDITOR, or the setting `editor`")


def _write(name: str, text: str) -> Path:
    draft = make_folder(drafts_folder()) / name
    with open(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="utf-8", newline="\n") as out:
        out.write(text)
    return draft
