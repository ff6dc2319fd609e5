"""`mh entity`: who and what items speak of, under which names, and how these belong together."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from memhub.cli import options as opt
from memhub.cli import refs
from memhub.cli.app import Context, Listing, Thing, typer_app
from memhub.cli.output import as_record, item_to_json
from memhub.errors import StoreError, UsageError

if TYPE_CHECKING:
    from memhub.cli.session import Session
    from memhub.model.entity import Entity, EntityInfo

app = typer_app("List, name and merge who and what items speak of.")

FEW = 2000
"""Items that a listing looks through by itself first; more of them take a while."""

Who = Annotated[str, typer.Argument(metavar="ENTITY", help="A name, an alias, the last letters of an id, or @1.")]


@app.command("list", cls=Listing)
def list_entities(
    ctx: Context,
    query: Annotated[list[str] | None, typer.Argument(metavar="[TEXT...]", help="Part of a name or alias.")] = None,
    type: Annotated[str | None, typer.Option("--type", "-t", metavar="TYPE", help="person, place, tool …")] = None,
    all: Annotated[
        bool, typer.Option("--all", help="First look through all that is new, also by a model if there is one.")
    ] = False,
    limit: opt.Limit = None,
    offset: opt.Offset = 0,
) -> None:
    """List who and what your items speak of, the most spoken of first."""
    session = ctx.obj
    _look(session, None if all else FEW)
    found = session.memory.entities(
        " ".join(query or ()) or None, type=type and type.lower(), limit=opt.limit(limit, 20), offset=opt.offset(offset)
    )
    refs.remember(session, [one.id for one in found])
    short = session.memory.suffix([one.id for one in found]) if found else {}
    session.output.things(found, as_record, lambda one: _line(session, one, short))
    if not found and session.format == "text":
        session.diagnostics.notice("no such entity" if query or type else "no entities yet")


@app.command("show", cls=Thing)
def show(ctx: Context, entity: Who, limit: opt.Limit = None) -> None:
    """Show an entity: its names, relations and the newest items that speak of it."""
    session = ctx.obj
    _answer(session, session.memory.entity(_named(session, entity), limit=opt.limit(limit, 10)))


@app.command("merge", cls=Thing)
def merge(
    ctx: Context,
    entity: Who,
    into: Annotated[str, typer.Argument(metavar="INTO", help="The entity that takes its names and items.")],
) -> None:
    """Make two entities one; the name of the first becomes an alias."""
    session = ctx.obj
    _answer(session, session.memory.entity_merge(_named(session, entity), _named(session, into)))


@app.command("alias", cls=Thing)
def alias(
    ctx: Context,
    entity: Who,
    names: Annotated[list[str] | None, typer.Argument(metavar="[NAME...]", help="Other names it goes by.")] = None,
    remove: Annotated[list[str] | None, typer.Option("--rm", metavar="NAME", help="No longer this one.")] = None,
) -> None:
    """Give an entity other names, or take some away."""
    if not names and not remove:
        raise UsageError("no name given", "`mh entity alias ENTITY NAME`, or `--rm NAME`")
    session = ctx.obj
    given = _named(session, entity)
    _answer(session, session.memory.entity_alias(given, add=tuple(names or ()), remove=tuple(remove or ())))


@app.command("rename", cls=Thing)
def rename(
    ctx: Context,
    entity: Who,
    name: Annotated[str | None, typer.Argument(metavar="[NAME]", help="Its new name; the old one stays known.")] = None,
    type: Annotated[str | None, typer.Option("--type", "-t", metavar="TYPE", help="What it is.")] = None,
) -> None:
    """Give an entity another name or type."""
    if not name and not type:
        raise UsageError("no name given", "`mh entity rename ENTITY NAME`, or `--type TYPE`")
    session = ctx.obj
    given = _named(session, entity)
    if name:
        found = session.memory.entity_rename(given, name)
        given = found.id
    if type:
        found = session.memory.entity_type(given, type)
    _answer(session, found)


@app.command("split", cls=Thing)
def split(
    ctx: Context,
    entity: Who,
    name: Annotated[str, typer.Argument(metavar="ALIAS", help="The name that stands for something else.")],
) -> None:
    """Take one of its names away and make an entity of it; a merge comes apart again."""
    session = ctx.obj
    _answer(session, session.memory.entity_split(_named(session, entity), name))


@app.command("rm", cls=Listing)
def remove(
    ctx: Context,
    entities: Annotated[list[str], typer.Argument(metavar="ENTITY...", help="Names, ends of ids, @1, or - for stdin.")],
) -> None:
    """Forget entities; the items that speak of them stay. `mh undo` takes it back."""
    session = ctx.obj
    _look(session, FEW)
    given = [one for each in entities for one in (refs.resolve(session, [each]) if _is_ref(each) else [each])]
    gone = session.memory.entity_drop(given)
    session.output.things(gone, _record, lambda one: one.id if session.quiet else f"forgot {_safe(one.name)}")


def _look(session: "Session", most: int | None) -> None:
    """Look through what is new, unless it is much: then say what does."""
    from memhub.cli.progress import Progress

    try:
        with Progress(session, "looking through") as bar:
            looked = session.memory.look_through(with_model=most is None, most=most, progress=bar.reach)
    except StoreError as error:  # another program writes, or the file may only be read
        session.diagnostics.notice(f"what is new was not looked through: {error.message}")
        return
    if looked.left:
        session.diagnostics.notice(
            f"{looked.left:,} items are not looked through yet; `mh entity list --all` does that"
        )


def _is_ref(text: str) -> bool:
    return text == "-" or (text.startswith("@") and text[1:].isdigit())


def _named(session: "Session", ref: str) -> str:
    """What an argument means; before that what is new is looked through, so that its names are known."""
    _look(session, FEW)
    return refs.resolve_one(session, ref) if _is_ref(ref) else ref


def _safe(text: str) -> str:
    from memhub.cli.lines import safe

    return safe(text)


def _line(session: "Session", one: "EntityInfo", short: dict[str, str]) -> str:
    from memhub.cli.lines import Row

    if session.quiet:
        return one.id
    also = f"also {', '.join(one.aliases)}" if one.aliases else ""
    return Row(session).id(short[one.id]).part(f"{one.items:>5}").dim(_safe(one.type), 12).words(one.name, also)


def _record(entity: "Entity") -> dict[str, Any]:
    record = {name: getattr(entity, name) for name in ("id", "name", "type")}
    return {
        **record,
        "aliases": list(entity.aliases),
        "count": entity.count,
        "relations": [as_record(one) for one in entity.relations],
        "merged": [{"id": one, "name": name} for one, name in entity.merged],
        "items": [item_to_json(item) for item in entity.items],
    }


def _answer(session: "Session", entity: "Entity") -> None:
    session.output.thing(entity, _record, lambda one: one.id if session.quiet else _text(session, one))


def _text(session: "Session", entity: "Entity") -> str:
    """The entity, what it has to do with others, and lines of items."""
    from memhub.cli.lines import Row, counted
    from memhub.cli.render import Lines

    ids = [entity.id, *(one.id for one in entity.relations), *(one.evidence or "" for one in entity.relations)]
    short = session.memory.suffix([one for one in ids if one])
    lines = [
        Row(session).id(short[entity.id]).dim(_safe(entity.type)).words(entity.name, counted(entity.count, "item"))
    ]
    if entity.aliases:
        lines.append(f"  also: {', '.join(map(_safe, entity.aliases))}")
    for one in entity.relations:
        ends = (entity.name, one.name) if one.is_outgoing else (one.name, entity.name)
        said = f"  (→ {short[one.evidence]})" if one.evidence else ""
        lines.append(f"  {_safe(ends[0])}  --{_safe(one.relation)}-->  {_safe(ends[1])}{said}")
    rows = Lines(session, entity.items)
    lines += [rows.item(item) for item in entity.items]
    if entity.count > len(entity.items):
        lines.append(f"… and {entity.count - len(entity.items):,} more; `--limit 0` shows all")
    return "\n".join(lines)
