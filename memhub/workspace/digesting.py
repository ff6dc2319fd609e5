"""Verbs of the digest: what comes of many items together, and what is believed about their owner."""

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from memhub.workspace.judging import Judging

if TYPE_CHECKING:
    from memhub.model.digested import DigestReport


class Digesting(Judging):
    """See the methods."""

    def digest(
        self,
        *,
        dry_run: bool = False,
        steps: Iterable[str] | None = None,
        budget: int | None = None,
        since: int | None = None,
        every_space: bool = True,
        with_model: bool = True,
        who: str | None = None,
        progress: Callable[[str, str, int, int], None] | None = None,
    ) -> "DigestReport":
        """Work off the queue, and renew what is derived from everything that is new: themes, habits, a profile.

        Costs what is new since the last digest. `steps` names some of them, `since` (Unix ms) looks again at what
        changed after that; `every_space` False stays in the memory's own space. A step that fails is told of in the
        report and tried again next time. Raises `ConflictError` while another digest is running.
        """
        from memhub.model.digested import DigestReport
        from memhub.store.store import Store
        from memhub.tasks import digesting
        from memhub.tasks.shared_engine import SharedEngine

        wanted = digesting.checked_steps(steps)
        path, snapshots = self.store.path, self.store.snapshots
        spaces = digesting.every_space(self._connection) if every_space else [self._space_id()]
        decider = self._decider(with_model, budget)
        digest = digesting.Digest(
            open_store=lambda: Store(path, snapshots), operation=self._operation("digest", who=who), decider=decider,
            engine=SharedEngine(self.engine), steps=wanted, since=since, dry_run=dry_run,
            is_dual=self.config.text("mode") == "dual", progress=progress,
        )  # fmt: skip
        is_done = False
        try:
            reports = digesting.run(digest, spaces)
            pending = sum(one.error is not None for one in reports)
            is_done = not dry_run and not pending
            written = digest.operation.id if self.store.has_operation(digest.operation.id) else None
            return DigestReport(
                reports, pending, written, decider.calls, decider.tokens_in, decider.tokens_out, decider.cost
            )
        finally:
            self._note_use(decider)
            decider.close(is_done=is_done)
