"""`mh persona`: what mh believes about the owner of the notes, and from what."""

from typing import TYPE_CHECKING, Annotated, Literal

import typer

from memhub.cli import output, refs
from memhub.cli.app import Context, Listing, typer_app
from memhub.cli.output import as_record
from memhub.errors import UsageError

if TYPE_CHECKING:
    from memhub.cli.session import Session
    from memhub.model.digested import PersonaLine
    from memhub.model.item import Item

app = typer_app()

_DONE = {"pin": "pinned", "unpin": "unpinned", "correct": "corrected", "ban": "banned", "allow": "allowed"}


@app.command(cls=Listing)
def persona(
    ctx: Context,
    action: Annotated[
        Literal["list", "pin", "unpin", "correct", "ban", "allow"] | None,
        typer.Argument(metavar="[list|pin|unpin|correct|ban|allow]", help="What to do.", show_default=False),
    ] = None,
    ids: Annotated[list[str] | None, typer.Argument(metavar="[ID...]", help="Lines, or - for stdin.")] = None,
    text: Annotated[str | None, typer.Option("--text", metavar="TEXT", help="With correct: what is right.")] = None,
    banned: Annotated[bool, typer.Option("--banned", help="List what was banned.")] = False,
) -> None:
    """Show what mh believes about you; pin, correct or ban it.

    Lines come from your profile and from mh digest; mh why shows what speaks for one. What is banned stays away, what
    is pinned or corrected stays as it is, whatever later digests find.
    """
    session = ctx.obj
    if action in (None, "list"):
        if ids or text is not None:
            raise UsageError("`mh persona list` takes no ids", "`mh persona pin`, correct, ban or allow do")
        _list(session, banned)
        return
    if banned or (text is not None) != (action == "correct"):
        raise UsageError(
            "`correct` needs `--text`" if action == "correct" else f"`{action}` takes ids alone",
            "`mh persona correct ID --text 'I live in Porto'`",
        )
    if not ids:
        raise UsageError(f"`mh persona {action}` needs an id", "`mh persona` shows them")
    assert action is not None
    output.changed(session, _DONE[action], _change(session, action, refs.resolve(session, ids), text or ""))


def _change(session: "Session", action: str, ids: list[str], text: str) -> "list[Item]":
    memory = session.memory
    if action in ("pin", "unpin"):
        return list(memory.persona_pin(ids, pinned=action == "pin"))
    if action == "correct":
        if len(ids) != 1:
            raise UsageError("one line is corrected at a time")
        return [memory.persona_correct(ids[0], text)]
    return list(memory.persona_ban(ids) if action == "ban" else memory.persona_allow(ids))


def _list(session: "Session", banned: bool) -> None:
    found = session.memory.persona(banned=banned)
    refs.remember(session, [line.item for line in found])
    is_text = session.format == "text" and not session.quiet
    short = session.memory.suffix([line.item for line in found]) if found and is_text else {}
    width = max((len(line.domain) for line in found), default=0)
    session.output.things(
        found, as_record, lambda line: line.item if session.quiet else _shown(session, line, short, width)
    )
    if not found:
        session.diagnostics.notice("nothing was banned" if banned else "nothing is believed yet; `mh digest` looks")


def _shown(session: "Session", line: "PersonaLine", short: dict[str, str], width: int) -> str:
    from memhub.cli.lines import Row, counted
    from memhub.text.dates import show_time

    since = show_time(line.since, session.zone)[:10] if line.since else ""
    marks = [*(["pinned"] if line.pinned else []), *(["corrected"] if line.corrected else []), *line.flags]
    facts = [f"since {since}" if since else "", f"from {counted(len(line.evidence), 'item')}", *marks]
    more = ", ".join(fact for fact in facts if fact)
    return Row(session).id(short[line.item]).part(line.domain, width=width).words(line.text, f"({more})")
