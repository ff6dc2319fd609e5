"""`mh pick`: choose items from a list below the prompt, for the command around it."""

from importlib import import_module
from typing import Annotated, Literal

import typer

from memhub.cli.app import Context, Listing, typer_app
from memhub.cli.output import item_to_json
from memhub.errors import ExitCode

app = typer_app()


@app.command(cls=Listing)
def pick(
    ctx: Context,
    query: Annotated[list[str] | None, typer.Argument(metavar="[QUERY]...", help="What to look for first.")] = None,
    multi: Annotated[bool, typer.Option("--multi/--no-multi", help="Whether Tab marks several.")] = True,
    print_: Annotated[
        Literal["id", "text"], typer.Option("--print", help="What to print of each item: id or text.")
    ] = "id",
) -> None:
    """Choose items from a list below the prompt, and print their ids.

    Type to narrow the list; Tab marks, Enter takes, Escape leaves with exit code 130.
    The list is drawn on the terminal itself: mh show $(mh pick ferry)
    """
    session = ctx.obj
    chosen = import_module("memhub_tui.run").pick(
        session.new_memory, session.config, session.zone, query=" ".join(query or ()),
        space=session.config.text("space") or None, several=multi,
    )  # fmt: skip
    if chosen is None:
        session.exit_code = ExitCode.INTERRUPTED
    elif session.format == "text" and (print_ == "id" or session.quiet):
        session.output.line("\n".join(chosen))
    else:
        found = [session.memory.get(ref) for ref in chosen]
        session.output.things(found, item_to_json, lambda item: item.content)
