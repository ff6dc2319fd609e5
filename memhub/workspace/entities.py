"""Verbs for entities: who and what texts speak of, under which names, and how these belong together."""

import builtins
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from memhub.errors import ConflictError
from memhub.store.filters import readable_spaces
from memhub.workspace.judging import Judging

if TYPE_CHECKING:
    import apsw

    from memhub.llm.call import Llm, Use
    from memhub.model.entity import Entity, EntityInfo, LookedThrough
    from memhub.model.entry import Draft


_MOMENT_MS = 500


class Entities(Judging):
    """See the methods."""

    def entities(
        self, query: str | None = None, *, type: str | None = None, limit: int = 20, offset: int = 0
    ) -> "builtins.list[EntityInfo]":
        """Who and what the items of readable spaces speak of, the most spoken of first. `limit` 0 means all.

        `query` is a part of a name or alias. What was not looked through yet is not in it: `look_through` does that.
        """
        from memhub.store import entity_reads

        return entity_reads.list_entities(
            self._connection, self._readable(), text=query, kind=type, limit=limit, offset=offset
        )

    def entity(self, ref: str, *, limit: int = 20) -> "Entity":
        """One entity by name, alias or the end of its id: names, the newest items that speak of it, relations."""
        from memhub.store import entity_reads

        end = entity_reads.entity_named(self._connection, ref, self._readable())
        return entity_reads.entity(self._connection, end, self._readable(), limit)

    def entity_merge(self, ref: str, into: str) -> "Entity":
        """Make two entities one: `into` keeps its name, the names of the other become aliases."""
        from memhub.digest import by_hand

        source, target = self._entity(ref), self._entity(into)
        return self._on_entity("entity merge", target, lambda c: by_hand.merge(c, source, target))

    def entity_alias(self, ref: str, *, add: Iterable[str] = (), remove: Iterable[str] = ()) -> "Entity":
        """Give an entity other names, or take some away; texts that have them are found under all of them."""
        from memhub.digest import by_hand

        end, new, gone = self._entity(ref), tuple(add), tuple(remove)
        self._check_free(end, new)
        return self._on_entity("entity alias", end, lambda c: by_hand.alias(c, end, new, gone, self._own()))

    def entity_rename(self, ref: str, name: str) -> "Entity":
        """Give an entity another name; the old one becomes an alias."""
        from memhub.digest import by_hand

        end = self._entity(ref)
        self._check_free(end, (name,))
        return self._on_entity("entity rename", end, lambda c: by_hand.rename(c, end, name, self._own()))

    def entity_type(self, ref: str, type: str) -> "Entity":
        """Say what an entity is: person, organisation, place, tool, project, concept or a word of your own."""
        from memhub.digest import by_hand

        end, kind = self._entity(ref), by_hand.checked_type(type)
        return self._on_entity("entity type", end, lambda c: by_hand.retype(c, end, kind))

    def entity_split(self, ref: str, alias: str) -> "Entity":
        """Make an alias an entity of its own again; returns what is left of the one it was taken from."""
        from memhub.digest import by_hand

        end = self._entity(ref)
        return self._on_entity("entity split", end, lambda c: by_hand.split(c, end, alias, self._own()))

    def entity_drop(self, refs: str | Iterable[str]) -> "builtins.list[Entity]":
        """Forget entities: they are not shown or found any more, nor made again. The items stay as they are."""
        from memhub.digest import by_hand

        given = [refs] if isinstance(refs, str) else refs
        ends = list(dict.fromkeys(self._entity(ref) for ref in given))
        shown = [self._shown(end) for end in ends]
        operation = self._operation("entity rm")
        self.store.commit(operation, lambda c: [draft for end in ends for draft in by_hand.drop(c, end)])
        return shown

    def look_through(
        self,
        *,
        with_model: bool = True,
        budget: int | None = None,
        most: int | None = None,
        progress: Callable[[int, int], None] | None = None,
    ) -> "LookedThrough":
        """Look through what is new or changed in every space for entities: by rules, and a model when configured.

        `most` does nothing when more items than that wait, and waits but a moment for another program that writes: a
        StoreError then says so. A second run with nothing new changes nothing.
        """
        from memhub.digest.entities import entities
        from memhub.digest.step import Work
        from memhub.model.entity import LookedThrough
        from memhub.store.connection import BUSY_MS, patience

        uses: builtins.list[Use] = []
        llm = self._model(budget, uses) if with_model else None
        left = {space.id: self._left(space.id, llm is not None) for space in self.spaces()}
        total = sum(left.values())
        if most is not None and total > most:
            return LookedThrough(0, 0, total)
        new, done = 0, 0
        operation = self._operation("look through", who="rules")
        try:
            with patience(self._connection, BUSY_MS if most is None else _MOMENT_MS):
                for space, count in left.items():
                    if count:
                        tell = (lambda here, _, base=done: progress(base + here, total)) if progress else None
                        new += len(entities(Work(self.store, space, operation, 0, llm=llm, progress=tell)).new)
                        done += count
        finally:
            self._note_use(uses)
            if done:
                self.store.flush()
        return LookedThrough(total, new, 0)

    def _model(self, budget: int | None, uses: "builtins.list[Use]") -> "Llm | None":
        from memhub.llm.settings import is_configured

        if not is_configured(self.config):
            return None
        from memhub.llm.call import Budget
        from memhub.llm.client import open_client

        return open_client(self.config, budget=Budget(budget or 0), on_use=uses.append)

    def _left(self, space: str, with_model: bool) -> int:
        from memhub.digest import mentions

        spaces = readable_spaces(self._connection, space, alone=True)
        return mentions.count_left(self._connection, spaces, with_model=with_model)

    def _readable(self) -> "builtins.list[int]":
        return readable_spaces(self._connection, self._space)

    def _own(self) -> "builtins.list[int]":
        """Where a name that a person gives is known: in the space in which it is given."""
        return readable_spaces(self._connection, self._space, alone=True)

    def _entity(self, ref: str) -> int:
        from memhub.store import entity_reads

        return entity_reads.entity_named(self._connection, ref, self._readable())

    def _check_free(self, end: int, names: Iterable[str]) -> None:
        """Refuse a name by which another entity goes that may be seen here."""
        from memhub.store import entity_reads

        for name in names:
            if set(entity_reads.ends_named(self._connection, name, self._readable())) - {end}:
                raise ConflictError(
                    f"`{name}` is an entity of its own", f"`mh entity merge '{name}' INTO` makes the two one"
                )

    def _on_entity(self, verb: str, end: int, plan: "Callable[[apsw.Connection], builtins.list[Draft]]") -> "Entity":
        """Write a change to an entity, look again through the texts that it touches, and show what came of it."""
        from memhub.digest.entities import look_again

        self.store.commit(self._operation(verb), plan)
        look_again(self.store)
        return self._shown(end)

    def _shown(self, end: int) -> "Entity":
        from memhub.store import entity_reads

        return entity_reads.entity(self._connection, end, self._readable(), 20)
