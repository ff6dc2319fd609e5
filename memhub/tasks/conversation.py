"""Keeps a conversation of any length, 500 turns to a commit."""

from collections.abc import Iterable, Iterator, Sequence
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
    ordinal = first_ordinal(info)
    for batch in _batches(messages):
        new = 0

        def plan(
            connection: apsw.Connection, batch: list[Message] = batch, ordinal: int | None = ordinal
        ) -> list[Draft]:
            nonlocal new
            of, drafts = groups.project_by_name(connection, info.project) if info.project else (None, [])
            planned = plan_part(
                connection, identifier, info, batch, ordinal, space=space, project=of, to_judge=to_judge
            )
            new = planned.new
            return [*drafts, *planned.drafts]

        store.commit(operation, plan, durable=False)
        added, known = added + new, known + len(batch) - new
        ordinal = None if ordinal is None else ordinal + len(batch)
    store.flush()
    found = threads.thread_by_id(store.connection, identifier)
    assert found is not None
    return ThreadAdded(found, added, known)


def first_ordinal(info: ThreadInfo) -> int | None:
    """Where the first message stands: at the beginning of a whole thread, else after what the thread has by then."""
    return 0 if info.whole and info.key else None


def plan_part(
    connection: apsw.Connection,
    identifier: str,
    info: ThreadInfo,
    messages: Sequence[Message],
    ordinal: int | None,
    *,
    space: str,
    project: str | None,
    to_judge: bool = False,
    labels: Sequence[str] = (),
) -> turns.Planned:
    """What keeping a thread takes, and these messages of it in their order."""
    drafts = turns.thread_drafts(connection, identifier, info, messages, space=space, project=project)
    start = threads.next_ordinal(connection, identifier) if ordinal is None else ordinal
    planned = turns.plan_turns(
        connection, identifier, info, messages, start, space=space, project=project, to_judge=to_judge, labels=labels
    )
    return planned._replace(drafts=[*drafts, *planned.drafts])


def _batches(messages: Iterable[Message]) -> Iterator[list[Message]]:
    """At least one batch, so that a thread without a turn is still made."""
    iterator = iter(messages)
    batch = list(islice(iterator, _BATCH))
    yield batch
    while len(batch) == _BATCH:
        batch = list(islice(iterator, _BATCH))
        if batch:
            yield batch
