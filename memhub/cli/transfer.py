"""`mh export`: taking everything out."""

from typing import TYPE_CHECKING, Annotated, Literal

import typer

from memhub.cli import options as opt
from memhub.cli import refs
from memhub.cli.app import Context, Plain, typer_app
from memhub.errors import UsageError

if TYPE_CHECKING:
    from memhub.cli.session import Session
    from memhub.model.query import Filters

export_app = typer_app()


@export_app.command("export", cls=Plain)
def export(
    ctx: Context,
    file: Annotated[
        str | None, typer.Argument(metavar="[PATH]", help="The file; stdout if not given. A folder for Markdown.")
    ] = None,
    format: Annotated[
        Literal["jsonl", "markdown"],
        typer.Option("--format", help="jsonl: everything, lossless; markdown: a folder of notes."),
    ] = "jsonl",
    plain: Annotated[
        bool, typer.Option("--plain", help="Markdown without front matter; cannot be taken back.")
    ] = False,
    label: opt.Labels = None,
    kind: opt.Kinds = None,
    layer: opt.Layers = None,
    project: opt.Project = None,
    here: opt.Here = False,
    since: opt.Since = None,
    until: opt.Until = None,
    only: Annotated[
        list[str] | None, typer.Option("--only", metavar="ID", help="Only this item; repeatable, - for ids on stdin.")
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Overwrite what exists.")] = False,
) -> None:
    """Write everything as JSON Lines, or as a folder of Markdown.

    Without filters the export is lossless: importing it into an empty file gives the same memory with all history.
    With --space only that space and those it reads are written. mh import takes a Markdown folder back: what you
    changed in a file changes its item.
    """
    session = ctx.obj
    filters = opt.make_filters(
        session, labels=label, kinds=kind, layers=layer, project=project, here=here, since=since, until=until
    )
    if "space" in session.flags:  # a setting does not narrow a backup, asking for a space does
        filters = filters._replace(space=str(session.flags["space"]))
    opt.tell_undated(session, filters)
    from memhub.model.query import Filters

    ids = refs.resolve(session, only) if only else None
    if ids is not None and filters != Filters():
        raise UsageError("`--only` goes without filters", "`mh list -q` with the filters prints the ids to pipe in")
    if format == "markdown":
        _write_folder(session, file, filters, ids, plain, force)
        return
    if plain:
        raise UsageError("`--plain` is for `--format markdown`")
    lines = session.memory.export_lines(filters, refs=ids)
    if file in (None, "-"):
        for line in lines:
            session.output.raw(line)
        return
    from memhub.export.save import save

    count = save(str(file), lines, force=force)
    session.diagnostics.notice(f"wrote {count} lines to {file}")


def _write_folder(
    session: "Session", folder: str | None, filters: "Filters", ids: list[str] | None, plain: bool, force: bool
) -> None:
    from memhub.cli.lines import counted

    if folder in (None, "-"):
        raise UsageError("Markdown goes into a folder", "`mh export notes --format markdown` makes one")
    done = session.memory.export_folder(str(folder), filters, plain=plain, force=force, refs=ids)
    parts = [f"wrote {counted(done.written, 'file')} to {done.folder}"]
    parts += [f"{done.unchanged:,} unchanged"] if done.unchanged else []
    parts += [f"{done.removed:,} removed"] if done.removed else []
    session.diagnostics.notice(", ".join(parts))
    if done.turns:
        turns = counted(done.turns, "turn")
        session.diagnostics.notice(f"{turns} of conversations left out; `mh thread export ID` writes one")
