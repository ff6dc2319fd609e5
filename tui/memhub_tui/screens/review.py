"""Review: what needs a person, one after the other, both texts side by side."""

import asyncio

from textual import on, work
from textual.app import ComposeResult
from textual.containers import Container, VerticalScroll
from textual.content import Content
from textual.widgets import Static

from memhub.model.item import Item
from memhub.text.clean import terminal_safe
from memhub.text.word_diff import compare
from memhub_tui.actions import bindings
from memhub_tui.item_view import LONG
from memhub_tui.screens.base import MhScreen
from memhub_tui.screens.edit import MergeScreen
from memhub_tui.screens.prompt import PromptScreen
from memhub_tui.widgets.lines import ReviewLine, ReviewList
from memhub_tui.widgets.virtual_list import Fixed

ANSWERS = {
    "contested": ("new", "old", "both", "merge", "note"),
    "forked": ("new", "old", "merge"),
    "low_confidence": ("new", "old", "merge", "note"),
}
NAMES = {"contested": ("new", "challenged"), "forked": ("newest", "oldest"), "low_confidence": ("drawn", "")}


class ReviewScreen(MhScreen[None]):
    """The third mode."""

    CSS_PATH = "review.tcss"
    BINDINGS = bindings("review")
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (100, "-wide")]
    name_in_bar = "review"

    def content(self) -> ComposeResult:
        """The list over two texts."""
        yield ReviewList(empty="Nothing needs you.", id="entries")
        with Container(id="texts"):
            for side in ("new", "old"):
                with VerticalScroll(id=side):
                    yield Static(id=f"{side}-head", classes="head", markup=False)
                    yield Static(id=f"{side}-text", markup=False)

    @property
    def entries(self) -> ReviewList:
        """The list."""
        return self.query_one("#entries", ReviewList)

    def on_mount(self) -> None:
        """Fill the list."""
        self.entries.focus()
        self.read_list()

    def file_changed(self) -> None:
        """Read the list again under the cursor."""
        self.read_list(keep=True)

    @work(exclusive=True, group="list", exit_on_error=False)
    async def read_list(self, *, keep: bool = False) -> None:
        """Show what is open now."""
        found = await self.backend.view.run(lambda memory: memory.review(limit=0))
        lines = [ReviewLine(f"{one.item.id} {one.other.id if one.other else one.kind}", one) for one in found]
        await self.entries.show(Fixed(lines), keep=keep)
        self.top_bar.tell(f"{len(lines):,} to settle ")

    @on(ReviewList.Highlighted)
    def moved(self, event: ReviewList.Highlighted) -> None:
        """Show both sides."""
        self.read_sides(event.entry)

    @work(exclusive=True, group="preview", exit_on_error=False)
    async def read_sides(self, line: ReviewLine | None) -> None:
        """Both texts, what differs marked."""
        await asyncio.sleep(0.03)
        if line is None:
            for name in ("new-head", "new-text", "old-head", "old-text"):
                self.query_one(f"#{name}", Static).update("")
            self.query_one("#old").display = False
            return
        new, old = line.entry.item.content, line.entry.other.content if line.entry.other else None
        if line.entry.kind == "forked":
            heads = [v for v in await self._versions(line.entry.item) if v is not None]
            new, old = heads[0], heads[-1] if len(heads) > 1 else None
        sides = await asyncio.to_thread(differences, old, new)
        heads_shown = NAMES[line.entry.kind]
        for side, item, name in (("new", line.entry.item, heads_shown[0]), ("old", line.entry.other, heads_shown[1])):
            self.query_one(f"#{side}-head", Static).update(Content(_head(item or line.entry.item, name)))
            self.query_one(f"#{side}-text", Static).update(sides[side == "old"] or "")
        self.query_one("#old").display = old is not None
        self.refresh_bindings()

    async def _versions(self, item: Item) -> list[str | None]:
        history = await self.backend.view.run(lambda memory: memory.history(item.id))
        return [version.content for version in history if version.is_head]

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Only the answers that fit the kind."""
        if action != "keep" and action not in ("merge", "note"):
            return True
        entry = self.entries.entry if self.is_mounted else None
        how = str(parameters[0]) if action == "keep" else action
        return True if entry is not None and how in ANSWERS[entry.entry.kind] else None

    @work(exit_on_error=False)
    async def action_keep(self, how: str) -> None:
        """Settle it with one of the texts, or both."""
        await self._settle(how)

    @work(exit_on_error=False)
    async def action_note(self) -> None:
        """Say a word about it and leave it open."""
        answer = await self.app.push_screen_wait(PromptScreen("A word on this"))
        if answer and answer.strip():
            await self._settle("note", answer.strip())

    def action_merge(self) -> None:
        """Write one text in place of both."""
        line = self.entries.entry
        if line is not None:
            both = [line.entry.item, *([line.entry.other] if line.entry.other else [])]
            self.app.push_screen(MergeScreen(both))

    def action_skip(self) -> None:
        """Leave it open and go on."""
        self.entries.action_down()

    async def _settle(self, how: str, text: str | None = None) -> None:
        line = self.entries.entry
        if line is None:
            return
        item, other = line.entry.item.id, line.entry.other.id if line.entry.other else None
        await self.save(lambda memory: memory.resolve(item, how, other=other, text=text), f"settled: {how}")


def _head(item: Item, name: str) -> str:
    parts = (name, (item.created_at or item.updated_at)[:10], item.source.app if item.source else "", item.title or "")
    return terminal_safe(" · ".join(part for part in parts if part))


def differences(old: str | None, new: str) -> tuple[Content, Content | None]:
    """Both texts with the words marked that the other does not have: bold and underlined, so also without colour."""
    new = terminal_safe(new[:LONG])
    if old is None:
        return Content(new), None
    sides: dict[str, list[tuple[str, str] | str]] = {"added": [], "removed": []}
    marks = {"added": "bold underline $success", "removed": "bold underline $error"}
    for part in compare(terminal_safe(old[:LONG]), new):
        for side, words in sides.items():
            if part.change == "same":
                words.append(part.text)
            elif part.change == side:
                words.append((part.text, marks[side]))
    return Content.assemble(*sides["added"]), Content.assemble(*sides["removed"])
