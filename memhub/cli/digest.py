"""`mh digest`: works through everything that is new, step by step, and says what came of it."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from memhub.cli.app import Context, Thing, typer_app
from memhub.cli.output import as_record
from memhub.errors import ExitCode, UsageError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from memhub.cli.session import Session
    from memhub.model.digested import DigestReport, StepReport

app = typer_app()

_NO_ITEMS = ("entities", "communities")
"""Steps whose results are no items: `mh show -` could not read what they print."""


@app.command(cls=Thing)
def digest(
    ctx: Context,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Say what would happen; change nothing.")] = False,
    steps: Annotated[
        str | None, typer.Option("--steps", metavar="NAMES", help="These steps alone, with commas between them.")
    ] = None,
    budget: Annotated[
        int | None, typer.Option("--budget", metavar="TOKENS", help="Stop asking the model after so many tokens.")
    ] = None,
    since: Annotated[
        str | None, typer.Option("--since", metavar="DATE", help="Look again at what changed from this day on.")
    ] = None,
    scheduled: Annotated[
        bool, typer.Option("--scheduled", help="Run by a schedule, not by hand: a plain mh undo passes it over.")
    ] = False,
) -> None:
    """Find what many items have in common.

    Judges what waits, then derives themes, ways of acting, settled knowledge and habits, each with its evidence. Costs
    what is new since the last time; with nothing new it does nothing. Without --space it goes through every space.
    """
    session = ctx.obj
    if budget is not None and budget < 0:
        raise UsageError(f"`--budget` goes from 0 up, not {budget}")
    report = session.memory.digest(
        dry_run=dry_run,
        steps=[name.strip() for name in steps.split(",") if name.strip()] if steps is not None else None,
        budget=budget,
        since=_instant(session, since),
        who="cron" if scheduled else None,
        every_space=not session.config.text("space"),
        progress=_progress(session),
    )
    session.diagnostics.progress("")
    _answer(session, report, dry_run, scheduled)


def _instant(session: "Session", since: str | None) -> int | None:
    if since is None:
        return None
    from memhub.text.dates import parse_range

    span = parse_range(since, None, session.zone)
    return span.instants[0] if span else None


def _progress(session: "Session") -> Any:
    """A function that draws one bar a step."""
    from memhub.cli.progress import Progress

    bars: dict[tuple[str, str], Progress] = {}

    def show(space: str, step: str, done: int, total: int) -> None:
        bars.setdefault((space, step), Progress(session, step)).reach(done, total)

    return show


def _answer(session: "Session", report: "DigestReport", dry_run: bool, scheduled: bool) -> None:
    from memhub.cli.progress import is_shown

    names = {space.id: space.name for space in session.memory.spaces()}
    if session.format != "text":
        session.output.thing(report, lambda report: _to_json(report, names), str)
    elif session.quiet:
        for step in report.steps if not scheduled else ():  # nobody reads every morning what went well
            for item in dict.fromkeys((*step.new, *step.renewed)) if step.step not in _NO_ITEMS else ():
                session.output.line(item)
    else:
        several = len({step.space for step in report.steps}) > 1
        for step in report.steps:
            if not step.is_idle:
                session.output.line(_line(step, names[step.space] if several else "", dry_run))
    for step in report.steps:
        if step.error:
            session.diagnostics.skipped(step.step, f"{step.error}; it stays pending")
            session.exit_code = ExitCode.PARTIAL
    if is_shown(session) and all(step.is_idle for step in report.steps):
        session.diagnostics.notice("nothing new to digest")
    if report.calls:
        from memhub.cli.lines import counted

        spent = f"{counted(report.calls, 'call')}, {counted(report.tokens_in + report.tokens_out, 'token')}"
        session.diagnostics.notice(spent + (f", ${report.cost:.4f}" if report.cost else ""))
    if session.config.text("mode") == "system1":
        session.diagnostics.notice("`mode` is `system1`: judged only; `mh config set mode dual` digests")


def _to_json(report: "DigestReport", names: "Mapping[str, str]") -> dict[str, Any]:
    record = as_record(report)
    return {**record, "steps": [{**step, "space": names[step["space"]]} for step in record["steps"]]}


def _line(step: "StepReport", space: str, dry_run: bool) -> str:
    """One step on one line: what it made, renewed and dropped."""
    from memhub.cli.lines import safe

    parts = [
        f"{len(found):,} {word}"
        for found, word in ((step.new, "new"), (step.renewed, "renewed"), (step.dropped, "dropped"))
        if found
    ]
    head = f"{safe(space)}: " if space else ""
    return f"{head}{step.step.ljust(12)}{'would give ' if dry_run else ''}{', '.join(parts) or 'pending'}"
