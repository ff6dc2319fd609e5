"""Writing chosen items out, as `mh export --only` does; what is there already is written over when that is wanted."""

import asyncio
import os
import re
from pathlib import Path

from memhub import stamp
from memhub.errors import ConflictError
from memhub.export.save import save
from memhub.paths import without_tilde
from memhub.workspace import Memory
from memhub_tui.screens.base import MhScreen
from memhub_tui.screens.confirm import ConfirmScreen
from memhub_tui.screens.prompt import PromptScreen

_LINES = re.compile(r"\.(jsonl|ndjson)(\.gz)?$")


async def export(screen: MhScreen[None], ids: list[str]) -> None:
    """Ask for a path and write."""
    question = f"Write {len(ids):,} item{'' if len(ids) == 1 else 's'} into a folder as Markdown, or into a .jsonl file"
    answer = await screen.app.push_screen_wait(PromptScreen(question, f"mh-export-{stamp.iso(stamp.now_ms())[:10]}"))
    if not answer or not answer.strip():
        return
    path = without_tilde(answer.strip())
    is_lines, force = bool(_LINES.search(path.name)), False
    if await asyncio.to_thread(_holds_something, path):
        words = f"{path} is there already." if is_lines else f"{path} is there already; notes that are not chosen go."
        force = await may_write_over(screen, words)
        if not force:
            return
    try:
        told = await screen.backend.view.run(lambda memory: _write(memory, path, ids, is_lines, is_lines and force))
    except ConflictError as error:
        if not await may_write_over(screen, f"{error.message}."):
            return
        told = await screen.backend.view.run(lambda memory: _write(memory, path, ids, is_lines, True))
    screen.notify(told, markup=False)


def _write(memory: Memory, path: Path, ids: list[str], is_lines: bool, force: bool) -> str:
    present = [item.id for item in memory.get_many(ids) if item.state != "erased"]
    if is_lines:
        count = save(str(path), memory.export_lines(refs=present), force=force)
        return f"wrote {count:,} lines to {path}"
    done = memory.export_folder(path, refs=present, force=force)
    return f"wrote {done.written:,} files to {done.folder}" + (f", {done.removed:,} removed" if done.removed else "")


def _holds_something(path: Path) -> bool:
    return bool(os.listdir(path)) if path.is_dir() else path.exists()


async def may_write_over(screen: MhScreen[None], words: str) -> bool:
    """Ask whether what is there already may go."""
    answers = {"over": "Write over it", "no": "Leave it"}
    return await screen.app.push_screen_wait(ConfirmScreen(words, answers)) == "over"
