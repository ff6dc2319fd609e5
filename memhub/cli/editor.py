"""The user's editor on a terminal: refusing where there is none, and saying why nothing came back."""

from pathlib import Path
from typing import TYPE_CHECKING

from memhub.editor import Edited, edit, find_editor, new_draft
from memhub.errors import UsageError

if TYPE_CHECKING:
    from memhub.cli.session import Session


def need_terminal(session: "Session") -> None:
    """An editor without a terminal would hang or scribble into a pipe."""
    if not session.is_interactive:
        raise UsageError(
            "an editor needs a terminal",
            "`--content -` takes the new text from standard input, `--content TEXT` as it is",
        )


def in_editor(session: "Session", draft: Path, before: str, nothing: str) -> str | None:
    """What the user made of `before`; None when that is nothing, which is said in the words `nothing`, if any."""
    edited: Edited = edit(find_editor(session.config), draft, before)
    if edited.text is None and nothing:
        session.diagnostics.notice(nothing)
        for hint in edited.hints:
            session.diagnostics.hint(hint)
    return edited.text


def write_new(session: "Session") -> str | None:
    """A new text from the editor; None when nothing was written, which has been said then."""
    draft = new_draft()
    text = in_editor(session, draft, "", "nothing was written, so nothing was added")
    if text is None:
        return None
    draft.unlink(missing_ok=True)
    return text.strip("\n")
