"""`mh log`, `mh undo` and `mh redo`: operations, and taking them back."""

from typing import TYPE_CHECKING, Annotated

import typer

from memhub.cli import options as opt
from memhub.cli import refs
from memhub.cli.app import Context, Listing, Thing, typer_app
from memhub.cli.output import as_record
from memhub.errors import NotFoundError

if TYPE_CHECKING:
    from memhub.cli.session import Session
    from memhub.model.entry import OperationInfo

log_app = typer_app()
undo_app = typer_app()
redo_app = typer_app()

Operation = Annotated[
    str | None, typer.Argument(metavar="[OPERATION]", help="Its id as `mh log` shows it; the last one if not given.")
]
Force = Annotated[bool, typer.Option("--force", help="Even when later operations touched the same items.")]


@log_app.command("log", cls=Listing)
def log(
    ctx: Context,
    item: Annotated[str | None, typer.Option("--item", metavar="ID", help="Operations that touched this item.")] = None,
    limit: opt.Limit = None,
    offset: opt.Offset = 0,
) -> None:
    """List operations, newest first."""
    session = ctx.obj
    found = session.memory.operations(
        limit=opt.limit(limit, session.config.number("list.limit")),
        offset=opt.offset(offset),
        item=refs.resolve_one(session, item) if item else None,
    )
    session.output.things(found, as_record, lambda one: one.id if session.quiet else operation_line(session, one))


@undo_app.command("undo", cls=Thing)
def undo(ctx: Context, operation: Operation = None, force: Force = False) -> None:
    """Take back the last operation, or a named one.

    Undoing is an operation too: mh redo takes it back. An erase cannot be undone.
    """
    session = ctx.obj
    _answer(session, "undone", session.memory.undo(operation, force=force))


@redo_app.command("redo", cls=Thing)
def redo(ctx: Context, operation: Operation = None, force: Force = False) -> None:
    """Take back an undo."""
    session = ctx.obj
    _answer(session, "redone", session.memory.redo(operation, force=force))


def _answer(session: "Session", done: str, operation: "OperationInfo") -> None:
    session.output.thing(
        operation,
        as_record,
        lambda one: one.id if session.quiet else f"{done}: {one.summary or one.command}",
    )


def _title(session: "Session", item: str) -> str:
    """Which item it was, in a few words; nothing for one that is erased or not here yet."""
    from memhub.cli.render import headline
    from memhub.text.clean import fit

    try:
        found = session.memory.get(item)
    except NotFoundError:
        return ""
    return "" if found.state == "erased" else f": {fit(headline(found), 60)}"


def operation_line(session: "Session", operation: "OperationInfo") -> str:
    """One operation on one line: id, time, command, what it did, how many items or which one."""
    from memhub.cli.style import DIM, ID, paint
    from memhub.store.read import MOST_ITEMS
    from memhub.text.clean import fit, one_line, terminal_safe
    from memhub.text.dates import show_time

    colour = session.output.colour
    name = operation.id[-8:]
    who = "" if operation.who == "hand" else f" by {operation.who}"
    count = len(operation.items)
    more = "+" if count >= MOST_ITEMS else ""  # of more it is not told which they are
    items = f"{count:,}{more} items" if count != 1 else f"1 item{_title(session, operation.items[0])}"
    state = " (undone)" if operation.undone else ""
    parts = (f"{operation.command}{who}", operation.summary, f"{items}{state}")
    text = "  ".join(one_line(terminal_safe(part)) for part in parts if part)
    at = show_time(operation.at, session.zone)
    columns = session.output.columns
    if columns is not None:
        text = fit(text, max(columns - len(name) - len(at) - 4, 20))
    return f"{paint(name, ID) if colour else name}  {paint(at, DIM) if colour else at}  {text}"
