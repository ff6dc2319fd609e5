"""`mh show`: items in full."""

from typing import TYPE_CHECKING

from memhub.cli import refs
from memhub.cli.app import Context, Listing, typer_app
from memhub.cli.options import Refs
from memhub.cli.output import Record, as_record, item_to_json

if TYPE_CHECKING:
    from memhub.model.item import Item

app = typer_app()


@app.command(cls=Listing)
def show(ctx: Context, ids: Refs) -> None:
    """Show items in full.

    With --json one item is an object, several are an array. Looking keeps an item present (see decay).
    """
    from memhub.cli.render import full

    session = ctx.obj
    found = [session.memory.get(ref) for ref in refs.resolve(session, ids)]

    def to_json(item: "Item") -> Record:
        return item_to_json(item) | {"decay": as_record(session.memory.decay(item.id))}

    if session.format == "json" and len(ids) == 1 and ids != ["-"]:
        session.output.json_line(to_json(found[0]))
    elif session.format == "text":
        texts = [item.id if session.quiet else full(session, item) for item in found]
        session.output.line(("\n" if session.quiet else "\n\n").join(texts))
    else:
        session.output.things(found, to_json, str)
    session.memory.seen([item.id for item in found])
