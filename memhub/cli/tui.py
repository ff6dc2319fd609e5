"""`mh tui`: everything on the screen, with the keyboard; with `--web` in a browser."""

import os
import sys
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Annotated

import typer

from memhub.cli.app import Context, Plain, typer_app
from memhub.errors import UnavailableError, UsageError

if TYPE_CHECKING:
    from memhub.cli.session import Session

app = typer_app()


@app.command(cls=Plain)
def tui(
    ctx: Context,
    query: Annotated[list[str] | None, typer.Argument(metavar="[QUERY]...", help="What to look for first.")] = None,
    web: Annotated[bool, typer.Option("--web", help="In a browser on this machine, until Ctrl-C.")] = False,
    port: Annotated[
        int | None, typer.Option("--port", metavar="N", min=0, max=65535, help="With --web: listen on this port.")
    ] = None,
    no_open: Annotated[bool, typer.Option("--no-open", help="With --web: print the link and open nothing.")] = False,
) -> None:
    """Browse and edit everything with the keyboard.

    The query may hold filters: #label kind:note since:3d state:all is:pinned sort:title in:SPACE.
    """
    session = ctx.obj
    if web:
        _serve(session, query or [], port or 0, not no_open)
        return
    if port is not None or no_open:
        raise UsageError("`--port` and `--no-open` go with `--web`")
    if not (session.is_interactive or "TEXTUAL_DRIVER" in os.environ):  # a tab of the browser needs no terminal
        raise UsageError("`mh tui` needs a terminal", "`mh list` and `mh search` answer into pipes")
    session.exit_code = import_module("memhub_tui.run").run(
        session.new_memory, session.config, session.zone, query=" ".join(query or ()),
        space=session.config.text("space") or None,
    )  # fmt: skip


def _serve(session: "Session", query: list[str], port: int, opens: bool) -> None:
    if find_spec("textual_serve") is None:
        raise UnavailableError("`mh tui --web` needs textual-serve", "pip install 'memhub[web]'")
    with session.new_memory(session.config.text("space") or None) as memory:
        memory.data_version()  # a file that cannot be opened is told here, not in the browser

    def tell(link: str) -> None:
        session.output.line(link)
        sys.stdout.flush()
        session.diagnostics.notice("the link works once; Ctrl-C ends mh")

    import_module("memhub_tui.web").serve(_command(session, query), port=port, opens=opens, tell=tell)


def _command(session: "Session", query: list[str]) -> list[str]:
    """What starts the same `mh` for a tab of the browser."""
    given = [part for name in ("db", "space") if name in session.flags for part in (f"--{name}", session.flags[name])]
    plain = ["--no-color"] if session.flags.get("color") == "never" else []
    return [sys.executable, "-P", "-m", "memhub", "tui", *map(str, given), *plain, "--", *query]
