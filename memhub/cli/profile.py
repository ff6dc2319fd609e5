"""`mh profile`: what holds now about somebody, slot by slot."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from memhub.cli import refs
from memhub.cli.app import Context, Listing, typer_app
from memhub.cli.output import Record, as_record

if TYPE_CHECKING:
    from memhub.cli.session import Session
    from memhub.model.judged import ProfileLine, Step

app = typer_app()


@app.command(cls=Listing)
def profile(
    ctx: Context,
    subject: Annotated[
        str | None, typer.Option("--subject", metavar="NAME", help="About this person alone; `user` is yourself.")
    ] = None,
    history: Annotated[bool, typer.Option("--history", help="With what held before.")] = False,
) -> None:
    """Show what holds now about you and others.

    One line for each thing that has one value at a time; mh why shows where it was said.
    """
    from memhub.text.clean import display_width

    session = ctx.obj
    found = session.memory.profile(subject=subject)
    refs.remember(session, [line.item for line in found])
    is_text = session.format == "text" and not session.quiet
    short = session.memory.suffix([line.item for line in found]) if found and is_text else {}
    width = max((display_width(_name(line)) for line in found), default=0)

    def earlier(line: "ProfileLine") -> "list[Step]":
        steps: list[Step] = session.memory.evolves(line.item) if history else []
        return steps

    def to_json(line: "ProfileLine") -> Record:
        return as_record(line) | ({"history": [as_record(step) for step in earlier(line)]} if history else {})

    def to_text(line: "ProfileLine") -> str:
        if session.quiet:
            return line.item
        return _lines(session, line, short, width, earlier(line))

    session.output.things(found, to_json, to_text)
    if not found:
        session.diagnostics.notice("nothing is known" + (f" about {subject}" if subject else ""))


def _name(line: "ProfileLine") -> str:
    from memhub.cli.lines import safe

    whose = "" if line.subject == "user" else f"{line.subject}: "
    return safe(f"{whose}{line.dimension}{f' ({line.qualifier})' if line.qualifier else ''}")


def _lines(session: "Session", line: "ProfileLine", short: dict[str, str], width: int, steps: "list[Step]") -> str:
    from memhub.cli.lines import Row, counted
    from memhub.text.dates import show_time

    def day(at: str | None) -> str:
        return show_time(at, session.zone)[:10]

    facts: list[Any] = [f"since {day(line.since)}" if line.since else ""]
    facts += ["" if line.confidence is None else f"confidence {line.confidence:.2f}"]
    facts += [counted(line.versions, "version") if line.versions > 1 else ""]
    more = ", ".join(fact for fact in facts if fact)
    shown = [Row(session).id(short[line.item]).part(_name(line), width=width).words(line.value, f"({more})")]
    for step in reversed(steps[:-1]):
        shown.append(Row(session).id("").dim(day(step.at), width).words(step.text))
    return "\n".join(shown)
