"""`mh ask`: a question to everything that was kept."""

from typing import TYPE_CHECKING, Annotated

import typer

from memhub.cli import options as opt
from memhub.cli import refs
from memhub.cli.app import Context, Thing, typer_app
from memhub.cli.output import Record, hit_to_json
from memhub.errors import ExitCode, UsageError

if TYPE_CHECKING:
    from memhub.cli.session import Session
    from memhub.model.answered import Answered

app = typer_app()

_SOURCES = 8


@app.command(cls=Thing)
def ask(
    ctx: Context,
    question: Annotated[list[str], typer.Argument(metavar="QUESTION...", help="What you want to know.")],
    label: opt.Labels = None,
    project: opt.Project = None,
    here: opt.Here = False,
    since: opt.Since = None,
    until: opt.Until = None,
    limit: Annotated[
        int | None, typer.Option("--limit", "-n", metavar="N", min=1, max=50, help="Look at the best N.")
    ] = None,
    no_model: Annotated[bool, typer.Option("--no-model", help="Only show what was found.")] = False,
) -> None:
    """Answer a question from what you kept, with the sources of each sentence.

    With a language model it answers in the language of the question, and every sentence is checked against the texts it
    cites. Without one it shows the texts that are most likely to answer.
    """
    session = ctx.obj
    text = " ".join(question)
    if not text.strip():
        raise UsageError("nothing to ask", "`mh ask when does the ferry leave`")
    filters = opt.make_filters(session, labels=label, project=project, here=here, since=since, until=until)
    session.diagnostics.progress("looking for an answer …")
    found = session.memory.ask(text, filters, limit=limit or _SOURCES, with_model=not no_model)
    session.diagnostics.progress("")
    refs.remember(session, [hit.item.id for hit in found.sources])
    _answer(session, found, no_model)
    if found.is_partial:
        session.exit_code = ExitCode.PARTIAL


def _answer(session: "Session", found: "Answered", no_model: bool) -> None:
    for notice in found.notices:
        session.diagnostics.notice(notice)
    if session.format != "text":
        session.output.thing(found, _to_json, str)
        return
    if session.quiet:
        for number in _cited(found):
            session.output.line(found.sources[number - 1].item.id)
        return
    if not found.sources:
        session.diagnostics.notice("nothing found")
    elif found.model is None and not no_model:
        session.diagnostics.notice("no language model is set (`llm.model`): this is what was found")
    for line in _lines(session, found):
        session.output.line(line)


def _cited(found: "Answered") -> list[int]:
    """The numbers of the sources that the answer names; of all where there is no answer."""
    named = sorted({number for said in found.sentences for number in said.cites})
    return named or [*range(1, len(found.sources) + 1)]


def _lines(session: "Session", found: "Answered") -> list[str]:
    from memhub.cli.lines import safe
    from memhub.cli.render import Lines
    from memhub.cli.wrap import wrapped

    lines = Lines(session, [hit.item for hit in found.sources])
    shown = [*wrapped(safe(found.text), session.output.columns), ""] if found.text else []
    for number in _cited(found):
        hit = found.sources[number - 1]
        mark = f"[{number}]".ljust(len(f"[{len(found.sources)}]"))
        shown.append(lines.item(hit.item, mark) if found.text else lines.hit(hit, mark))
    return shown


def _to_json(found: "Answered") -> Record:
    return {
        "question": found.question,
        "answer": found.text,
        "sentences": [{"text": said.text, "cites": list(said.cites)} for said in found.sentences],
        "sources": [{"number": number, **hit_to_json(hit)} for number, hit in enumerate(found.sources, 1)],
        "model": found.model,
        "notices": list(found.notices),
    }
