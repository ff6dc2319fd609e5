"""Other programs on an item: the user's own editor, and what opens its source.

The editor is that of `mh edit`: the same fields above the text, the same draft, which the next `mh edit` or E goes on
with, so that no text is lost.
"""

import asyncio
import os
import sys

from textual.app import SuspendNotSupported

from memhub.editor import Edited, edit, find_editor, is_kept, item_draft, stored
from memhub.errors import UsageError
from memhub.text import front_matter
from memhub.workspace import Memory
from memhub_tui.screens.base import MhScreen

OPENERS = ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER")  # without one of these nothing but a text browser would open


async def edit_outside(screen: MhScreen[None], identifier: str) -> None:
    """Edit an item and store it as a new version, if it was changed."""
    item = await screen.backend.view.run(lambda memory: memory.get(identifier))
    editor, before = find_editor(screen.mh.config), front_matter.to_text(item)
    draft = item_draft(item.id, item.version)
    if await asyncio.to_thread(is_kept, draft, before):
        screen.notify("Continuing the draft that was kept.", markup=False)
    try:
        with screen.app.suspend():
            edited: Edited = edit(editor, draft, before)
    except SuspendNotSupported as error:
        raise UsageError("an editor of your own needs a terminal", "`e` edits here") from error
    finally:
        screen.refresh(layout=True)
    if edited.text is None:
        for words in ("Nothing was changed.", *edited.hints):
            screen.notify(words, timeout=10 if edited.hints else 3, markup=False)
        return
    with stored(draft):
        changes = front_matter.changes(edited.text, item, screen.mh.zone)
        await screen.save(lambda memory: memory.update(item.id, expect=item.version, **changes), "saved")


async def open_source(screen: MhScreen[None], identifier: str) -> None:
    """Open the conversation, page or file that an item came from; where nothing can open it, copy its address."""
    thread, address = await screen.backend.view.run(lambda memory: _source(memory, identifier))
    if thread:
        screen.mh.open_thread(thread, identifier)
    elif not address:
        screen.notify("It was typed, or its source is no longer where it was.", severity="warning")
    elif _opens(address, is_web=screen.app.is_web):
        await asyncio.to_thread(screen.app.open_url, address)
        screen.notify(f"opened {address}", timeout=3, markup=False)
    else:
        screen.app.copy_to_clipboard(address)
        screen.notify(f"copied {address}; nothing here can open it", markup=False)


def _source(memory: Memory, identifier: str) -> tuple[str, str]:
    """The conversation that it is a turn of, or the address of its page or file; both may be empty."""
    thread = next((edge.dst for edge in memory.links(identifier) if edge.relation == "part_of"), "")
    source = memory.get(identifier).source
    if source and source.url and source.url.startswith(("http://", "https://")):
        return thread, source.url
    file = memory.source_file(identifier)
    return thread, file.as_uri() if file else ""


def _opens(address: str, *, is_web: bool) -> bool:
    if is_web:
        return address.startswith("http")  # a page may not open files
    return sys.platform in ("darwin", "win32") or any(os.environ.get(name) for name in OPENERS)
