"""Opens what an id stands for: an item or a conversation."""

from typing import Any

from memhub_tui import item_view
from memhub_tui.screens.base import MhScreen
from memhub_tui.widgets.virtual_list import VirtualList


def open_item(screen: MhScreen[None], identifier: str, among: VirtualList[Any] | None = None) -> None:
    """Put an item over the screen in front; from there one goes on in the list `among`, whose entries are items."""
    from memhub_tui.screens.item import ItemScreen

    screen.app.push_screen(ItemScreen(identifier, among))


async def open_target(screen: MhScreen[None], identifier: str) -> None:
    """Put an item or a conversation over the screen in front."""
    from memhub_tui.screens.threads import ThreadScreen

    if await screen.backend.view.run(lambda memory: item_view.is_thread(memory, identifier)):
        screen.app.push_screen(ThreadScreen(identifier))
    else:
        open_item(screen, identifier)
