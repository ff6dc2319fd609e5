"""`mh link`, `unlink` and `links`: typed links between items."""

from typing import TYPE_CHECKING, Annotated

import typer

from memhub.cli import options as opt
from memhub.cli import refs
from memhub.cli.app import Context, Listing, Thing, typer_app
from memhub.cli.output import as_record

if TYPE_CHECKING:
    from memhub.cli.session import Session
    from memhub.model.trail import Edge

link_app = typer_app()
unlink_app = typer_app()
links_app = typer_app()

From = Annotated[str, typer.Argument(metavar="FROM", help="Item: id, its last letters or @1.")]
To = Annotated[str, typer.Argument(metavar="TO", help="Item: id, its last letters or @1.")]
Type = Annotated[str, typer.Option("--type", "-t", metavar="NAME", help="What the link means.")]


@link_app.command("link", cls=Thing)
def link(ctx: Context, source: From, target: To, type: Type = "related") -> None:
    """Link two items."""
    session = ctx.obj
    edge = session.memory.link(refs.resolve_one(session, source), type, refs.resolve_one(session, target))
    session.output.thing(edge, as_record, lambda one: _line(session, one))


@unlink_app.command("unlink", cls=Thing)
def unlink(
    ctx: Context,
    source: From,
    target: To,
    type: Annotated[str | None, typer.Option("--type", "-t", metavar="NAME", help="This type only.")] = None,
) -> None:
    """Remove a link between two items."""
    session = ctx.obj
    count = session.memory.unlink(refs.resolve_one(session, source), type, refs.resolve_one(session, target))
    session.output.thing(
        count, lambda number: {"removed": number}, lambda number: f"removed {number} link{'' if number == 1 else 's'}"
    )


@links_app.command("links", cls=Listing)
def links(ctx: Context, id: opt.Ref) -> None:
    """List the links of an item."""
    session = ctx.obj
    session.output.things(
        session.memory.links(refs.resolve_one(session, id)), as_record, lambda edge: _line(session, edge)
    )


def _line(session: "Session", edge: "Edge") -> str:
    from memhub.text.clean import one_line, terminal_safe

    short = session.memory.suffix([edge.src, edge.dst])
    ends = [
        f"{short.get(end, end[-6:])} {one_line(terminal_safe(title), 40)}".rstrip()
        for end, title in ((edge.src, edge.src_title), (edge.dst, edge.dst_title))
    ]
    return f"{ends[0]}  --{terminal_safe(edge.relation)}-->  {ends[1]}"
