"""The list of items: date, flags, title or first words, labels."""

from rich.segment import Segment

from memhub.model.row import Row
from memhub.text.clean import display_width, fit, one_line, terminal_safe
from memhub_tui.widgets.virtual_list import VirtualList

_FLAGS = {"contested": "≠", "forked": "⑂", "stale": "~"}
_FULL, _SHORT = 64, 40  # columns from which a line shows labels and whole dates, or short dates


class ItemList(VirtualList[Row]):
    """Rows of items."""

    def draw(self, entry: Row, width: int) -> list[Segment]:
        """One row, the words cut to what date and labels leave."""
        date = _date(entry, width)
        signs = "".join(sign for flag, sign in _FLAGS.items() if flag in entry.flags) + ("★" if entry.pinned else "")
        labels = " ".join(f"#{label}" for label in entry.labels) if width >= _FULL else ""
        labels = fit(terminal_safe(one_line(labels)), max(width // 3, 0))
        room = (
            width - display_width(date) - display_width(signs) - bool(signs) - bool(labels) * 2 - display_width(labels)
        )
        words = one_line(terminal_safe(entry.title or entry.head).lstrip("# "), max(room, 1))
        quiet = entry.state != "live"
        parts = [Segment(date, self.style("dim"))]
        if signs:
            parts.append(Segment(signs + " ", self.style("alert")))
        parts.append(Segment(words, self.style("dim") if quiet else None))
        if labels:
            gap = width - sum(display_width(part.text) for part in parts) - display_width(labels)
            parts.append(Segment(" " * max(gap, 2)))
            parts.append(Segment(labels, self.style("label")))
        return parts


def _date(entry: Row, width: int) -> str:
    date = (entry.created_at or entry.updated_at)[:10]
    if width >= _FULL:
        return f"{date:10}  "
    return f"{date[5:] or date[:4]:5} " if width >= _SHORT else ""
