"""`mh distill`: which conversations are worth it and why, and what is drawn from them."""

from typing import TYPE_CHECKING, Annotated, Literal

import typer

from memhub.cli import options as opt
from memhub.cli import refs
from memhub.cli.app import Context, Thing, typer_app
from memhub.cli.output import as_record
from memhub.errors import ExitCode, UsageError

if TYPE_CHECKING:
    from memhub.cli.session import Session
    from memhub.model.distilled import DistillReport, Triaged

app = typer_app()


@app.command(cls=Thing)
def distill(
    ctx: Context,
    threads: Annotated[
        list[str] | None, typer.Argument(metavar="[THREAD...]", help="Threads: id, its last letters, @1 or -.")
    ] = None,
    since: opt.Since = None,
    until: opt.Until = None,
    project: opt.Project = None,
    here: opt.Here = False,
    level: Annotated[
        Literal["swift", "guided", "full"],
        typer.Option("--level", help="swift: rules; guided: a model, shown before saving; full: a model, saved."),
    ] = "swift",
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Say what would happen; change nothing.")] = False,
    force: Annotated[bool, typer.Option("--force", help="Take also what does not look worth it.")] = False,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Save what guided shows without asking.")] = False,
    limit: Annotated[
        int | None, typer.Option("--limit", "-n", metavar="N", help="At most N that are worth it; 0 for all.")
    ] = None,
) -> None:
    """Draw what is worth keeping from conversations.

    Rules tell which conversations are worth it, and why. Only turns that were not distilled before are looked at. What
    is drawn is compared with what is known, as by mh judge; nothing is deleted.
    """
    from memhub.cli.judge import progress

    session = ctx.obj
    has_filter = bool(since or until or project or here)
    if bool(threads) == has_filter:
        raise UsageError(
            "which conversations: name them, or choose them by `--since`, `--until`, `--project` or `--here`",
            "`mh distill --since 7d`; `mh thread list` shows them",
        )
    if limit is not None and limit < 0:
        raise UsageError(f"`--limit` goes from 0 up, not {limit}")
    if level == "guided" and not (yes or dry_run or session.is_interactive):
        raise UsageError(
            "guided asks before it saves, and there is no terminal to ask", "`--yes` saves, `--dry-run` only shows"
        )
    wanted = refs.resolve(session, threads) if threads else None
    filters = opt.make_filters(session, project=project, here=here, since=since, until=until)
    opt.tell_undated(session, filters, threads=True)
    report = session.memory.distill(
        wanted,
        filters,
        level=level,
        dry_run=dry_run,
        limit=limit,
        force=force,
        approve=lambda shown: yes or _ask(session, shown),
        progress=progress(session, "distill"),
    )
    session.diagnostics.progress("")
    _answer(session, report, dry_run)


def _ask(session: "Session", shown: "DistillReport") -> bool:
    """Show what would be saved, and ask."""
    session.diagnostics.progress("")
    for line in _lines(session, shown):
        session.diagnostics.write(line + "\n")
    return session.diagnostics.ask("Save this?")


def _answer(session: "Session", report: "DistillReport", dry_run: bool) -> None:
    sources = report.judged.judged if report.judged else ()
    if session.format != "text":
        session.output.thing(report, as_record, str)
    elif session.quiet:
        items = [result.item for source in sources for result in source.results if report.saved and result.item]
        for item in dict.fromkeys(items):
            session.output.line(item)
    else:
        for line in _lines(session, report):
            session.output.line(line)
    for source in sources:
        if source.error:
            session.diagnostics.skipped(source.title or source.source, f"{source.error}; it waits")
            session.exit_code = ExitCode.PARTIAL
    session.diagnostics.notice(_summary(report, dry_run))


def _lines(session: "Session", report: "DistillReport") -> list[str]:
    """Each conversation with its verdict, and below it what is drawn from it."""
    from memhub.cli.judge import result_line

    results: dict[str, list[str]] = {}
    sources = report.judged.judged if report.judged else ()
    ids = {one for source in sources for result in source.results for one in (result.item, *result.targets) if one}
    ids |= {one.thread for one in report.threads}
    short = session.memory.suffix(sorted(ids)) if ids else {}
    for source in sources:
        results.setdefault(source.source, []).extend(result_line(session, one, short, 2) for one in source.results)
    lines = []
    for one in report.threads:
        lines.append(_verdict(session, one, short.get(one.thread, one.thread[-6:])))
        lines += results.get(one.thread, ())
    return lines


def _verdict(session: "Session", one: "Triaged", short: str) -> str:
    from memhub.cli.lines import Row, counted

    new = f"{counted(one.turns, 'new turn')}: " if one.turns else ""
    return (
        Row(session)
        .part("distill" if one.is_worth else "leave", width=7)
        .id(short)
        .words(one.title, f"({new}{one.reason})")
    )


def _summary(report: "DistillReport", dry_run: bool) -> str:
    from memhub.cli.judge import summary
    from memhub.cli.lines import counted

    worth = sum(one.is_worth for one in report.threads)
    if not report.threads:
        return "no conversations to distill"
    seen = f"{counted(len(report.threads), 'conversation')}, {worth} worth it"
    if report.judged is None:
        return seen
    results = [result for source in report.judged.judged for result in source.results]
    said = summary(report.judged, results, not report.saved)
    return f"{seen}; {said}" + ("" if report.saved or dry_run else "; nothing was saved")
