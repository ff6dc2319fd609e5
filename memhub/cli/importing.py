"""`mh import`: what there is to bring in, and bringing it in."""

import os
import sys
from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any

import typer

from memhub.cli import options as opt
from memhub.cli.app import Context, Thing, typer_app
from memhub.cli.output import as_record
from memhub.errors import ExitCode, NotFoundError, UnavailableError, UsageError

if TYPE_CHECKING:
    from memhub.cli.session import Session
    from memhub.model.report import Discovered, ImporterInfo, ImportReport

import_app = typer_app()
Target = tuple[str, str | None]
"""A path, and the importer that was named for it."""
_SHOWN = 3
Told = set[tuple[str, ...]]
"""A path and the words that were said of it."""


@import_app.command("import", cls=Thing)
def import_sources(
    ctx: Context,
    sources: Annotated[
        list[str] | None,
        typer.Argument(metavar="[SOURCE...]", help="Folders, files, zips, names of tools such as claude-code, or -."),
    ] = None,
    everything: Annotated[bool, typer.Option("--all", help="All that mh import finds in the usual places.")] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Say what would happen; change nothing.")] = False,
    importer: Annotated[
        str | None, typer.Option("--importer", metavar="NAME", help="Read the source with this importer.")
    ] = None,
    option: Annotated[
        list[str] | None,
        typer.Option("--option", "-o", metavar="NAME=VALUE", help="Tell the importer something; it is remembered."),
    ] = None,
    importers: Annotated[bool, typer.Option("--importers", help="List the importers and their options.")] = False,
    as_: Annotated[str | None, typer.Option("--as", metavar="NAME", help="Know this source by another name.")] = None,
    label: Annotated[
        list[str] | None, typer.Option("--label", "-l", metavar="LABEL", help="Label what comes in.")
    ] = None,
    since: Annotated[
        str | None, typer.Option("--since", metavar="DATE", help="Only conversations that went on after this day.")
    ] = None,
    project: Annotated[str | None, typer.Option("--project", metavar="NAME", help="Only conversations of it.")] = None,
    limit: Annotated[int | None, typer.Option("--limit", "-n", metavar="N", help="At most N conversations.")] = None,
    agents: Annotated[bool, typer.Option("--agents", help="Conversations of sub-agents too.")] = False,
    prune: Annotated[bool, typer.Option("--prune", help="Drop items whose file is gone.")] = False,
    theirs: Annotated[bool, typer.Option("--theirs", help="Where both changed, take the file.")] = False,
    ours: Annotated[bool, typer.Option("--ours", help="Where both changed, keep what is here.")] = False,
    force: Annotated[bool, typer.Option("--force", help="Of a damaged export, take what is good.")] = False,
    no_index: Annotated[
        bool, typer.Option("--no-index", help="Leave the vectors to mh index and to searches.")
    ] = False,
    watch: Annotated[bool, typer.Option("--watch", help="Go on: bring in what is new as it is written.")] = False,
) -> None:
    """Bring in notes, files, AI sessions or an export.

    Without a source it shows what lies in the usual places. Importing the same again brings only what is new; mh undo
    takes a whole import back. Words find it at once; on a terminal the vectors are made next, and Ctrl-C leaves them
    to mh index.
    """
    session = ctx.obj
    if theirs and ours:
        raise UsageError("`--theirs` and `--ours` exclude each other")
    if force and (theirs or ours or prune or as_ or label or option):
        raise UsageError("`--force` is for an export, which comes in as it is: no labels, no other name, no options")
    if importers:
        session.output.things(session.memory.importers(), as_record, _importer)
        return
    if not sources and not everything:
        _show_places(session)
        return
    targets = _targets(session, sources or [], importer) if sources else _found(session.memory.discover())
    if as_ and len(targets) > 1:
        raise UsageError("`--as` names one source, not several")
    options: dict[str, Any] = {
        "as_": as_,
        "dry_run": dry_run,
        "prune": prune,
        "theirs": theirs,
        "ours": ours,
        "labels": tuple(label or ()),
        "options": dict(_named(one) for one in option or ()),
        "since": _start(session, since),
        "project": project,
        "limit": opt.limit(limit, 0) or None,
        "agents": agents,
    }
    if force:
        options = {"force": True, "dry_run": dry_run}
    if watch:
        _watch(session, targets, options, with_vectors=not no_index)
        return
    try:
        _bring(session, targets, options)
    except KeyboardInterrupt:
        if dry_run:
            raise
        session.diagnostics.notice("broken off; what came in stays, and the next import goes on from there")
        session.exit_code = ExitCode.INTERRUPTED
        return
    if not no_index and not dry_run:
        _complete(session)


def _bring(session: "Session", targets: list[Target], options: dict[str, Any]) -> None:
    """Import each source and say what came of it as soon as it is done."""

    def reports() -> "Iterator[ImportReport]":
        for path, name in targets:
            report = _import_one(session, path, name, options, set())
            if any(skipped.failed for skipped in report.skipped):
                session.exit_code = ExitCode.PARTIAL
            yield report

    if len(targets) == 1:
        session.output.thing(next(reports()), as_record, partial(_text, session))
        return
    with session.memory.together("import", f"{len(targets)} sources"):
        session.output.things(reports(), as_record, partial(_text, session))


def _watch(session: "Session", targets: list[Target], options: dict[str, Any], *, with_vectors: bool) -> None:
    from pathlib import Path

    from memhub.cli.watch import watch

    if "force" in options or options["dry_run"] or options["limit"]:
        raise UsageError("`--watch` goes with neither `--force`, `--dry-run` nor `--limit`")
    if any(path == "-" for path, _ in targets):
        raise UsageError("`--watch` follows files, not standard input")
    told: Told = set()
    roots: dict[Path, list[str | None]] = {}
    for path, name in targets:
        roots.setdefault(Path(path).expanduser(), []).append(name)
    watch(
        session, roots, lambda path, name: _import_one(session, path, name, options, told), partial(_text, session),
        with_vectors=with_vectors,
    )  # fmt: skip


def _complete(session: "Session") -> None:
    """Make the vectors of what came in where someone looks on; few are left to the next search, which makes them."""
    from memhub.cli.progress import Progress, is_shown

    if not is_shown(session):
        return
    from memhub.search.fresh import FEW
    from memhub.tasks.index import waiting

    if waiting(session.memory.store) <= FEW:
        return
    sys.stdout.flush()
    try:
        with Progress(session, "vectors") as progress:
            session.memory.index(progress=progress.reach)
    except UnavailableError as error:
        session.diagnostics.notice(f"{error.message}; words find it")
    except KeyboardInterrupt:
        session.diagnostics.notice(f"{waiting(session.memory.store):,} still by words only; `mh index` goes on")
        session.exit_code = ExitCode.INTERRUPTED


def _named(option: str) -> tuple[str, str]:
    name, _, value = option.partition("=")
    return name.strip(), value.strip()


def _importer(info: "ImporterInfo") -> str:
    """A line for an importer, and one below it for each option, the default first."""
    from memhub.text.clean import one_line, terminal_safe

    lines = [f"{info.name:<16} {one_line(terminal_safe(info.help))}"]
    for option in info.options:
        lines.append(f"{'':<16} -o {option.name}={'|'.join(option.values)}: {one_line(terminal_safe(option.help))}")
    return "\n".join(lines)


def _targets(session: "Session", sources: list[str], importer: str | None) -> list[Target]:
    """Paths as they are; a name that is no path stands for the usual places of that tool."""
    targets: list[Target] = []
    places: list[Discovered] | None = None
    for source in sources:
        if source == "-" or os.path.lexists(os.path.expanduser(source)):
            targets += _readers(session, source, importer)
            continue
        if "/" in source or os.sep in source:
            raise NotFoundError(f"there is no file or folder `{source}`")
        if places is None:
            places = session.memory.discover()
        found = _found([one for one in places if one.importer == source])
        if not found:
            raise NotFoundError(
                f"there is no file or folder `{source}`, and no tool of that name with a store in a usual place",
                "`mh import` shows what there is",
            )
        targets += found
    return targets


def _readers(session: "Session", source: str, importer: str | None) -> list[Target]:
    """A path, once for each importer: the folder of an editor holds what several of its extensions keep.

    What else lies in a folder is named, not taken: an export among other files is no reason to read these.
    """
    path = os.path.expanduser(source)
    if importer is None and source != "-" and os.path.isdir(path):
        from pathlib import Path

        from memhub.cli.lines import counted
        from memhub.text.clean import one_line, terminal_safe
        from memhub.workspace.plugins import others_in, readers_of

        names = readers_of(Path(path))
        if others := others_in(Path(path), names):
            shown = one_line(terminal_safe(", ".join(others[:_SHOWN])))
            more = f" and {counted(len(others) - _SHOWN, 'other')}" if len(others) > _SHOWN else ""
            session.diagnostics.notice(f"`{source}` is read as {', '.join(names)}; left out: {shown}{more}")
            session.diagnostics.hint(f"`mh import {source.rstrip('/')}/*` takes each of them for itself")
        if len(names) > 1:
            return [(source, name) for name in names]
    return [(source, importer)]


def _found(places: "list[Discovered]") -> list[Target]:
    return [(one.path, one.importer) for one in places]


def _show_places(session: "Session") -> None:
    """The table of what could be imported."""
    places = session.memory.discover()
    session.output.things(places, as_record, lambda one: _place(session, one))
    if places:
        session.diagnostics.hint("`mh import --all` brings all of it in, `mh import NAME` what one tool has")
    else:
        session.diagnostics.notice("nothing lies in the usual places")
        session.diagnostics.hint("`mh import FOLDER` brings in a folder of notes")


def _place(session: "Session", one: "Discovered") -> str:
    """A line of that table, the path as a shell writes it."""
    from memhub.cli.lines import Row

    home = os.path.join(os.path.expanduser("~"), "")
    path = os.path.join("~", one.path.removeprefix(home)) if one.path.startswith(home) else one.path
    what = one.what.removesuffix("s") if one.count == 1 else one.what
    return Row(session).part(one.importer, width=14).part(f"{one.count:>6,}").part(what, width=13).words(path)


def _start(session: "Session", since: str | None) -> str | None:
    """The instant at which a day begins where the user is."""
    if since is None:
        return None
    from memhub.stamp import iso
    from memhub.text.dates import parse_range

    days = parse_range(since, None, session.zone)
    first = days.instants[0] if days is not None else None
    return iso(first) if first is not None else None


def _import_one(
    session: "Session", path: str, importer: str | None, options: dict[str, Any], told: Told
) -> "ImportReport":
    """Bring one source in, and say what went wrong with it unless an earlier round has told it."""
    from memhub.cli.progress import Progress

    with Progress(session, "import") as progress:
        report: ImportReport = (
            session.memory.import_export(path, progress=progress.count, **options)
            if "force" in options
            else session.memory.import_(
                sys.stdin.buffer if path == "-" else path, importer=importer, progress=progress.count, **options
            )
        )
    sayings = list(_sayings(session, report))
    for say, *words in sayings:
        if (path, *words) not in told:
            say(*words)
    told.update((path, *words) for _, *words in sayings)
    return report


def _sayings(session: "Session", report: "ImportReport") -> Iterator[tuple[Any, ...]]:
    """What to say about a report: who says it, and the words."""
    from memhub.cli.lines import counted

    notice = session.diagnostics.notice
    for place, warning in report.warnings:
        yield notice, warning if warning.startswith(place) else f"{place}: {warning}"
    for skipped in report.skipped:
        if skipped.failed:
            yield session.diagnostics.skipped, skipped.where, skipped.why
    if report.undated:
        yield notice, f"{counted(report.undated, 'conversation')} without a date left out"
    for conflict in report.conflicts:
        said = "both would be kept" if report.dry_run else "both are kept"
        yield notice, f"{conflict}: changed here and in the file, and the changes do not fit; {said}"
    if report.conflicts:
        yield notice, "`mh review` settles it; `--ours` or `--theirs` would have decided at once"


def _text(session: "Session", report: "ImportReport") -> str:
    """What came of a source; with `--quiet` the id of the operation that brought something, which undo takes back."""
    if session.quiet:
        return report.operation or ""
    counts = {
        "new": report.created,
        "changed": report.updated,
        "unchanged": report.unchanged,
        "moved": report.moved,
        "in conflict": len(report.conflicts),
        "gone": len(report.vanished),
        "skipped": len(report.skipped),
        "left out": report.passed,
    }
    from memhub.cli.lines import counted
    from memhub.text.clean import one_line, terminal_safe

    words = ", ".join(f"{count} {what}" for what, count in counts.items() if count) or "nothing new"
    scope = one_line(terminal_safe(report.scope))
    options = f" ({', '.join(f'{name}={value}' for name, value in report.options.items())})" if report.options else ""
    turns = f" ({counted(report.turns, 'new turn')})" if report.turns else ""
    return f"{'would import' if report.dry_run else 'imported'} {scope}{options}: {words}{turns}"
