"""The right-hand side: an item as Markdown, with what it is above and what it hangs together with below."""

from textual import work
from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.content import Content
from textual.message import Message
from textual.widgets import Markdown, Static

from memhub_tui.item_view import Shown
from memhub_tui.widgets.moves import Scrolls, moves


class Preview(Scrolls, VerticalScroll, can_focus=True):
    """Shows one item, or a word in its place."""

    class Put(Message):
        """What was to be shown is there."""

    BINDINGS = moves()
    DEFAULT_CSS = """
    Preview {
        padding: 0 1;
        & > #head { color: $foreground 60%; }
        & > #title { text-style: bold; }
        & > #foot { color: $foreground 60%; border-top: solid $panel; margin-top: 1; }
        & > #plain { margin: 1 0 0 0; }
        & > Markdown { padding: 0; margin: 1 0 0 0; background: transparent; }
        & MarkdownH1, & MarkdownH2, & MarkdownH3 { content-align: left middle; margin: 0 0 1 0; }
    }
    """

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._wanted: Shown | None = None
        self._shown: Shown | None = None
        self._is_busy = False

    def compose(self) -> ComposeResult:
        """Title, head, text, foot."""
        yield Static(id="title", markup=False)
        yield Static(id="head", markup=False)
        yield Markdown(id="text", open_links=False)
        yield Static(id="plain", markup=False)
        yield Static(id="foot", markup=False)

    async def show(self, shown: Shown) -> None:
        """Show something, as soon as what is being put there is there: from its top, unless it is of the same thing.

        The widgets of a text are changed by one worker that nobody cancels: a change that is broken off in the middle
        leaves widgets that never end, and a screen that stands still.
        """
        self._wanted = shown
        if not self._is_busy:
            self._is_busy = True
            self._put_wanted()

    @work(exit_on_error=False)
    async def _put_wanted(self) -> None:
        try:
            while self._wanted is not None:
                wanted, self._wanted = self._wanted, None
                await self._put(wanted)
        finally:
            self._is_busy = False
        self.post_message(self.Put())

    async def _put(self, shown: Shown) -> None:
        before, self._shown = self._shown, shown
        if shown == before:
            return
        with self.app.batch_update():  # laid out once
            for name in ("title", "head", "foot"):
                words = getattr(shown, name)
                part = self.query_one(f"#{name}", Static)
                part.update(Content(words))
                part.display = bool(words)
            plain, markdown = self.query_one("#plain", Static), self.query_one(Markdown)
            plain.display = isinstance(shown.text, Content)
            markdown.display = not plain.display
            if isinstance(shown.text, Content):
                plain.update(shown.text)
            elif before is None or shown.text != before.text:
                await markdown.update(shown.text)
        if before is None or not shown.key or shown.key != before.key:
            self.scroll_home(animate=False)
