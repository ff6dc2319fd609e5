"""`mh useful` and `mh useless`: what a person says about the worth of items."""

from typing import Annotated

import typer

from memhub.cli import options as opt
from memhub.cli import output, refs
from memhub.cli.app import Context, Listing, typer_app

useful_app = typer_app()
useless_app = typer_app()

Clear = Annotated[bool, typer.Option("--clear", help="Take back what was said.")]


@useful_app.command("useful", cls=Listing)
def useful(ctx: Context, ids: opt.Refs, clear: Clear = False) -> None:
    """Say that items are of use; they stay present longer."""
    session = ctx.obj
    found = session.memory.useful(refs.resolve(session, ids), None if clear else True)
    output.changed(session, "cleared" if clear else "useful", found)


@useless_app.command("useless", cls=Listing)
def useless(ctx: Context, ids: opt.Refs, clear: Clear = False) -> None:
    """Say that items are of no use; they fade sooner."""
    session = ctx.obj
    found = session.memory.useful(refs.resolve(session, ids), None if clear else False)
    output.changed(session, "cleared" if clear else "useless", found)
