"""Brings the threads of a source in: each turn once, each place of the source read only when it has changed."""

from collections.abc import Callable
from typing import NamedTuple

import apsw

from memhub import stamp
from memhub.model.record import Conversation
from memhub.pipeline import projects, turns
from memhub.pipeline.records import Run
from memhub.store import threads
from memhub.store.store import Operation, Store
from memhub.tasks.conversation import Project, keep_turns


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
    """What became of one thread."""

    outcome: str
    turns: int


def move_cursors(store: Store, run: Run, operation: Operation, cursors: dict[str, str]) -> None:
    """Remember how far places were read; what was read is stored by now."""
    rows = [(run.kind, run.scope, run.space, place, value, operation.id) for place, value in cursors.items()]
    if rows:
        with store.writing():
            store.connection.executemany("INSERT OR REPLACE INTO import_cursor VALUES (?,?,?,?,?,?)", rows)


def forget_cursors(connection: apsw.Connection, operation: str) -> None:
    """Let the places be read again that an undone import had read. Inside a transaction."""
    connection.execute("DELETE FROM import_cursor WHERE operation = ?", (operation,))


def is_wanted(connection: apsw.Connection, wanted: Wanted, found: Conversation) -> bool:
    """Whether a thread passes the filters. One without any time passes no `since`."""
    if found.info.parent is not None and not wanted.agents:
        return False
    if wanted.since_ms is not None:
        times = [stamp.ms_of(message.at) for message in found.messages] + [stamp.ms_of(found.info.ended_at)]
        if max((ms for ms in times if ms is not None), default=-1) < wanted.since_ms:
            return False
    if wanted.project is not None:
        folder = found.info.folder
        name = folder.rstrip("/").rsplit("/", 1)[-1] if folder else ""
        known = projects.known_name(connection, folder) if folder else None
        return wanted.project.casefold() in (name.casefold(), (known or "").casefold())
    return True


def keep_thread(store: Store, operation: Operation, run: Run, found: Conversation, *, dry_run: bool) -> Kept:
    """Store what is new of one thread, unless a person removed it; a dry run only counts it."""
    kind, scope, external_id = found.info.key or (run.kind, run.scope, "")
    info = found.info._replace(key=(kind, run.scope or scope, external_id))
    identifier = turns.thread_id(info, run.space)
    if threads.is_removed(store.connection, identifier):
        return Kept("dropped", 0)
    is_new = not store.connection.execute("SELECT 1 FROM thread WHERE id = ? AND NOT is_dropped", (identifier,)).get
    if dry_run:
        new = turns.count_new(store.connection, identifier, info, found.messages)
    else:
        _, new, _ = keep_turns(
            store, operation, found.messages, info, space=run.space, to_judge=False, project=_project(info.folder)
        )
    return Kept("created" if is_new else "updated" if new else "unchanged", new)


def _project(folder: str | None) -> Callable[[apsw.Connection], Project]:
    def find(connection: apsw.Connection) -> Project:
        if folder:
            return projects.folder_drafts(connection, folder)
        return None, []  # where the export lies says nothing of where the talk was

    return find
