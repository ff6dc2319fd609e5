"""Markdown laid out for a terminal by Rich: headings to the left, lists with hanging lines, ids in their colour."""

from io import StringIO
from typing import Any

from rich.console import Console
from rich.markdown import Heading, Markdown
from rich.theme import Theme

_WIDEST = 100  # columns in which lines are still easily read
_THEME = Theme({
    "markdown.h1": "bold", "markdown.h2": "bold cyan", "markdown.code": "yellow", "markdown.item.bullet": "dim",
})  # fmt: skip


class _Left(Heading):
    """A heading at the left margin, without a frame."""

    def __rich_console__(self, console: Console, options: Any) -> Any:
        text = self.text
        text.justify = "left"
        yield text


class _Page(Markdown):
    elements = {**Markdown.elements, "heading_open": _Left}  # noqa: RUF012 (Rich's own table)


def laid_out(text: str, columns: int, *, colour: bool) -> str:
    """`text` for a window of so many columns."""
    console = Console(
        file=StringIO(), width=min(columns, _WIDEST), theme=_THEME, force_terminal=colour, no_color=not colour,
        color_system="standard" if colour else None, highlight=False, legacy_windows=False,
    )  # fmt: skip
    with console.capture() as capture:
        console.print(_Page(text, hyperlinks=False))
    return "\n".join(line.rstrip() for line in capture.get().strip("\n").split("\n"))
