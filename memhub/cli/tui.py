"""`mh tui`: everything on the screen, with the keyboard."""

from typing import Annotated

import typer

from memhub.cli.app import Context, Plain, typer_app
from memhub.errors import UsageError

app = typer_app()


@app.command(cls=Plain)
def tui(
    ctx: Context,
    query: Annotated[list[str] | None, typer.Argument(metavar="[QUERY]...", help="What to look for first.")] = None,
) -> None:
    """Browse and edit everything with the keyboard.

    The query may hold filters: #label kind:note since:3d state:all is:pinned sort:title in:SPACE.
    """
    session = ctx.obj
    if not session.is_interactive:
        raise UsageError("`mh tui` needs a terminal", "`mh list` and `mh search` answer into pipes")
    from importlib import import_module

    run = import_module("memhub_tui.run").run
    session.exit_code = run(
        session.new_memory, session.config, session.zone, query=" ".join(query or ()),
        space=session.config.text("space") or None,
    )  # fmt: skip
