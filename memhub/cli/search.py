"""`mh search`: the read path from the command line."""

from typing import TYPE_CHECKING, Annotated, Literal

import typer

from memhub.cli import options as opt
from memhub.cli import refs
from memhub.cli.app import Context, Listing, typer_app
from memhub.cli.output import dump, hit_to_json
from memhub.errors import UsageError

if TYPE_CHECKING:
    from memhub.cli.session import Session
    from memhub.model.found import Found

app = typer_app()

Mode = Annotated[
    Literal["fast", "words", "meaning", "deep"] | None,
    typer.Option("--mode", "-m", help="words, meaning, fast for both, or deep: every way.", show_default=False),
]


@app.command(cls=Listing)
def search(
    ctx: Context,
    query: Annotated[list[str], typer.Argument(metavar="QUERY...", help="What to look for.")],
    mode: Mode = None,
    exact: Annotated[bool, typer.Option("--exact", "-e", help="Items that hold the query letter by letter.")] = False,
    label: opt.Labels = None,
    kind: opt.Kinds = None,
    layer: opt.Layers = None,
    project: opt.Project = None,
    here: opt.Here = False,
    since: opt.Since = None,
    until: opt.Until = None,
    importance: opt.MinImportance = None,
    state: opt.States = None,
    pinned: opt.Pinned = False,
    limit: opt.Limit = None,
    offset: opt.Offset = 0,
    explain: Annotated[bool, typer.Option("--explain", help="Say which ways found each hit, and how.")] = False,
) -> None:
    """Find items by words and by meaning.

    Nothing in a query is an operator: what you see in a note can be searched for.
    """
    session = ctx.obj
    text = " ".join(query)
    if not text.strip():
        raise UsageError("nothing to search for", "`mh list` shows what is there")
    filters = opt.make_filters(
        session,
        labels=label,
        kinds=kind,
        layers=layer,
        project=project,
        here=here,
        since=since,
        until=until,
        importance=importance,
        states=state,
        pinned=pinned,
    )
    found = session.memory.search(
        text,
        filters,
        mode=mode or session.config.text("search.mode"),
        exact=exact,
        limit=opt.limit(limit, session.config.number("search.limit")),
        offset=opt.offset(offset),
        explain=explain,
    )
    refs.remember(session, [hit.item.id for hit in found.hits])
    _answer(session, found, explain)
    opt.tell_undated(session, filters)


def _answer(session: "Session", found: "Found", explain: bool) -> None:
    for notice in found.notices:
        session.diagnostics.notice(notice)
    if session.format != "text":
        session.output.things(found.hits, hit_to_json, str)
        if explain and found.explain and not session.quiet:  # beside the answer, whose shape stays as it is
            session.diagnostics.write(dump({"explain": found.explain}) + "\n")
        return
    if session.quiet:
        session.output.things(found.hits, hit_to_json, lambda hit: hit.item.id)
        return
    from memhub.cli.render import Lines

    lines = Lines(session, [hit.item for hit in found.hits])
    for hit in found.hits:
        session.output.line(lines.hit(hit))
        if explain:
            ways = ", ".join(f"{why.way} #{why.rank} {why.score:.3f}" for why in hit.why)
            session.output.line(f"        score {hit.score:.4f}: {ways}")
    if explain and found.explain:
        for name, value in found.explain.items():
            session.diagnostics.talk(f"{name}: {value if isinstance(value, str) else dump(value)}")
    if not found.hits and not found.notices:
        session.diagnostics.notice("nothing found")
