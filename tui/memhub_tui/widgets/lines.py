"""Lines of the lists that are not items: operations, conversations, turns, what is to be settled, what waits."""

from typing import TYPE_CHECKING, Any, NamedTuple, cast

from rich.segment import Segment
from textual.widget import Widget

from memhub.model.entry import OperationInfo
from memhub.model.found import Hit
from memhub.model.item import Item
from memhub.model.judged import ReviewEntry
from memhub.model.thread import Thread
from memhub.text.clean import display_width, fit, one_line, terminal_safe
from memhub.text.dates import Zone, show_time
from memhub_tui.widgets.virtual_list import VirtualList

if TYPE_CHECKING:
    from memhub_tui.app import MhApp


class Done(NamedTuple):
    """An operation, and the title or words of the first item that it touched."""

    operation: OperationInfo
    first: str

    @property
    def id(self) -> str:
        """The operation's."""
        return self.operation.id


class ReviewLine(NamedTuple):
    """Something to settle; its id is that of the pair."""

    id: str
    entry: ReviewEntry


class Talk(NamedTuple):
    """A conversation, and the turns of it that a search found."""

    thread: Thread
    hits: tuple[Hit, ...] = ()

    @property
    def id(self) -> str:
        """The conversation's."""
        return self.thread.id


def when(at: str | None, width: int, zone: Zone) -> str:
    """A time on the user's clock, as long as the window allows: date and minute; month and day, or the year if it is
    another; or nothing."""
    if width < 36:
        return ""
    text = show_time(at, zone)[:16]
    if width >= 60:
        return f"{text:16}  "
    day = text[5:10] if text.startswith(f"{zone.today()[0]:04}") else ""
    return f"{day or text[:4]:5} "


def zone_of(widget: Widget) -> Zone:
    """The user's time zone."""
    return cast("MhApp", widget.app).zone


def line(first: str, words: str, more: str, width: int, styles: Any, *, is_quiet: bool = False) -> list[Segment]:
    """Date, words and a dim end; the words give way."""
    more = fit(one_line(terminal_safe(more)), max(width // 3, 0)) if width >= 50 else ""
    room = max(width - display_width(first) - display_width(more) - 2 * bool(more), 1)
    shown = one_line(terminal_safe(words).lstrip("# "), room)
    parts = [Segment(first, styles("dim")), Segment(shown, styles("dim") if is_quiet else None)]
    if more:
        gap = width - display_width(first) - display_width(shown) - display_width(more)
        parts += [Segment(" " * max(gap, 2)), Segment(more, styles("dim"))]
    return parts


class OperationList(VirtualList[Done]):
    """What was done; what was taken back is dim."""

    def draw(self, entry: Done, width: int) -> list[Segment]:
        """When, what, to which item, by whom."""
        done = entry.operation
        more = f" +{len(done.items) - 1:,}" if len(done.items) > 1 else ""
        words = "  ".join(part for part in (done.command, done.summary, one_line(entry.first, 200) + more) if part)
        back = " (undone)" if done.undone else ""
        return line(
            when(done.at, width, zone_of(self)), words, done.who + back, width, self.style, is_quiet=done.undone
        )


class ThreadList(VirtualList[Talk]):
    """Conversations."""

    def draw(self, entry: Talk, width: int) -> list[Segment]:
        """When, title, platform and length; of one that was searched for, what was found in it."""
        thread = entry.thread
        turns = f"{thread.length:,} turn{'' if thread.length == 1 else 's'}"
        found = f"{len(entry.hits)} found" if entry.hits else ""
        parts = [part for part in (found, turns, thread.platform, thread.project) if part]
        while len(parts) > 1 and display_width(" · ".join(parts)) > width // 3:  # the last ones give way whole
            parts.pop()
        more = " · ".join(parts)
        words = f"{thread.title}  › {entry.hits[0].snippet}" if entry.hits else thread.title
        return line(when(thread.updated_at, width, zone_of(self)), words, more, width, self.style)


class TurnList(VirtualList[Item]):
    """The turns of a conversation; `found` are the ids of those that were looked for."""

    found: frozenset[str] = frozenset()

    def draw(self, entry: Item, width: int) -> list[Segment]:
        """When, who, what."""
        who = fit(speaker(entry), 10)
        first = f"{when(entry.created_at, width, zone_of(self))}{who}{' ' * max(10 - display_width(who), 0)} "
        sign = [Segment("• ", self.style("alert"))] if entry.id in self.found else []
        is_quiet = entry.attrs.get("role") == "assistant"
        head, *rest = line(first, entry.content, "", width - 2 * len(sign), self.style, is_quiet=is_quiet)
        return [head, *sign, *rest]


class ReviewList(VirtualList[ReviewLine]):
    """What needs a person."""

    def draw(self, entry: ReviewLine, width: int) -> list[Segment]:
        """What kind it is, and the newer text."""
        item = entry.entry.item
        first = f"{entry.entry.kind.replace('_', ' '):15}"
        return line(first, item.title or item.content, entry.entry.reason, width, self.style)


def speaker(turn: Item) -> str:
    """Who said a turn."""
    return one_line(terminal_safe(str(turn.attrs.get("speaker") or turn.attrs.get("role") or "")))
