"""Brings the threads of a source in: each turn once, each place of the source read only when it has changed."""

from collections.abc import Iterator, Sequence
from functools import partial
from typing import NamedTuple

import apsw

from memhub import stamp
from memhub.errors import UsageError
from memhub.model.entry import Draft
from memhub.model.record import Conversation
from memhub.model.thread import Message, ThreadInfo
from memhub.pipeline import projects, turns
from memhub.pipeline.records import Run
from memhub.store import threads
from memhub.store.store import Operation, Store
from memhub.tasks.conversation import first_ordinal, plan_part

_BATCH = 1000


class Wanted(NamedTuple):
    """Which threads an import takes: none older than `since_ms`, those of one project, how many, sub-agents too."""

    since_ms: int | None = None
    project: str | None = None
    limit: int | None = None
    agents: bool = False

    @property
    def is_everything(self) -> bool:
        """Whether nothing is left out that another run would want; only then are cursors moved."""
        return self.since_ms is None and self.project is None and self.limit is None


class Kept(NamedTuple):
    """What became of one thread: created, updated, unchanged, or dropped; or why it cannot be kept."""

    outcome: str
    turns: int = 0
    error: str | None = None


def move_cursors(store: Store, run: Run, operation: Operation, cursors: dict[str, str]) -> None:
    """Remember how far places were read; what was read is stored by now."""
    rows = [(run.kind, run.scope, run.space, place, value, operation.id) for place, value in cursors.items()]
    if rows:
        with store.writing():
            store.connection.executemany("INSERT OR REPLACE INTO import_cursor VALUES (?,?,?,?,?,?)", rows)


def forget_cursors(connection: apsw.Connection, operation: str) -> None:
    """Let the places be read again that an undone import had read. Inside a transaction."""
    connection.execute("DELETE FROM import_cursor WHERE operation = ?", (operation,))


def last_ms(found: Conversation) -> int | None:
    """When a thread went on last, as far as its source knows."""
    times = (*(message.at for message in found.messages), found.info.started_at, found.info.ended_at)
    return max((ms for ms in map(stamp.ms_of, times) if ms is not None), default=None)


def is_wanted(connection: apsw.Connection, wanted: Wanted, found: Conversation) -> bool:
    """Whether a thread passes the filters. One without any time passes no `since`."""
    if found.info.parent is not None and not wanted.agents:
        return False
    if wanted.since_ms is not None:
        last = last_ms(found)
        if last is None or last < wanted.since_ms:
            return False
    if wanted.project is not None:
        folder = found.info.folder
        name = folder.rstrip("/").rsplit("/", 1)[-1] if folder else ""
        known = projects.known_name(connection, folder) if folder else None
        return wanted.project.casefold() in (name.casefold(), (known or "").casefold())
    return True


def keep_threads(
    store: Store, operation: Operation, run: Run, found: Sequence[Conversation], *, dry_run: bool
) -> list[Kept]:
    """Store what is new of some threads, except those that a person removed; a dry run only counts it."""
    outcomes: list[_Arriving] = []
    waiting: list[_Arriving] = []
    for thread in found:
        identifier, info = _identified(run, thread)
        if any(other.identifier == identifier for other in waiting):  # it is looked at as the first one leaves it
            _store(store, operation, run, waiting, dry_run)
            waiting = []
        arriving = _Arriving(store.connection, identifier, info, thread.messages)
        outcomes.append(arriving)
        waiting.append(arriving)
    _store(store, operation, run, waiting, dry_run)
    return [arriving.kept for arriving in outcomes]


class _Arriving:
    """A thread on its way in."""

    def __init__(
        self, connection: apsw.Connection, identifier: str, info: ThreadInfo, messages: tuple[Message, ...]
    ) -> None:
        self.identifier = identifier
        self.info = info
        self.messages = messages
        self.is_removed = threads.is_removed(connection, identifier)
        there = connection.execute("SELECT 1 FROM thread WHERE id = ? AND NOT is_dropped", (identifier,)).get
        self._is_new = not there
        self.new = 0
        self.error: str | None = None

    @property
    def kept(self) -> Kept:
        """What became of it."""
        if self.is_removed:
            return Kept("dropped")
        return Kept("created" if self._is_new else "updated" if self.new else "unchanged", self.new, self.error)

    def count(self, connection: apsw.Connection) -> None:
        """Look how many of its turns are new, without storing any."""
        try:
            planned = turns.plan_turns(connection, self.identifier, self.info, self.messages, 0, space="", project=None)
        except UsageError as error:
            self.error = error.message
        else:
            self.new = planned.new

    def parts(self) -> list["_Part"]:
        """Its messages, as many together as make a commit; at least one part, so that a thread without any is made."""
        first = first_ordinal(self.info)
        return [
            _Part(self, self.messages[start : start + _BATCH], None if first is None else first + start)
            for start in range(0, max(len(self.messages), 1), _BATCH)
        ]


class _Part(NamedTuple):
    """Some messages of a thread; `ordinal` is the place of the first, None for after what the thread has by then."""

    thread: _Arriving
    messages: tuple[Message, ...]
    ordinal: int | None


def _identified(run: Run, found: Conversation) -> tuple[str, ThreadInfo]:
    kind, scope, external_id = found.info.key or (run.kind, run.scope, "")
    info = found.info._replace(key=(kind, run.scope or scope, external_id))
    return turns.thread_id(info, run.space), info


def _store(store: Store, operation: Operation, run: Run, arriving: Sequence[_Arriving], dry_run: bool) -> None:
    wanted = [thread for thread in arriving if not thread.is_removed]
    if dry_run:
        for thread in wanted:
            thread.count(store.connection)
        return
    for parts in _commits(wanted):
        store.commit(operation, partial(_plan, run=run, parts=parts), durable=False)


def _commits(arriving: Sequence[_Arriving]) -> Iterator[list[_Part]]:
    """Parts of several threads for one commit each; a thread is only once in a commit, since each looks at the last."""
    parts: list[_Part] = []
    size = 0
    for part in (part for thread in arriving for part in thread.parts()):
        if parts and (size + len(part.messages) > _BATCH or parts[-1].thread is part.thread):
            yield parts
            parts, size = [], 0
        parts.append(part)
        size += len(part.messages)
    if parts:
        yield parts


def _plan(connection: apsw.Connection, run: Run, parts: Sequence[_Part]) -> list[Draft]:
    first: list[Draft] = []
    drafts: list[Draft] = []
    for thread, messages, ordinal in parts:
        if thread.error is not None:
            continue
        try:
            project, more = _project(connection, thread.info.folder)
            planned = plan_part(
                connection, thread.identifier, thread.info, messages, ordinal, space=run.space, project=project,
                labels=run.labels,
            )  # fmt: skip
        except UsageError as error:
            thread.error = error.message
            continue
        thread.new += planned.new
        first += [draft for draft in more if draft not in first]
        drafts += planned.drafts
    return [*first, *drafts]


def _project(connection: apsw.Connection, folder: str | None) -> tuple[str | None, list[Draft]]:
    """The project of a thread; where an export lies says nothing of where the talk was."""
    return projects.folder_drafts(connection, folder) if folder else (None, [])
