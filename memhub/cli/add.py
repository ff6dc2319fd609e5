"""`mh add`: capture, from the argument, standard input or the editor."""

import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Any

import typer

from memhub.cli import options as opt
from memhub.cli.app import Context, Listing, typer_app
from memhub.cli.output import item_to_json
from memhub.errors import ExitCode, UsageError
from memhub.model.record import Skipped

if TYPE_CHECKING:
    from memhub.cli.read_input import Split
    from memhub.cli.session import Session
    from memhub.model.result import Added
else:
    from typing import Literal

    Split = Literal["line", "blank", "jsonl"]

app = typer_app()


@app.command(cls=Listing)
def add(
    ctx: Context,
    content: Annotated[list[str] | None, typer.Argument(metavar="[TEXT...]", help="The text, or - for stdin.")] = None,
    split: Annotated[Split | None, typer.Option("--split", help="Cut stdin into notes.", show_default=False)] = None,
    title: Annotated[str | None, typer.Option("--title", "-t", metavar="TEXT", help="A title.")] = None,
    label: Annotated[
        list[str] | None, typer.Option("--label", "-l", metavar="LABEL", help="A label; repeatable.")
    ] = None,
    kind: Annotated[
        str | None,
        typer.Option("--kind", "-k", metavar="KIND", help="note, fact, event, intent, procedure or document."),
    ] = None,
    importance: Annotated[float | None, typer.Option("--importance", metavar="N", help="From 0 to 1.")] = None,
    date: Annotated[
        str | None, typer.Option("--date", metavar="DATE", help="When it was: 2026-02-10, yesterday.")
    ] = None,
    project: Annotated[str | None, typer.Option("--project", metavar="NAME", help="The project it belongs to.")] = None,
    source: Annotated[str | None, typer.Option("--source", metavar="TEXT", help="Where it came from.")] = None,
    request_id: Annotated[
        str | None, typer.Option("--request-id", metavar="ID", help="Adding again with this id changes nothing.")
    ] = None,
    again: Annotated[bool, typer.Option("--again", help="Add even what was just added.")] = False,
) -> None:
    """Remember a text, or every record of standard input.

    Without a text the editor opens on a terminal, and standard input is read elsewhere. The same text within a day
    is added once; --again adds it anyway.
    """
    session = ctx.obj
    fields: dict[str, Any] = {
        "title": title,
        "labels": tuple(label or ()),
        "kind": opt.kind(kind) or "note",
        "importance": opt.importance(importance),
        "created_at": _date(session, date),
        "project": project,
        "source": source,
    }
    if split:
        if content not in (None, [], ["-"]):
            raise UsageError("`--split` cuts standard input; it takes no text")
        if title or request_id:
            raise UsageError("`--title` and `--request-id` are for one note, not for many")
        del fields["title"]
        _add_many(session, split, fields, again)
        return
    text = _text(session, content)
    if text is None:
        return
    added = session.memory.add(text, request_id=request_id, again=again, **fields)
    for warning in added.warnings:
        session.diagnostics.notice(warning)
    session.output.thing(added, _to_json, lambda one: _line(session, one))
    session.judge_now([added.item.id])


def _date(session: "Session", given: str | None) -> str | None:
    if given is None:
        return None
    from memhub.text.dates import parse_date

    return parse_date(given, session.zone)


def _text(session: "Session", content: list[str] | None) -> str | None:
    """The text to add; None when the editor gave none, which has been said then."""
    if content and content != ["-"]:
        return " ".join(content)
    if not content and session.is_interactive:
        from memhub.cli.editor import write_new

        return write_new(session)
    from memhub.cli.read_input import stdin_bytes
    from memhub.text.decode import decode

    if sys.stdin is not None and sys.stdin.isatty() and session.output.is_terminal:
        session.diagnostics.talk("reading from the terminal; Ctrl-D ends the text")
    text = decode(stdin_bytes()).strip("\n")
    if not text.strip():
        raise UsageError("nothing to add", 'give a text, as in `mh add "the boat key hangs behind the door"`')
    return text


def _add_many(session: "Session", split: "Split", fields: dict[str, Any], again: bool) -> None:
    from memhub.cli.read_input import notes

    created: list[str] = []
    counts = {"created": 0, "known": 0, "skipped": 0}

    def stored() -> Iterator["Added"]:
        for result in session.memory.add_many(notes(split, session.zone), again=again, **fields):
            if isinstance(result, Skipped):
                counts["skipped"] += 1
                session.diagnostics.skipped(result.where, result.why)
                continue
            counts[result.status] += 1
            for warning in result.warnings:
                session.diagnostics.notice(f"{result.item.id[-6:]}: {warning}")
            if result.status == "created":
                created.append(result.item.id)
            yield result

    session.output.things(stored(), _to_json, lambda one: _line(session, one))
    if created:
        session.judge_now(created)
    parts = [f"{counts['created']} added"] + [f"{n} {what}" for what, n in counts.items() if n and what != "created"]
    session.diagnostics.notice(", ".join(parts))
    if counts["skipped"]:
        session.exit_code = ExitCode.PARTIAL


def _to_json(added: "Added") -> dict[str, Any]:
    return item_to_json(added.item) | {"status": added.status}


def _line(session: "Session", added: "Added") -> str:
    if session.quiet:
        return added.item.id
    from memhub.cli.render import Lines

    return Lines(session, [added.item]).item(added.item, "added" if added.status == "created" else "known")
