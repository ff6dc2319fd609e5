"""Edit an item's title and text, or write a new note. What is typed is kept as a draft until it is stored."""

import asyncio
from collections.abc import Sequence

from textual import events, on, work
from textual.app import ComposeResult
from textual.binding import Binding
from textual.widgets import Input, TextArea

from memhub import stamp
from memhub.errors import ConflictError, NotFoundError
from memhub.model.item import Item
from memhub.workspace import Memory
from memhub_tui.drafts import Draft
from memhub_tui.screens.base import MhScreen
from memhub_tui.screens.confirm import ConfirmScreen
from memhub_tui.widgets.in_order import Line, Text

DRAFT_PAUSE = 0.3  # seconds from a key to the draft on disk


class EditScreen(MhScreen[None]):
    """`item` None writes a new note; `draft` goes on with what was left."""

    CSS_PATH = "edit.tcss"
    AUTO_FOCUS = ""  # the text gets it, once it is there
    BINDINGS = [
        Binding("ctrl+s", "save", "Save", id="edit.save"),
        Binding("escape", "leave", "Back", id="edit.leave"),
    ]

    def __init__(self, item: str | None, draft: Draft | None = None) -> None:
        super().__init__()
        self.item_id = item
        self._draft = draft
        self._key = draft.key if draft else item or ""
        self._before = ("", "")
        self._version = draft.version if draft else ""
        self._is_ready = False
        self._early: list[events.Key] = []

    def content(self) -> ComposeResult:
        """A title over the text."""
        yield Line(placeholder="title (may be left out)", id="title")
        yield Text(id="text", soft_wrap=True, tab_behavior="indent")

    def on_mount(self) -> None:
        """Fetch what is to be changed."""
        self._key = self._key or self.backend.drafts.new_key()
        self.top_bar.tell(f"{self.what} ")
        self.fetch()

    @on(events.Key)
    def keep_for_the_text(self, event: events.Key) -> None:
        """What is typed before the text is there is typed once it is."""
        if self.focused is None:
            event.stop()
            event.prevent_default()
            self._early.append(events.Key(event.key, event.character).set_sender(self.app))

    @work(exit_on_error=False)
    async def fetch(self) -> None:
        """Fill the fields."""
        title, content = await self.first_text()
        self._before = (title, content)
        if self._draft:
            title, content = self._draft.title, self._draft.content
        self.query_one("#title", Input).value = title
        area = self.query_one(TextArea)
        area.load_text(content)
        self.set_focus(area)
        for event in self._early:
            area._forward_event(event)  # as the app does
        self.call_after_refresh(setattr, self, "_is_ready", True)

    async def first_text(self) -> tuple[str, str]:
        """Title and text as they are stored."""
        if self.item_id is None:
            return "", ""
        identifier = self.item_id
        try:
            item: Item = await self.backend.view.run(lambda memory: memory.get(identifier))
        except NotFoundError:
            if self._draft is None:
                raise
            self.item_id = None  # what it belonged to is gone, the text is not
            return "", ""
        self._version = self._version or item.version
        return item.title or "", item.content

    @property
    def what(self) -> str:
        """What is being written, for the bar."""
        return f"edit …{self.item_id[-6:]}" if self.item_id else "new note"

    @property
    def typed(self) -> tuple[str, str]:
        """Title and text as they are now."""
        return self.query_one("#title", Input).value.strip(), self.query_one(TextArea).text

    @property
    def is_changed(self) -> bool:
        """Whether leaving would lose something."""
        return self.typed != self._before

    @on(Input.Changed, "#title")
    @on(TextArea.Changed)
    def changed(self) -> None:
        """Keep a draft of it."""
        if self._is_ready:
            self.keep_draft()

    @work(exclusive=True, group="draft", exit_on_error=False)
    async def keep_draft(self) -> None:
        """Write the draft, once the fingers rest."""
        await asyncio.sleep(DRAFT_PAUSE)
        await self.keep_draft_now()

    async def keep_draft_now(self) -> None:
        """Write what is typed, or remove the draft when it is as it was."""
        draft = Draft(self._key, self.item_id, self._version, *self.typed, stamp.now_ms())
        await (self.backend.drafts.keep(draft) if self.is_changed else self.backend.drafts.forget(self._key))

    @work(exit_on_error=False)
    async def action_save(self) -> None:
        """Store it as a new version."""
        if await self.store():
            await self._close()

    async def store(self, *, anyway: bool = False) -> bool:
        """Whether it is stored now. Someone else's change meanwhile is told, and nothing of either is lost."""
        title, content = self.typed
        if not self.is_changed:
            return True
        if not content.strip() and not title:
            self.notify("Nothing is written yet.", severity="warning")
            return False
        identifier, version = self.item_id, None if anyway else self._version
        try:
            if identifier is None:
                await self.save(lambda memory: memory.add(content, title=title or None, again=True), "added")
            else:
                await self.save(lambda memory: _update(memory, identifier, title, content, version), "saved")
        except ConflictError as error:
            answer = await self.app.push_screen_wait(
                ConfirmScreen(
                    f"{error.message}: it was changed elsewhere while you were typing.",
                    {"anyway": "Save mine over it", "back": "Go on editing"},
                )
            )
            return await self.store(anyway=True) if answer == "anyway" else False
        return True

    @work(exit_on_error=False)
    async def action_leave(self) -> None:
        """Back; ask when something was typed."""
        if self.is_changed:
            answer = await self.app.push_screen_wait(
                ConfirmScreen(
                    "This text is not saved.",
                    {"save": "Save", "throw": "Throw it away", "back": "Go on editing"},
                )
            )
            if answer not in ("save", "throw") or (answer == "save" and not await self.store()):
                return
        await self._close()

    async def _close(self) -> None:
        self.workers.cancel_group(self, "draft")
        await self.backend.drafts.forget(self._key)
        self.dismiss(None)


class MergeScreen(EditScreen):
    """One text in place of two, which is stored as the answer to their contradiction; or of the heads of one item."""

    def __init__(self, both: Sequence[Item]) -> None:
        super().__init__(None)
        self._both = both
        self._key = f"{both[0].id}-merge"

    @property
    def what(self) -> str:
        """See `EditScreen`."""
        return "merge: one text in place of both"

    async def first_text(self) -> tuple[str, str]:
        """Both texts, one under the other."""
        self.query_one("#title").display = False
        return "", "\n\n".join(item.content for item in self._both)

    async def store(self, *, anyway: bool = False) -> bool:
        """Settle it with this text."""
        _, text = self.typed
        if not text.strip():
            self.notify("Nothing is written yet.", severity="warning")
            return False
        item, other = self._both[0].id, self._both[1].id if len(self._both) > 1 else None
        await self.save(lambda memory: memory.resolve(item, "merge", other=other, text=text), "settled: merge")
        return True


def _update(memory: Memory, identifier: str, title: str, content: str, version: str | None) -> Item:
    return memory.update(identifier, title=title or None, content=content, expect=version)
