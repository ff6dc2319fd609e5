"""`mh history`: every version of an item, newest first, with what changed word by word."""

from typing import TYPE_CHECKING, Any

from memhub.cli import options as opt
from memhub.cli import refs
from memhub.cli.app import Context, Listing, typer_app
from memhub.cli.output import as_record
from memhub.text.clean import ELLIPSIS

if TYPE_CHECKING:
    from memhub.cli.session import Session
    from memhub.model.trail import VersionInfo

app = typer_app()

_CONTEXT = 160  # characters of what stayed that are shown beside a change


@app.command(cls=Listing)
def history(ctx: Context, id: opt.Ref) -> None:
    """Show every version of an item and what changed.

    Newest first; words that went are [-like this-], words that came {+like this+}, or red and green on a terminal.
    """
    session = ctx.obj
    versions = session.memory.history(refs.resolve_one(session, id))
    by_hash = {version.hash: version for version in versions}
    session.output.things(
        versions, as_record, lambda version: version.hash if session.quiet else _text(session, version, by_hash)
    )


def _text(session: "Session", version: "VersionInfo", by_hash: dict[str, Any]) -> str:
    from memhub.cli.style import DIM, ID, paint
    from memhub.text.dates import show_time

    colour = session.output.colour
    name = paint(version.hash[:12], ID) if colour else version.hash[:12]
    about = f"{show_time(version.at, session.zone)}  {version.command}"
    head = f"{name}  {paint(about, DIM) if colour else about}{'  (latest)' if version.is_head else ''}"
    if version.erased or version.content is None:
        return f"{head}\n    (erased)\n"
    parent = next((by_hash[name] for name in version.parents if name in by_hash), None)
    body = _difference(parent and parent.content, version.content.rstrip("\n"), colour)
    if version.title or (parent and parent.title):
        body = f"title: {_difference((parent and parent.title) or '', version.title or '', colour)}\n{body}"
    return "\n".join([head, *(f"    {line}" for line in body.split("\n")), ""])


def _near(text: str, *, before: bool, after: bool) -> str:
    """What stayed as it is: a long piece is cut to what stands next to a change `before` or `after` it."""
    if len(text) <= 3 * _CONTEXT:
        return text
    start = f"{text[:_CONTEXT]} " if before else ""
    end = f" {text[-_CONTEXT:]}" if after else ""
    return f"{start}{ELLIPSIS}{end}"


def _difference(old: str | None, new: str, colour: bool) -> str:
    from memhub.cli.style import ADDED, REMOVED, paint
    from memhub.text.clean import terminal_safe
    from memhub.text.word_diff import compare

    if old is None:
        return terminal_safe(new)
    shown = []
    parts = compare(old.rstrip("\n"), new)
    if [part.change for part in parts] == ["same"] and len(new) > _CONTEXT:
        return "(the same text)"
    for number, part in enumerate(parts):
        text = terminal_safe(part.text)
        if part.change == "same":
            shown.append(_near(text, before=number > 0, after=number < len(parts) - 1))
        elif colour:
            style = ADDED if part.change == "added" else REMOVED
            shown.append("\n".join(paint(line, style) for line in text.split("\n")))
        else:
            shown.append(f"{{+{text}+}}" if part.change == "added" else f"[-{text}-]")
    return "".join(shown)
