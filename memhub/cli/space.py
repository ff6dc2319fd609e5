"""`mh space`: isolation units, what they read of each other, and merging them."""

from typing import TYPE_CHECKING, Annotated

import typer

from memhub.cli.app import Context, Listing, Thing, typer_app
from memhub.cli.output import as_record

if TYPE_CHECKING:
    from memhub.cli.session import Session
    from memhub.model.report import SpaceInfo

app = typer_app("Make, list, rename, connect and merge spaces.")

Name = Annotated[str, typer.Argument(metavar="NAME", help="The space.")]


@app.command("new", cls=Thing)
def new(
    ctx: Context,
    name: Name,
    reads: Annotated[list[str] | None, typer.Option("--reads", metavar="SPACE", help="May read this one too.")] = None,
    description: Annotated[str, typer.Option("--description", metavar="TEXT", help="What it is for.")] = "",
) -> None:
    """Make a space."""
    _answer(ctx.obj, ctx.obj.memory.space_new(name, reads=tuple(reads or ()), description=description))


@app.command("list", cls=Listing)
def list_spaces(ctx: Context) -> None:
    """List the spaces and how many items each holds."""
    session = ctx.obj
    session.output.things(session.memory.spaces(), as_record, lambda space: _line(session, space))


@app.command("rename", cls=Thing)
def rename(ctx: Context, old: Name, new: Annotated[str, typer.Argument(metavar="NEW", help="Its new name.")]) -> None:
    """Rename a space."""
    _answer(ctx.obj, ctx.obj.memory.space_rename(old, new))


@app.command("read", cls=Thing)
def read(
    ctx: Context,
    name: Name,
    add: Annotated[list[str] | None, typer.Option("--add", metavar="SPACE", help="Let it read this space.")] = None,
    remove: Annotated[list[str] | None, typer.Option("--rm", metavar="SPACE", help="No longer this one.")] = None,
) -> None:
    """Say which other spaces a space reads."""
    _answer(ctx.obj, ctx.obj.memory.space_read(name, add=tuple(add or ()), remove=tuple(remove or ())))


@app.command("merge", cls=Thing)
def merge(
    ctx: Context,
    source: Annotated[str, typer.Argument(metavar="SOURCE", help="The space that goes.")],
    into: Annotated[str, typer.Argument(metavar="INTO", help="The space that takes its items.")],
) -> None:
    """Merge one space into another; the old name stays as an alias."""
    _answer(ctx.obj, ctx.obj.memory.space_merge(source, into))


def _answer(session: "Session", space: "SpaceInfo") -> None:
    session.output.thing(space, as_record, lambda one: _line(session, one))


def _line(session: "Session", space: "SpaceInfo") -> str:
    from memhub.text.clean import one_line, terminal_safe

    if session.quiet:
        return terminal_safe(space.name)
    parts = [space.name, f"{space.items} item{'' if space.items == 1 else 's'}"]
    parts += ["(default)"] if space.is_default else []
    parts += [f"reads {', '.join(space.reads)}"] if space.reads else []
    parts += [space.description] if space.description else []
    return "  ".join(one_line(terminal_safe(part)) for part in parts)
