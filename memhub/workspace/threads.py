"""Verbs for conversations: search within them, and remove them whole."""

import builtins
from collections.abc import Iterable
from typing import TYPE_CHECKING

from memhub.errors import NotFoundError, UsageError
from memhub.model.query import Filters
from memhub.store import refs
from memhub.workspace.judging import Judging

if TYPE_CHECKING:
    import apsw

    from memhub.model.entry import Draft
    from memhub.model.found import Hit
    from memhub.model.thread import Thread, ThreadsFound

_BATCH = 200
_TURNS_A_THREAD = 10
"""For so many turns of each wanted thread a search looks first; it looks further when these are of too few threads."""


class Threads(Judging):
    """See the methods."""

    def thread_search(
        self,
        query: str,
        filters: Filters | None = None,
        *,
        platform: str | None = None,
        mode: str = "fast",
        exact: bool = False,
        limit: int = 10,
    ) -> "ThreadsFound":
        """Conversations in which `query` is found, each with the turns that were, the best first.

        A turn that was found only through the words of the one beside it is left out where others were found.
        `filters` are those of the turns; `limit` counts conversations, 0 means all.
        """
        from memhub.model.thread import ThreadHits, ThreadsFound

        if limit < 0:
            raise UsageError("a limit cannot be negative", "`--limit 0` shows everything")
        wanted = (filters or Filters())._replace(layers=("L0",))
        depth = limit * _TURNS_A_THREAD
        while True:
            found = self.search(query, wanted, mode=mode, exact=exact, limit=depth)
            groups = self._by_thread(found.hits, platform)
            if depth == 0 or len(found.hits) < depth or len(groups) >= limit:
                break
            depth *= 4
        kept = builtins.list(groups.items())[: limit or None]
        return ThreadsFound(tuple(ThreadHits(thread, tuple(hits)) for thread, hits in kept), found.notices)

    def _by_thread(self, hits: "Iterable[Hit]", platform: str | None) -> "dict[Thread, builtins.list[Hit]]":
        from memhub.store import threads

        every = tuple(hits)
        of = threads.threads_of(self._connection, [hit.item.id for hit in every])
        groups: dict[str, builtins.list[Hit]] = {}
        for hit in every:
            if hit.item.id in of:
                groups.setdefault(of[hit.item.id], []).append(hit)
        loaded = {identifier: threads.thread_by_id(self._connection, identifier) for identifier in groups}
        return {
            thread: [hit for hit in groups[identifier] if hit.near is None] or groups[identifier]
            for identifier, thread in loaded.items()
            if thread and (platform is None or (thread.platform or "").casefold() == platform.casefold())
        }

    def thread_drop(self, references: str | Iterable[str]) -> "builtins.list[Thread]":
        """Take conversations with all their turns out of every read, as one operation that `undo` takes back.

        Returns them as they were. A later import of the same conversation leaves it out.
        """
        from memhub.pipeline import turns
        from memhub.store import threads

        given = [references] if isinstance(references, str) else references
        ids = list(dict.fromkeys(self._thread_id(reference) for reference in given))
        found = [thread for one in ids if (thread := threads.thread_by_id(self._connection, one)) is not None]
        operation = self._operation("thread rm")
        for identifier in ids:
            items = threads.turn_ids(self._connection, identifier)
            for start in range(0, len(items) or 1, _BATCH):
                some = items[start : start + _BATCH]
                is_last = start + _BATCH >= len(items)

                def drafts(
                    connection: "apsw.Connection", one: str = identifier, some: list[str] = some, last: bool = is_last
                ) -> "builtins.list[Draft]":
                    return turns.drop_drafts(connection, some, one if last else None)

                self.store.commit(operation, drafts, durable=is_last and identifier == ids[-1])
        return found

    def _thread_id(self, reference: str) -> str:
        """The full id of a conversation that is still there."""
        identifier = refs.resolve(self._connection, "thread", reference)
        if self._connection.execute("SELECT is_dropped FROM thread WHERE id = ?", (identifier,)).get:
            raise NotFoundError(f"conversation …{identifier[-6:]} was removed", "`mh undo` brings it back")
        return identifier
