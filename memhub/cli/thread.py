"""`mh thread`: conversations and their turns."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from memhub.cli import options as opt
from memhub.cli import refs
from memhub.cli.app import Context, Listing, Thing, typer_app
from memhub.cli.output import item_to_json

if TYPE_CHECKING:
    from memhub.cli.session import Session
    from memhub.model.item import Item
    from memhub.model.thread import Thread

app = typer_app("List and show conversations.")


@app.command("list", cls=Listing)
def list_threads(
    ctx: Context,
    project: opt.Project = None,
    here: opt.Here = False,
    since: opt.Since = None,
    until: opt.Until = None,
    limit: opt.Limit = None,
    offset: opt.Offset = 0,
) -> None:
    """List conversations, newest first."""
    session = ctx.obj
    filters = opt.make_filters(session, project=project, here=here, since=since, until=until)
    count = opt.limit(limit, session.config.number("list.limit"))
    found = session.memory.threads(filters, limit=count, offset=opt.offset(offset))
    refs.remember(session, [thread.id for thread in found])
    short = session.memory.suffix([thread.id for thread in found]) if found else {}
    session.output.things(found, thread_to_json, lambda thread: _line(session, thread, short[thread.id]))
    if not found:
        session.diagnostics.notice("no conversations to list")


@app.command("show", cls=Thing)
def show(
    ctx: Context, id: Annotated[str, typer.Argument(metavar="ID", help="Thread: id, its last letters or @1.")]
) -> None:
    """Show a conversation turn by turn."""
    session = ctx.obj
    thread = session.memory.thread(refs.resolve_one(session, id))
    session.output.thing(
        thread,
        lambda one: thread_to_json(one) | {"turns": [item_to_json(turn) for turn in one.turns]},
        lambda one: _full(session, one),
    )


def thread_to_json(thread: "Thread") -> dict[str, Any]:
    """The keys of a thread, in their order."""
    return {
        "id": thread.id,
        "title": thread.title,
        "platform": thread.platform,
        "chat_type": thread.chat_type,
        "chat_name": thread.chat_name,
        "bot_name": thread.bot_name,
        "participants": [speaker._asdict() for speaker in thread.participants],
        "space": thread.space,
        "project": thread.project,
        "started_at": thread.started_at,
        "updated_at": thread.updated_at,
        "length": thread.length,
    }


def _line(session: "Session", thread: "Thread", short: str) -> str:
    from memhub.cli.style import DIM, ID, paint
    from memhub.text.clean import fit, one_line, terminal_safe
    from memhub.text.dates import show_time

    if session.quiet:
        return thread.id
    colour = session.output.colour
    day = show_time(thread.started_at, session.zone)[:10].ljust(10)
    where = f" ({thread.platform})" if thread.platform else ""
    turns = f"{thread.length} turn{'' if thread.length == 1 else 's'}"
    text = f"{one_line(terminal_safe(thread.title + where))}  {turns}"
    if session.output.columns is not None:
        text = fit(text, max(session.output.columns - len(short) - 14, 10))
    return f"{paint(short, ID) if colour else short}  {paint(day, DIM) if colour else day}  {text}"


def _full(session: "Session", thread: "Thread") -> str:
    from memhub.cli.style import BOLD, paint
    from memhub.text.clean import one_line, terminal_safe

    title = one_line(terminal_safe(thread.title))
    head = paint(title, BOLD) if session.output.colour else title
    people = ", ".join(one_line(terminal_safe(who.name or who.id or "")) for who in thread.participants)
    lines = [thread.id, head, *([people] if people else []), ""]
    for turn in thread.turns:
        lines += [_turn_head(session, turn), terminal_safe(turn.content).rstrip("\n"), ""]
    return "\n".join(lines).rstrip("\n")


def _turn_head(session: "Session", turn: "Item") -> str:
    from memhub.cli.style import DIM, paint
    from memhub.text.clean import one_line, terminal_safe
    from memhub.text.dates import show_time

    speaker = turn.attrs.get("speaker") or turn.attrs.get("role") or turn.kind
    name = speaker.get("name") if isinstance(speaker, dict) else speaker
    words = f"{one_line(terminal_safe(str(name or '')))}  {show_time(turn.created_at, session.zone)}".strip()
    return paint(words, DIM) if session.output.colour else words
