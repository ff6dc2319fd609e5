"""The keys that move through a list, for everything else that one reads line by line."""

from textual.binding import Binding, BindingType

from memhub_tui.actions import bindings

_MOVES = ("down", "up", "page_down", "page_up", "first", "last")


def moves(*more: str) -> list[BindingType]:
    """The bindings of the scope `list` that move, and those named."""
    return [one for one in bindings("list") if isinstance(one, Binding) and one.action in (*_MOVES, *more)]


class Scrolls:
    """Carries out the moves by scrolling; for widgets that scroll and have no cursor."""

    def action_down(self) -> None:
        """One line down."""
        self.scroll_relative(y=1, animate=False)  # type: ignore[attr-defined]

    def action_up(self) -> None:
        """One line up."""
        self.scroll_relative(y=-1, animate=False)  # type: ignore[attr-defined]

    def action_page_down(self) -> None:
        """One window down."""
        self.scroll_page_down(animate=False)  # type: ignore[attr-defined]

    def action_page_up(self) -> None:
        """One window up."""
        self.scroll_page_up(animate=False)  # type: ignore[attr-defined]

    def action_first(self) -> None:
        """To the top."""
        self.scroll_home(animate=False)  # type: ignore[attr-defined]

    def action_last(self) -> None:
        """To the end."""
        self.scroll_end(animate=False)  # type: ignore[attr-defined]
