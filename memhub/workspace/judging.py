"""Verbs of judging: what is new against what is known, why things are as they are, and what needs a person."""

import builtins
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING

from memhub.errors import ConflictError, NotFoundError
from memhub.store import refs
from memhub.store.filters import readable_spaces
from memhub.workspace.reading import Reading

if TYPE_CHECKING:
    from memhub.llm.call import Use
    from memhub.model.entry import OperationInfo
    from memhub.model.judged import JudgeReport, ProfileLine, QueueRow, ReviewEntry, RulingInfo, Step, Why
    from memhub.pipeline.decide import Decider


class Judging(Reading):
    """See the methods."""

    def judge(
        self,
        *,
        dry_run: bool = False,
        limit: int | None = None,
        budget: int | None = None,
        sources: Iterable[str] | None = None,
        with_model: bool = True,
        who: str | None = None,
        progress: Callable[[int, int, float], None] | None = None,
    ) -> "JudgeReport":
        """Work off what waits: draw statements, compare them with what is known, and write what comes of it.

        With a model configured it is asked (`budget` tokens at the most); without one, rules judge the clear cases and
        keep the rest for later. Nothing is ever deleted. `sources` limits the run to these items or threads;
        `progress(done, total, cost)` is called after each source; `who` is written into the log.
        """
        from memhub.store.store import Store
        from memhub.tasks.judging import Run, judge_queue
        from memhub.tasks.shared_engine import SharedEngine

        path, snapshots = self.store.path, self.store.snapshots
        wanted = frozenset(self._source_id(source) for source in sources) if sources is not None else None
        decider = self._decider(with_model, budget)
        run = Run(
            open_store=lambda: Store(path, snapshots), operation=self._operation("judge", who=who),
            decider=decider, engine=SharedEngine(self.engine), limit=limit, dry_run=dry_run,
            is_dual=self.config.text("mode") == "dual", only=wanted,
            progress=progress,
        )  # fmt: skip
        is_done = False
        try:
            report = judge_queue(run)
            is_done = not dry_run and not any(one.error for one in report.judged)
            return report
        finally:
            self._note_use(getattr(decider, "uses", ()))
            decider.close(is_done=is_done)

    def _note_use(self, uses: "Sequence[Use]") -> None:
        """Write down what the model took, also of a run that broke off."""
        if uses:
            from memhub.stamp import now_ms

            rows = [(now_ms(), u.model, u.prompt, u.tokens_in, u.tokens_out, u.cost, u.seconds) for u in uses]
            with self.store.writing():
                self._connection.executemany(
                    """INSERT INTO model_use(at, model, prompt, tokens_in, tokens_out, cost, seconds)
                       VALUES (?,?,?,?,?,?,?)""",
                    rows,
                )

    def _decider(self, with_model: bool, budget: int | None) -> "Decider":
        from memhub.llm.settings import is_configured
        from memhub.pipeline.decide import Rules

        if not with_model or not is_configured(self.config):
            return Rules()
        from memhub.llm.call import Budget
        from memhub.llm.client import open_client
        from memhub.pipeline.decide_model import WithModel

        limit = Budget(budget or 0)
        return WithModel(
            lambda note: open_client(self.config, budget=limit, on_use=note),
            limit,
            batch=self.config.number("judge.batch"),
            window=self.config.number("extract.window"),
            path=self.store.path,
        )

    def _source_id(self, reference: str) -> str:
        try:
            return self._id(reference)
        except NotFoundError:
            return refs.resolve(self._connection, "thread", reference)

    def rulings(self, ref: str | None = None, *, limit: int = 20, offset: int = 0) -> "builtins.list[RulingInfo]":
        """What was ruled, newest first; about one item when `ref` is given."""
        from memhub.pipeline.explain import ruling_info
        from memhub.store import rulings

        connection = self._connection
        if ref is not None:
            found = rulings.of_item(connection, self._id(ref))
        else:
            found = rulings.latest(connection, readable_spaces(connection, self._space), limit, offset)
        return [ruling_info(connection, one) for one in found]

    def overturn(self, ruling: str) -> "OperationInfo":
        """Take one ruling back: its links go, its item is dropped, its profile line is as before."""
        from memhub.pipeline.execute import overturn_drafts
        from memhub.store import read, rulings

        stored = rulings.named(self._connection, ruling)
        if stored.fields.get("overturned"):
            raise ConflictError(f"ruling …{stored.id[-6:]} is overturned already", "`mh undo` takes that back")
        operation = self._operation("judge --overturn", stored.fields["action"])
        self.store.commit(operation, lambda c: overturn_drafts(c, stored.id, stored.fields))
        found = read.operation_by_id(self._connection, operation.id)
        assert found is not None
        return found

    def why(self, ref: str) -> "Why":
        """What speaks for an item: quotes, rulings, links, versions, confidence."""
        from memhub.pipeline.explain import why

        return why(self._connection, self._item(self._id(ref)))

    def evolves(self, ref: str) -> "builtins.list[Step]":
        """How a statement changed over time, oldest stage first."""
        from memhub.pipeline.explain import evolution

        return evolution(self._connection, self._id(ref))

    def profile(self, *, subject: str | None = None) -> "builtins.list[ProfileLine]":
        """What holds now about the owner of the notes (`user`) and about others, slot by slot."""
        from memhub.pipeline.explain import profile

        return profile(self._connection, readable_spaces(self._connection, self._space), subject)

    def review(self, *, limit: int = 20) -> "builtins.list[ReviewEntry]":
        """What needs a person: contested, forked, and what little speaks for."""
        from memhub.pipeline.review import entries

        return entries(self._connection, readable_spaces(self._connection, self._space), limit)

    def resolve(self, ref: str, how: str, *, other: str | None = None, text: str | None = None) -> "OperationInfo":
        """Settle what `review` shows: keep `new`, `old` or `both`, `merge` into a text, or add a `note`."""
        from memhub.pipeline.review import resolve
        from memhub.store import read

        item = self._id(ref)
        against = self._id(other) if other else None
        operation = self._operation("review", how)
        self.store.commit(operation, lambda c: resolve(c, item, how, against, text))
        found = read.operation_by_id(self._connection, operation.id)
        if found is None:
            raise ConflictError(f"nothing to settle about …{item[-6:]}", "`mh review` shows what there is")
        return found

    def queue(self, *, limit: int = 0, offset: int = 0) -> "builtins.list[QueueRow]":
        """What waits to be judged on this device, what came first at the head. `limit` 0 means all."""
        from memhub.tasks.waiting import rows

        return rows(self._connection, limit=limit, offset=offset)

    def queue_count(self) -> int:
        """How many rows `queue` has."""
        from memhub.pipeline import queue

        return queue.count(self._connection)

    def queue_retry(self, references: Iterable[str] | None = None) -> int:
        """Make waiting sources (all, when None) due at once; returns how many."""
        from memhub.pipeline import queue

        items = None if references is None else self._queued(references)
        with self.store.writing():
            return queue.retry(self._connection, items)

    def queue_drop(self, references: Iterable[str]) -> int:
        """Take sources off the queue unjudged; the items stay. Returns how many."""
        from memhub.pipeline import queue

        items = self._queued(references)
        with self.store.writing():
            queue.done(self._connection, tuple(items))
        return len(items)

    def _queued(self, references: Iterable[str]) -> "builtins.list[str]":
        """Queued items that are, or belong to the thread of, the references."""
        from memhub.pipeline import queue

        wanted = {self._source_id(reference) for reference in references}
        found = [row.item for row in queue.waiting(self._connection) if wanted & {row.item, row.thread}]
        if not found:
            raise NotFoundError("none of these waits to be judged", "`mh queue` shows what does")
        return found
