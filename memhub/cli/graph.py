"""`mh graph`: what hangs together around an item, an entity or the hits of a query."""

from typing import TYPE_CHECKING, Annotated, Literal

import typer

from memhub.cli import options as opt
from memhub.cli import refs
from memhub.cli.app import Context, Thing, typer_app
from memhub.cli.output import Record, dump
from memhub.errors import UsageError

if TYPE_CHECKING:
    from memhub.cli.session import Session
    from memhub.model.graph import Graph

app = typer_app()

_MOST = 8


@app.command(cls=Thing)
def graph(
    ctx: Context,
    around: Annotated[
        list[str] | None,
        typer.Argument(metavar="[ID|ENTITY|QUERY...]", help="Where to begin; what you were on if not given."),
    ] = None,
    depth: Annotated[int, typer.Option("--depth", metavar="1..3", min=1, max=3, help="How many steps to go.")] = 2,
    format: Annotated[
        Literal["tree", "dot", "json", "mermaid"], typer.Option("--format", help="How to draw it.")
    ] = "tree",
    limit: Annotated[
        int | None, typer.Option("--limit", "-n", metavar="N", help="At most N neighbours of each; 0 for all.")
    ] = None,
) -> None:
    """Show how things hang together: links, conversations, sources, names.

    A thing stands in the tree once; where it comes up again there is a mark. dot is for Graphviz, mermaid for Markdown.
    """
    session = ctx.obj
    if session.format == "json" and format not in ("tree", "json"):
        raise UsageError(f"`--json` and `--format {format}` exclude each other")
    words = [*map(str, around or ())]
    what = refs.resolve_one(session, words[0]) if len(words) == 1 and words[0][:1] in "@-" else " ".join(words)
    found = session.memory.graph(what or None, depth=depth, limit=opt.limit(limit, _MOST))
    for notice in found.notices:
        session.diagnostics.notice(notice)
    if not found.nodes:
        session.diagnostics.notice("nothing found")
    _answer(session, found, "json" if session.format == "json" else format)


def _answer(session: "Session", found: "Graph", format: str) -> None:
    from memhub.cli import drawing

    if format == "json":
        session.output.raw(dump(_to_json(found)))
    elif session.quiet:
        for node in found.nodes:
            session.output.line(node.id)
    elif format == "tree":
        refs.remember(session, [node.id for node in found.nodes if node.what == "item"])
        for line in drawing.tree(session, found):
            session.output.line(line)
    else:
        session.output.raw(drawing.dot(found) if format == "dot" else drawing.mermaid(found))


def _to_json(found: "Graph") -> Record:
    return {
        "roots": list(found.roots),
        "nodes": [node._asdict() for node in found.nodes],
        "edges": [edge._asdict() for edge in found.edges],
    }
