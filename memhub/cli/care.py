"""`mh index`, `stats` and `doctor`: looking after the file."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from memhub.cli.app import Context, Thing, typer_app
from memhub.cli.output import as_record
from memhub.errors import ExitCode

if TYPE_CHECKING:
    from memhub.model.report import DoctorReport

index_app = typer_app()
stats_app = typer_app()
doctor_app = typer_app()


@index_app.command("index", cls=Thing)
def index(ctx: Context) -> None:
    """Compute the vectors that are still pending.

    Searches do this by themselves for a few items; after a large import this does the rest at once.
    """
    from memhub.cli.progress import Progress

    session = ctx.obj
    with Progress(session, "vectors") as progress:
        result = session.memory.index(progress=progress.reach)
    session.output.thing(result, as_record, lambda one: f"indexed {one.done}, {one.pending} pending")


@stats_app.command("stats", cls=Thing)
def stats(
    ctx: Context,
    llm: Annotated[bool, typer.Option("--llm", help="What language models took: calls, tokens, cost.")] = False,
) -> None:
    """Count what is stored."""
    session = ctx.obj
    session.output.thing(session.memory.stats(llm=llm), dict, lambda counts: "\n".join(_rows(counts)))


@doctor_app.command("doctor", cls=Thing)
def doctor(
    ctx: Context,
    deep: Annotated[
        bool, typer.Option("--deep", help="Check every index and the hash of every text too; reads it all.")
    ] = False,
    rebuild: Annotated[bool, typer.Option("--rebuild", help="Rebuild what is derived from the log.")] = False,
) -> None:
    """Check the file, and rebuild what can be rebuilt."""
    session = ctx.obj
    report = session.memory.doctor(deep=deep, rebuild=rebuild)
    session.output.thing(report, lambda one: {"ok": one.ok, **as_record(one)}, _findings)
    if not report.ok:
        session.exit_code = ExitCode.FAILED


def _rows(counts: dict[str, Any], prefix: str = "") -> list[str]:
    from memhub.text.clean import display_width, one_line, terminal_safe

    rows = []
    for name, value in counts.items():
        if isinstance(value, dict):
            rows += _rows(value, f"{prefix}{name} ")
        else:
            words = one_line(terminal_safe(prefix + name))
            rows.append(f"{words}{' ' * (24 - display_width(words))} {terminal_safe(str(value))}")
    return rows


def _findings(report: "DoctorReport") -> str:
    lines = []
    for finding in report.findings:
        lines.append(f"{'ok   ' if finding.ok else 'wrong'} {finding.check}: {finding.message}")
        if finding.hint:
            lines.append(f"      hint: {finding.hint}")
    return "\n".join(lines)
