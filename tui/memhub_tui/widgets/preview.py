"""The right-hand side: an item as Markdown, with what it is above and what it hangs together with below."""

from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.content import Content
from textual.widgets import Markdown, Static

from memhub_tui.item_view import Shown


class Preview(VerticalScroll, can_focus=True):
    """Shows one item, or a word in its place."""

    DEFAULT_CSS = """
    Preview {
        padding: 0 1;
        & > #head { color: $foreground 60%; }
        & > #title { text-style: bold; }
        & > #foot { color: $foreground 60%; border-top: solid $panel; margin-top: 1; }
        & > Markdown { padding: 0; margin: 1 0 0 0; background: transparent; }
        & MarkdownH1, & MarkdownH2, & MarkdownH3 { content-align: left middle; margin: 0 0 1 0; }
    }
    """

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._wanted: Shown | None = None
        self._is_busy = False

    def compose(self) -> ComposeResult:
        """Title, head, text, foot."""
        yield Static(id="title", markup=False)
        yield Static(id="head", markup=False)
        yield Markdown(id="text", open_links=False)
        yield Static(id="foot", markup=False)

    async def show(self, shown: Shown) -> None:
        """Show something from its top, as soon as what is being put there is there.

        The widgets of a text are changed by one worker that nobody cancels: a change that is broken off in the middle
        leaves widgets that never end, and a screen that stands still.
        """
        self._wanted = shown
        if not self._is_busy:
            self._is_busy = True
            self.run_worker(self._put_wanted(), group="put", exit_on_error=False)

    async def _put_wanted(self) -> None:
        try:
            while self._wanted is not None:
                wanted, self._wanted = self._wanted, None
                await self._put(wanted)
        finally:
            self._is_busy = False

    async def _put(self, shown: Shown) -> None:
        for name in ("title", "head", "foot"):
            words = getattr(shown, name)
            part = self.query_one(f"#{name}", Static)
            part.update(Content(words))
            part.display = bool(words)
        await self.query_one(Markdown).update(shown.text)
        self.scroll_home(animate=False)
