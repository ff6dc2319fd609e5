"""`mh export`: taking everything out."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from memhub.cli import options as opt
from memhub.cli.app import Context, Plain, typer_app
from memhub.errors import UsageError

if TYPE_CHECKING:
    from pathlib import Path


export_app = typer_app()


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
