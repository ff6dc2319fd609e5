"""The right-hand side: an item as Markdown, with what it is above and what it hangs together with below."""

from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.content import Content
from textual.widgets import Markdown, Static

from memhub.text.clean import terminal_safe
from memhub_tui import item_view
from memhub_tui.item_view import ItemView


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

    async def show(self, view: ItemView | None, instead: str = "") -> None:
        """Show an item from its top; None shows `instead`."""
        title, head, foot = (
            self.query_one("#title", Static),
            self.query_one("#head", Static),
            self.query_one("#foot", Static),
        )
        text = "" if view is None else item_view.body(view.item)
        title.update(Content(terminal_safe(view.item.title or "") if view else instead))
        title.display = bool(view is None or view.item.title)
        head.update(Content(item_view.head(view) if view else ""))
        below = item_view.foot(view) if view else ""
        foot.update(Content(below))
        foot.display = bool(below)
        await self.query_one(Markdown).update(text)
        self.scroll_home(animate=False)
