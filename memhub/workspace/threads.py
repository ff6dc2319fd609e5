"""Verbs for conversations: search within them, remove them whole, distill them."""

import builtins
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from memhub.errors import NotFoundError, UnavailableError, UsageError
from memhub.model.query import Filters
from memhub.store import refs
from memhub.workspace.judging import Judging

if TYPE_CHECKING:
    import apsw

    from memhub.model.distilled import DistillReport
    from memhub.model.entry import Draft
    from memhub.model.found import Hit
    from memhub.model.thread import Thread, ThreadsFound
    from memhub.tasks.distilling import Look

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
        prefix: bool = False,
    ) -> "ThreadsFound":
        """Conversations in which `query` is found, each with the turns that were, the best first.

        A turn that was found only through the words of the one beside it is left out where others were found.
        `filters` are those of the turns; `limit` counts conversations, 0 means all. `prefix`: see `search`.
        """
        from memhub.model.thread import ThreadHits, ThreadsFound

        if limit < 0:
            raise UsageError("a limit cannot be negative", "`--limit 0` shows everything")
        wanted = (filters or Filters())._replace(layers=("L0",))
        depth = limit * _TURNS_A_THREAD
        while True:
            found = self.search(query, wanted, mode=mode, exact=exact, limit=depth, prefix=prefix)
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

    def distill(
        self,
        threads: Iterable[str] | None = None,
        filters: Filters | None = None,
        *,
        level: str = "swift",
        dry_run: bool = False,
        limit: int | None = None,
        force: bool = False,
        approve: "Callable[[DistillReport], bool] | None" = None,
        progress: Callable[[int, int, float], None] | None = None,
    ) -> "DistillReport":
        """Draw what is worth keeping from conversations: those named, or those that `filters` leave, oldest first.

        Rules tell which are worth it (`force`: all are); only turns that were not distilled before are looked at.
        Levels: `swift` asks rules alone; `guided` asks the model, hands what would come of it to `approve`, and saves
        when that says True; `full` asks the model and saves. Raises `UnavailableError` when a level needs a model and
        none is configured. `limit` counts conversations that are worth it.
        """
        from memhub.llm.settings import is_configured
        from memhub.model.distilled import LEVELS, DistillReport
        from memhub.tasks import distilling

        if level not in LEVELS:
            raise UsageError(f"no level `{level}`", f"levels are {', '.join(LEVELS)}")
        with_model = level != "swift"
        if with_model and not is_configured(self.config):
            raise UnavailableError(
                "no language model is configured", f"`{LEVELS[0]}` distills by rules alone; `llm.model` names a model"
            )
        found = self._to_distill(threads, filters)
        looks = builtins.list(
            distilling.look_into(self._connection, found, with_model=with_model, limit=limit or None, force=force)
        )
        seen = tuple(look.seen for look in looks)
        if not any(one.is_worth for one in seen):
            return DistillReport(level, False, seen)
        return self._distill(looks, DistillReport(level, False, seen), dry_run, approve, progress)

    def _distill(
        self,
        looks: "builtins.list[Look]",
        report: "DistillReport",
        dry_run: bool,
        approve: "Callable[[DistillReport], bool] | None",
        progress: Callable[[int, int, float], None] | None,
    ) -> "DistillReport":
        """Rehearse where that is asked for, then carry out. What a rehearsal asked the model is not asked again."""
        from dataclasses import replace

        from memhub.store.store import Store
        from memhub.tasks import distilling
        from memhub.tasks.judging import Run
        from memhub.tasks.shared_engine import SharedEngine

        decider, engine = self._decider(report.level != "swift", None), SharedEngine(self.engine)
        is_done = False
        try:
            if dry_run or report.level == "guided":
                shown = distilling.rehearse(self.store, decider, engine, looks, progress)
                report = replace(report, judged=shown)
                if dry_run or approve is None or not approve(report):
                    return report
            path, snapshots = self.store.path, self.store.snapshots
            run = Run(
                open_store=lambda: Store(path, snapshots), operation=self._operation("distill"), decider=decider,
                engine=engine, is_dual=self.config.text("mode") == "dual", progress=progress,
            )  # fmt: skip
            judged = distilling.carry_out(self.store, run, looks)
            is_done = not any(one.error for one in judged.judged)
            return replace(report, saved=True, judged=judged)
        finally:
            self._note_use(getattr(decider, "uses", ()))
            decider.close(is_done=is_done)

    def _to_distill(self, references: Iterable[str] | None, filters: Filters | None) -> "builtins.list[Thread]":
        """The conversations that were named, in that order; else those under the filters, as they ended."""
        from memhub.store import threads

        if references is None:
            found = threads.list_threads(self._connection, self._in_space(filters), limit=0, offset=0)
            return found[::-1]
        ids = dict.fromkeys(self._thread_id(reference) for reference in references)
        return [thread for one in ids if (thread := threads.thread_by_id(self._connection, one)) is not None]

    def _thread_id(self, reference: str) -> str:
        """The full id of a conversation that is still there."""
        identifier = refs.resolve(self._connection, "thread", reference)
        if self._connection.execute("SELECT is_dropped FROM thread WHERE id = ?", (identifier,)).get:
            raise NotFoundError(f"conversation …{identifier[-6:]} was removed", "`mh undo` brings it back")
        return identifier
