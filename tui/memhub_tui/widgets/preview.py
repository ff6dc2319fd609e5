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

    def compose(self) -> ComposeResult:
        """Title, head, text, foot."""
        yield Static(id="title", markup=False)
        yield Static(id="head", markup=False)
        yield Markdown(id="text", open_links=False)
        yield Static(id="foot", markup=False)

    async def show(self, shown: Shown) -> None:
        """Show something from its top."""
        for name in ("title", "head", "foot"):
            words = getattr(shown, name)
            part = self.query_one(f"#{name}", Static)
            part.update(Content(words))
            part.display = bool(words)
        await self.query_one(Markdown).update(shown.text)
        self.scroll_home(animate=False)
