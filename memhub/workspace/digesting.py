"""Verbs of the digest: what comes of many items together, and what is believed about their owner."""

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from memhub.store.filters import readable_spaces
from memhub.workspace.judging import Judging

if TYPE_CHECKING:
    from memhub.model.digested import Decay, DigestReport, PersonaLine
    from memhub.model.item import Item


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
            is_dual=self.config.text("mode") == "dual", timezone=self.config.text("timezone"),
            progress=progress,
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
            self._note_use(getattr(decider, "uses", ()))
            decider.close(is_done=is_done)

    def persona(self, *, banned: bool = False) -> "list[PersonaLine]":
        """What is believed about the owner of the notes, by parts of life; with `banned` what must not be, instead."""
        from memhub.digest.catalogue import lines

        return lines(self._connection, readable_spaces(self._connection, self._space), banned=banned)

    def persona_pin(self, references: str | Iterable[str], *, pinned: bool = True) -> "list[Item]":
        """Keep lines whatever comes, on top; with `pinned` False no longer."""
        from memhub.digest.catalogue import is_line
        from memhub.pipeline import change

        ids = [is_line(self._connection, identifier) for identifier in self._ids(references)]
        return self._change("persona pin", ids, lambda c, i: change.set_fields(c, i, {"pinned": pinned}))

    def persona_correct(self, ref: str, text: str) -> "Item":
        """Say in one's own words what a line says; no digest writes over that."""
        from memhub.digest.catalogue import correct, is_line

        identifier = is_line(self._connection, self._id(ref))
        self.store.commit(self._operation("persona correct"), lambda c: correct(c, identifier, text))
        return self._item(identifier)

    def persona_ban(self, references: str | Iterable[str]) -> "list[Item]":
        """Stop believing lines; no later digest brings them back."""
        from memhub.digest.catalogue import ban, is_line

        return self._change("persona ban", [is_line(self._connection, i) for i in self._ids(references)], ban)

    def persona_allow(self, references: str | Iterable[str]) -> "list[Item]":
        """Believe banned lines again."""
        from memhub.digest.catalogue import allow, is_line

        return self._change("persona allow", [is_line(self._connection, i) for i in self._ids(references)], allow)

    def useful(self, references: str | Iterable[str], verdict: bool | None = True) -> "list[Item]":
        """Say that items are of use, of none (False), or take that back (None); it counts in how present they stay."""
        from memhub.pipeline import change

        value = None if verdict is None else 1 if verdict else -1
        command = "useless" if verdict is False else "useful"
        return self._change(command, self._ids(references), lambda c, i: change.set_fields(c, i, {"verdict": value}))

    def decay(self, ref: str) -> "Decay":
        """How present an item still is, from 0 to 1, and what that follows from."""
        from memhub.digest.decay import decay

        found = decay(self._connection, self._id(ref))
        assert found is not None
        return found

    def seen(self, references: str | Iterable[str]) -> bool:
        """Count a look at items, on this device. False when another program is writing: then it is not counted."""
        from memhub.store import use

        return use.count(self._connection, self._ids(references))
