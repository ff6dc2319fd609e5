"""Runs an importer over its source: short commits under one operation; broken off, the next run goes on."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import apsw

from memhub import stamp
from memhub.errors import ConflictError
from memhub.model.entry import Draft
from memhub.model.record import Conversation, Cursor, Record
from memhub.model.report import ImportReport
from memhub.pipeline import change
from memhub.pipeline.records import Run, items_of, plan_record
from memhub.pipeline.relations import Edge, Tie, edge_drafts
from memhub.pipeline.returned import plan_returned
from memhub.store.store import Operation, Store
from memhub.tasks.arrivals import Batch, Links, Tally, batches, place_of
from memhub.tasks.before import Before, Known
from memhub.tasks.import_options import Told, remember
from memhub.tasks.sessions import Wanted, is_wanted, keep_threads, last_ms, move_cursors

_BATCH = 500
_SETTLED_MS = 2000
"""A place that changed so shortly before a run began may change again without its times or size telling."""
Read = Callable[[Mapping[str, str]], Iterable[Any]]
Progress = Callable[[int, str], None]


def bind_root(store: Store, run: Run, root: Path) -> None:
    """Remember which folder a source name stands for; refuse a second folder of that name."""
    row = store.connection.execute(
        "SELECT root FROM import_root WHERE kind = ? AND scope = ?", (run.kind, run.scope)
    ).fetchone()
    if row is not None and row[0] != str(root) and Path(row[0]).exists():
        raise ConflictError(
            f"`{run.scope}` is already the name of `{row[0]}`", f"give this one a name: `--as OTHER`, not `{run.scope}`"
        )


def run_import(
    store: Store,
    operation: Operation,
    run: Run,
    read: Read,
    *,
    importer: str,
    root: Path,
    first: list[Draft],
    told: Told,
    is_folder: bool = True,
    wanted: Wanted = Wanted(),  # noqa: B008 (a NamedTuple, never changed)
    dry_run: bool = False,
    prune: bool = False,
    progress: Progress | None = None,
) -> ImportReport:
    """Bring in everything that `read(cursors)` yields. It is called twice where an earlier run left much to compare.

    `first` are drafts that the records stand on (their project). `is_folder`: the source goes by the name of a folder,
    so that one name must not stand for two. `told` is what the importer is told. A dry run plans every record and
    writes nothing.
    """
    if is_folder:
        bind_root(store, run, root)
    if told.is_new and not dry_run:
        remember(store, run, operation, told)
    before = Before(store.connection, run)
    importing = _Import(store, operation, run, before, wanted, first, dry_run)
    cursors = {} if run.labels else before.cursors(told.cursors)  # new labels go on what has not changed, too
    few = before.compare(read(cursors)) if before.known else None
    tally = importing.tally
    for batch in batches(read(cursors) if few is None else few, tally, one_by_one=wanted.limit is not None):
        place = importing.keep(batch)
        if progress is not None and place:
            progress(tally.done, place)
        if wanted.limit is not None and tally.threads >= wanted.limit:
            break
    gone = [row for row in before.vanished.values() if row.is_present]
    if not dry_run:
        importing.link()
        if prune:
            store.commit(operation, partial(_drop, gone=gone), durable=False)
        if is_folder:
            _remember_root(store, run, root)
        store.flush()
    return importing.report(importer, gone, told)


class _Import:
    """One run on its way: keeps batch after batch, then what links them."""

    def __init__(
        self,
        store: Store,
        operation: Operation,
        run: Run,
        before: Before,
        wanted: Wanted,
        first: list[Draft],
        dry_run: bool,
    ) -> None:
        self.tally = Tally()
        self._store = store
        self._operation = operation
        self._run = run
        self._before = before
        self._wanted = wanted
        self._first = first
        self._dry_run = dry_run
        self._settled_ns = (stamp.now_ms() - _SETTLED_MS) * 1_000_000
        self._late: dict[str, str] = {}

    def keep(self, batch: Batch) -> str:
        """Store a batch, and then how far the source is read with it; returns the last place in words."""
        place = ""
        if batch.records:
            self._keep_records(batch.records)
            place = batch.records[-1].path or batch.records[-1].external_id
        if batch.threads:
            self._keep_threads(batch.threads)
            place = place_of(batch.threads[-1])
        self._move(batch.cursors)
        return place

    def link(self) -> None:
        """The second pass: links between items, once all of them are there.

        A place with a link that leads to nothing yet is read again the next time.
        """
        links = self.tally.links
        loose: set[str] = set()
        for start in range(0, len(links), _BATCH):
            some = links[start : start + _BATCH]
            items = self._items_of({tie.external_id for one in some for tie in one.ties})
            loose.update(one.place for one in some if any(tie.external_id not in items for tie in one.ties))
            self._store.commit(self._operation, partial(_plan_links, links=some, items=items), durable=False)
        settled = {place: value for place, value in self._late.items() if place not in loose}
        move_cursors(self._store, self._run, self._operation, settled)

    def report(self, importer: str, gone: Sequence[Known], told: Told) -> ImportReport:
        """What the run did; `gone` is what the source does not hold any more."""
        tally, operation = self.tally, self._operation.id
        is_written = not self._dry_run and self._store.has_operation(operation)
        return ImportReport(
            importer=importer,
            scope=self._run.scope,
            dry_run=self._dry_run,
            **tally.counts,
            conflicts=tuple(tally.conflicts),
            vanished=tuple(row.path or row.external_id for row in gone),
            skipped=tuple(tally.skipped),
            warnings=tuple(tally.warnings),
            operation=operation if is_written else None,
            turns=tally.turns,
            passed=tally.passed,
            undated=tally.undated,
            options=told.chosen,
        )

    def _items_of(self, external_ids: Iterable[str]) -> dict[str, str]:
        """The items that these ids of the source stand for, as far as they are here."""
        keys = {self._run.key(external_id): external_id for external_id in external_ids}
        found = items_of(self._store.connection, keys)
        return {**{keys[key]: item for key, item in found.items()}, **self.tally.returned}

    def _keep_records(self, records: list[Record]) -> None:
        if self._dry_run:
            self._plan(self._store.connection, records)
        else:
            first, self._first = self._first, []
            self._store.commit(self._operation, partial(self._plan, records=records, first=first), durable=False)

    def _plan(self, connection: apsw.Connection, records: list[Record], first: Sequence[Draft] = ()) -> list[Draft]:
        drafts: list[Draft] = []
        items = items_of(connection, (self._run.key(record.external_id) for record in records))
        for record in records:
            moved_from = self._before.moved_from(record)
            planned = plan_returned(connection, self._run, record) or plan_record(
                connection, self._run, record, items, moved_from
            )
            if moved_from is not None:
                self._before.is_found(moved_from, planned.item)
            self.tally.note(record, planned)
            drafts += planned.drafts
        return [*first, *drafts] if drafts else []

    def _keep_threads(self, threads: list[Conversation]) -> None:
        taken: list[Conversation] = []
        for found in threads:
            if is_wanted(self._store.connection, self._wanted, found):
                taken.append(found)
            elif found.info.parent is None:
                self.tally.passed += 1
                self.tally.undated += self._wanted.since_ms is not None and last_ms(found) is None
        outcomes = keep_threads(self._store, self._operation, self._run, taken, dry_run=self._dry_run)
        for found, kept in zip(taken, outcomes, strict=True):
            self.tally.note_thread(found, kept)

    def _move(self, cursors: list[Cursor]) -> None:
        """Remember how far places were read; where links are still to be made, that comes after these."""
        if self._dry_run or not self._wanted.is_everything:
            return
        linking = self.tally.linking
        settled = {one.place: one.value for one in cursors if one.changed_ns <= self._settled_ns}
        self._late.update((place, value) for place, value in settled.items() if place in linking)
        now = {place: value for place, value in settled.items() if place not in linking}
        move_cursors(self._store, self._run, self._operation, now)


def _plan_links(connection: apsw.Connection, links: Sequence[Links], items: Mapping[str, str]) -> list[Draft]:
    return [
        draft
        for one in links
        for draft in edge_drafts(connection, one.item, set(_edges(one.item, one.ties, items)), one.rev)
    ]


def _edges(item: str, ties: Iterable[Tie], items: Mapping[str, str]) -> Iterator[Edge]:
    for relation, external_id, is_incoming in ties:
        other = items.get(external_id)
        if other is not None:
            yield Edge(other, relation, item) if is_incoming else Edge(item, relation, other)


def _drop(connection: apsw.Connection, gone: Iterable[Known]) -> list[Draft]:
    return [draft for row in gone for draft in change.drop(connection, row.item)]


def _remember_root(store: Store, run: Run, root: Path) -> None:
    with store.writing():
        store.connection.execute("INSERT OR REPLACE INTO import_root VALUES (?,?,?)", (run.kind, run.scope, str(root)))
