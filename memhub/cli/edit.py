"""`mh edit`: a new version of an item, from the editor, options or standard input."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from memhub.cli import editor, refs
from memhub.cli import options as opt
from memhub.cli.app import Context, Thing, typer_app
from memhub.cli.output import item_to_json
from memhub.editor import is_kept, item_draft, stored
from memhub.errors import ConflictError, UsageError
from memhub.text import front_matter

if TYPE_CHECKING:
    from memhub.cli.session import Session
    from memhub.model.item import Item

app = typer_app()


@app.command(cls=Thing)
def edit(
    ctx: Context,
    id: opt.Ref,
    content: Annotated[
        str | None, typer.Option("--content", "-c", metavar="TEXT", help="The text, or - for stdin.")
    ] = None,
    title: Annotated[
        str | None, typer.Option("--title", "-t", metavar="TEXT", help="The title; empty for none.")
    ] = None,
    kind: Annotated[str | None, typer.Option("--kind", "-k", metavar="KIND", help="The kind.")] = None,
    date: Annotated[str | None, typer.Option("--date", metavar="DATE", help="When it was; empty for unknown.")] = None,
    expect: Annotated[
        str | None, typer.Option("--expect", metavar="VERSION", help="Refuse when this is no longer the version.")
    ] = None,
) -> None:
    """Change the text of an item, in the editor or by options.

    Every change is a new version; mh history shows them and mh undo takes the last one back.
    """
    session = ctx.obj
    if content == "-" and id == "-":
        raise UsageError("the item and the text cannot both come from standard input")
    by_options = (content, title, kind, date) != (None,) * 4
    if not by_options:
        editor.need_terminal(session)
    item = session.memory.get(refs.resolve_one(session, id))
    changes = _options(session, content, title, kind, date) if by_options else {}
    if by_options:
        after = session.memory.update(item.id, expect=expect, **changes)
        _answer(session, item, after)
        return
    if expect and expect != item.version:
        raise ConflictError("the item has changed since that version", f"`mh show {item.id}` shows it as it is now")
    edited = _in_editor(session, item)
    if edited:
        _answer(session, item, edited)


def _options(
    session: "Session", content: str | None, title: str | None, kind: str | None, date: str | None
) -> dict[str, Any]:
    changes: dict[str, Any] = {}
    if content == "-":
        from memhub.cli.read_input import stdin_bytes
        from memhub.text.decode import decode

        content = decode(stdin_bytes()).strip("\n")
    if content is not None:
        if not content.strip():
            raise UsageError("an item needs a text", "`mh rm` drops an item")
        changes["content"] = content
    if title is not None:
        changes["title"] = title or None
    if kind is not None:
        changes["kind"] = opt.kind(kind)
    if date is not None:
        from memhub.text.dates import parse_date

        changes["created_at"] = parse_date(date, session.zone) if date else None
    return changes


def _in_editor(session: "Session", item: "Item") -> "Item | None":
    """The item as it was saved in the editor; None when nothing changed, which has been said then."""
    draft, before = item_draft(item.id, item.version), front_matter.to_text(item)
    if is_kept(draft, before):
        session.diagnostics.notice("continuing the draft that was kept")
    text = editor.in_editor(session, draft, before, "nothing was changed")
    if text is None:
        return None
    with stored(draft):
        changes = front_matter.changes(text, item, session.zone)
        result: Item = session.memory.update(item.id, expect=item.version, **changes)
    return result


def _answer(session: "Session", before: "Item", after: "Item") -> None:
    if after.version == before.version:
        session.diagnostics.notice("nothing was changed")
    from memhub.cli.render import Lines

    text = after.id if session.quiet else ""
    session.output.thing(after, item_to_json, lambda one: text or Lines(session, [one]).item(one, "edited"))
