"""`mh` alone and `mh help`: a friendly overview, help on a command, and topics."""

from typing import TYPE_CHECKING, Annotated

import typer

from memhub.cli.app import Context, Plain, root, typer_app, unknown_command
from memhub.cli.commands import COMMANDS
from memhub.errors import EXIT_CODE_WORDS

if TYPE_CHECKING:
    from memhub.cli.session import Session

app = typer_app()

_OVERVIEW = """\
mh: a knowledge base for people who live in a terminal

  mh add "The boat key hangs behind the door"   remember something
  mh search boat key                            find it again
  mh list                                       what came last
  mh edit @1                                    change the first of these
  mh undo                                       take the last change back
  mh import ~/notes                             bring in a folder of Markdown

`mh --help` lists every command, `mh help COMMAND` explains one,
`mh help exit-codes` is for scripts."""


@app.command("help", cls=Plain)
def show_help(
    ctx: Context,
    topic: Annotated[list[str] | None, typer.Argument(metavar="[TOPIC...]", help="A command, or exit-codes.")] = None,
) -> None:
    """Show help on a command or a topic."""
    session = ctx.obj
    if not topic:
        overview(session)
    elif topic == ["exit-codes"]:
        session.output.line("\n".join(f"{code:>3}  {words}" for code, words in EXIT_CODE_WORDS.items()))
    else:
        session.output.line(command_help(topic))


def overview(session: "Session") -> None:
    """What `mh` alone prints."""
    session.output.line(_OVERVIEW)


def command_help(path: list[str]) -> str:
    """The text of `mh PATH --help`, 80 columns wide whatever the window."""
    command = root()
    context = command.make_context("mh", [], resilient_parsing=True, terminal_width=80)
    for name in path:
        found = command.get_command(context, name) if hasattr(command, "get_command") else None
        if found is None:
            names = getattr(command, "commands", None) or [row.name for row in COMMANDS]
            raise unknown_command(name, [*names, "exit-codes"], context.command_path)
        command = found
        context = command.make_context(name, [], parent=context, resilient_parsing=True)
    text: str = command.get_help(context)
    return text.rstrip("\n")
