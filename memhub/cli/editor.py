"""The user's editor: finding it, running it on a draft, and never losing what was typed there.

Drafts lie in the state folder. One is removed as soon as its text is stored or nothing was typed; it stays, and its
place is told, when the editor fails, when the item changed meanwhile, and when the editor came back so fast that it
may still be open in a window.
"""

import os
import shlex
import shutil
import subprocess
import time
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from memhub import stamp
from memhub.errors import MhError, UsageError
from memhub.paths import drafts_folder, make_folder

if TYPE_CHECKING:
    from memhub.cli.session import Session

_FAST = 2.0  # seconds; nobody opens, reads and closes an editor in less
_WINDOWED = {"code": "--wait", "codium": "--wait", "cursor": "--wait", "zed": "--wait", "subl": "--wait",
             "atom": "--wait", "mate": "--wait", "gedit": "--wait", "gvim": "--nofork", "kate": "--block"}  # fmt: skip


class Edited(NamedTuple):
    """What came back: the text, and whether the editor returned too fast for anyone to have typed."""

    text: str
    at_once: bool


class Editor(NamedTuple):
    """The command to run and the place its name came from."""

    words: list[str]
    origin: str


def need_terminal(session: "Session") -> None:
    """An editor without a terminal would hang or scribble into a pipe."""
    if not session.is_interactive:
        raise UsageError(
            "an editor needs a terminal",
            "`--content -` takes the new text from standard input, `--content TEXT` as it is",
        )


def find_editor(session: "Session") -> Editor:
    """The setting `editor`, else VISUAL, else EDITOR, else nano or vi when they are there."""
    setting = session.config.find("editor")
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


def write_new(session: "Session") -> str | None:
    """A new text from the editor; None when nothing was written, which has been said then."""
    draft = drafts_folder() / f"new-{stamp.iso(stamp.now_ms()).replace(':', '')}-{os.getpid()}.md"
    edited = edit_file(session, draft, "")
    if edited.text.strip():
        draft.unlink(missing_ok=True)
        return edited.text.strip("\n")
    unchanged(session, draft, edited, "nothing was written, so nothing was added")
    return None


def edit_file(session: "Session", draft: Path, text: str) -> Edited:
    """Run the editor on `draft`, which holds `text` at first, and read what is there afterwards."""
    editor = find_editor(session)
    make_folder(draft.parent)
    with open(
        os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="utf-8", newline="\n"
    ) as file:
        file.write(text)
    started = time.monotonic()
    try:
        code = subprocess.run([*editor.words, str(draft)], check=False).returncode
    except OSError as error:
        draft.unlink(missing_ok=True)
        reason = error.strerror or "it is no program"
        raise UsageError(
            f"cannot run the editor `{editor.words[0]}` from {editor.origin}: {reason}",
            "set EDITOR, or the setting `editor`, to the command of your editor",
        ) from error
    took = time.monotonic() - started
    after = _read(draft)
    if code != 0:
        if after in (None, text):
            draft.unlink(missing_ok=True)
            raise MhError(f"the editor `{editor.words[0]}` failed ({_how(code)}); nothing was changed")
        raise MhError(
            f"the editor `{editor.words[0]}` failed ({_how(code)}); nothing was changed",
            f"what was typed is kept in {draft}",
        )
    return Edited(text if after is None else after, took < _FAST)


def unchanged(session: "Session", draft: Path, edited: Edited, words: str) -> None:
    """Say that nothing happened; an editor that was suspiciously fast keeps its draft and gets a word on why."""
    session.diagnostics.notice(words)
    if not edited.at_once:
        draft.unlink(missing_ok=True)
        return
    editor = find_editor(session)
    name = Path(editor.words[0]).name
    flag = _WINDOWED.get(name)
    examples = f"`{name} {flag}`" if flag else "`code --wait`, `subl --wait`, `gedit --wait`, `gvim --nofork`"
    session.diagnostics.hint(
        f"the editor came back at once; one that opens a window needs its wait flag in EDITOR, such as {examples}"
    )
    session.diagnostics.hint(f"what it still saves is kept in {draft}")


def item_draft(item_id: str, version: str) -> Path:
    """The draft of one version of an item."""
    return drafts_folder() / f"{item_id}-{version[:12]}.md"


def read_draft(draft: Path) -> str | None:
    """The text of a draft that was kept, or None."""
    return _read(draft)


def _read(draft: Path) -> str | None:
    from memhub.cli.read_input import decode

    try:
        return decode(draft.read_bytes())
    except OSError:
        return None


def _how(code: int) -> str:
    return f"exit code {code}" if code > 0 else f"ended by signal {-code}"
