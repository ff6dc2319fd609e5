"""Options that several commands share, and the filters they make."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

from memhub.errors import NotFoundError, UsageError
from memhub.model.query import Filters

if TYPE_CHECKING:
    from memhub.cli.session import Session

KINDS = ("note", "document", "fact", "event", "intent", "procedure")
_MOST = 1_000_000_000  # more than any file holds; what is larger would overflow SQLite
STATES = ("live", "replaced", "duplicate", "archived", "dropped")

Refs = Annotated[list[str], typer.Argument(metavar="ID...", help="Items: id, its last letters, @1 or - for stdin.")]
Ref = Annotated[str, typer.Argument(metavar="ID", help="Item: id, its last letters or @1.")]
Labels = Annotated[
    list[str] | None, typer.Option("--label", "-l", metavar="LABEL", help="With this label; repeatable.")
]
Kinds = Annotated[list[str] | None, typer.Option("--kind", "-k", metavar="KIND", help="Of this kind; repeatable.")]
Layers = Annotated[list[str] | None, typer.Option("--layer", metavar="LAYER", help="Of this layer: L0 to L3.")]
Project = Annotated[str | None, typer.Option("--project", metavar="NAME", help="Of this project.")]
Here = Annotated[bool, typer.Option("--here", help="Of the project of the current folder.")]
Since = Annotated[
    str | None, typer.Option("--since", metavar="DATE", help="From this day on: 2026-02-10, 2026-02, 3d.")
]
Until = Annotated[str | None, typer.Option("--until", metavar="DATE", help="Up to and including this day.")]
MinImportance = Annotated[float | None, typer.Option("--importance", metavar="MIN", help="At least this, from 0 to 1.")]
States = Annotated[
    list[str] | None,
    typer.Option("--state", metavar="STATE", help="live, replaced, duplicate, archived, dropped or all."),
]
Pinned = Annotated[bool, typer.Option("--pinned", help="Pinned ones alone (`mh set --pin`).")]
Limit = Annotated[int | None, typer.Option("--limit", "-n", metavar="N", help="At most N; 0 for all.")]
Offset = Annotated[int, typer.Option("--offset", metavar="N", help="Leave out the first N.", show_default=False)]


def make_filters(session: "Session", **given: Any) -> Filters:
    """The filters that the options ask for; `space` is left to the session, which searches its own."""
    from memhub.text.dates import parse_range

    since, until = given.get("since"), given.get("until")
    layers = tuple(layer.upper() for layer in given.get("layers") or ())
    unknown = [layer for layer in layers if layer not in ("L0", "L1", "L2", "L3")]
    if unknown:
        raise UsageError(f"there is no layer `{unknown[0]}`", "layers are L0, L1, L2 and L3")
    project = given.get("project")
    if given.get("here"):
        project = here(session)
    return Filters(
        labels=tuple(given.get("labels") or ()),
        kinds=tuple(given.get("kinds") or ()),
        layers=layers,
        project=project,
        created=parse_range(since, until, session.zone) if since or until else None,
        importance=importance(given.get("importance")),
        states=states(given.get("states")),
        pinned=True if given.get("pinned") else None,
    )


def tell_undated(session: "Session", filters: Filters, *, threads: bool = False, platform: str | None = None) -> None:
    """Say how many a range of days leaves out because nobody knows when they were."""
    if filters.created is None or session.quiet:
        return
    count = session.memory.undated(filters, threads=threads, platform=platform)
    if count:
        from memhub.cli.lines import counted

        what = counted(count, "conversation" if threads else "item")
        session.diagnostics.notice(f"{what} without a date left out")


def here(session: "Session") -> str:
    """The project that the current folder belongs to."""
    from pathlib import Path

    try:
        folder = Path.cwd()
    except OSError as error:
        raise NotFoundError("the current folder is no longer there", "change into one that is") from error
    project: str = session.memory.project_of(folder)
    return project


def states(given: Sequence[str] | None) -> tuple[str, ...]:
    """The states asked for; `all` is every one that still has a text."""
    if not given:
        return ("live",)
    if "all" in given:
        return STATES
    for state in given:
        if state not in STATES:
            raise UsageError(f"there is no state `{state}`", f"states are {', '.join(STATES)} and all")
    return tuple(given)


def importance(given: float | None) -> float | None:
    """An importance from 0 to 1."""
    if given is not None and not 0 <= given <= 1:
        raise UsageError(f"importance goes from 0 to 1, not {given:g}")
    return given


def kind(given: str | None) -> str | None:
    """A kind that a person may give a note."""
    if given is not None and given not in KINDS:
        import difflib

        near = difflib.get_close_matches(given, KINDS, 1)
        hint = f"did you mean `{near[0]}`?" if near else f"kinds are {', '.join(KINDS)}"
        raise UsageError(f"there is no kind `{given}`", hint)
    return given


def limit(given: int | None, default: int) -> int:
    """How many to show; 0 is all."""
    if given is not None and given < 0:
        raise UsageError(f"`--limit` goes from 0 up, not {given}")
    return min(default if given is None else given, _MOST)


def offset(given: int) -> int:
    """How many to leave out."""
    if given < 0:
        raise UsageError(f"`--offset` goes from 0 up, not {given}")
    return min(given, _MOST)
