"""Colour: a handful of ANSI codes, used when the stream is a terminal that wants them."""

import os
from typing import TYPE_CHECKING, TextIO

if TYPE_CHECKING:
    from memhub.cli.session import Session

BOLD = "1"
DIM = "2"
ID = "33"
LABEL = "36"
MATCH = "1;32"
ADDED = "32"
REMOVED = "31"
ERROR = "1;31"
HINT = "1;36"


def paint(text: str, style: str) -> str:
    """`text` between the codes of `style`."""
    return f"\x1b[{style}m{text}\x1b[0m" if text else text


def uses_colour(stream: TextIO, session: "Session") -> bool:
    """The setting `color` decides; `auto` asks NO_COLOR, TERM and whether `stream` is a terminal."""
    try:
        chosen = session.config["color"]
    except Exception:  # an unreadable setting is reported by whoever needs it, in black and white
        return False
    if chosen != "auto":
        return chosen == "always"
    return not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb" and stream.isatty()
