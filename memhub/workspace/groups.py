"""Verbs for spaces."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from memhub.workspace.base import summary_of
from memhub.workspace.reading import Reading

if TYPE_CHECKING:
    from memhub.model.report import SpaceInfo


class Groups(Reading):
    """See the methods."""

    def space_new(self, name: str, *, reads: Iterable[str] = (), description: str = "") -> "SpaceInfo":
        """Make a space; it may read others from the start."""
        from memhub.pipeline import groups

        others = tuple(reads)
        operation = self._operation("space new", summary_of(name))
        self.store.commit(operation, lambda c: groups.new_space(c, name, others, description))
        return self._space_info(name)

    def space_rename(self, old: str, new: str) -> "SpaceInfo":
        """Give a space another name."""
        from memhub.pipeline import groups

        operation = self._operation("space rename", summary_of(new))
        self.store.commit(operation, lambda c: groups.rename_space(c, old, new))
        return self._space_info(new)

    def space_read(self, name: str, *, add: Iterable[str] = (), remove: Iterable[str] = ()) -> "SpaceInfo":
        """Let a space read others, or no longer."""
        from memhub.pipeline import groups

        new, gone = tuple(add), tuple(remove)
        operation = self._operation("space read", summary_of(name))
        self.store.commit(operation, lambda c: groups.space_reads(c, name, new, gone))
        return self._space_info(name)

    def space_merge(self, source: str, into: str) -> "SpaceInfo":
        """Make `source` an alias of `into`: everything in it is then found there."""
        from memhub.pipeline import groups

        operation = self._operation("space merge", summary_of(f"{source} into {into}"))
        self.store.commit(operation, lambda c: groups.merge_space(c, source, into))
        return self._space_info(into)

    def _space_info(self, name: str) -> "SpaceInfo":
        from memhub.pipeline import groups

        identifier = self._space_id(groups.checked_name(name))
        return next(space for space in self.spaces() if space.id == identifier)
