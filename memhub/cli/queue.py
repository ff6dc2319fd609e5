"""`mh queue`: what waits to be judged."""

from typing import TYPE_CHECKING, Annotated, Literal

import typer

from memhub.cli import refs
from memhub.cli.app import Context, Listing, typer_app
from memhub.cli.output import as_record
from memhub.errors import UsageError

if TYPE_CHECKING:
    from memhub.cli.session import Session
    from memhub.model.judged import QueueRow

app = typer_app()


@app.command(cls=Listing)
def queue(
    ctx: Context,
    action: Annotated[
        Literal["retry", "drop"] | None,
        typer.Argument(metavar="[retry|drop]", help="Make due at once, or take off unjudged.", show_default=False),
    ] = None,
    ids: Annotated[
        list[str] | None, typer.Argument(metavar="[ID...]", help="Items or threads that wait, or - for stdin.")
    ] = None,
) -> None:
    """List what waits to be judged.

    Retry without an id means all that waits. Dropped from the queue is only the work: the items stay.
    """
    session = ctx.obj
    if action is None:
        _list(session)
        return
    if action == "drop" and not ids:
        raise UsageError("`mh queue drop` needs an id", "`mh queue -q | mh queue drop -` drops all")
    wanted = refs.resolve(session, ids) if ids else None
    if wanted == []:
        count = 0  # an empty pipe names nothing, which is not everything
    elif action == "retry":
        count = session.memory.queue_retry(wanted)
    else:
        count = session.memory.queue_drop(wanted)
    done = "due at once" if action == "retry" else "taken off the queue"
    session.output.thing(
        count, lambda number: {"action": action, "items": number},
        lambda number: f"{number} item{'' if number == 1 else 's'} {done}",
    )  # fmt: skip


def _list(session: "Session") -> None:
    found = session.memory.queue()
    refs.remember(session, [row.source for row in found])
    is_text = session.format == "text" and not session.quiet
    short = session.memory.suffix([row.source for row in found]) if found and is_text else {}
    session.output.things(found, as_record, lambda row: row.source if session.quiet else _line(session, row, short))
    if not found:
        session.diagnostics.notice("nothing waits to be judged")


def _line(session: "Session", row: "QueueRow", short: dict[str, str]) -> str:
    from memhub.cli.lines import Row, counted, safe
    from memhub.text.dates import show_time

    facts = [row.space if row.space != "default" else ""]
    facts += [counted(row.attempts, "attempt") if row.attempts else "", safe(row.error)]
    facts += [f"next try {show_time(row.next_try, session.zone)}" if row.next_try else ""]
    more = ", ".join(fact for fact in facts if fact)
    line = Row(session).id(short.get(row.source, row.source[-6:])).dim(show_time(row.added, session.zone))
    return line.part(row.state, width=7).part(row.kind, width=8).words(row.title, f"({more})" if more else "")
