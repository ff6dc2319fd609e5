"""The user's editor: finding it, running it on a draft, and never losing what was typed there.

Drafts lie in the state folder. One is removed as soon as its text is stored or nothing was typed; it stays, and its
place is told, when the editor fails, when the text cannot be stored, and when the editor came back so fast that it may
still be open in a window.
"""

import os
import shlex
import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from memhub import stamp
from memhub.config import Config
from memhub.errors import MhError, UsageError
from memhub.paths import drafts_folder, make_folder
from memhub.text.decode import decode

_FAST = 2.0  # seconds; nobody opens, reads and closes an editor in less
_WINDOWED = {"code": "--wait", "codium": "--wait", "cursor": "--wait", "zed": "--wait", "subl": "--wait",
             "atom": "--wait", "mate": "--wait", "gedit": "--wait", "gvim": "--nofork", "kate": "--block"}  # fmt: skip


class Edited(NamedTuple):
    """What came back. `text` is None when nothing is to be stored; `hints` say why, if that may be a surprise."""

    text: str | None
    hints: tuple[str, ...] = ()


class Editor(NamedTuple):
    """The command to run and the place its name came from."""

    words: list[str]
    origin: str


def find_editor(config: Config) -> Editor:
    """The setting `editor`, else VISUAL, else EDITOR, else nano or vi when they are there."""
    setting = config.find("editor")
    given = [(str(setting.value), f"the setting `editor` ({setting.origin})")]
    given += [(os.environ.get(name, ""), name) for name in ("VISUAL", "EDITOR")]
    for command, origin in given:
        if command.strip():
            try:
                return Editor(shlex.split(command), origin)
            except ValueError as error:
                raise UsageError(f"cannot read the editor command `{command}` from {origin}: {error}") from error
    for name in ("nano", "vi"):
        if shutil.which(name):
            return Editor([name], "the programs installed")
    raise UsageError("no editor found", "set EDITOR, or the setting `editor`, to the command of your editor")


def edit(editor: Editor, draft: Path, before: str) -> Edited:
    """Let the user change `before`, or what an earlier time left in `draft`.

    The draft is still there when a text comes back: `stored` removes it. Raises `MhError` when the editor fails; what
    was typed by then is kept.
    """
    kept = _read(draft)
    shown = kept if kept is not None and kept.strip() else before
    started = time.monotonic()
    after = _run(editor, draft, shown)
    at_once = time.monotonic() - started < _FAST
    if after.strip() and after.strip() != before.strip() and not (at_once and after == shown):
        return Edited(after)
    if not at_once:
        draft.unlink(missing_ok=True)
        return Edited(None)
    return Edited(None, _at_once(editor, draft))


@contextmanager
def stored(draft: Path) -> Iterator[None]:
    """Around what stores the text of a draft: afterwards the draft is gone; a failure says that it is kept."""
    try:
        yield
    except MhError as error:
        kept = f"what was typed is kept in {draft}"
        error.hint = f"{error.hint}; {kept}" if error.hint else kept
        raise
    draft.unlink(missing_ok=True)


def new_draft() -> Path:
    """The draft of a new note."""
    return drafts_folder() / f"new-{stamp.iso(stamp.now_ms()).replace(':', '')}-{os.getpid()}.md"


def item_draft(item_id: str, version: str) -> Path:
    """The draft of one version of an item."""
    return drafts_folder() / f"{item_id}-{version[:12]}.md"


def is_kept(draft: Path, before: str) -> bool:
    """Whether an earlier time left something else in it than `before`."""
    text = _read(draft)
    return text is not None and bool(text.strip()) and text != before


def _run(editor: Editor, draft: Path, text: str) -> str:
    """What is in the draft after the editor was there; `text` when the draft has vanished."""
    make_folder(draft.parent)
    with open(
        os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="utf-8", newline="\n"
    ) as file:
        file.write(text)
    try:
        code = subprocess.run([*editor.words, str(draft)], check=False).returncode
    except OSError as error:
        draft.unlink(missing_ok=True)
        reason = error.strerror or "it is no program"
        raise UsageError(
            f"cannot run the editor `{editor.words[0]}` from {editor.origin}: {reason}",
            "set EDITOR, or the setting `editor`, to the command of your editor",
        ) from error
    after = _read(draft)
    if code == 0:
        return text if after is None else after
    how = f"exit code {code}" if code > 0 else f"ended by signal {-code}"
    is_typed = after not in (None, text)
    if not is_typed:
        draft.unlink(missing_ok=True)
    raise MhError(
        f"the editor `{editor.words[0]}` failed ({how}); nothing was changed",
        f"what was typed is kept in {draft}" if is_typed else None,
    )


def _at_once(editor: Editor, draft: Path) -> tuple[str, ...]:
    name = Path(editor.words[0]).name
    flag = _WINDOWED.get(name)
    examples = f"`{name} {flag}`" if flag else "`code --wait`, `subl --wait`, `gedit --wait`, `gvim --nofork`"
    return (
        f"the editor came back at once; one that opens a window needs its wait flag in EDITOR, such as {examples}",
        f"what it still saves is kept in {draft}",
    )


def _read(draft: Path) -> str | None:
    try:
        return decode(draft.read_bytes())
    except OSError:
        return None
