"""`mh brief`: the page of a day, to read or into a file."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from memhub.cli.app import Context, Thing, typer_app
from memhub.cli.output import Record, as_record

if TYPE_CHECKING:
    from memhub.cli.session import Session
    from memhub.model.briefing import Briefing

app = typer_app()


@app.command(cls=Thing)
def brief(
    ctx: Context,
    date: Annotated[
        str | None, typer.Option("--date", "-d", metavar="DAY", help="The page of this day: 2026-02-10, yesterday, 3d.")
    ] = None,
    again: Annotated[bool, typer.Option("--again", help="Write it again; what you edited stays.")] = False,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="FILE", help="Write the Markdown into this file.")
    ] = None,
    no_model: Annotated[bool, typer.Option("--no-model", help="Make it without a language model.")] = False,
) -> None:
    """Show the page of a day: focus, dues, open ends, old things.

    It is made when there is none yet, kept with everything else, and found again by its day. What you change in it
    with mh edit stays when it is written again. The page of a past day says what was there then.
    """
    session = ctx.obj
    session.diagnostics.progress("looking at what you were on …")
    found = session.memory.brief(date, again=again, with_model=not no_model)
    session.diagnostics.progress("")
    for notice in found.notices:
        session.diagnostics.notice(notice)
    if output is not None:
        _write(session, found, output)
    elif session.quiet and session.format == "text":
        if found.version:  # a page with nothing on it is not kept
            session.output.line(found.id)
    else:
        session.output.thing(found, _to_json, lambda one: _text(session, one))
    if found.changes and not found.is_new and found.day == _today(session) and output is None:
        from memhub.cli.lines import counted

        session.diagnostics.notice(f"{counted(found.changes, 'change')} since it was written; `mh brief --again`")


def _today(session: "Session") -> str:
    return "{:04d}-{:02d}-{:02d}".format(*session.zone.today())


def _to_json(found: "Briefing") -> Record:
    record = as_record(found)
    record["notices"] = list(found.notices)
    return record


def _write(session: "Session", found: "Briefing", path: Path) -> None:
    from memhub.errors import MhError

    try:
        path.write_text(found.content.rstrip("\n") + "\n", "utf-8")
    except OSError as error:
        raise MhError(f"cannot write `{path}`: {error.strerror}") from error
    session.diagnostics.notice(f"wrote {path}")


def _text(session: "Session", found: "Briefing") -> str:
    """Markdown as it is in a pipe; on a terminal laid out."""
    from memhub.text.clean import terminal_safe

    content = terminal_safe(found.content).rstrip("\n")
    if session.output.columns is None:
        return content
    from memhub.cli.markdown import laid_out

    return laid_out(content, session.output.columns, colour=session.output.colour)
