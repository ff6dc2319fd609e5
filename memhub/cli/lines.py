"""One line of a listing that is not made of items: an id or none, words, cut to the window."""

from typing import TYPE_CHECKING

from memhub.cli.style import DIM, ID, paint
from memhub.text.clean import display_width, fit, one_line, terminal_safe

if TYPE_CHECKING:
    from memhub.cli.session import Session


def safe(text: str | None, width: int | None = None) -> str:
    """`text` on one line, harmless on a terminal."""
    return one_line(terminal_safe(text or ""), width)


def counted(count: int, noun: str) -> str:
    """`1 turn`, `2 turns`."""
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def reasons(difference: str | None, reason: str | None) -> str:
    """What differed and why that decided; what the reason says itself is not said twice."""
    parts = (difference if difference and difference not in (reason or "") else "", reason)
    return "; ".join(part for part in parts if part)


class Row:
    """Builds a line part by part; what is plain keeps its width, and the last words take the room that is left."""

    def __init__(self, session: "Session", indent: int = 0) -> None:
        self._colour = session.output.colour
        self._columns = session.output.columns
        self._indent = " " * indent
        self._line = ""
        self._used = indent

    def part(self, text: str, style: str = "", width: int = 0) -> "Row":
        """Words that are never cut, padded to `width`."""
        padded = text + " " * (width - display_width(text))
        self._used += display_width(padded) + 2 * bool(self._line)
        self._line += ("  " if self._line else "") + (paint(padded, style) if style and self._colour else padded)
        return self

    def id(self, text: str, width: int = 6) -> "Row":
        """A short id."""
        return self.part(text, ID, width)

    def dim(self, text: str, width: int = 0) -> "Row":
        """A time, or something else of less weight."""
        return self.part(text, DIM, width)

    def words(self, text: str, more: str = "") -> str:
        """The line, ended by `text` and behind it `more`, both cut when the window is narrow."""
        text, more = safe(text), safe(more)
        if self._columns is not None:
            room = max(self._columns - self._used - 2, 20)
            if more:
                text = fit(text, max(room // 2, room - display_width(more) - 2))
                more = fit(more, max(room - display_width(text) - 2, 0))
            text = fit(text, room)
        shown = paint(more, DIM) if self._colour and more else more
        return f"{self._indent}{self._line}  {text}{'  ' if more else ''}{shown}".rstrip()
