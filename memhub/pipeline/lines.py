"""What a person says in place of a line about himself: the words, and of a profile line the value that they give."""

from typing import Any

import apsw

from memhub.model.entry import Draft
from memhub.pipeline import change
from memhub.pipeline.relatives import slot_from
from memhub.pipeline.slots import slot_of
from memhub.store import read


def restated(connection: apsw.Connection, item: str, said: str) -> list[Draft]:
    """A new version of a line by hand; of a profile line the value goes with it."""
    changes: dict[str, Any] = {"content": said}
    found = read.item_by_id(connection, item)
    slot = slot_from(found.attrs) if found else None
    if found is not None and slot is not None:
        read_in_text = slot_of(said)
        is_same = read_in_text is not None and read_in_text.dimension == slot.dimension
        value = read_in_text.value if is_same and read_in_text else said
        changes["attrs"] = {**found.attrs, "slot": {**found.attrs["slot"], "value": value}}
    return change.edit(connection, item, changes)
