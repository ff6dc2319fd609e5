"""One item on a screen of its own: its text, its versions, and what speaks for it."""

from collections.abc import Sequence
from itertools import pairwise

from textual import work
from textual.app import ComposeResult
from textual.widgets import ContentSwitcher, TextArea

from memhub.model.item import Item
from memhub.model.judged import Why
from memhub.text.clean import one_line, terminal_safe
from memhub.text.word_diff import compare
from memhub_tui import item_view
from memhub_tui.actions import bindings
from memhub_tui.item_view import LONG, ItemView, Shown
from memhub_tui.verbs import ItemVerbs
from memhub_tui.widgets.preview import Preview

MOST_VERSIONS = 50  # shown with what changed


class ItemScreen(ItemVerbs):
    """Texts too long for Markdown are shown as they are, in a view that stays quick at any size."""

    CSS_PATH = "item.tcss"
    BINDINGS = [*bindings("item"), *bindings("items")]

    def __init__(self, identifier: str) -> None:
        super().__init__()
        self.item_id = identifier
        self._view: ItemView | None = None
        self._part = "text"

    def content(self) -> ComposeResult:
        """One of two views."""
        with ContentSwitcher(initial="preview"):
            yield Preview(id="preview")
            yield TextArea(id="long", read_only=True, soft_wrap=True)

    def on_mount(self) -> None:
        """Read it."""
        self.query_one(Preview).focus()
        self.file_changed()
        self.count_look()

    @work(exit_on_error=False, group="look")
    async def count_look(self) -> None:
        """Count that it was looked at: once, since counting itself changes the file."""
        await self.backend.view.run(lambda memory: memory.seen([self.item_id]))

    def file_changed(self) -> None:
        """Read it again."""
        self.read_item()

    @work(exclusive=True, exit_on_error=False)
    async def read_item(self) -> None:
        """Show the item as it is now."""
        identifier = self.item_id
        view = self._view = await self.backend.view.run(lambda memory: item_view.load(memory, identifier))
        self.top_bar.tell(f"{self.item_id[-6:]} · {self._part} ")
        is_long = view is not None and len(view.item.content) > LONG and self._part == "text"
        self.query_one(ContentSwitcher).current = "long" if is_long else "preview"
        if is_long and view is not None:
            self.query_one("#long", TextArea).load_text(terminal_safe(view.item.content))
            self.query_one("#long").focus()
        else:
            await self.query_one(Preview).show(self._shown(view))

    def _shown(self, view: ItemView | None) -> Shown:
        if view is None or self._part == "text":
            return item_view.shown(view)
        text = versions(view.why) if self._part == "versions" else reasons(view.why)
        return Shown(terminal_safe(view.item.title or one_line(view.item.content, 60)), item_view.head(view), text)

    def targets(self) -> Sequence[Item]:
        """The item."""
        return [self._view.item] if self._view else []

    def action_text(self) -> None:
        """Show the text."""
        self._show("text")

    def action_versions(self) -> None:
        """Show every version and what changed; again: the text."""
        self._show("text" if self._part == "versions" else "versions")

    def action_why(self) -> None:
        """Show what speaks for it; again: the text."""
        self._show("text" if self._part == "why" else "why")

    def _show(self, part: str) -> None:
        self._part = part
        self.read_item()

    def action_leave(self) -> None:
        """Back."""
        self.dismiss(None)


def versions(why: Why) -> str:
    """Every version, newest first, and what changed in it: removed words struck out, added ones bold."""
    parts = []
    found = why.versions[:MOST_VERSIONS]
    for newer, older in [*pairwise(found), *([(found[-1], None)] if found else [])]:
        parts.append(
            f"#### {newer.at[:16].replace('T', ' ')} · {_plain(newer.command)}{' · latest' if newer.is_head else ''}"
        )
        if newer.erased:
            parts.append("*erased*")
        else:
            parts.append(_changes((older.content if older else None), newer.content or ""))
    return "\n\n".join(parts)


def _changes(old: str | None, new: str) -> str:
    if old is None:
        return _plain(new[:LONG])
    marks = {"same": "", "added": "**", "removed": "~~"}
    shown = []
    for part in compare(old[:LONG], new[:LONG]):
        words, mark = part.text.strip("\n"), marks[part.change]
        if not mark or not words.strip():
            shown.append(_plain(part.text))
            continue
        before = part.text[: len(part.text) - len(part.text.lstrip())]
        after = part.text[len(part.text.rstrip()) :]
        shown.append(f"{before}{mark}{_plain(part.text.strip())}{mark}{after}")
    return "".join(shown)


def reasons(why: Why) -> str:
    """The words it came from, the rulings, the links."""
    parts = (
        [f"confidence {why.confidence:.2f}, {why.support} independent sources"] if why.confidence is not None else []
    )
    parts += [f"> {_plain(one_line(quote.text, 500))}\n>\n> {quote.at or ''} {quote.item[-6:]}" for quote in why.spans]
    parts += [
        f"- **{ruling.action}** {_plain(ruling.reason or '')} {_plain(ruling.difference or '')} *({ruling.judge})*"
        for ruling in why.rulings
    ]
    for edge in why.edges:
        ends = [_plain(title or end[-6:]) for title, end in ((edge.src_title, edge.src), (edge.dst_title, edge.dst))]
        parts.append(f"- {ends[0]} **{_plain(edge.relation)}** {ends[1]}")
    return "\n\n".join(parts) or "It was typed or imported as it stands."


def _plain(text: str) -> str:
    """Words that Markdown takes as they are, lines as lines."""
    safe = terminal_safe(text)
    return "".join(f"\\{letter}" if letter in "\\`*_{}[]<>#|~" else letter for letter in safe).replace("\n", "  \n")
