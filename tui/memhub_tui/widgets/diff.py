"""What changed between two texts, for the screen: words that went and came, so marked that it shows without colour."""

from textual.content import Content

from memhub.text.clean import terminal_safe
from memhub.text.word_diff import compare

AROUND = 2  # lines that stayed, shown on either side of a change
MOST = 20_000  # characters shown of one text
ADDED, REMOVED, DIM = "bold underline $text-success", "strike $text-error", "$foreground 60%"

Piece = tuple[str, str] | str


def changes(old: str, new: str) -> Content:
    """Both in one; what stayed is left out but for the lines around a change."""
    parts = compare(terminal_safe(old), terminal_safe(new))
    pieces: list[Piece] = []
    for number, part in enumerate(parts):
        if part.change == "same":
            pieces += _folded(part.text, is_first=number == 0, is_last=number == len(parts) - 1)
        else:
            pieces.append((_shortened(part.text), ADDED if part.change == "added" else REMOVED))
    if len(parts) < 2 and not any(part.change != "same" for part in parts):
        return Content.assemble(("The text is the same.", DIM))
    return Content.assemble(*pieces)


def side_by_side(old: str, new: str) -> tuple[Content, Content]:
    """The old and the new text whole, each with the words marked that the other does not have."""
    sides: dict[str, list[Piece]] = {"removed": [], "added": []}
    marks = {"removed": "bold underline $text-error", "added": ADDED}
    for part in compare(cut(old), cut(new)):
        for side, pieces in sides.items():
            if part.change == "same":
                pieces.append(part.text)
            elif part.change == side:
                pieces.append((part.text, marks[side]))
    return Content.assemble(*sides["removed"]), Content.assemble(*sides["added"])


def cut(text: str) -> str:
    """A text for the screen: harmless, and not longer than anybody reads in a pane."""
    return _shortened(terminal_safe(text))


def _shortened(text: str) -> str:
    return text if len(text) <= MOST else f"{text[:MOST]}\n… {len(text) - MOST:,} more characters"


def _folded(text: str, *, is_first: bool, is_last: bool) -> list[Piece]:
    """The ends of what stayed."""
    lines = text.splitlines(keepends=True)
    head, tail = 0 if is_first else AROUND + 1, 0 if is_last else AROUND + 1
    hidden = len(lines) - head - tail
    if hidden < 2:
        return [_shortened(text)]
    fold = f"⋯ {hidden:,} lines\n"
    return ["".join(lines[:head]), (fold, DIM), "".join(lines[len(lines) - tail :] if tail else [])]
