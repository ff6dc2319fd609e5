"""Keeps a conversation of any length, 500 turns to a commit."""

from collections.abc import Iterable, Iterator
from itertools import islice

import apsw

from memhub.model.entry import Draft
from memhub.model.report import ThreadAdded
from memhub.model.thread import Message, ThreadInfo
from memhub.pipeline import groups, turns
from memhub.store import threads
from memhub.store.store import Operation, Store

_BATCH = 500


def keep_messages(
    store: Store, operation: Operation, messages: Iterable[Message], info: ThreadInfo, *, space: str, to_judge: bool
) -> ThreadAdded:
    """Store the messages that the thread does not have yet, in their order, after those it has."""
    identifier = turns.thread_id(info, space)
    added = known = 0
    ordinal: int | None = 0 if info.whole and info.key else None
    for batch in _batches(messages):
        counts = [0, 0]

        def plan(connection: apsw.Connection, batch: list[Message] = batch, counts: list[int] = counts) -> list[Draft]:
            nonlocal ordinal
            project, drafts = groups.project_by_name(connection, info.project) if info.project else (None, [])
            drafts += turns.thread_drafts(connection, identifier, info, batch, space=space, project=project)
            number = threads.next_ordinal(connection, identifier) if ordinal is None else ordinal
            for message in batch:
                new = turns.turn_drafts(
                    connection, identifier, info, message, number, space=space, project=project, to_judge=to_judge
                )
                counts[0 if new else 1] += 1
                drafts += new
                number += 1 if new or ordinal is not None else 0
            if ordinal is not None:
                ordinal = number
            return drafts

        store.commit(operation, plan, durable=len(batch) < _BATCH)
        added, known = added + counts[0], known + counts[1]
    store.flush()
    found = threads.thread_by_id(store.connection, identifier)
    assert found is not None
    return ThreadAdded(found, added, known)


def _batches(messages: Iterable[Message]) -> Iterator[list[Message]]:
    """At least one batch, so that a thread without a turn is still made."""
    iterator = iter(messages)
    batch = list(islice(iterator, _BATCH))
    yield batch
    while len(batch) == _BATCH:
        batch = list(islice(iterator, _BATCH))
        if batch:
            yield batch
