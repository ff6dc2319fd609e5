"""Verbs that write items: add, change, link, drop, erase, undo.

The pipeline loads inside the verbs that use it, so that reading stays fast to start.
"""

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from memhub.errors import ConflictError, NotFoundError, UsageError
from memhub.model.entry import Draft, Expect, OperationInfo
from memhub.model.item import Item
from memhub.model.result import Added, NewNote
from memhub.paths import drafts_folder
from memhub.store import read, refs
from memhub.store.connection import query
from memhub.workspace.base import UNSET, Base, summary_of

if TYPE_CHECKING:
    import apsw

    from memhub.model.record import Skipped
    from memhub.model.report import Erased, ThreadAdded
    from memhub.model.thread import Message, ThreadInfo
    from memhub.model.trail import Edge
    from memhub.pipeline.keep import Kept

_BATCH = 200


class Writing(Base):
    """See the methods."""

    def add(
        self,
        content: str,
        *,
        title: str | None = None,
        labels: Iterable[str] = (),
        kind: str = "note",
        importance: float | None = None,
        created_at: str | None = None,
        space: str | None = None,
        project: str | None = None,
        source: str | None = None,
        attrs: dict[str, object] | None = None,
        request_id: str | None = None,
        again: bool = False,
    ) -> Added:
        """Keep one note. It is on disk, and can be found, when this returns.

        The same text in the same space within 24 hours is known, not added again (`again` adds it anyway); the same
        `request_id` is known for ever. `created_at` is an ISO 8601 date, month or time.
        """
        from memhub.pipeline import keep

        note = keep.checked(
            NewNote(
                content, title, tuple(labels), kind, importance, created_at, project, source, attrs or {}, request_id
            )
        )
        return self._keep([note], self._operation("add"), space, again)[0]

    def add_many(
        self,
        notes: "Iterable[NewNote | Skipped]",
        *,
        labels: Iterable[str] = (),
        kind: str = "note",
        importance: float | None = None,
        created_at: str | None = None,
        space: str | None = None,
        project: str | None = None,
        source: str | None = None,
        again: bool = False,
    ) -> "Iterator[Added | Skipped]":
        """Keep many notes under one operation, in commits of 200; a note that cannot be kept comes back as `Skipped`.

        The keywords are defaults for what a note leaves open; `labels` are added to each.
        """
        from memhub.model.record import Skipped
        from memhub.pipeline import keep

        operation = self._operation("add")
        common = tuple(labels)
        batch: list[NewNote] = []
        order: list[NewNote | Skipped] = []
        for note in notes:
            entry: NewNote | Skipped = note
            if isinstance(note, NewNote):
                filled = note._replace(
                    labels=(*common, *note.labels), kind=note.kind or kind,
                    importance=importance if note.importance is None else note.importance,
                    created_at=note.created_at or created_at, project=note.project or project,
                    source=note.source or source,
                )  # fmt: skip
                try:
                    entry = keep.checked(filled)
                except UsageError as error:
                    entry = Skipped(note.where, error.message, failed=True)
                else:
                    batch.append(entry)
            order.append(entry)
            if len(batch) >= _BATCH:
                yield from self._flush(order, batch, operation, space, again)
                order, batch = [], []
        yield from self._flush(order, batch, operation, space, again)

    def _flush(
        self, order: "list[NewNote | Skipped]", batch: list[NewNote], operation: Any, space: str | None, again: bool
    ) -> "Iterator[Added | Skipped]":
        added = iter(self._keep(batch, operation, space, again) if batch else [])
        for entry in order:
            yield next(added) if isinstance(entry, NewNote) else entry

    def _keep(self, notes: list[NewNote], operation: Any, space: str | None, again: bool) -> list[Added]:
        from memhub.pipeline import groups, keep, projects, queue

        space_id = self._space_id(space)
        place = projects.find_place(self._connection, self._folder) if self._folder else None
        outcomes: list[Kept] = []

        def plan(connection: "apsw.Connection") -> list[Draft]:
            first: list[Draft] = []
            by_name: dict[str, str] = {}
            here: str | None = None
            own: dict[str, Kept] = {}
            outcomes.clear()
            for note, known in zip(notes, keep.known_notes(connection, notes, space_id, again=again), strict=True):
                project = here
                if note.project:
                    if note.project not in by_name:
                        by_name[note.project], more = groups.project_by_name(connection, note.project)
                        first += more
                    project = by_name[note.project]
                elif place and here is None:
                    here, more = projects.place_drafts(connection, place)
                    first += more
                    project = here
                twin = own.get(note.request_id or note.content.strip())
                if known is None and twin is not None and (note.request_id or not again):
                    known = twin.item
                kept = keep.Kept(known) if known else keep.plan_note(note, space=space_id, project=project)
                own.setdefault(note.request_id or note.content.strip(), kept)
                outcomes.append(kept)
            new = [kept.item for kept in outcomes if kept.drafts]
            if new and self.judges:
                queue.enqueue(connection, new, space_id)
            return [*first, *(draft for kept in outcomes for draft in kept.drafts)] if new else []

        self.store.commit(operation, plan)
        items = {item.id: item for item in self._items([kept.item for kept in outcomes])}
        return [
            Added(items[kept.item], kept.status, _warnings(note)) for note, kept in zip(notes, outcomes, strict=True)
        ]

    def add_messages(self, messages: "Iterable[Message]", *, thread: "ThreadInfo") -> "ThreadAdded":
        """Keep turns of a conversation, in order, as items of layer L0. Turns the thread has already are known.

        A thread with a `key`, or messages with an `id`, may be handed over again; other turns are always new.
        """
        from memhub.tasks.conversation import keep_messages

        operation = self._operation("add_messages")
        space = self._space_id(thread.space)
        info = thread if thread.id is None else thread._replace(id=refs.resolve(self._connection, "thread", thread.id))
        return keep_messages(self.store, operation, messages, info, space=space, to_judge=self.judges)

    def update(
        self,
        ref: str,
        *,
        title: str | None = UNSET,
        content: str = UNSET,
        kind: str = UNSET,
        created_at: str | None = UNSET,
        attrs: dict[str, Any] = UNSET,
        expect: str | None = None,
    ) -> Item:
        """Write a new version with the given fields; what is left out stays.

        `expect` is the version that the caller has seen: raises `ConflictError` when it is no longer the latest.
        """
        from memhub.pipeline import change, keep

        identifier = self._id(ref)
        given = {"title": title, "content": content, "kind": kind, "created_at": created_at, "attrs": attrs}
        changes: dict[str, Any] = {name: value for name, value in given.items() if value is not UNSET}
        note = NewNote(
            changes.get("content", "x"),
            changes.get("title"),
            kind=changes.get("kind"),
            created_at=changes.get("created_at"),
        )
        checked = keep.checked(note)
        names = ("title", "content", "kind", "created_at")
        changes.update({name: getattr(checked, name) for name in names if name in changes})
        if expect is not None and expect != self._item(identifier).version:
            raise _moved(identifier)
        heads = read.heads_of(self._connection, identifier)
        drafts = change.edit(self._connection, identifier, changes)
        self.store.commit(self._operation("edit"), drafts, expect=Expect(heads={identifier: heads}))
        return self._item(identifier)

    def set(
        self,
        references: str | Iterable[str],
        *,
        importance: float | None = UNSET,
        pinned: bool = UNSET,
        archived: bool = UNSET,
        project: str | None = UNSET,
    ) -> list[Item]:
        """Set attributes of items; no new version comes of it."""
        from memhub.pipeline import change, groups, keep

        fields: dict[str, Any] = {}
        if importance is not UNSET:
            fields["importance"] = keep.checked_importance(importance)
        if pinned is not UNSET:
            fields["pinned"] = bool(pinned)
        if archived is not UNSET:
            fields["archived"] = bool(archived)
        ids = self._ids(references)

        def plan(connection: "apsw.Connection", identifier: str) -> list[Draft]:
            first: list[Draft] = []
            if project is not UNSET:
                fields["project"], first = groups.project_by_name(connection, project) if project else (None, [])
            return (first if identifier == ids[0] else []) + change.set_fields(connection, identifier, fields)

        return self._change("set", ids, plan)

    def move(self, references: str | Iterable[str], space: str) -> list[Item]:
        """Move items to another space."""
        from memhub.pipeline import change

        target = self._space_id(space)
        return self._change("mv", self._ids(references), lambda c, i: change.set_fields(c, i, {"space": target}))

    def drop(self, references: str | Iterable[str]) -> list[Item]:
        """Take items out of every read; `restore` or `undo` brings them back, with their history."""
        from memhub.pipeline import change

        return self._change("rm", self._ids(references), change.drop)

    def restore(self, references: str | Iterable[str]) -> list[Item]:
        """Bring dropped items back."""
        from memhub.pipeline import change

        return self._change("restore", self._ids(references), change.restore)

    def erase(self, references: str | Iterable[str]) -> "Erased":
        """Remove every text of the items for good, and every text drawn from them. Cannot be undone.

        The full text index is rewritten, the file compacted and the write-ahead log emptied before this returns; texts
        of these items that were being edited go too.
        """
        from memhub.tasks.erase import erase

        ids = self._ids(references)
        erased = erase(self.store, self._operation("erase"), ids)
        for identifier in ids:
            for draft in drafts_folder().glob(f"{identifier}*"):
                draft.unlink(missing_ok=True)
        return erased

    def label(self, references: str | Iterable[str], add: Iterable[str] = (), remove: Iterable[str] = ()) -> list[Item]:
        """Put labels on items and take labels off."""
        from memhub.pipeline import change, keep

        new = [keep.checked_label(label) for label in add]
        gone = list(remove)
        return self._change("label", self._ids(references), lambda c, i: change.relabel(c, i, new, gone))

    def label_rename(self, old: str, new: str) -> int:
        """Rename a label on every item of every space that carries it; returns how many."""
        from memhub.pipeline import change, keep
        from memhub.store.evaluate import fold

        name = keep.checked_label(new)
        rows = query(
            self._connection,
            """SELECT item.id FROM item_label JOIN item ON item.n = item_label.item WHERE item_label.label = ?
               AND item.state <> 'erased' ORDER BY item.n""",
            (fold(old.lstrip("#")),),
        )
        if not rows:
            raise NotFoundError(f"no label `{old}`", "`mh label list` shows them")
        ids = [row[0] for row in rows]
        self._change("label rename", ids, lambda c, i: change.relabel(c, i, [name], [old.lstrip("#")]))
        return len(ids)

    def link(self, source: str, relation: str, target: str) -> "Edge":
        """Link two items by a relation of the user's own."""
        from memhub.pipeline import change

        src, dst = self._id(source), self._id(target)
        name = change.checked_relation(relation)
        operation = self._operation("link", summary_of(name))
        self.store.commit(operation, lambda c: change.link(c, src, name, dst, {"by": "hand"}))
        return next(edge for edge in read.edges_of(self._connection, src) if (edge.relation, edge.dst) == (name, dst))

    def unlink(self, source: str, relation: str | None, target: str) -> int:
        """Remove the links from one item to another, of one relation or (None) of all; returns how many."""
        from memhub.pipeline import change

        src, dst = self._id(source), self._id(target)
        name = change.checked_relation(relation) if relation else None
        entries = self.store.commit(self._operation("unlink"), lambda c: change.unlink(c, src, name, dst))
        return sum(entry.kind == "edge.drop" for entry in entries)

    def undo(self, operation: str | None = None, *, force: bool = False) -> OperationInfo:
        """Take back an operation: the newest by hand on this device, or the one named. Returns the undo's operation.

        Raises `ConflictError` for an erase, and when later operations touched the same things unless `force`.
        """
        from memhub.store import undo

        device = self.store.device()
        target = self._operation_named(operation) if operation else undo.newest_undoable(self._connection, device)
        if target.undone:
            raise ConflictError(f"operation …{target.id[-6:]} is undone already", "`mh redo` takes the undo back")
        if target.undoes or target.redoes:
            raise ConflictError(
                f"operation …{target.id[-6:]} is itself an undo or a redo", "`mh redo`, or undo the original"
            )
        return self._invert(target, target.id, force, undoes=target.id)

    def redo(self, operation: str | None = None, *, force: bool = False) -> OperationInfo:
        """Take back the newest undo, or that of the operation named."""
        from memhub.store import undo

        device = self.store.device()
        target = self._operation_named(operation) if operation else undo.newest_redoable(self._connection, device)
        original = target.undoes or target.id
        done = read.operation_by_id(self._connection, original) or target
        if not done.undone:
            raise ConflictError(f"operation …{original[-6:]} is not undone", "`mh log` shows which ones are")
        return self._invert(done, undo.last_undo(self._connection, original), force, redoes=original)

    def _operation_named(self, reference: str) -> OperationInfo:
        found = read.operation_by_id(self._connection, refs.resolve_operation(self._connection, reference))
        if found is None:
            raise NotFoundError(f"no operation …{reference[-6:]}", "`mh log` shows the last operations")
        return found

    def _invert(self, done: OperationInfo, operation: str, force: bool, **what: str) -> OperationInfo:
        """Write the opposite of `operation`; `done` is the operation that people know it by."""
        from memhub.store import entities, undo

        undo.check(self._connection, operation, force=force)
        new = self._operation(
            "redo" if "redoes" in what else "undo", summary_of(f"{done.command} {done.summary}".strip()), **what
        )
        batch: list[Draft] = [Draft("op.put", new.id, new.payload())]
        for drafts in undo.inverse(self._connection, operation):
            batch += drafts
            if len(batch) >= _BATCH:
                self.store.commit(new, batch, durable=False)
                batch = []
        self.store.commit(new, batch)
        if "undoes" in what:
            from memhub.tasks.sessions import forget_cursors

            with self.store.writing():
                forget_cursors(self._connection, what["undoes"])
        if entities.has_again(self._connection):  # names came back or went, which changes what texts speak of
            from memhub.digest.entities import look_again

            look_again(self.store)
        found = read.operation_by_id(self._connection, new.id)
        assert found is not None
        return found


def _warnings(note: NewNote) -> tuple[str, ...]:
    from memhub.text.redact import find_secrets

    names = dict.fromkeys(secret.name for secret in find_secrets(note.content))
    return tuple(f"this looks like a secret ({name}); `mh erase` removes it for good" for name in names)


def _moved(identifier: str) -> ConflictError:
    return ConflictError(f"item …{identifier[-6:]} changed meanwhile", f"`mh history {identifier[-6:]}` shows how")
