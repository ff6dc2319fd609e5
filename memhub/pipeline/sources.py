"""Reads what waits as sources: a note alone, the new turns of a thread together."""

import apsw

from memhub.model.item import Item
from memhub.model.judging import Source, Text
from memhub.pipeline.queue import Waiting
from memhub.store import read
from memhub.text.context import hidden

PRIVATE = ("private", "private chat", "private message", "direct", "direct message", "dm", "im", "私聊", "单聊")
"""Names of chats in which "I" is the owner of the notes."""
TURNS = 40
"""Turns of one thread that are judged together."""


def sources_of(connection: apsw.Connection, rows: list[Waiting]) -> tuple[list[Source], tuple[str, ...]]:
    """The sources of one space in the order in which they came, and queued items that are no longer there."""
    items = {item.id: item for item in read.items_by_ids(connection, [row.item for row in rows])}
    gone = tuple(row.item for row in rows if row.item not in items or items[row.item].state in ("dropped", "erased"))
    groups: dict[str, list[Waiting]] = {}
    for row in rows:
        if row.item not in gone:
            groups.setdefault(row.thread or row.item, []).append(row)
    sources = []
    for key, members in groups.items():
        for start in range(0, len(members), TURNS):
            some = members[start : start + TURNS]
            texts = tuple(_text(items[row.item]) for row in sorted(some, key=lambda row: _order(connection, row)))
            kind = "turns" if some[0].thread else "note"
            project = _project(connection, some[0].item)
            is_group = _is_group(connection, some[0].thread)
            sources.append(Source(key, kind, some[0].space, texts, project, some[0].thread, is_group))
    return sources, gone


def members_of(source: Source) -> tuple[str, ...]:
    """The queued items that a source is made of."""
    return tuple(text.item for text in source.texts)


def _text(item: Item) -> Text:
    return Text(
        item=item.id, version=item.version, content=item.content, role=str(item.attrs.get("role", "user")),
        speaker=item.attrs.get("speaker"), speaker_id=item.attrs.get("speaker_id"), at=item.created_at,
        hidden=hidden(item.content),
    )  # fmt: skip


def _order(connection: apsw.Connection, row: Waiting) -> tuple[int, str]:
    ordinal = connection.execute(
        "SELECT ordinal FROM edge WHERE src = ? AND relation = 'part_of' AND ordinal IS NOT NULL", (row.item,)
    ).get
    return (int(ordinal or 0), row.item)


def is_group(chat_type: str | None) -> bool:
    """Whether several people speak in chats of this type, so that `I` may be any of them."""
    return bool(chat_type) and str(chat_type).casefold() not in PRIVATE


def _is_group(connection: apsw.Connection, thread: str | None) -> bool:
    return is_group(connection.execute("SELECT fields ->> 'chat_type' FROM thread WHERE id = ?", (thread,)).get)


def _project(connection: apsw.Connection, item: str) -> str | None:
    found = connection.execute(
        "SELECT project.id FROM item JOIN project ON project.n = item.project WHERE item.id = ?", (item,)
    ).get
    return None if found is None else str(found)
