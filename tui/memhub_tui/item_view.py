"""Everything that is shown of one item, read in one call, and its words for the screen."""

from typing import NamedTuple

from textual.content import Content

from memhub.errors import NotFoundError
from memhub.model.item import Item
from memhub.model.judged import Why
from memhub.text.clean import one_line, terminal_safe
from memhub.text.dates import Zone, show_time
from memhub.workspace import Memory

FIRST_TURNS, FIRST_TURN = 2, 600  # turns shown of a conversation that is only named, and characters of each
LONG = 20_000  # characters; more than that takes a Markdown view seconds, and nobody reads it in a pane


class ItemView(NamedTuple):
    """An item with what speaks for it, what it is linked to, and how it came to be."""

    why: Why
    zone: Zone

    @property
    def item(self) -> Item:
        """The item itself."""
        return self.why.item


class Shown(NamedTuple):
    """What a preview shows: plain lines, except for the text, which is Markdown when it is a string.

    `key` is what it is of: another one is shown from its top, the same one where the reader is.
    """

    title: str = ""
    head: str = ""
    text: str | Content = ""
    foot: str = ""
    key: str = ""


GONE = Shown(title="This item is gone.")


def shown(view: ItemView | None) -> Shown:
    """An item as a preview shows it."""
    if view is None:
        return GONE
    return Shown(terminal_safe(view.item.title or ""), head(view), body(view.item), foot(view), view.item.id)


def shown_of(memory: Memory, identifier: str, zone: Zone) -> Shown:
    """What an id stands for: an item, or a conversation."""
    view = load(memory, identifier, zone)
    if view is not None:
        return shown(view)
    try:
        thread = memory.thread(identifier, limit=FIRST_TURNS)
    except NotFoundError:
        return GONE
    parts = ("conversation", thread.platform, thread.project, show_time(thread.started_at, zone))
    first = Content("\n\n".join(terminal_safe(turn.content[:FIRST_TURN]) for turn in thread.turns))
    head = " · ".join(terminal_safe(part) for part in (*parts, f"{thread.length:,} turns") if part)
    return Shown(terminal_safe(thread.title), head, first, key=identifier)


def is_thread(memory: Memory, identifier: str) -> bool:
    """Whether an id is that of a conversation."""
    try:
        memory.get(identifier)
    except NotFoundError:
        return True
    return False


def load(memory: Memory, identifier: str, zone: Zone) -> ItemView | None:
    """None when it has gone meanwhile."""
    try:
        why = memory.why(identifier)
    except NotFoundError:
        return None
    return ItemView(why, zone)


def head(view: ItemView) -> str:
    """The lines above the text: what it is, where it belongs, how sure it is."""
    item = view.item
    parts = [item.kind, item.state if item.state != "live" else "", *item.flags, "★ pinned" if item.pinned else ""]
    parts += [show_time(item.created_at, view.zone), (item.project and f"project {item.project}") or ""]
    if item.importance is not None:
        parts.append(f"importance {item.importance:g}")
    if item.confidence is not None:
        parts.append(f"confidence {item.confidence:.2f}")
    if item.source and (item.source.app or item.source.kind):
        parts.append(f"from {item.source.app or item.source.kind}")
    first = " · ".join(terminal_safe(one_line(part)) for part in parts if part)
    labels = " ".join(f"#{terminal_safe(one_line(label))}" for label in item.labels)
    return "\n".join(line for line in (first, labels) if line)


def body(item: Item, limit: int = LONG) -> str:
    """The text as Markdown, harmless on a terminal, cut at the end of a line when it is very long."""
    text = terminal_safe(item.content)
    if len(text) <= limit:
        return text
    cut = text.rfind("\n", 0, limit)
    shown = text[: cut if cut > limit // 2 else limit]
    return f"{shown}\n\n…\n\n*{len(text) - len(shown):,} more characters: Enter shows all*"


def foot(view: ItemView) -> str:
    """Evidence, links and the number of versions, a line each."""
    lines = [f"“{one_line(terminal_safe(quote.text), 200)}”" for quote in view.why.spans]
    own = view.item.id
    for edge in view.why.edges:
        there = edge.src == own
        name = terminal_safe(one_line(edge.dst_title if there else edge.src_title, 80))
        lines.append(f"{'→' if there else '←'} {edge.relation}  {name}")
    if len(view.why.versions) > 1:
        lines.append(f"{len(view.why.versions)} versions")
    return "\n".join(lines)
