"""`mh list`: items by date, importance or title."""

from typing import Annotated, Literal

import typer

from memhub.cli import options as opt
from memhub.cli import output, refs
from memhub.cli.app import Context, Listing, typer_app

app = typer_app()

Sort = Annotated[Literal["created", "updated", "importance", "title"], typer.Option("--sort", help="What to order by.")]


@app.command("list", cls=Listing)
def list_items(
    ctx: Context,
    label: opt.Labels = None,
    kind: opt.Kinds = None,
    layer: opt.Layers = None,
    project: opt.Project = None,
    here: opt.Here = False,
    since: opt.Since = None,
    until: opt.Until = None,
    importance: opt.MinImportance = None,
    state: opt.States = None,
    pinned: opt.Pinned = False,
    sort: Sort = "created",
    reverse: Annotated[bool, typer.Option("--reverse", "-r", help="Turn the order round.")] = False,
    limit: opt.Limit = None,
    offset: opt.Offset = 0,
) -> None:
    """List items, newest first.

    The first column is the id to use in other commands; @1 is the first line of the last listing in this terminal.
    """
    session = ctx.obj
    filters = opt.make_filters(
        session,
        labels=label,
        kinds=kind,
        layers=layer,
        project=project,
        here=here,
        since=since,
        until=until,
        importance=importance,
        states=state,
        pinned=pinned,
    )
    count = opt.limit(limit, session.config.number("list.limit"))
    found = session.memory.list(filters, sort=sort, reverse=reverse, limit=count, offset=opt.offset(offset))
    refs.remember(session, [item.id for item in found])
    output.items(session, found)
    opt.tell_undated(session, filters)
    if not found:
        session.diagnostics.notice("nothing to list")
