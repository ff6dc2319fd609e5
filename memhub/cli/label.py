"""`mh label`: labels of items, and the labels there are."""

from typing import Annotated

import typer

from memhub.cli import options as opt
from memhub.cli import output, refs
from memhub.cli.app import Context, Listing, Thing, typer_app
from memhub.cli.output import as_record
from memhub.errors import UsageError

app = typer_app("Add, remove, rename and list labels.")

Names = Annotated[list[str], typer.Argument(metavar="LABEL...", help="One label or more.")]
Item = Annotated[str, typer.Argument(metavar="ID", help="Item: id, its last letters, @1, or - for ids on stdin.")]


@app.command("add", cls=Listing)
def add(ctx: Context, id: Item, labels: Names) -> None:
    """Give an item labels; with - every item named on stdin."""
    session = ctx.obj
    output.changed(session, "labelled", session.memory.label(refs.resolve(session, [id]), add=_checked(labels)))


@app.command("rm", cls=Listing)
def remove(ctx: Context, id: Item, labels: Names) -> None:
    """Take labels off an item; with - off every item named on stdin."""
    session = ctx.obj
    output.changed(session, "unlabelled", session.memory.label(refs.resolve(session, [id]), remove=_checked(labels)))


@app.command("rename", cls=Thing)
def rename(
    ctx: Context,
    old: Annotated[str, typer.Argument(metavar="OLD", help="The label as it is.")],
    new: Annotated[str, typer.Argument(metavar="NEW", help="The label as it shall be.")],
) -> None:
    """Rename a label on every item."""
    session = ctx.obj
    count = session.memory.label_rename(old, new)
    session.output.thing(
        count,
        lambda number: {"old": old, "new": new, "items": number},
        lambda number: f"renamed #{old} to #{new} on {number} item{'' if number == 1 else 's'}",
    )


@app.command("list", cls=Listing)
def list_labels(
    ctx: Context,
    project: opt.Project = None,
    here: opt.Here = False,
    kind: opt.Kinds = None,
    since: opt.Since = None,
    until: opt.Until = None,
) -> None:
    """List labels, with how many items carry each."""
    from memhub.text.clean import terminal_safe

    session = ctx.obj
    filters = opt.make_filters(session, project=project, here=here, kinds=kind, since=since, until=until)
    session.output.things(
        session.memory.labels(filters),
        as_record,
        lambda label: terminal_safe(label.name if session.quiet else f"{label.count:>6}  {label.name}"),
    )


def _checked(labels: list[str]) -> tuple[str, ...]:
    for label in labels:
        if label[:1] == "@" and label[1:].isdigit():
            raise UsageError(
                f"`{label}` stands where a label belongs", "several items go through stdin: `… | mh label add - LABEL`"
            )
        if not label.strip():
            raise UsageError("a label cannot be empty")
    return tuple(labels)
