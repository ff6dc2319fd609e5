"""`mh import` and `mh export`: bringing data in and taking it out."""

import os
from typing import TYPE_CHECKING, Annotated, Any

import typer

from memhub.cli import options as opt
from memhub.cli.app import Context, Plain, Thing, typer_app
from memhub.cli.output import as_record
from memhub.errors import ExitCode, NotFoundError, UsageError

if TYPE_CHECKING:
    from pathlib import Path

    from memhub.cli.session import Session
    from memhub.model.report import ImportReport

import_app = typer_app()
export_app = typer_app()


@import_app.command("import", cls=Thing)
def import_paths(
    ctx: Context,
    paths: Annotated[list[str], typer.Argument(metavar="PATH...", help="Folders of notes, text files, or an export.")],
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Say what would happen; change nothing.")] = False,
    as_: Annotated[str | None, typer.Option("--as", metavar="NAME", help="Know this folder by another name.")] = None,
    label: Annotated[
        list[str] | None, typer.Option("--label", "-l", metavar="LABEL", help="Label what comes in.")
    ] = None,
    prune: Annotated[bool, typer.Option("--prune", help="Drop items whose file is gone.")] = False,
    theirs: Annotated[bool, typer.Option("--theirs", help="Where both changed, take the file.")] = False,
    ours: Annotated[bool, typer.Option("--ours", help="Where both changed, keep what is here.")] = False,
    force: Annotated[bool, typer.Option("--force", help="Of a damaged export, take what is good.")] = False,
) -> None:
    """Bring in a folder of notes, text files or an export.

    Importing the same again updates what changed and doubles nothing. mh undo takes a whole import back.
    """
    session = ctx.obj
    if theirs and ours:
        raise UsageError("`--theirs` and `--ours` exclude each other")
    if force and (theirs or ours or prune or as_ or label):
        raise UsageError("`--force` is for an export, which comes in as it is: no labels, no other name")
    if as_ and len(paths) > 1:
        raise UsageError("`--as` names one folder, not several")
    for path in paths:
        if not os.path.exists(path):
            raise NotFoundError(f"there is no file or folder `{path}`")
    options: dict[str, Any] = {
        "as_": as_,
        "dry_run": dry_run,
        "prune": prune,
        "theirs": theirs,
        "ours": ours,
        "labels": tuple(label or ()),
        "progress": _progress(session),
    }
    if force:
        options = {"force": True, "dry_run": dry_run, "progress": options["progress"]}
    reports = [_import_one(session, path, options) for path in paths]
    session.output.things(reports, as_record, _text) if len(reports) > 1 else session.output.thing(
        reports[0], as_record, _text
    )
    if any(skipped.failed for report in reports for skipped in report.skipped):
        session.exit_code = ExitCode.PARTIAL


def _import_one(session: "Session", path: str, options: dict[str, Any]) -> "ImportReport":
    bring_in = session.memory.import_export if "force" in options else session.memory.import_
    report: ImportReport = bring_in(path, **options)
    session.diagnostics.progress("")
    for place, warning in report.warnings:
        session.diagnostics.notice(f"{place}: {warning}")
    for skipped in report.skipped:
        if skipped.failed:
            session.diagnostics.skipped(skipped.where, skipped.why)
    for conflict in report.conflicts:
        said = "both would be kept" if report.dry_run else "both are kept"
        session.diagnostics.notice(f"{conflict}: changed here and in the file, and the changes do not fit; {said}")
    if report.conflicts:
        session.diagnostics.notice("`mh review` settles it; `--ours` or `--theirs` would have decided at once")
    return report


def _progress(session: "Session") -> Any:
    def show(done: int, place: str = "") -> None:
        session.diagnostics.progress(f"import: {done} {place}")

    return show


def _text(report: "ImportReport") -> str:
    counts = {
        "new": report.created,
        "changed": report.updated,
        "unchanged": report.unchanged,
        "moved": report.moved,
        "in conflict": len(report.conflicts),
        "gone": len(report.vanished),
        "skipped": len(report.skipped),
    }
    words = ", ".join(f"{count} {what}" for what, count in counts.items() if count) or "nothing to import"
    return f"{'would import' if report.dry_run else 'imported'} {report.scope}: {words}"


@export_app.command("export", cls=Plain)
def export(
    ctx: Context,
    file: Annotated[str | None, typer.Argument(metavar="[FILE]", help="Where to write; stdout if not given.")] = None,
    label: opt.Labels = None,
    kind: opt.Kinds = None,
    layer: opt.Layers = None,
    project: opt.Project = None,
    here: opt.Here = False,
    since: opt.Since = None,
    until: opt.Until = None,
    force: Annotated[bool, typer.Option("--force", help="Overwrite the file when it exists.")] = False,
) -> None:
    """Write everything as mh-export JSON Lines.

    Without filters the export is lossless: importing it into an empty file gives the same memory with all history.
    With --space only that space and those it reads are written.
    """
    session = ctx.obj
    filters = opt.make_filters(
        session, labels=label, kinds=kind, layers=layer, project=project, here=here, since=since, until=until
    )
    if "space" in session.flags:  # a setting does not narrow a backup, asking for a space does
        filters = filters._replace(space=str(session.flags["space"]))
    lines = session.memory.export_lines(filters)
    if file in (None, "-"):
        for line in lines:
            session.output.raw(line)
        return
    from pathlib import Path

    count = _write(Path(str(file)), lines, force)
    session.diagnostics.notice(f"wrote {count} lines to {file}")


def _write(target: "Path", lines: Any, force: bool) -> int:
    """Write beside the target first, so that a failed export never replaces a good one."""
    if target.is_dir():
        raise UsageError(f"`{target}` is a folder", f"name a file in it: `{target / 'mh.jsonl'}`")
    if target.exists() and not force:
        raise UsageError(f"{target} exists already", "`--force` overwrites it")
    from memhub.export.jsonl import open_writing

    draft = target.with_name(target.name + ".part")
    count = 0
    try:
        with open_writing(draft) as out:  # packed when the target ends in `.gz`
            for line in lines:
                out.write(line.encode("utf-8"))
                count += 1
        draft.replace(target)
    finally:
        draft.unlink(missing_ok=True)
    return count
