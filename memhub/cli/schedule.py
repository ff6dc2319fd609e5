"""`mh schedule`: let the system run `mh digest` every day."""

import shlex
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from memhub.cli.app import Context, Listing, Thing, typer_app
from memhub.cli.output import Record, as_record
from memhub.errors import UsageError

if TYPE_CHECKING:
    from memhub.cli.session import Session
    from memhub.schedule import Installed, Job, Plan

app = typer_app("Run mh digest every day by systemd, launchd or cron.")

Kind = Annotated[
    Literal["systemd", "launchd", "cron"] | None,
    typer.Option("--with", help="What runs it; what is there if not given.", show_default=False),
]
Yes = Annotated[bool, typer.Option("--yes", "-y", help="Do it without asking.")]


@app.command(cls=Thing)
def install(
    ctx: Context,
    at: Annotated[str, typer.Option("--at", metavar="HH:MM", help="The time of day.")] = "05:00",
    kind: Kind = None,
    show_only: Annotated[bool, typer.Option("--print", help="Show what would be written; change nothing.")] = False,
    yes: Yes = False,
) -> None:
    """Run mh digest every day; what is written is shown first.

    Of a schedule that is there already the time is changed. Lines of the crontab that are not its own stay as they are.
    """
    from memhub import schedule

    session = ctx.obj
    job = _job(session, at)
    plan = schedule.plan(kind if kind and show_only else schedule.choose(kind), job)
    is_asked = not (show_only or yes)
    if is_asked and not (session.is_interactive and session.format == "text"):
        raise UsageError("there is nobody to ask", "`--yes` writes it, `--print` only shows it")
    if session.format == "text":
        session.output.line(_shown(plan))
    is_done = not show_only and (yes or session.diagnostics.ask("Write this?"))
    if is_done:
        schedule.install(plan)
        session.diagnostics.notice(f"mh digest runs every day at {job.at}")
    if session.format != "text":
        session.output.thing(plan, lambda one: _to_json(one, is_done), str)


@app.command(cls=Listing)
def show(ctx: Context) -> None:
    """Show what runs mh digest, as it stands there."""
    from memhub import schedule

    session = ctx.obj
    found = schedule.installed(_job(session, "00:00").name)
    session.output.things(found, as_record, _standing)
    if not found:
        session.diagnostics.notice("mh digest is not scheduled; `mh schedule install` does it")


@app.command(cls=Listing)
def remove(ctx: Context, yes: Yes = False) -> None:
    """Take the schedule away, and nothing else."""
    from memhub import schedule

    session = ctx.obj
    name = _job(session, "00:00").name
    found = schedule.installed(name)
    if found and not yes:
        if not session.is_interactive:
            raise UsageError("there is nobody to ask", "`--yes` removes it")
        for one in found:
            session.diagnostics.write(_standing(one) + "\n")
        if not session.diagnostics.ask("Remove this?"):
            return
    schedule.remove(name)
    session.output.things(found, as_record, lambda one: f"removed {one.kind}: {one.place}")
    if not found:
        session.diagnostics.notice("mh digest is not scheduled")


def _job(session: "Session", at: str) -> "Job":
    from memhub.paths import database_file
    from memhub.schedule import job_of

    return job_of(database_file(session.config.text("db") or None).absolute(), database_file(None).absolute(), at)


def _shown(plan: "Plan") -> str:
    """What would be written, as it would stand there."""
    parts = [f"# {path}\n{text.rstrip()}" for path, text in plan.files]
    parts += [f"# crontab\n{plan.line}"] if plan.line else []
    parts += ["\n".join(f"$ {shlex.join(command)}" for command in plan.run)] if plan.run else []
    return "\n\n".join(parts)


def _standing(one: "Installed") -> str:
    return f"# {one.kind}: {one.place}\n{one.text.rstrip()}"


def _to_json(plan: "Plan", is_done: bool) -> Record:
    return {
        "with": plan.kind,
        "at": plan.job.at,
        "command": list(plan.job.command),
        "files": [{"path": str(path), "text": text} for path, text in plan.files],
        "crontab": plan.line or None,
        "run": [list(command) for command in plan.run],
        "installed": is_done,
    }
