"""Keeps a conversation of any length, 500 turns to a commit."""

from collections.abc import Callable, Iterable, Iterator
from itertools import islice

import apsw

from memhub.model.entry import Draft
from memhub.model.report import ThreadAdded
from memhub.model.thread import Message, ThreadInfo
from memhub.pipeline import groups, turns
from memhub.store import threads
from memhub.store.store import Operation, Store

_BATCH = 500


Project = tuple[str | None, list[Draft]]
"""The id of a project, and the drafts that make it known."""


def keep_messages(
    store: Store, operation: Operation, messages: Iterable[Message], info: ThreadInfo, *, space: str, to_judge: bool
) -> ThreadAdded:
    """Store the messages that the thread does not have yet, in their order, after those it has."""

    def project(connection: apsw.Connection) -> Project:
        return groups.project_by_name(connection, info.project) if info.project else (None, [])

    identifier, added, known = keep_turns(
        store, operation, messages, info, space=space, to_judge=to_judge, project=project
    )
    store.flush()
    found = threads.thread_by_id(store.connection, identifier)
    assert found is not None
    return ThreadAdded(found, added, known)


def keep_turns(
    store: Store,
    operation: Operation,
    messages: Iterable[Message],
    info: ThreadInfo,
    *,
    space: str,
    to_judge: bool,
    project: Callable[[apsw.Connection], Project],
) -> tuple[str, int, int]:
    """The same without the flush at the end; returns the thread's id, how many turns are new and how many known."""
    identifier = turns.thread_id(info, space)
    added = known = 0
    ordinal: int | None = 0 if info.whole and info.key else None
    for batch in _batches(messages):
        counts = [0, 0]

        def plan(connection: apsw.Connection, batch: list[Message] = batch, counts: list[int] = counts) -> list[Draft]:
            nonlocal ordinal
            of, drafts = project(connection)
            drafts = [*drafts, *turns.thread_drafts(connection, identifier, info, batch, space=space, project=of)]
            number = threads.next_ordinal(connection, identifier) if ordinal is None else ordinal
            for message in batch:
                new = turns.turn_drafts(
                    connection, identifier, info, message, number, space=space, project=of, to_judge=to_judge
                )
                counts[0 if new else 1] += 1
                drafts += new
                number += 1 if new or ordinal is not None else 0
            if ordinal is not None:
                ordinal = number
            return drafts

        store.commit(operation, plan, durable=False)
        added, known = added + counts[0], known + counts[1]
    return identifier, added, known


def _batches(messages: Iterable[Message]) -> Iterator[list[Message]]:
    """At least one batch, so that a thread without a turn is still made."""
    iterator = iter(messages)
    batch = list(islice(iterator, _BATCH))
    yield batch
    while len(batch) == _BATCH:
        batch = list(islice(iterator, _BATCH))
        if batch:
            yield batch
