"""One item on a screen of its own: its text, its versions, where it comes from, its links, why it holds, and facts."""

import asyncio
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from textual import on, work
from textual.app import ComposeResult
from textual.containers import Container, Vertical
from textual.content import Content
from textual.widgets import Static

from memhub.model.item import Item
from memhub.text.clean import one_line, terminal_safe
from memhub.text.dates import show_time
from memhub_tui import item_parts, item_view
from memhub_tui.actions import bindings
from memhub_tui.item_parts import PARTS, PartLine, PartList
from memhub_tui.item_view import LONG, ItemView, Shown
from memhub_tui.verbs import ItemVerbs
from memhub_tui.widgets.long_text import LongText
from memhub_tui.widgets.pages import Fixed
from memhub_tui.widgets.panes import Panes
from memhub_tui.widgets.part_bar import PartBar
from memhub_tui.widgets.preview import Preview
from memhub_tui.widgets.rest import Rest
from memhub_tui.widgets.virtual_list import VirtualList


class ItemScreen(ItemVerbs):
    """`among` is the list it was opened from, in which one goes on to the next; `part` is what it opens at.

    Texts too long for Markdown are shown as they are, in a view that stays quick at any size.
    """

    CSS_PATH = "item.tcss"
    AUTO_FOCUS = "#preview"
    BINDINGS = [*bindings("item"), *bindings("items")]
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (100, "-wide")]

    def __init__(self, identifier: str, among: VirtualList[Any] | None = None, part: str = "text") -> None:
        super().__init__()
        self.item_id = identifier
        self.among = among
        self.view: ItemView | None = None
        self.part = part
        self.rest = Rest(self)

    def content(self) -> ComposeResult:
        """The parts' names, a list, and what is read."""
        yield PartBar({"text": "Text", **{part.name: part.words for part in PARTS.values()}, "facts": "Facts"})
        entries = PartList(id="entries")
        long = Vertical(Static(id="long-head", markup=False), LongText(id="long-text"), id="long")
        entries.display = long.display = False
        yield Panes(entries, Container(Preview(id="preview"), long, id="read"), self.mh.share, id="panes")

    @property
    def entries(self) -> PartList:
        """The list of a part."""
        return self.query_one("#entries", PartList)

    def on_mount(self) -> None:
        """Read it."""
        self.count_look()
        self.read_item()

    @work(exit_on_error=False, group="look")
    async def count_look(self) -> None:
        """Count that it was looked at: once, since counting itself changes the file."""
        identifier = self.item_id
        await self.backend.view.run(lambda memory: memory.seen([identifier]))

    def file_changed(self) -> None:
        """Read it again, where the reader is."""
        self.read_item(keep=True)

    @work(exclusive=True, exit_on_error=False)
    async def read_item(self, *, keep: bool = False) -> None:
        """Show the item as it is now."""
        identifier = self.item_id
        self.view = await self.backend.view.run(lambda memory: item_view.load(memory, identifier, self.mh.zone))
        keys: dict[str, str] = {}
        for one in self.active_bindings.values():
            keys.setdefault((one.binding.id or "").removeprefix("item."), self.app.get_key_display(one.binding))
        self.top_bar.tell(f"{self._place(keys)}…{identifier[-6:]} ")
        counts = {name: len(part.lines(self.view)) for name, part in PARTS.items()} if self.view else {}
        self.query_one(PartBar).tell(self.part, keys, counts)
        await self._show_part(keep=keep)
        self.refresh_bindings()

    def _place(self, keys: Mapping[str, str]) -> str:
        if self.among is None or self.among.entry is None or self.among.entry.id != self.item_id:
            return ""
        place = f"{self.among.cursor + 1:,} of {self.among.total:,}"
        return f"{keys.get('before', '')} ‹ {place} › {keys.get('next', '')} · "

    async def _show_part(self, *, keep: bool) -> None:
        part = PARTS.get(self.part) if self.view else None
        is_long = self.view is not None and self.part == "text" and len(self.view.item.content) > LONG
        shown = (self.entries, part is not None), (self.query_one("#long"), is_long), (self._preview, not is_long)
        for widget, is_shown in shown:
            widget.display = is_shown
        self.query_one(Panes).share_out()
        if not keep or not self.focused or not self.focused.display:
            (self.entries if part else self.query_one("#long-text") if is_long else self._preview).focus()
        if part is not None and self.view is not None:
            self.entries.empty = part.empty
            await self.entries.show(Fixed(part.lines(self.view)), keep=keep)
        elif is_long and self.view is not None:
            head = (terminal_safe(self.view.item.title or ""), item_view.head(self.view))
            self.query_one("#long-head", Static).update(Content("\n".join(words for words in head if words)))
            self.query_one(LongText).load(self.view.item.content)
        elif self.part == "facts" and self.view is not None:
            await self._preview.show(
                Shown(self._title(), text=item_parts.facts(self.view), key=f"facts {self.item_id}")
            )
        else:
            await self._preview.show(item_view.shown(self.view)._replace(foot=""))

    @property
    def _preview(self) -> Preview:
        return self.query_one(Preview)

    def _title(self) -> str:
        item = self.view.item if self.view else None
        return terminal_safe(one_line(item.title or item.content, 80)) if item else ""

    @on(PartList.Highlighted)
    def moved(self, event: PartList.Highlighted) -> None:
        """Show what the line stands for."""
        if event.list is self.entries:
            self.rest.then(partial(self.read_line, event.entry))
            self.refresh_bindings()

    @work(exclusive=True, group="preview", exit_on_error=False)
    async def read_line(self, entry: PartLine | None) -> None:
        """Show a line whole."""
        if self.part in PARTS:
            await self._preview.show(await self._shown(entry))

    async def _shown(self, entry: PartLine | None) -> Shown:
        head = item_parts.support(self.view) if self.view and self.part in ("sources", "why") else ""
        if entry is None:
            return Shown(head=head, text=Content(""))
        if entry.version is not None:
            text = await asyncio.to_thread(item_parts.changed, entry.version, entry.before)
            at = show_time(entry.version.at, self.mh.zone)
            head = f"{at} · {entry.version.command} · {entry.version.device[-6:]} · {entry.version.hash[:12]}"
            return Shown(self._title(), terminal_safe(head), text, key=entry.id)
        if entry.text is not None:
            foot = f"Enter opens {'what it is about' if entry.ruling else 'where it is from'}" if entry.target else ""
            return Shown(self._title(), head, entry.text, foot, entry.id)
        return await self.backend.view.run(lambda memory: item_view.shown_of(memory, entry.target, self.mh.zone))

    @on(PartList.Chosen)
    @work(exit_on_error=False)
    async def chosen(self, event: PartList.Chosen) -> None:
        """Go to what the line leads to."""
        target = event.entry.target
        if target:
            await self.mh.open_target(target)

    def targets(self) -> Sequence[Item]:
        """The item."""
        return [self.view.item] if self.view else []

    # ---- the parts

    def action_text(self) -> None:
        """Show the text."""
        self._go("text")

    def action_versions(self) -> None:
        """Show every version and what changed; again: the text."""
        self._go("versions")

    def action_sources(self) -> None:
        """Show the words it was drawn from."""
        self._go("sources")

    def action_related(self) -> None:
        """Show what it is linked to."""
        self._go("related")

    def action_why(self) -> None:
        """Show what was ruled about it."""
        self._go("why")

    def action_facts(self) -> None:
        """Show all that is known of it."""
        self._go("facts")

    def _go(self, part: str) -> None:
        self.part = "text" if part == self.part else part
        self.read_item()

    # ---- the next one

    def action_next(self) -> None:
        """The next item of the list."""
        self._step(1)

    def action_before(self) -> None:
        """The item before in the list."""
        self._step(-1)

    def _step(self, by: int) -> None:
        if self.among is not None:
            self.among.cursor += by
            self.read_among()

    @work(exclusive=True, group="step", exit_on_error=False)
    async def read_among(self) -> None:
        """Show what the list's cursor came to."""
        entry = await self.among.arrived() if self.among is not None else None
        if entry is not None and entry.id != self.item_id:
            self.item_id = entry.id
            self.read_item()

    # ---- what it was, what was ruled

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Some are there in one part only, and for some lines of it."""
        if action in ("next", "before"):
            return self.among is not None
        if action not in ("restore", "overturn"):
            return True
        if not self.is_mounted or self.part != {"restore": "versions", "overturn": "why"}[action]:
            return False
        entry = self.entries.entry
        if entry is None or self.view is None:
            return None
        if action == "restore":
            version = entry.version
            return True if version and not version.erased and version.hash != self.view.item.version else None
        return True if entry.ruling and not entry.ruling.overturned else None

    @work(exit_on_error=False)
    async def action_restore(self) -> None:
        """Write the version under the cursor anew, as the newest."""
        entry, view = self.entries.entry, self.view
        if entry is None or entry.version is None or view is None:
            return
        old, identifier, seen = entry.version, view.item.id, view.item.version
        await self.save(
            lambda memory: memory.update(
                identifier, title=old.title, content=old.content or "", kind=old.kind, expect=seen
            ),
            f"as it was at {show_time(old.at, self.mh.zone)}",
        )

    @work(exit_on_error=False)
    async def action_overturn(self) -> None:
        """Take the ruling under the cursor back."""
        entry = self.entries.entry
        if entry is not None and entry.ruling is not None:
            ruling = entry.ruling
            await self.save(lambda memory: memory.overturn(ruling.id), f"overturned: {ruling.action}")

    def action_leave(self) -> None:
        """Back."""
        self.dismiss(None)
