"""Review: what needs a person, one after the other, both texts side by side."""

import asyncio
from dataclasses import replace
from typing import NamedTuple

from textual import on, work
from textual.app import ComposeResult
from textual.containers import Container, VerticalScroll
from textual.content import Content
from textual.widgets import Static

from memhub.errors import NotFoundError
from memhub.model.item import Item
from memhub.model.judged import Quote, ReviewEntry
from memhub.text.clean import one_line, terminal_safe
from memhub.text.dates import Zone, show_time
from memhub.workspace import Memory
from memhub_tui.actions import bindings
from memhub_tui.screens.edit import MergeScreen
from memhub_tui.screens.prompt import PromptScreen
from memhub_tui.screens.split import SplitScreen
from memhub_tui.widgets.diff import DIM, Piece, cut, side_by_side
from memhub_tui.widgets.lines import ReviewLine, ReviewList, zone_of
from memhub_tui.widgets.moves import Scrolls, moves
from memhub_tui.widgets.pages import Fixed
from memhub_tui.widgets.panes import Panes

LIST = 5 / 8  # what the list takes of the room that it has on other screens
EMPTY = "Nothing needs you: no contradictions, no forks, no doubts."
ANSWERS = {
    "contested": ("new", "old", "both", "merge", "note"),
    "forked": ("new", "old", "merge"),
    "low_confidence": ("new", "old", "merge", "note"),
}
MEANINGS = {
    "contested": "what is not kept is replaced, not deleted · merge: one text in place of both",
    "forked": "new: the newest text · old: the oldest · merge: one text in place of both",
    "low_confidence": "new: it holds · old: drop it · merge: put it right",
}
SIDES = {"contested": ("new", "old"), "forked": ("newest", "oldest"), "low_confidence": ("drawn", "")}


class Side(NamedTuple):
    """One of the texts: the lines above it, itself, and the words that it was drawn from."""

    head: str
    text: str
    quotes: tuple[Quote, ...] = ()


class SideView(Scrolls, VerticalScroll, can_focus=True):
    """One text."""

    BINDINGS = moves()

    def compose(self) -> ComposeResult:
        """Head, text, quotes."""
        for name in ("head", "text", "quotes"):
            yield Static(id=f"{self.id}-{name}", classes=name, markup=False)

    def tell(self, side: Side | None, text: Content | None) -> None:
        """Show a text from its top; None leaves the room to the other."""
        self.display, zone = side is not None, zone_of(self)
        quotes: list[Piece] = [
            (f"“{one_line(terminal_safe(quote.text), 300)}” {show_time(quote.at, zone)} {quote.speaker or ''}\n", DIM)
            for quote in (side.quotes if side else ())
        ]
        self.query_one(".head", Static).update(Content(side.head if side else ""))
        self.query_one(".text", Static).update(text or "")
        self.query_one(".quotes", Static).update(Content.assemble(*quotes))
        self.scroll_home(animate=False)


class ReviewScreen(SplitScreen[ReviewLine]):
    """The third mode. The two texts have more room than a preview, whatever the other screens give to one."""

    CSS_PATH = "review.tcss"
    BINDINGS = bindings("review")
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (120, "-wide")]
    name_in_bar = "review"
    is_settling = False

    def content(self) -> ComposeResult:
        """The list, what is asked, and two texts."""
        texts = Container(SideView(id="new"), SideView(id="old"), id="texts")
        pair = Container(Static(id="question", markup=False), texts, id="pair")
        yield Panes(ReviewList(empty=EMPTY, id="entries"), pair, self.mh.share, part=LIST, id="panes")

    async def source(self) -> Fixed[ReviewLine]:
        """What is open now."""
        found = await self.backend.view.run(lambda memory: memory.review(limit=0))
        return Fixed(
            [ReviewLine(f"{one.kind} {one.item.id} {one.other.id if one.other else ''}", one) for one in found]
        )

    def filled(self) -> None:
        """Say how much there is to settle."""
        self.is_settling = False
        self.top_bar.tell(f"{self.entries.total:,} to settle ")
        self.query_one(Panes).fill_second(bool(self.entries.total))
        self.refresh_bindings()

    @on(ReviewList.Highlighted)
    def refresh_keys(self) -> None:
        """Other answers may fit."""
        self.refresh_bindings()

    async def show(self, line: ReviewLine | None) -> None:
        """Both texts, what differs marked."""
        if line is None:
            return
        entry = line.entry
        new, old = await self.backend.view.run(lambda memory: sides(memory, entry, self.mh.zone))
        texts = await asyncio.to_thread(side_by_side, old.text, new.text) if old else (None, Content(cut(new.text)))
        self.query_one("#question", Static).update(
            Content.assemble(f"{entry.kind.replace('_', ' ')}: {entry.reason}\n", (MEANINGS[entry.kind], DIM))
        )
        self.query_one("#new", SideView).tell(new, texts[1])
        self.query_one("#old", SideView).tell(old, texts[0])

    def centre(self) -> str | None:
        """What is asked about."""
        return self.entries.entry.entry.item.id if self.entries.entry else None

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Only the answers that fit the kind, and none while one is carried out."""
        if action not in ("keep", "merge", "note", "skip"):
            return True
        entry = self.entries.entry if self.is_mounted else None
        if entry is None or self.is_settling:
            return None
        how = str(parameters[0]) if action == "keep" else action
        return True if how in ("skip", *ANSWERS[entry.entry.kind]) else None

    @work(exit_on_error=False)
    async def action_keep(self, how: str) -> None:
        """Settle it with one of the texts, or both."""
        await self._settle(how)

    @work(exit_on_error=False)
    async def action_note(self) -> None:
        """Say a word about it, leave it open and go on."""
        before = self.entries.entry
        answer = await self.app.push_screen_wait(PromptScreen("A word on this"))
        now = self.entries.entry
        if answer and answer.strip() and before and now and before.id == now.id:
            await self._settle("note", answer.strip())

    @work(exit_on_error=False)
    async def action_merge(self) -> None:
        """Write one text in place of both."""
        line = self.entries.entry
        if line is None:
            return
        item, other = line.entry.item, line.entry.other
        if line.entry.kind == "forked":
            ends = await self.backend.view.run(lambda memory: memory.history(item.id))
            texts = [end.content or "" for end in ends if end.is_head]
            item = replace(item, content="\n\n".join(texts))
        self.app.push_screen(MergeScreen([item, other] if other else [item]))

    def action_skip(self) -> None:
        """Leave it open and go on; after the last one comes the first."""
        self.entries.cursor = (self.entries.cursor + 1) % max(self.entries.total, 1)

    @on(ReviewList.Chosen)
    def chosen(self) -> None:
        """Open the newer one on a screen of its own."""
        if self.entries.entry is not None:
            self.mh.open_item(self.entries.entry.entry.item.id)

    async def _settle(self, how: str, text: str | None = None) -> None:
        """Carry an answer out; the list, read again without it, is on the next one then."""
        line = self.entries.entry
        if line is None or self.is_settling:
            return
        item, other = line.entry.item.id, line.entry.other.id if line.entry.other else None
        self.is_settling = True
        try:
            await self.save(lambda memory: memory.resolve(item, how, other=other, text=text), f"settled: {how}")
            if how == "note" and line.entry.kind == "contested":
                self.action_skip()
        except BaseException:
            self.is_settling = False
            raise


def sides(memory: Memory, entry: ReviewEntry, zone: Zone) -> tuple[Side, Side | None]:
    """Both texts as they are now: of two items, or the newest and the oldest end of one that was forked."""
    names = SIDES[entry.kind]
    if entry.kind == "forked":
        ends = [version for version in memory.history(entry.item.id) if version.is_head]
        found = [Side(_head(name, show_time(end.at, zone), end.device[-6:], end.title), end.content or "")
                 for name, end in zip(names, (ends[0], ends[-1]), strict=True)]  # fmt: skip
        return found[0], found[1] if len(ends) > 1 else None
    new = _side(memory, entry.item, names[0], zone)
    return new, _side(memory, entry.other, names[1], zone) if entry.other else None


def _side(memory: Memory, item: Item, name: str, zone: Zone) -> Side:
    try:
        quotes = memory.why(item.id).spans
    except NotFoundError:  # gone since the list was read
        quotes = ()
    source = (item.source.app or item.source.path or item.source.url or item.source.kind) if item.source else ""
    confidence = f"confidence {item.confidence:.2f}" if item.confidence is not None else ""
    return Side(
        _head(name, show_time(item.created_at or item.updated_at, zone), source or "", confidence, item.title),
        item.content,
        quotes,
    )


def _head(name: str, at: str, *more: str | None) -> str:
    parts = (name, at, *more)
    return one_line(terminal_safe(" · ".join(part for part in parts if part)))
