"""`mh thread`: conversations and their turns."""

from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from memhub.cli import options as opt
from memhub.cli import refs
from memhub.cli.app import Context, Listing, Plain, Thing, typer_app
from memhub.cli.output import hit_to_json, item_to_json
from memhub.errors import UsageError

if TYPE_CHECKING:
    from memhub.cli.session import Session
    from memhub.model.item import Item
    from memhub.model.thread import Thread, ThreadHits

app = typer_app("List, show, search, remove and export conversations.")

_SHOWN = 3  # turns of a conversation that a search shows; the rest is counted
Platform = Annotated[
    str | None, typer.Option("--platform", metavar="NAME", help="Of this platform or tool: telegram, codex.")
]
Id = Annotated[str, typer.Argument(metavar="ID", help="Thread: id, its last letters or @1.")]


@app.command("list", cls=Listing)
def list_threads(
    ctx: Context,
    platform: Platform = None,
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
    found = session.memory.threads(filters, platform=platform, limit=count, offset=opt.offset(offset))
    refs.remember(session, [thread.id for thread in found])
    short = _short(session, found)
    session.output.things(found, thread_to_json, lambda thread: _line(session, thread, short[thread.id]))
    opt.tell_undated(session, filters, threads=True, platform=platform)
    if not found:
        session.diagnostics.notice("no conversations to list")


@app.command("show", cls=Thing)
def show(ctx: Context, id: Id) -> None:
    """Show a conversation turn by turn."""
    session = ctx.obj
    thread = session.memory.thread(refs.resolve_one(session, id))
    session.output.thing(thread, _with_turns, lambda one: _full(session, one))


@app.command("search", cls=Listing)
def search(
    ctx: Context,
    query: Annotated[list[str], typer.Argument(metavar="QUERY...", help="What to look for.")],
    exact: Annotated[bool, typer.Option("--exact", "-e", help="Turns that hold the query letter by letter.")] = False,
    platform: Platform = None,
    project: opt.Project = None,
    here: opt.Here = False,
    since: opt.Since = None,
    until: opt.Until = None,
    limit: opt.Limit = None,
) -> None:
    """Find conversations by what was said in them.

    Each is shown with the turns that were found, the best first.
    """
    session = ctx.obj
    text = " ".join(query)
    if not text.strip():
        raise UsageError("nothing to search for", "`mh thread list` shows what is there")
    filters = opt.make_filters(session, project=project, here=here, since=since, until=until)
    found = session.memory.thread_search(
        text,
        filters,
        platform=platform,
        mode=session.config.text("search.mode"),
        exact=exact,
        limit=opt.limit(limit, session.config.number("search.limit")),
    )
    for notice in found.notices:
        session.diagnostics.notice(notice)
    refs.remember(session, [one.thread.id for one in found.threads])
    short = _short(session, [one.thread for one in found.threads])
    session.output.things(found.threads, _hits_to_json, lambda one: _found(session, one, short[one.thread.id]))
    opt.tell_undated(session, filters._replace(layers=("L0",)))
    if not found.threads and not found.notices:
        session.diagnostics.notice("nothing found")


@app.command("rm", cls=Listing)
def remove(
    ctx: Context,
    ids: Annotated[
        list[str], typer.Argument(metavar="ID...", help="Threads: id, its last letters, @1 or - for stdin.")
    ],
) -> None:
    """Remove conversations with all their turns.

    mh undo brings them back. A later import of the same conversation leaves it out.
    """
    session = ctx.obj
    wanted = refs.resolve(session, ids)
    found = session.memory.thread_drop(wanted) if wanted else []
    short = _short(session, found)
    session.output.things(
        found, thread_to_json, lambda one: _line(session, one, short[one.id], "" if session.quiet else "removed ")
    )


@app.command("export", cls=Plain)
def export(
    ctx: Context,
    id: Id,
    file: Annotated[str | None, typer.Argument(metavar="[FILE]", help="Where to write; stdout if not given.")] = None,
    format: Annotated[
        Literal["markdown", "json"] | None,
        typer.Option("--format", help="markdown or json; by the name of FILE, else markdown.", show_default=False),
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Overwrite the file when it exists.")] = False,
) -> None:
    """Write a conversation as Markdown or JSON."""
    from memhub.cli.output import dump
    from memhub.export.conversation import thread_markdown
    from memhub.export.save import save
    from memhub.text.dates import show_time

    session = ctx.obj
    thread = session.memory.thread(refs.resolve_one(session, id))
    is_json = format == "json" or (format is None and file is not None and file.endswith(".json"))
    if is_json:
        text = dump(_with_turns(thread)) + "\n"
    else:
        text = thread_markdown(thread, lambda at: show_time(at, session.zone))
    if file in (None, "-"):
        session.output.raw(text)
        return
    save(str(file), [text], force=force)
    session.diagnostics.notice(f"wrote {thread.length} turn{'' if thread.length == 1 else 's'} to {file}")


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
        "folder": thread.folder,
        "started_at": thread.started_at,
        "updated_at": thread.updated_at,
        "length": thread.length,
    }


def _with_turns(thread: "Thread") -> dict[str, Any]:
    return thread_to_json(thread) | {"turns": [item_to_json(turn) for turn in thread.turns]}


def _hits_to_json(found: "ThreadHits") -> dict[str, Any]:
    return thread_to_json(found.thread) | {"hits": [hit_to_json(hit) for hit in found.hits]}


def _short(session: "Session", found: "list[Thread]") -> dict[str, str]:
    return session.memory.suffix([thread.id for thread in found]) if found else {}


def _line(session: "Session", thread: "Thread", short: str, done: str = "") -> str:
    from memhub.cli.lines import counted
    from memhub.cli.style import DIM, ID, paint
    from memhub.text.clean import display_width, fit, one_line, terminal_safe
    from memhub.text.dates import show_time

    if session.quiet:
        return thread.id
    colour = session.output.colour
    day = show_time(thread.updated_at or thread.started_at, session.zone)[:10].ljust(10)
    where = one_line(terminal_safe(", ".join(part for part in (thread.platform, thread.project) if part)))
    title, turns = one_line(terminal_safe(thread.title)), counted(thread.length, "turn")
    if session.output.columns is not None:
        room = max(session.output.columns - len(done) - len(short) - len(turns) - 16, 10)
        title = fit(title, max(room - display_width(where) - 3 * bool(where), room // 3))
        where = fit(where, max(room - display_width(title) - 3, 0))
    text = f"{title}{f' ({where})' if where else ''}  {turns}"
    return f"{done}{paint(short, ID) if colour else short}  {paint(day, DIM) if colour else day}  {text}"


def _found(session: "Session", found: "ThreadHits", short: str) -> str:
    """The line of a conversation, and below it the turns that were found."""
    from memhub.cli.render import marked
    from memhub.cli.style import DIM, paint
    from memhub.export.conversation import speaker_of
    from memhub.text.clean import display_width, fit, one_line, terminal_safe

    head = _line(session, found.thread, short)
    if session.quiet:
        return head
    colour, columns = session.output.colour, session.output.columns
    lines = [head]
    for hit in found.hits[:_SHOWN]:
        who = f"        {fit(terminal_safe(speaker_of(hit.item)), 20)}: "
        room = (columns if columns is not None else 10_000) - display_width(who)
        said = marked(hit.snippet, hit.marks, room) if colour else fit(one_line(terminal_safe(hit.snippet)), room)
        lines.append(f"{paint(who, DIM) if colour else who}{said}")
    more = len(found.hits) - _SHOWN
    if more > 0:
        lines.append(f"        … and {more} more turn{'' if more == 1 else 's'}")
    return "\n".join(lines)


def _full(session: "Session", thread: "Thread") -> str:
    from memhub.cli.style import BOLD, DIM, paint
    from memhub.text.clean import one_line, terminal_safe

    def safe(text: str | None) -> str:
        return one_line(terminal_safe(text or ""))

    colour = session.output.colour
    title = safe(thread.title)
    people = ", ".join(safe(who.name or who.id) for who in thread.participants)
    facts = {
        "platform": safe(thread.platform), "chat": safe(thread.chat_name), "with": people,
        "folder": safe(thread.folder), "project": safe(thread.project),
    }  # fmt: skip
    rows = [
        f"{paint(name.ljust(10), DIM) if colour else name.ljust(10)} {value}" for name, value in facts.items() if value
    ]
    lines = [thread.id, paint(title, BOLD) if colour else title, *rows, ""]
    for turn in thread.turns:
        lines += [_turn_head(session, turn), terminal_safe(turn.content).rstrip("\n"), ""]
    return "\n".join(lines).rstrip("\n")


def _turn_head(session: "Session", turn: "Item") -> str:
    from memhub.cli.style import DIM, paint
    from memhub.export.conversation import speaker_of
    from memhub.text.clean import terminal_safe
    from memhub.text.dates import show_time

    words = f"{terminal_safe(speaker_of(turn))}  {show_time(turn.created_at, session.zone)}".strip()
    return paint(words, DIM) if session.output.colour else words
