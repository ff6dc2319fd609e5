"""`mh erase`: the one command that cannot be taken back, so it asks."""

from typing import Annotated

import typer

from memhub.cli import options as opt
from memhub.cli import refs
from memhub.cli.app import Context, Thing, typer_app
from memhub.cli.output import as_record
from memhub.errors import MhError, UsageError

app = typer_app()


@app.command(cls=Thing)
def erase(
    ctx: Context,
    ids: opt.Refs,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")] = False,
) -> None:
    """Remove items and their history for good.

    Every version goes, and every statement drawn from it. This cannot be undone; mh rm only drops.
    """
    from memhub.cli.render import headline

    session = ctx.obj
    wanted = refs.resolve(session, ids)
    items = [session.memory.get(ref) for ref in wanted]
    if not yes:
        if not session.is_interactive:
            raise UsageError("erasing cannot be undone and there is no terminal to ask", "`--yes` means it")
        for item in items:
            session.diagnostics.write(f"  {item.id[-6:]}  {headline(item)}\n")
        if not session.diagnostics.ask(f"Erase {'this' if len(items) == 1 else f'these {len(items)}'} for good?"):
            raise MhError("nothing was erased")
    erased = session.memory.erase([item.id for item in items])
    for notice in erased.notices:
        session.diagnostics.notice(notice)
    session.output.thing(
        erased, as_record, lambda one: f"erased {_count(one.items, 'item')}, {_count(one.versions, 'version')}"
    )


def _count(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"
