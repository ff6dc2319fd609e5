"""`mh review`: the one door for what needs a person; a list, a walk through it, or one answer from a script."""

import sys
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from memhub.cli import options as opt
from memhub.cli import refs
from memhub.cli.app import Context, Listing, typer_app
from memhub.cli.output import Record, as_record, item_to_json
from memhub.errors import MhError, UsageError

if TYPE_CHECKING:
    from memhub.cli.session import Session
    from memhub.model.entry import OperationInfo
    from memhub.model.item import Item
    from memhub.model.judged import ReviewEntry

app = typer_app()

_ANSWERS = {
    "contested": {"n": "new", "o": "old", "b": "both", "m": "merge", "t": "note"},
    "forked": {"n": "new", "o": "old", "m": "merge"},
    "low_confidence": {"n": "new", "o": "old", "m": "merge", "t": "note"},
}
_QUESTIONS = {
    "contested": "keep the [n]ew one, the [o]ld one or [b]oth, [m]erge, no[t]e, [s]kip, [q]uit?",
    "forked": "keep the [n]ewest, the [o]ldest, [m]erge, [s]kip, [q]uit?",
    "low_confidence": "[n] it holds, [o] drop it, [m] put it right, no[t]e, [s]kip, [q]uit?",
}


@app.command(cls=Listing)
def review(
    ctx: Context,
    id: Annotated[str | None, typer.Argument(metavar="[ID]", help="What to settle; everything if not given.")] = None,
    keep: Annotated[
        Literal["new", "old", "both"] | None, typer.Option("--keep", help="What holds.", show_default=False)
    ] = None,
    merge: Annotated[
        str | None, typer.Option("--merge", metavar="TEXT", help="One text in place of both; - for stdin.")
    ] = None,
    note: Annotated[str | None, typer.Option("--note", metavar="TEXT", help="A word on it; it stays open.")] = None,
    against: Annotated[
        str | None, typer.Option("--against", metavar="ID", help="The other one, where there are several.")
    ] = None,
    limit: opt.Limit = None,
) -> None:
    """Settle what needs a person: contradictions, forks, doubts.

    On a terminal it asks about one after the other; elsewhere it lists them. With an id, --keep, --merge and --note
    give the answer. Nothing is deleted, and mh undo takes an answer back.
    """
    session = ctx.obj
    answers = {"--keep": keep, "--merge": merge, "--note": note}
    given = [option for option, value in answers.items() if value is not None]
    if len(given) > 1:
        raise UsageError(f"`{given[0]}` and `{given[1]}` exclude each other")
    if given and not id:
        raise UsageError(f"`{given[0]}` needs the id of what it settles", "`mh review` lists what there is")
    if id and given:
        how = keep or given[0].lstrip("-")
        other = refs.resolve_one(session, against) if against else None
        operation = session.memory.resolve(
            refs.resolve_one(session, id), how, other=other, text=_text(merge if merge is not None else note)
        )
        session.output.thing(operation, as_record, lambda one: _settled(session, one, how))
        return
    if against:
        raise UsageError("`--against` goes with `--keep`, `--merge` or `--note`")
    _show(session, _entries(session, id, opt.limit(limit, 0)))


def _entries(session: "Session", id: str | None, limit: int) -> "list[ReviewEntry]":
    found: list[ReviewEntry] = session.memory.review(limit=0 if id else limit)
    if id is None:
        return found
    item = session.memory.get(refs.resolve_one(session, id)).id
    return [entry for entry in found if item in (entry.item.id, entry.other.id if entry.other else None)]


def _show(session: "Session", found: "list[ReviewEntry]") -> None:
    if not found:
        session.output.things([], _to_json, str)
        session.diagnostics.notice("nothing to review")
    elif session.format == "text" and not session.quiet and session.is_interactive:
        _walk(session, found)
    else:
        refs.remember(session, [entry.item.id for entry in found])
        session.output.things(found, _to_json, lambda entry: entry.item.id if session.quiet else _entry(session, entry))


def _text(given: str | None) -> str | None:
    if given != "-":
        return given
    from memhub.cli.read_input import stdin_bytes
    from memhub.text.decode import decode

    return decode(stdin_bytes()).strip("\n")


def _settled(session: "Session", operation: "OperationInfo", how: str) -> str:
    return operation.id if session.quiet else f"settled: {how}"


def _to_json(entry: "ReviewEntry") -> Record:
    return {
        "kind": entry.kind,
        "reason": entry.reason,
        "item": item_to_json(entry.item),
        "other": item_to_json(entry.other) if entry.other else None,
    }


def _entry(session: "Session", entry: "ReviewEntry") -> str:
    from memhub.cli.render import Lines

    items = [item for item in (entry.item, entry.other) if item]
    lines = Lines(session, items)
    names = ("new", "old") if entry.other else ("",)
    shown = [lines.item(item, f"  {name}".rstrip() or " ") for item, name in zip(items, names, strict=True)]
    return "\n".join([f"{entry.kind.replace('_', ' ')}: {entry.reason}", *shown])


# ---- one after the other, on a terminal


def _walk(session: "Session", found: "list[ReviewEntry]") -> None:
    settled: set[str] = set()
    for number, entry in enumerate(found, 1):
        if entry.item.id in settled or (entry.other and entry.other.id in settled):
            continue  # an answer before may have changed it; the next review shows what is left
        session.output.line(f"{number} of {len(found)}  {_entry(session, entry)}")
        how = _ask(session, entry)
        if how == "quit":
            break
        text = _words(session, entry, how)
        if how == "skip" or (how in ("merge", "note") and not text):
            continue
        other = entry.other.id if entry.other else None
        try:
            session.memory.resolve(entry.item.id, how, other=other, text=text)
        except MhError as error:  # one that cannot be settled so must not end the walk
            session.diagnostics.error(error)
            continue
        settled.update(one for one in (entry.item.id, other) if one)
        session.diagnostics.talk(f"settled: {how}")


def _ask(session: "Session", entry: "ReviewEntry") -> str:
    """What to do; the question comes again until the answer is one of those offered."""
    answers = {**_ANSWERS[entry.kind], "s": "skip", "": "skip", "q": "quit"}
    while True:
        session.diagnostics.write(f"{_QUESTIONS[entry.kind]} ")
        line = sys.stdin.readline()
        word = line.strip().lower()
        if not line:
            return "quit"
        found = answers.get(word) or (word if word in answers.values() else None)
        if found:
            return found


def _words(session: "Session", entry: "ReviewEntry", how: str) -> str | None:
    """The text that a merge or a note needs."""
    if how == "note":
        session.diagnostics.write("note: ")
        return sys.stdin.readline().strip()
    if how != "merge":
        return None
    from memhub.cli.editor import in_editor
    from memhub.paths import drafts_folder

    before = _both(entry.item, entry.other)
    draft = drafts_folder() / f"{entry.item.id}-merge.md"
    text = in_editor(session, draft, before, "nothing was written, so nothing was merged" if entry.other else "")
    if text is None and entry.other:
        return None
    draft.unlink(missing_ok=True)
    return (text or before).strip("\n")


def _both(item: "Item", other: "Item | None") -> str:
    return item.content if other is None else f"{item.content}\n\n{other.content}\n"
