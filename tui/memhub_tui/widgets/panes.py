"""Two panes beside or above each other, with a line between them that can be moved.

The layout is that of the stylesheet: horizontal, or vertical in a narrow window. How much the first pane takes is one
number for all screens, and stays until it is changed; a screen whose second pane needs more room takes a part of it.
"""

from textual import events
from textual.app import ComposeResult
from textual.containers import Container
from textual.message import Message
from textual.widget import Widget

from memhub_tui.actions import bindings

LEAST, MOST, STEP = 15, 85, 5  # per cent for the first pane


class Divider(Widget):
    """The line. Dragging it says where it should be."""

    DEFAULT_CSS = """
    Divider {
        width: 1; height: 1fr; color: $foreground 30%;
        &:hover { color: $primary; text-style: bold; }
        &.-near { color: $primary; text-style: bold; }
        &.-lying { width: 1fr; height: 1; }
    }
    """

    class Dragged(Message):
        """The line is wanted at this place of the screen."""

        def __init__(self, x: int, y: int, *, is_over: bool) -> None:
            super().__init__()
            self.x, self.y, self.is_over = x, y, is_over

    def render(self) -> str:
        """A line as long as it is."""
        return "─" * self.size.width if self.has_class("-lying") else "│\n" * max(self.size.height - 1, 0) + "│"

    def on_mouse_down(self, event: events.MouseDown) -> None:
        """Hold on."""
        self.capture_mouse()
        event.stop()

    def on_mouse_move(self, event: events.MouseMove) -> None:
        """Follow."""
        if self.app.mouse_captured is self:
            self.post_message(self.Dragged(event.screen_x, event.screen_y, is_over=False))

    def on_mouse_up(self, event: events.MouseUp) -> None:
        """Let go."""
        if self.app.mouse_captured is self:
            self.release_mouse()
            self.post_message(self.Dragged(event.screen_x, event.screen_y, is_over=True))


class Panes(Container):
    """`first` and `second` with the line between them, which is there when both are; `part` of `share` is used."""

    BINDINGS = bindings("view")
    DEFAULT_CSS = """
    Panes { layout: horizontal; height: 1fr; }
    """

    class Moved(Message):
        """The first pane takes `share` per cent now."""

        def __init__(self, share: int) -> None:
            super().__init__()
            self.share = share

    def __init__(
        self, first: Widget, second: Widget, share: int = 40, *, part: float = 1, id: str | None = None
    ) -> None:
        super().__init__(id=id)
        self._first = first
        self._line = Divider()
        self._second = second
        self.share = share
        self._part = part
        self._has_second = True
        self.is_whole = False

    def compose(self) -> ComposeResult:
        """Pane, line, pane."""
        yield self._first
        yield self._line
        yield self._second

    @property
    def is_lying(self) -> bool:
        """Whether the line lies between panes above each other."""
        layout = self.styles.layout
        return layout is not None and layout.name == "vertical"

    def on_mount(self) -> None:
        """Share the room."""
        self.share_out()

    def on_resize(self) -> None:
        """The layout may be another one now."""
        self.call_after_refresh(self.share_out)

    def share_out(self) -> None:
        """Give each pane its part."""
        self._line.set_class(self.is_lying, "-lying")
        self._second.display = self._has_second and not self.is_whole
        self._line.display = self._first.display and self._second.display
        first = self.share * self._part
        for pane, share in ((self._first, first), (self._second, 100 - first)):
            along, across = ("height", "width") if self.is_lying else ("width", "height")
            setattr(pane.styles, along, f"{share:g}fr")
            setattr(pane.styles, across, "1fr")

    def fill_second(self, has_second: bool) -> None:
        """Say whether there is anything for the second pane."""
        self._has_second = has_second
        self.share_out()

    def on_descendant_focus(self) -> None:
        """The line shows that the second pane has the keys."""
        self._line.set_class(self._second.has_focus_within, "-near")

    on_descendant_blur = on_descendant_focus

    def on_divider_dragged(self, event: Divider.Dragged) -> None:
        """Put the line there."""
        event.stop()
        room = self.size.height if self.is_lying else self.size.width
        place = event.y - self.region.y if self.is_lying else event.x - self.region.x
        self._take(round(100 * place / max(room, 1) / self._part), is_over=event.is_over)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """There is no line beside a pane that stands alone."""
        return True if self._first.display and self._has_second else None

    def action_narrower(self) -> None:
        """Less for the first pane."""
        self._take(self.share - STEP)

    def action_wider(self) -> None:
        """More for the first pane."""
        self._take(self.share + STEP)

    def action_preview(self) -> None:
        """Show the second pane or hide it."""
        self.is_whole = not self.is_whole
        if self._second.has_focus_within:
            self._first.focus()
        self.share_out()

    def _take(self, share: int, *, is_over: bool = True) -> None:
        self.is_whole = False
        self.take(share)
        if is_over:
            self.post_message(self.Moved(self.share))

    def take(self, share: int) -> None:
        """Give the first pane so many per cent."""
        self.share = min(max(share, LEAST), MOST)
        self.share_out()
