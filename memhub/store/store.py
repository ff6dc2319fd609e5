"""The single door for writes: every change is a list of entries handed to `Store.commit`."""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

import apsw

from memhub import stamp
from memhub.errors import ConflictError
from memhub.model import EMPTY
from memhub.model.entry import Draft, Entry, Expect, Version
from memhub.store import erasure, log
from memhub.store.canonical import dumps
from memhub.store.connection import BUSY_MS, connect, prepare_for_bulk, query, said_plainly, transaction
from memhub.store.device import device_of
from memhub.store.schema import open_schema


class Operation(NamedTuple):
    """One user-visible change; it may span several commits."""

    id: str
    command: str
    who: str = "hand"
    undoes: str | None = None
    redoes: str | None = None
    summary: str = ""

    def payload(self) -> dict[str, str]:
        """What its `op.put` says; empty fields are left out."""
        fields = self._asdict()
        return {name: value for name, value in fields.items() if name != "id" and value}


PURGE_WAIT_MS = 2000
Plan = Callable[[apsw.Connection], Sequence[Draft]]


class Text(NamedTuple):
    """A version's row as another file hands it over; `meta` None means that its text is gone."""

    hash: str
    item: str
    title: str | None
    content: str | None
    meta: str | None


class Store:
    """A connection to one file, and the only object that writes to it."""

    def __init__(self, path: Path, snapshots: Path) -> None:
        self.path = path
        self.snapshots = snapshots
        self._device: str | None = None
        self._is_in_bulk = False
        with said_plainly(path):
            self.connection = connect(path)
            try:
                open_schema(self.connection, path, snapshots)
            except BaseException:
                self.connection.close()
                raise

    def close(self) -> None:
        """Close the file; a planner hint that cannot be written at once is no failure."""
        with suppress(apsw.Error):
            self.connection.set_busy_timeout(0)
            self.connection.pragma("optimize")
        self.connection.close()

    def commit(
        self,
        operation: Operation,
        drafts: Sequence[Draft] | Plan,
        *,
        expect: Expect | None = None,
        durable: bool = True,
    ) -> list[Entry]:
        """Append the drafts under `operation` and apply each, in one transaction. Returns the entries written.

        `drafts` may be a function of the connection: it then decides inside the transaction, on what is there now.
        No drafts: nothing is written, the operation neither. Raises `ConflictError` when `expect` no longer holds; then
        nothing is written. `durable` False leaves the flush to disk to a later commit: for bulk work, which ends with
        a durable one.
        """
        with said_plainly(self.path), self._durability(durable), transaction(self.connection):
            if expect is not None:
                self._check(expect)
            wanted = drafts(self.connection) if callable(drafts) else drafts
            if not wanted:
                return []
            stored, versions = self._with_texts(wanted)
            entries = self._stamped(operation, stored)
            log.write(self.connection, entries)
            self._project(entries, versions=versions)
            self._touch(entries)
        return entries

    def apply(
        self,
        entries: Iterable[Entry],
        texts: Iterable[Text],
        *,
        under: Operation | None = None,
        durable: bool = True,
    ) -> int:
        """Take entries and texts of other files, in any order and repetition; returns how many entries were new.

        Entries more than a day ahead of this clock wait until it has come nearer. Texts that an erase known here
        takes are not written. `under` is a local operation, in no log, that remembers which entries were new.
        Where the call changed what `purge` must clean, `is_clean` is false afterwards.
        """
        with said_plainly(self.path), self._durability(durable), transaction(self.connection):
            limit = (stamp.now_ms() + stamp.DAY_MS) << 16
            due = [*self._waiting_until(limit), *entries]
            now = [entry for entry in due if entry.hlc <= limit]
            for entry in due:
                if entry.hlc > limit:
                    self._wait(entry)
            new = log.append(self.connection, now)
            for entry in new:
                if entry.kind == "version.put":
                    log.put_text(self.connection, entry.payload["hash"], entry.key, None, None, None)
            erasure.note_spans(self.connection, new)
            arrived = {text.item for text in texts if self._put_text(text)}
            if new:
                self._raise_clock(max(entry.hlc for entry in new))
            self._project(new, arrived)
            self._touch(new)
            if under is not None:
                self._note_import(under, new)
        return len(new)

    @property
    def is_clean(self) -> bool:
        """Whether no erased text can be left in the bytes of the file; `purge` makes it so."""
        return not erasure.needs_purge(self.connection)

    @contextmanager
    def writing(self) -> Iterator[None]:
        """A transaction for what is local to the device: cursors, folders, vectors."""
        with said_plainly(self.path), transaction(self.connection):
            yield

    def has_operation(self, operation: str) -> bool:
        """Whether anything was written under an operation."""
        found = self.connection.execute("SELECT 1 FROM operation WHERE id = ?", (operation,)).fetchone()
        return found is not None

    def flush(self) -> None:
        """Make everything durable that bulk commits left to a later one."""
        with said_plainly(self.path):
            self.connection.wal_checkpoint(None, apsw.SQLITE_CHECKPOINT_FULL)

    def purge(self) -> bool:
        """Rewrite full text, free pages and write-ahead log so that nothing erased is left in the file.

        False when another program keeps the write-ahead log from being emptied.
        """
        from memhub.store import words

        with said_plainly(self.path):
            words.purge(self.connection)
            self.connection.pragma("secure_delete", 1)
            self.connection.execute("VACUUM")
            if not self._empty_log():
                return False
            with transaction(self.connection):
                erasure.forget_purge(self.connection)
        return True

    def _empty_log(self) -> bool:
        """Truncate the write-ahead log; a reader in another process keeps it, and is waited for only shortly."""
        self.connection.set_busy_timeout(PURGE_WAIT_MS)
        try:
            log_frames, _ = self.connection.wal_checkpoint(None, apsw.SQLITE_CHECKPOINT_TRUNCATE)
        except (apsw.BusyError, apsw.LockedError):
            return False
        finally:
            self.connection.set_busy_timeout(BUSY_MS)
        return log_frames <= 0

    def device(self) -> str:
        """The device id under which this process writes."""
        if self._device is None:
            self._device = device_of(self.connection, self.path)
        return self._device

    # -- inside a transaction

    def _project(
        self, entries: Sequence[Entry], texts: Iterable[str] = (), versions: Mapping[str, Version] = EMPTY
    ) -> None:
        from memhub.store.projection import project  # readers never need it

        project(self.connection, entries, texts, versions)

    def _with_texts(self, drafts: Sequence[Draft]) -> tuple[list[Draft], dict[str, Version]]:
        """Store the texts of each `version.put`; the entry names it by hash, with what merging needs without the text.

        Returns the drafts as they are written, and the texts by hash.
        """
        texts = [draft.version for draft in drafts if draft.version is not None]
        hashes = log.put_versions(self.connection, texts)
        by_hash = iter(hashes)
        return [
            draft if draft.version is None else draft._replace(payload=_pointing_at(next(by_hash), draft.version))
            for draft in drafts
        ], dict(zip(hashes, texts, strict=True))

    def _stamped(self, operation: Operation, drafts: Sequence[Draft]) -> list[Entry]:
        device = self.device()
        number = log.device_number(self.connection, device)
        last_seq = self.connection.execute("SELECT coalesce(max(seq), 0) FROM entry WHERE device = ?", (number,)).get
        hlc = self._clock()
        at = stamp.now_ms()
        known = self.connection.execute("SELECT hlc FROM operation WHERE id = ?", (operation.id,)).get
        head = [] if known is not None else [Draft("op.put", operation.id, operation.payload())]
        entries = []
        for seq, draft in enumerate([*head, *drafts], last_seq + 1):
            hlc = stamp.hlc_next(hlc, at)
            entry = Entry(device, seq, hlc, at, draft.kind, draft.key, draft.payload, operation.id, draft.request)
            entries.append(entry)
        if entries:
            self._raise_clock(entries[-1].hlc)
        return entries

    def _clock(self) -> int:
        return int(self.connection.execute("SELECT value FROM meta WHERE key = 'clock'").get or 0)

    def _raise_clock(self, hlc: int) -> None:
        if hlc > self._clock():
            self.connection.execute("INSERT OR REPLACE INTO meta VALUES ('clock', ?)", (str(hlc),))

    def _check(self, expect: Expect) -> None:
        from memhub.store.evaluate import item_state

        for item, heads in expect.heads.items():
            state = item_state(log.entries_of(self.connection, item))
            if tuple(sorted(state.heads)) != tuple(sorted(heads)):
                raise ConflictError(f"item …{item[-6:]} changed meanwhile", f"`mh history {item[-6:]}` shows how")
        for space, epoch in expect.epochs.items():
            found = self.connection.execute("SELECT epoch FROM scope WHERE space = ?", (space,)).get or 0
            if found != epoch:
                raise ConflictError("the space was restored or merged meanwhile", "repeat the command")

    def _touch(self, entries: Sequence[Entry]) -> None:
        """Move the local counters of the spaces concerned: revision always, epoch where a merge moved the ground."""
        keys = {entry.key for entry in entries if entry.kind.startswith(("version.", "item."))}
        rows = self.connection.execute(
            """SELECT DISTINCT space.id FROM item JOIN space ON space.n = item.space
               WHERE item.id IN (SELECT value FROM json_each(?))""",
            (dumps(list(keys)),),
        )
        spaces = {space for (space,) in rows}
        merged = {e.key for e in entries if e.kind == "space.put" and "alias_of" in e.payload.get("set", {})}
        for space in spaces | merged:
            self.connection.execute(
                """INSERT INTO scope VALUES (?1, ?2, 1) ON CONFLICT(space)
                   DO UPDATE SET revision = revision + 1, epoch = epoch + ?2""",
                (space, int(space in merged)),
            )

    def _put_text(self, text: Text) -> bool:
        if text.meta is not None and erasure.takes(self.connection, text.hash, text.item, text.meta):
            return False
        return log.put_text(self.connection, *text)

    def _note_import(self, operation: Operation, new: Sequence[Entry]) -> None:
        """The row of a local operation. Its clock moves with each batch, so that only what follows counts as later."""
        if not new:
            return
        device = log.device_number(self.connection, self.device())
        self.connection.execute(
            """INSERT INTO operation(id, hlc, at, device, command, who, summary) VALUES (?,?,?,?,?,?,?)
               ON CONFLICT(id) DO UPDATE SET hlc = excluded.hlc""",
            (
                operation.id, self._clock(), stamp.now_ms(), device, operation.command, operation.who,
                operation.summary,
            ),
        )  # fmt: skip
        log.note_import(self.connection, operation.id, new)

    def _wait(self, entry: Entry) -> None:
        self.connection.execute(
            "INSERT OR IGNORE INTO waiting VALUES (?,?,?,?)", (entry.device, entry.seq, entry.hlc, dumps(entry))
        )

    def _waiting_until(self, limit: int) -> list[Entry]:
        rows = query(self.connection, "DELETE FROM waiting WHERE hlc <= ? RETURNING line", (limit,))
        return [Entry(*json.loads(line)) for (line,) in rows]

    def _durability(self, durable: bool) -> "_Synchronous":
        if not durable and not self._is_in_bulk:
            self._is_in_bulk = True
            prepare_for_bulk(self.connection)
        return _Synchronous(self.connection, durable)


def _pointing_at(version_hash: str, version: Version) -> dict[str, object]:
    """The payload of a `version.put`."""
    payload: dict[str, object] = {"hash": version_hash, "parents": list(version.parents)}
    if version.spans:
        payload["spans"] = list(version.spans)
    return payload


class _Synchronous:
    """Leaves the flush after commit out for the time of one bulk commit."""

    def __init__(self, connection: apsw.Connection, durable: bool) -> None:
        self._connection = connection
        self._durable = durable

    def __enter__(self) -> None:
        if not self._durable:
            self._connection.pragma("synchronous", "NORMAL")

    def __exit__(self, *_: object) -> None:
        if not self._connection.get_autocommit():  # Ctrl-C between the begin of the transaction and its body
            self._connection.execute("ROLLBACK")
        if not self._durable:
            self._connection.pragma("synchronous", "FULL")


def new_operation(command: str, who: str = "hand", **more: str) -> Operation:
    """An operation with a fresh id."""
    return Operation(stamp.new_id(), command, who, **more)
