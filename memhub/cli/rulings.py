"""`mh rulings`, `why` and `evolves`: what was ruled, what speaks for an item, and how it came to be so."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from memhub.cli import options as opt
from memhub.cli import refs
from memhub.cli.app import Context, Listing, Thing, typer_app
from memhub.cli.output import Record, as_record, item_to_json

if TYPE_CHECKING:
    from memhub.cli.session import Session
    from memhub.model.digested import Decay
    from memhub.model.judged import RulingInfo, Step, Why
    from memhub.model.trail import Edge

rulings_app = typer_app()
why_app = typer_app()
evolves_app = typer_app()

_RULING_ID = 8  # last letters of a ruling's id that lists show


@rulings_app.command("rulings", cls=Listing)
def rulings(
    ctx: Context,
    id: Annotated[str | None, typer.Argument(metavar="[ID]", help="Rulings that speak of this item.")] = None,
    limit: opt.Limit = None,
    offset: opt.Offset = 0,
) -> None:
    """List what was ruled, newest first."""
    session = ctx.obj
    found = session.memory.rulings(
        refs.resolve_one(session, id) if id else None,
        limit=opt.limit(limit, session.config.number("list.limit")),
        offset=opt.offset(offset),
    )
    short = _short(session, found)
    session.output.things(
        found, ruling_to_json, lambda one: one.id if session.quiet else ruling_line(session, one, short)
    )
    if not found:
        session.diagnostics.notice("nothing was ruled yet")


@why_app.command("why", cls=Thing)
def why(ctx: Context, id: opt.Ref) -> None:
    """Say what speaks for an item: the words it came from, rulings, links."""
    session = ctx.obj
    session.output.thing(
        session.memory.why(refs.resolve_one(session, id)), _why_to_json, lambda one: _explained(session, one)
    )


@evolves_app.command("evolves", cls=Listing)
def evolves(ctx: Context, id: opt.Ref) -> None:
    """Show how a statement changed over time, oldest first."""
    session = ctx.obj
    steps = session.memory.evolves(refs.resolve_one(session, id))
    short = session.memory.suffix(dict.fromkeys(step.item for step in steps)) if session.format == "text" else {}
    refs.remember(session, [step.item for step in steps])
    session.output.things(
        steps, as_record, lambda step: step.item if session.quiet else step_line(session, step, short)
    )


def ruling_to_json(ruling: "RulingInfo") -> Record:
    """The keys of a ruling, in their order."""
    return as_record(ruling) | {"targets": [{"id": target, "text": text} for target, text in ruling.targets]}


def ruling_line(session: "Session", ruling: "RulingInfo", short: dict[str, str]) -> str:
    """One ruling on one line: id, time, action, the statement, what it met and why."""
    from memhub.cli.lines import Row, reasons, safe
    from memhub.text.dates import show_time

    met = [(target, text) for target, text in ruling.targets if target != ruling.item]  # a profile line renews itself
    targets = ", ".join(f"{short.get(target, target[-6:])} {safe(text, 40)}".rstrip() for target, text in met)
    why = reasons(ruling.difference, ruling.reason)
    more = ": ".join(part for part in (f"→ {targets}" if targets else "", why) if part)
    state = ", overturned" if ruling.overturned else ""
    row = Row(session).id(ruling.id[-_RULING_ID:]).dim(show_time(ruling.at, session.zone))
    row.part(ruling.action + state, width=10)
    return row.words("(erased)" if ruling.text is None else ruling.text, f"({more})" if more else "")


def step_line(session: "Session", step: "Step", short: dict[str, str]) -> str:
    """One stage of a statement on one line."""
    from memhub.cli.lines import Row
    from memhub.text.dates import show_time

    row = Row(session).id(short.get(step.item, step.item[-6:])).dim(show_time(step.at, session.zone)[:10], 10)
    row.part(step.relation or "", width=10)
    return row.words(step.text, "" if step.state == "live" else f"[{step.state}]")


def _short(session: "Session", found: "list[RulingInfo] | tuple[RulingInfo, ...]") -> dict[str, str]:
    ids = dict.fromkeys(target for ruling in found for target, _ in ruling.targets)
    return session.memory.suffix(ids) if ids and session.format == "text" else {}


def _why_to_json(why: "Why") -> Record:
    return {
        "item": item_to_json(why.item),
        "confidence": why.confidence,
        "support": why.support,
        "decay": as_record(why.decay) if why.decay else None,
        "spans": [as_record(quote) for quote in why.spans],
        "rulings": [ruling_to_json(ruling) for ruling in why.rulings],
        "edges": [as_record(edge) for edge in why.edges],
        "versions": [as_record(version) for version in why.versions],
    }


def _explained(session: "Session", why: "Why") -> str:
    from memhub.cli.lines import counted, safe
    from memhub.cli.render import Lines
    from memhub.text.dates import show_time

    def time(at: str | None) -> str:
        return show_time(at, session.zone)

    short = _short(session, why.rulings) | session.memory.suffix([quote.item for quote in why.spans])
    sure = "" if why.confidence is None else f"confidence {why.confidence:.2f}, "
    lines = [Lines(session, [why.item]).item(why.item), f"{sure}{_sources(why.support)}"]
    if why.decay is not None and (why.decay.value < 1 or why.decay.pinned):
        lines.append(_presence(why.decay))
    sections: list[tuple[str, list[str]]] = [
        ("said", [_quote(quote.text, short[quote.item], time(quote.at), quote.speaker) for quote in why.spans]),
        ("ruled", [ruling_line(session, ruling, short) for ruling in why.rulings]),
        ("linked", [_edge(session, why.item.id, edge) for edge in why.edges]),
        (counted(len(why.versions), "version"), [f"{time(one.at)}  {safe(one.content)}" for one in why.versions]),
    ]
    for title, rows in sections:
        if rows:
            lines += ["", title, *(f"  {row}" for row in rows)]
    return "\n".join(lines)


def _presence(decay: "Decay") -> str:
    """How present an item still is, and why."""
    if decay.pinned:
        return "present 1.00: pinned"
    looks = f", looked at {decay.times} time{'' if decay.times == 1 else 's'}" if decay.times else ""
    floor = f", never below {decay.floor:.2f}" if decay.floor else ""
    return f"present {decay.value:.2f}: {decay.days:.0f} days, half-life {decay.half_life:.0f}{looks}{floor}"


def _sources(support: int) -> str:
    return f"{support} independent source{'' if support == 1 else 's'}" if support else "no source of its own"


def _quote(text: str, item: str, at: str, speaker: str | None) -> str:
    from memhub.cli.lines import safe

    who = ", ".join(part for part in (safe(speaker), at, item) if part)
    return f"“{safe(text)}”  ({who})"


def _edge(session: "Session", item: str, edge: "Edge") -> str:
    from memhub.cli.lines import safe

    is_own = edge.src == item
    other: Any = (edge.dst, edge.dst_title) if is_own else (edge.src, edge.src_title)
    short = session.memory.suffix([other[0]]).get(other[0], other[0][-6:])
    relation = safe(edge.relation)
    arrow = f"--{relation}-->" if is_own else f"<--{relation}--"
    return f"{arrow} {short} {safe(other[1], 60)}".rstrip()
