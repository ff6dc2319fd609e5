"""Verbs that read: search, get, list, history, threads, spaces, labels, statistics."""

import builtins
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from memhub.errors import NotFoundError
from memhub.model.item import Item
from memhub.model.query import Filters
from memhub.store import filters as conditions
from memhub.store import read, refs
from memhub.workspace.base import Base

if TYPE_CHECKING:
    from memhub.embed.engine import Engine
    from memhub.model.entry import OperationInfo
    from memhub.model.found import Found
    from memhub.model.report import Indexed, LabelCount, SpaceInfo
    from memhub.model.row import Place, Row
    from memhub.model.thread import Thread
    from memhub.model.trail import Edge, VersionInfo
    from memhub.text.dates import Zone


class Reading(Base):
    """See the methods."""

    def _in_space(self, filters: Filters | None) -> Filters:
        given = filters or Filters()
        return given if given.space else given._replace(space=self._space)

    def search(
        self,
        query: str,
        filters: Filters | None = None,
        *,
        mode: str = "fast",
        exact: bool = False,
        limit: int = 10,
        offset: int = 0,
        explain: bool = False,
        prefix: bool = False,
    ) -> "Found":
        """Find items: by words, meaning and label together (`fast`), by one of them, by exact substring, or
        `deep`: also by entity, speaker, the time that the query names, links and communities.

        `limit` 0 means all; with `prefix` the last word may be unfinished, as while it is typed. Never calls a model
        that decides anything.
        """
        from memhub.search import search

        return search(
            self._connection, query, self._in_space(filters), mode=mode, exact=exact, limit=limit, offset=offset,
            explain=explain, engine=self.engine, prefix=prefix, zone=self._zone() if mode == "deep" else None,
        )  # fmt: skip

    def _zone(self) -> "Zone":
        from memhub import stamp
        from memhub.text.dates import Zone

        return Zone(self.config.text("timezone"), stamp.now_ms())

    def engine(self) -> "Engine":
        """The embedding engine, opened once; raises `UnavailableError` when there is none."""
        if self._engine is None:
            from memhub import paths
            from memhub.embed.opening import open_engine

            self._engine = open_engine(paths.cache_folder(), self._talk)
        return self._engine

    def get(self, ref: str) -> Item:
        """One item by id or unique end of one, whatever its state."""
        return self._item(self._id(ref))

    def get_many(self, refs: Iterable[str]) -> "builtins.list[Item]":
        """Several items in the order asked for, each once; ids of items that are no more are left out."""
        return self._items(refs)

    def list(
        self,
        filters: Filters | None = None,
        *,
        sort: str = "created",
        reverse: bool = False,
        limit: int = 20,
        offset: int = 0,
    ) -> "builtins.list[Item]":
        """Items under the filters, newest first. Sorts: created, updated, added, importance, title."""
        return read.list_items(
            self._connection, self._in_space(filters), sort=sort, reverse=reverse, limit=limit, offset=offset
        )

    def rows(
        self,
        filters: Filters | None = None,
        *,
        sort: str = "created",
        reverse: bool = False,
        limit: int = 200,
        offset: int = 0,
        after: "Place | None" = None,
        before: "Place | None" = None,
    ) -> "builtins.list[Row]":
        """What lines on a screen show of the items of `list`, a page at a time and without their texts.

        The page goes on `after` the place of a row, or ends `before` it: both are quick anywhere in a long list.
        """
        from memhub.store.rows import rows

        return rows(
            self._connection, self._in_space(filters), sort=sort, reverse=reverse, limit=limit, offset=offset,
            after=after, before=before,
        )  # fmt: skip

    def data_version(self) -> int:
        """A number that moves when anyone else, in this process or another, has changed the file. Costs nothing."""
        return int(self._connection.pragma("data_version"))

    def count(self, filters: Filters | None = None) -> int:
        """How many items the filters leave."""
        return read.count_items(self._connection, self._in_space(filters))

    def undated(self, filters: Filters | None = None, *, threads: bool = False, platform: str | None = None) -> int:
        """How many items, or conversations, have no time, and so are in no range of days whatever the filters say."""
        wanted = self._in_space(filters)._replace(created=None, dated=False)
        if not threads:
            return read.count_items(self._connection, wanted)
        from memhub.store.threads import count_undated

        return count_undated(self._connection, wanted, platform=platform)

    def history(self, ref: str) -> "builtins.list[VersionInfo]":
        """Every version of an item, newest first."""
        return read.history(self._connection, self._id(ref))

    def links(self, ref: str) -> "builtins.list[Edge]":
        """Every edge at an item, its own first."""
        return read.edges_of(self._connection, self._id(ref))

    def relations(self) -> "builtins.list[str]":
        """The relations of all links, most used first."""
        sql = "SELECT relation, count(*) AS uses FROM edge GROUP BY relation ORDER BY uses DESC, relation"
        return [str(name) for name, _ in self._connection.execute(sql)]

    def operations(
        self, *, limit: int = 20, offset: int = 0, item: str | None = None
    ) -> "builtins.list[OperationInfo]":
        """What was done, newest first; to one item when `item` is given."""
        identifier = self._id(item) if item else None
        return read.operations(self._connection, limit=limit, offset=offset, item=identifier)

    def operation_count(self) -> int:
        """How many operations there are."""
        return read.count_operations(self._connection)

    def labels(self, filters: Filters | None = None) -> "builtins.list[LabelCount]":
        """Labels on the items under the filters, most used first."""
        from memhub.model.report import LabelCount

        sql, values = conditions.where(self._connection, self._in_space(filters))
        rows = self._connection.execute(
            f"""SELECT min(item_label.name), count(*) AS uses FROM item_label JOIN item ON item.n = item_label.item
                WHERE {sql} GROUP BY item_label.label ORDER BY uses DESC, item_label.label""",
            values,
        )
        return [LabelCount(name, count) for name, count in rows]

    def projects(self) -> "builtins.list[str]":
        """The names of all projects that something came from, in order."""
        rows = self._connection.execute("SELECT DISTINCT name FROM project WHERE resolved = n ORDER BY name")
        return [name for (name,) in rows]

    def spaces(self) -> "builtins.list[SpaceInfo]":
        """Every space that is not an alias of another, the default one first."""
        from memhub.model.report import SpaceInfo
        from memhub.store.names import DEFAULT_SPACE

        rows = self._connection.execute(
            """SELECT space.id, space.name, space.description,
                 (SELECT json_group_array(DISTINCT reached.name) FROM space AS own
                  JOIN space_reads ON space_reads.space = own.n JOIN space AS other ON other.id = space_reads.other
                  JOIN space AS reached ON reached.n = other.resolved WHERE own.resolved = space.n),
                 (SELECT count(*) FROM item JOIN space AS own ON own.n = item.space
                  WHERE own.resolved = space.n AND item.is_present)
               FROM space WHERE space.resolved = space.n AND NOT space.is_dropped
               ORDER BY space.id <> ?, space.name""",
            (DEFAULT_SPACE,),
        )
        import json

        return [
            SpaceInfo(
                identifier, name, description, tuple(sorted(json.loads(reads))), items, identifier == DEFAULT_SPACE
            )
            for identifier, name, description, reads, items in rows
        ]

    def threads(
        self, filters: Filters | None = None, *, platform: str | None = None, limit: int = 20, offset: int = 0
    ) -> "builtins.list[Thread]":
        """Conversations, the one with the newest turn first; of one platform (`telegram`, `codex` …) when given."""
        from memhub.store import threads

        return threads.list_threads(
            self._connection, self._in_space(filters), limit=limit, offset=offset, platform=platform
        )

    def thread_count(self, filters: Filters | None = None, *, platform: str | None = None) -> int:
        """How many conversations the filters leave."""
        from memhub.store import threads

        return threads.count_threads(self._connection, self._in_space(filters), platform=platform)

    def thread(self, ref: str, *, limit: int = 0, offset: int = 0) -> "Thread":
        """One conversation with its turns, or `limit` of them from `offset` on; 0 means all."""
        from memhub.store import threads

        identifier = refs.resolve(self._connection, "thread", ref)
        found = threads.thread_by_id(self._connection, identifier, with_turns=True, limit=limit, offset=offset)
        if found is None:
            raise NotFoundError(f"no thread …{identifier[-6:]}", "`mh thread list` shows the last ones")
        return found

    def suffix(self, identifiers: Iterable[str]) -> dict[str, str]:
        """For each id of an item, thread or entity the shortest end of it that people can type, ≥ 6 characters."""
        wanted = list(identifiers)
        found = refs.shortest(self._connection, "item", wanted)
        for table in ("thread", "entity"):
            found.update(refs.shortest(self._connection, table, (i for i in wanted if self._is_in(table, i))))
        return found

    def _is_in(self, table: str, identifier: str) -> bool:
        return self._connection.execute(f"SELECT 1 FROM {table} WHERE id = ?", (identifier,)).fetchone() is not None

    def project_of(self, folder: Path) -> str:
        """The id of the project that a folder belongs to; raises `NotFoundError` outside any repository."""
        from memhub.pipeline import projects

        found = projects.project_of(self._connection, folder)
        known = found and self._connection.execute("SELECT 1 FROM project WHERE id = ?", (found,)).fetchone()
        if not found or not known:
            raise NotFoundError(
                f"nothing is kept of the project in `{folder}`" if found else f"`{folder}` is in no git repository",
                "leave `--here` out to look everywhere",
            )
        return found

    def index(self, *, progress: Any = None) -> "Indexed":
        """Compute the vectors that are still missing; `progress(done, total)` is called after each batch."""
        from memhub.tasks.index import drain

        return drain(self.store, self.engine(), progress)

    def stats(self, *, llm: bool = False) -> dict[str, Any]:
        """Counts by layer, kind and state, sizes, and what waits; with `llm`, what language models took instead."""
        from memhub.store.statistics import model_use, statistics

        return model_use(self._connection) if llm else statistics(self._connection, self.path)
