"""The user's own editor on an item: the screen makes way for it, and its text is never lost.

It is `mh edit`: the same fields above the text, the same draft, which the next `mh edit` or E goes on with.
"""

import asyncio

from textual.app import SuspendNotSupported

from memhub.editor import Edited, edit, find_editor, is_kept, item_draft, stored
from memhub.errors import UsageError
from memhub.text import front_matter
from memhub_tui.screens.base import MhScreen


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
