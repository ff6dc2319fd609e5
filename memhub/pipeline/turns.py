"""Keeps conversations: a thread and its turns, each turn once however often the source hands it over."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import apsw

from memhub import stamp
from memhub.errors import UsageError
from memhub.model.entry import Draft, Version
from memhub.model.thread import Message, ThreadInfo
from memhub.pipeline import change, queue
from memhub.store import log, threads
from memhub.store.evaluate import ItemState, edge_key, fold, in_order, item_state, registers
from memhub.store.undo import took_away
from memhub.text.clean import clean, one_line
from memhub.text.redact import mask

FINAL = threads.FINAL
ROLES = ("user", "assistant", "system", "tool")


def thread_id(info: ThreadInfo, space: str) -> str:
    """The id of a thread: the one given, one derived from its source key, or a fresh one."""
    return info.id or (stamp.derived_id("thread", space, *info.key) if info.key else stamp.new_id())


def thread_drafts(
    connection: apsw.Connection,
    identifier: str,
    info: ThreadInfo,
    messages: Sequence[Message],
    *,
    space: str,
    project: str | None,
) -> list[Draft]:
    """What is new about the thread itself: fields the caller knows, and speakers by identity."""
    known = registers(in_order(log.entries_of(connection, identifier))).fields
    fields: dict[str, Any] = {} if known else {"space": space}
    if known.get("dropped") and info.key:
        fields.update(dropped=False, removed=False)  # an undone import that comes again, or a chat that goes on
    wanted = {
        "folder": info.folder, "started_at": info.started_at, "ended_at": info.ended_at, "parent": info.parent,
        "title": info.title, "platform": info.platform, "chat_type": info.chat_type, "chat_name": info.chat_name,
        "bot_name": info.bot_name, "project": project,
    }  # fmt: skip
    fields.update({name: one_line(value, 500) for name, value in wanted.items() if value})
    for message in messages:
        field = threads.speaker_field(message.speaker)
        if field is not None:
            fields[field] = one_line(message.speaker.name or message.speaker.id or "", 200)
    changed = {name: value for name, value in fields.items() if known.get(name) != value}
    return [Draft("thread.put", identifier, {"set": changed})] if changed or not known else []


class Planned(NamedTuple):
    """The entries that keep some turns, and of how many turns anything is written."""

    drafts: list[Draft]
    new: int


def plan_turns(
    connection: apsw.Connection,
    thread: str,
    info: ThreadInfo,
    messages: Sequence[Message],
    ordinal: int,
    *,
    space: str,
    project: str | None,
    to_judge: bool = False,
    labels: Sequence[str] = (),
) -> Planned:
    """What keeping these turns takes; nothing for those that are known as they are. `to_judge` queues the new ones.
    `labels` go on all of them.

    `ordinal` is the place of the first message, or, where the source does not hand over the whole thread, of the first
    new one. Raises `UsageError` for a message that cannot be kept.
    """
    is_whole = bool(info.whole and info.key)
    checked = [_checked(message) for message in messages]
    items = [_turn_id(thread, info, message, ordinal + place) for place, message in enumerate(checked)]
    known = log.entries_by_key(connection, [item for item in items if item])
    places = threads.places_in(connection, thread) if known else {}
    drafts: list[Draft] = []
    to_queue: list[str] = []
    new = 0
    for message, item in zip(checked, items, strict=True):
        version = _version(thread, info, message, item, ordinal)
        state = item_state(known.get(version.item, ()))
        is_final = message.attrs.get(FINAL) is True
        if state.put:
            written = _again(connection, state, version)
            if state.drops and written:  # what took it away took it out of the thread, too
                written.append(_put(version.item, thread, _place(ordinal, is_final)))
            drafts += _marked(version.item, thread, places.get(version.item), is_final)
        else:
            written = _first(version, thread, ordinal, is_final, space, project)
            if message.role in ("user", "assistant"):
                to_queue.append(version.item)
        drafts += written
        if written or not state.drops:
            drafts += _labelled(version.item, state, labels)
        new += bool(written)
        ordinal += bool(written) or is_whole
    if to_judge:
        queue.enqueue(connection, to_queue, space, thread)
    return Planned(drafts, new)


def _version(thread: str, info: ThreadInfo, message: Message, identifier: str | None, ordinal: int) -> Version:
    """The text of a checked message; one without an id of its own is new whatever it says."""
    is_from_source = identifier is not None
    item = identifier or stamp.new_id()
    attrs: dict[str, Any] = {"role": message.role, **message.attrs}
    attrs.pop(FINAL, None)
    if message.speaker.name:
        attrs["speaker"] = message.speaker.name
    if message.speaker.id:
        attrs["speaker_id"] = message.speaker.id
    at = message.at or (None if is_from_source else stamp.iso(stamp.now_ms()))
    source = (
        {"kind": info.key[0], "scope": info.key[1], "external_id": message.id or f"#{ordinal}", "app": info.platform}
        if info.key
        else None
    )
    return Version(
        item=item, parents=(), layer="L0", kind="turn", title=None, content=message.content, attrs=attrs, created_at=at,
        updated_at=None, valid_from=None, valid_to=None, source={**(source or {"kind": "chat"}), "thread": thread},
        spans=(), by="import" if is_from_source else "hand",
        nonce=stamp.derived_nonce(item) if is_from_source else stamp.new_nonce(),
    )  # fmt: skip


def _first(version: Version, thread: str, ordinal: int, is_final: bool, space: str, project: str | None) -> list[Draft]:
    """A turn that the thread does not have yet."""
    item = version.item
    fields = {"space": space} if project is None else {"space": space, "project": project}
    return [
        Draft("version.put", item, {}, version),
        Draft("item.set", item, {"set": fields}),
        _put(item, thread, _place(ordinal, is_final)),
    ]


def _place(ordinal: int, is_final: bool) -> dict[str, Any]:
    return {"ordinal": ordinal, FINAL: True} if is_final else {"ordinal": ordinal}


def _labelled(item: str, state: ItemState, labels: Sequence[str]) -> list[Draft]:
    """The labels that a turn does not have yet."""
    add = [] if state.is_erased else [name for name in labels if fold(name) not in state.labels]
    return [Draft("item.set", item, {"add": {"labels": add}})] if add else []


def _marked(item: str, thread: str, place: dict[str, Any] | None, is_final: bool) -> list[Draft]:
    """What moves the mark of the final answer: an answer has it as long as it is the last one before a prompt.

    The mark belongs to the place of a turn in its thread. As a part of the text it would make a new version of every
    answer that another one follows.
    """
    if place is None or bool(place.get(FINAL)) == is_final:
        return []
    rest = {name: value for name, value in place.items() if name != FINAL}
    return [_put(item, thread, {**rest, FINAL: True} if is_final else rest)]


def _put(item: str, thread: str, place: dict[str, Any]) -> Draft:
    ends = {"src": item, "relation": "part_of", "dst": thread}
    return Draft("edge.put", edge_key(item, "part_of", thread), {**ends, "attrs": place})


def drop_drafts(connection: apsw.Connection, items: Sequence[str], thread: str | None) -> list[Draft]:
    """Drop turns and, when it is named, their thread; `removed` tells it from one that an undo took away."""
    drafts = [draft for item in items for draft in change.drop(connection, item)]
    if thread is not None:
        drafts.append(Draft("thread.put", thread, {"set": {"dropped": True, "removed": True}}))
    return drafts


def _again(connection: apsw.Connection, state: ItemState, version: Version) -> list[Draft]:
    """A known turn: nothing, or a new version when the source has edited it. One that an undo took away comes back."""
    old = log.load_version(connection, state.heads[0]) if state.heads else None
    if state.is_erased or old is None or (state.drops and not took_away(connection, state.drops)):
        return []
    drafts = [Draft("item.restore", version.item, {"drops": list(state.drops)})] if state.drops else []
    if old.content != version.content or old.attrs != version.attrs:
        drafts.append(Draft("version.put", version.item, {}, version._replace(parents=state.heads)))
    return drafts


def _turn_id(thread: str, info: ThreadInfo, message: Message, ordinal: int) -> str | None:
    if message.id:
        return stamp.derived_id("turn", thread, message.id)
    return stamp.derived_id("turn", thread, f"#{ordinal}") if info.whole and info.key else None


def _checked(message: Message) -> Message:
    if message.role not in ROLES:
        raise UsageError(f"no role `{message.role}`", f"roles are {', '.join(ROLES)}")
    name, identity = message.speaker
    content = mask(clean(message.content))
    if not content.strip():
        raise UsageError("a turn without text", "leave empty turns out")
    speaker = message.speaker._replace(
        name=one_line(name, 200) if name else None, id=one_line(identity, 500) if identity else None
    )
    at = message.at
    if at:
        from memhub.text.dates import checked_time

        at = checked_time(at)
    return message._replace(content=content, speaker=speaker, at=at)
