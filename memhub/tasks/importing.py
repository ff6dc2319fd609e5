"""Runs an importer over its source: short commits under one operation; broken off, the next run goes on."""

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import apsw

from memhub.errors import ConflictError, UsageError
from memhub.model.entry import Draft
from memhub.model.record import Conversation, Cursor, Record, Skipped
from memhub.model.report import ImportReport
from memhub.pipeline import change
from memhub.pipeline.records import Planned, Run, kept_text, plan_record, secrets_in
from memhub.pipeline.relations import Edge, Tie, edge_drafts, ties_of
from memhub.pipeline.returned import plan_returned
from memhub.store.canonical import text_hash
from memhub.store.store import Operation, Store
from memhub.tasks.import_options import Told, remember
from memhub.tasks.sessions import Wanted, is_wanted, keep_thread, move_cursors

_BATCH = 200
Read = Callable[[], Iterable[Any]]
Progress = Callable[[int, str], None]


class Known(NamedTuple):
    """An item that an earlier run brought from this source."""

    item: str
    external_id: str
    path: str | None
    text_hash: int
    is_present: bool


class _Links(NamedTuple):
    """What an item links to. `rev`: the clock at which its file was written from here, with a part of its links."""

    item: str
    ties: tuple[Tie, ...]
    rev: int | None


class _Tally:
    """What one run has done so far."""

    def __init__(self) -> None:
        self.counts = {"created": 0, "updated": 0, "unchanged": 0, "moved": 0}
        self.conflicts: list[str] = []
        self.skipped: list[Skipped] = []
        self.warnings: list[tuple[str, str]] = []
        self.links: list[_Links] = []
        self.items: dict[str, str] = {}
        self.done = self.turns = self.threads = self.passed = 0

    def note(self, record: Record, planned: Planned) -> None:
        place = record.path or record.external_id
        self.done += 1
        self.items[record.external_id] = planned.item
        self.warnings += [(place, warning) for warning in (*record.warnings, *secrets_in(record))]
        if planned.outcome in self.counts:
            self.counts[planned.outcome] += 1
        elif planned.outcome == "conflict":
            self.conflicts.append(place)
        else:
            self.skipped.append(Skipped(place, f"{planned.outcome} here; it stays so"))
            return
        exported = record.exported
        if exported is None or exported.item != planned.item:
            self.links.append(_Links(planned.item, ties_of(record.links), None))
            return
        new = [link for link in record.links if exported.is_edited or link.type == "relation"]
        self.links.append(_Links(planned.item, ties_of(new), exported.rev))


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
    """Bring in everything that `read()` yields. It is called twice when an earlier run left something to compare.

    `first` are drafts that the records stand on (their project). `is_folder`: the source goes by the name of a folder,
    so that one name must not stand for two. `told` is what the importer is told. A dry run plans every record and
    writes nothing.
    """
    if is_folder:
        bind_root(store, run, root)
    if told.is_new and not dry_run:
        remember(store, run, operation, told)
    known = _known(store.connection, run)
    vanished = _vanished(known, read) if known else {}
    moves = _by_text(vanished)
    tally = _Tally()
    read_to: dict[str, str] = {}
    for found in _batches(read(), tally):
        if isinstance(found, Cursor):
            read_to[found.place] = found.value
            continue
        if isinstance(found, Conversation):
            place = _keep_thread(store, operation, run, found, wanted, tally, dry_run)
        else:
            _keep(store, operation, run, found, moves, vanished, tally, [] if dry_run else first, dry_run)
            first = []
            place = found[-1].path or found[-1].external_id
        if not dry_run and wanted.is_everything:
            move_cursors(store, run, operation, read_to)
            read_to = {}
        if progress is not None:
            progress(tally.done, place)
        if wanted.limit is not None and tally.threads >= wanted.limit:
            break
    gone = [row for row in vanished.values() if row.is_present]
    if not dry_run:
        if wanted.is_everything:
            move_cursors(store, run, operation, read_to)
        _link(store, operation, tally, known)
        if prune:
            _drop(store, operation, gone)
        if is_folder:
            with store.writing():
                store.connection.execute(
                    "INSERT OR REPLACE INTO import_root VALUES (?,?,?)", (run.kind, run.scope, str(root))
                )
        store.flush()
    return ImportReport(
        importer=importer,
        scope=run.scope,
        dry_run=dry_run,
        **tally.counts,
        conflicts=tuple(tally.conflicts),
        vanished=tuple(row.path or row.external_id for row in gone),
        skipped=tuple(tally.skipped),
        warnings=tuple(tally.warnings),
        operation=operation.id if not dry_run and store.has_operation(operation.id) else None,
        turns=tally.turns,
        passed=tally.passed,
        options=told.chosen,
    )


def _keep_thread(
    store: Store, operation: Operation, run: Run, found: Conversation, wanted: Wanted, tally: _Tally, dry_run: bool
) -> str:
    place = found.info.title or (found.info.key or ("", "", ""))[2]
    if not is_wanted(store.connection, wanted, found):
        tally.passed += found.info.parent is None
        return place
    tally.warnings += [(place, warning) for warning in found.warnings]
    try:
        kept = keep_thread(store, operation, run, found, dry_run=dry_run)
    except UsageError as error:
        tally.skipped.append(Skipped(place, error.message, failed=True))
        return place
    if kept.outcome not in tally.counts:
        tally.skipped.append(Skipped(place, f"{kept.outcome} here; it stays so"))
        return place
    tally.counts[kept.outcome] += 1
    tally.turns += kept.turns
    tally.threads += 1
    tally.done += len(found.messages)
    return place


def _batches(source: Iterable[Any], tally: _Tally) -> Iterator[list[Record] | Conversation | Cursor]:
    """Records by the batch; threads and cursors as they come, after the records before them."""
    batch: list[Record] = []
    for found in source:
        if isinstance(found, Skipped):
            tally.skipped.append(found)
        elif isinstance(found, Record):
            batch.append(found)
            if len(batch) == _BATCH:
                yield batch
                batch = []
        elif isinstance(found, Conversation | Cursor):
            if batch:
                yield batch
                batch = []
            yield found
    if batch:
        yield batch


def _keep(
    store: Store,
    operation: Operation,
    run: Run,
    batch: list[Record],
    moves: dict[int, str],
    vanished: dict[str, Known],
    tally: _Tally,
    first: list[Draft],
    dry_run: bool,
) -> None:
    def plan(connection: apsw.Connection) -> list[Draft]:
        drafts = list(first)
        for record in batch:
            digest = text_hash(kept_text(record)) if moves else 0
            before = moves.get(digest)
            planned = plan_returned(connection, run, record) or plan_record(connection, run, record, before)
            if before is not None and planned.item == vanished[before].item:
                vanished.pop(before, None)
                moves.pop(digest, None)
            tally.note(record, planned)
            drafts += planned.drafts
        return drafts if len(drafts) > len(first) else []

    if dry_run:
        plan(store.connection)
    else:
        store.commit(operation, plan, durable=False)


def _known(connection: apsw.Connection, run: Run) -> dict[str, Known]:
    """Items of earlier runs by the external id that they have now."""
    rows = connection.execute(
        """SELECT item.id, coalesce(item.place ->> 'external_id', version.meta -> 'source' ->> 'external_id'),
             coalesce(item.place ->> 'path', version.meta -> 'source' ->> 'path'), item.text_hash, item.is_present,
             item.key
           FROM item JOIN version ON version.n = item.shown WHERE item.key IS NOT NULL
             AND version.meta -> 'source' ->> 'kind' = ? AND version.meta -> 'source' ->> 'scope' = ?""",
        (run.kind, run.scope),
    )
    return {
        row[1]: Known(row[0], row[1], row[2], row[3], bool(row[4])) for row in rows if row[5] == run.key(str(row[1]))
    }


def _vanished(known: dict[str, Known], read: Read) -> dict[str, Known]:
    """What an earlier run brought and this one does not; a file that cannot be read just now has not vanished."""
    left = dict(known)
    unread = set()
    for found in read():
        if isinstance(found, Record):
            left.pop(found.external_id, None)
        elif isinstance(found, Skipped):
            unread.add(found.where)
    return {external_id: row for external_id, row in left.items() if row.path not in unread}


def _by_text(vanished: dict[str, Known]) -> dict[int, str]:
    """Text → the one vanished external id that had it; two with the same text cannot be told apart."""
    found: dict[int, str] = {}
    doubled = set()
    for external_id, row in vanished.items():
        if row.is_present and row.text_hash is not None:
            if row.text_hash in found:
                doubled.add(row.text_hash)
            found[row.text_hash] = external_id
    return {digest: external_id for digest, external_id in found.items() if digest not in doubled}


def _link(store: Store, operation: Operation, tally: _Tally, known: dict[str, Known]) -> None:
    """The second pass: links between items, once all of them are there."""
    items = {**{row.external_id: row.item for row in known.values()}, **tally.items}
    for start in range(0, len(tally.links), _BATCH):
        some = tally.links[start : start + _BATCH]

        def plan(connection: apsw.Connection, some: list[_Links] = some) -> list[Draft]:
            return [
                draft
                for item, ties, rev in some
                for draft in edge_drafts(connection, item, set(_edges(item, ties, items)), rev)
            ]

        store.commit(operation, plan, durable=False)


def _edges(item: str, ties: Iterable[Tie], items: dict[str, str]) -> Iterator[Edge]:
    for relation, external_id, is_incoming in ties:
        other = items.get(external_id)
        if other is not None:
            yield Edge(other, relation, item) if is_incoming else Edge(item, relation, other)


def _drop(store: Store, operation: Operation, gone: list[Known]) -> None:
    store.commit(operation, lambda c: [draft for row in gone for draft in change.drop(c, row.item)], durable=False)
