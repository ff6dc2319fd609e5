"""`mh judge`: works off what waits, and says what became of it and why."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from memhub.cli import refs
from memhub.cli.app import Context, Thing, typer_app
from memhub.cli.output import as_record
from memhub.errors import ExitCode, UsageError

if TYPE_CHECKING:
    from memhub.cli.session import Session
    from memhub.model.judged import JudgeReport, ResultLine

app = typer_app()


@app.command(cls=Thing)
def judge(
    ctx: Context,
    ids: Annotated[
        list[str] | None, typer.Argument(metavar="[ID...]", help="Items or threads; all that waits if not given.")
    ] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Say what would happen; change nothing.")] = False,
    limit: Annotated[
        int | None, typer.Option("--limit", "-n", metavar="N", help="At most N notes and threads; 0 for all.")
    ] = None,
    budget: Annotated[
        int | None, typer.Option("--budget", metavar="TOKENS", help="Stop asking the model after so many tokens.")
    ] = None,
    overturn: Annotated[
        str | None, typer.Option("--overturn", metavar="RULING", help="Take back what was ruled; mh rulings lists it.")
    ] = None,
) -> None:
    """Compare what is new with what is known.

    Draws statements from notes and conversations, and rules whether each is new, known already, or replaces something.
    Nothing is deleted. Without a model rules judge the clear cases, and the rest is kept.
    """
    session = ctx.obj
    if overturn is not None:
        if ids or dry_run or limit is not None or budget is not None:
            raise UsageError("`--overturn` stands alone")
        _overturn(session, overturn)
        return
    report = session.memory.judge(
        dry_run=dry_run,
        limit=_amount("--limit", limit) or None,
        budget=_amount("--budget", budget),
        sources=refs.resolve(session, ids) if ids else None,
        progress=progress(session, "judge"),
    )
    session.diagnostics.progress("")
    _answer(session, report, dry_run)


def _amount(option: str, given: int | None) -> int | None:
    if given is not None and given < 0:
        raise UsageError(f"`{option}` goes from 0 up, not {given}")
    return given


def _overturn(session: "Session", ruling: str) -> None:
    operation = session.memory.overturn(ruling)
    session.output.thing(
        operation, as_record, lambda one: one.id if session.quiet else f"overturned: {one.summary or ruling}"
    )


def progress(session: "Session", verb: str) -> Any:
    """A function that shows how far judging has come."""

    def show(done: int, total: int, cost: float) -> None:
        session.diagnostics.progress(f"{verb}: {done} of {total}{f', ${cost:.4f} so far' if cost else ''}")

    return show


def _answer(session: "Session", report: "JudgeReport", dry_run: bool) -> None:
    results = [result for source in report.judged for result in source.results]
    if session.format != "text":
        session.output.thing(report, as_record, str)
    elif session.quiet:
        for item in dict.fromkeys(result.item for result in results if result.item):
            session.output.line(item)
    else:
        ids = {one for result in results for one in (result.item, *result.targets) if one}
        short = session.memory.suffix(sorted(ids)) if ids else {}
        for result in results:
            session.output.line(result_line(session, result, short))
    for source in report.judged:
        if source.error:
            session.diagnostics.skipped(source.title or source.source, f"{source.error}; it waits")
            session.exit_code = ExitCode.PARTIAL
    session.diagnostics.notice(summary(report, results, dry_run))


def result_line(session: "Session", result: "ResultLine", short: dict[str, str], indent: int = 0) -> str:
    """What became of one statement: action, its item, the text, and what it met and why."""
    from memhub.cli.lines import Row, reasons

    targets = " ".join(short.get(target, target[-6:]) for target in result.targets if target != result.item)
    why = reasons(result.difference, result.reason)
    more = ": ".join(part for part in (f"→ {targets}" if targets else "", why) if part)
    own = short.get(result.item, result.item[-6:]) if result.item else "–"
    return Row(session, indent).part(result.action, width=10).id(own).words(result.text, f"({more})" if more else "")


def summary(report: "JudgeReport", results: "list[ResultLine]", dry_run: bool) -> str:
    """What a run did, in one line. What is in doubt waits for a model; only the run that left it so tells of it."""
    from memhub.cli.lines import counted

    if not (report.judged or report.waiting or report.stopped):
        return "nothing to judge"
    counts: dict[str, int] = {}
    for result in results:
        counts[result.action] = counts.get(result.action, 0) + 1
    done = sum(not source.error for source in report.judged)
    what = ", ".join(f"{count} {action}" for action, count in counts.items()) or "nothing to know"
    parts = [f"{'would judge' if dry_run else 'judged'} {counted(done, 'source')}" + (f": {what}" if done else "")]
    doubts = sum(source.in_doubt for source in report.judged)
    if doubts:
        parts.append(f"{doubts} in doubt")
    if report.waiting:
        parts.append(f"{report.waiting} waiting")
    if report.calls:
        spent = f"{counted(report.calls, 'call')}, {counted(report.tokens_in + report.tokens_out, 'token')}"
        parts.append(spent + (f", ${report.cost:.4f}" if report.cost else ""))
    if report.stopped:
        parts.append(f"stopped: {report.stopped}")
    return "; ".join(parts)
