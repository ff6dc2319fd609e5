"""`mh set`, `mv`, `rm` and `restore`: changes that make no new version."""

from typing import Annotated, Any

import typer

from memhub.cli import options as opt
from memhub.cli import output, refs
from memhub.cli.app import Context, Listing, typer_app
from memhub.errors import UsageError

set_app = typer_app()
mv_app = typer_app()
rm_app = typer_app()
restore_app = typer_app()


@set_app.command("set", cls=Listing)
def set_items(
    ctx: Context,
    ids: opt.Refs,
    importance: Annotated[str | None, typer.Option("--importance", metavar="N", help="From 0 to 1, or none.")] = None,
    pin: Annotated[
        bool | None, typer.Option("--pin/--unpin", help="Mark for `mh list --pinned`, or no longer.")
    ] = None,
    archive: Annotated[
        bool | None, typer.Option("--archive/--unarchive", help="Out of default reads, or back.")
    ] = None,
    project: Annotated[str | None, typer.Option("--project", metavar="NAME", help="The project, or none.")] = None,
) -> None:
    """Set importance, pin, archive or project of items."""
    session = ctx.obj
    changes: dict[str, Any] = {}
    if importance is not None:
        changes["importance"] = _importance(importance)
    if pin is not None:
        changes["pinned"] = pin
    if archive is not None:
        changes["archived"] = archive
    if project is not None:
        changes["project"] = None if project in ("", "none") else project
    if not changes:
        raise UsageError("nothing to set", "give --importance, --pin, --archive or --project")
    output.changed(session, "set", session.memory.set(refs.resolve(session, ids), **changes))


@mv_app.command("mv", cls=Listing)
def move(
    ctx: Context,
    ids: opt.Refs,
    to: Annotated[str, typer.Argument(metavar="SPACE", help="The space to move them into.")],
) -> None:
    """Move items into another space."""
    session = ctx.obj
    output.changed(session, "moved", session.memory.move(refs.resolve(session, ids), to))


@rm_app.command("rm", cls=Listing)
def drop(ctx: Context, ids: opt.Refs) -> None:
    """Drop items; `mh restore` brings them back.

    A dropped item keeps its history. `mh erase` removes it for good.
    """
    session = ctx.obj
    output.changed(session, "dropped", session.memory.drop(refs.resolve(session, ids)))


@restore_app.command("restore", cls=Listing)
def restore(ctx: Context, ids: opt.Refs) -> None:
    """Bring dropped items back."""
    session = ctx.obj
    output.changed(session, "restored", session.memory.restore(refs.resolve(session, ids)))


def _importance(given: str) -> float | None:
    if given == "none":
        return None
    try:
        return opt.importance(float(given))
    except ValueError:
        raise UsageError(f"importance is a number from 0 to 1, not `{given}`") from None
