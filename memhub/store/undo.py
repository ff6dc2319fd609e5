"""Derives from the log the entries that take an operation back."""

from collections.abc import Iterable, Iterator

import apsw

from memhub import stamp
from memhub.errors import ConflictError, NotFoundError
from memhub.model.entry import Draft, Entry, OperationInfo
from memhub.store import log, read
from memhub.store.canonical import hash_of
from memhub.store.evaluate import ItemState, edge_state, in_order, item_state, registers
from memhub.store.view import view_of


def newest_undoable(connection: apsw.Connection, device: str) -> OperationInfo:
    """The newest operation by hand on this device that still counts and is neither an undo nor a redo."""
    rows = connection.execute(
        """SELECT operation.id FROM operation JOIN device ON device.n = operation.device
           WHERE device.id = ? AND who = 'hand' AND undoes IS NULL AND redoes IS NULL ORDER BY operation.hlc DESC""",
        (device,),
    )
    for (identifier,) in rows:
        found = read.operation_by_id(connection, identifier)
        if found is not None and not found.undone:
            return found
    raise NotFoundError("nothing to undo", "`mh log` shows what was done")


def newest_redoable(connection: apsw.Connection, device: str) -> OperationInfo:
    """The operation whose undo, by hand on this device, is the newest that still holds."""
    rows = connection.execute(
        """SELECT operation.undoes FROM operation JOIN device ON device.n = operation.device
           WHERE device.id = ? AND who = 'hand' AND undoes IS NOT NULL ORDER BY operation.hlc DESC""",
        (device,),
    )
    for (identifier,) in rows:
        found = read.operation_by_id(connection, identifier)
        if found is not None and found.undone:
            return found
    raise NotFoundError("nothing to redo", "`mh log` shows what was done")


def last_undo(connection: apsw.Connection, operation: str) -> str:
    """The newest undo of an operation."""
    found = connection.execute("SELECT id FROM operation WHERE undoes = ? ORDER BY hlc DESC LIMIT 1", (operation,)).get
    if found is None:
        raise NotFoundError(f"operation …{operation[-6:]} has not been undone", "`mh log` shows what was done")
    return str(found)


def check(connection: apsw.Connection, operation: str, *, force: bool) -> None:
    """Refuse what cannot be taken back: an erase, and work on which later work stands."""
    entries = log.entries_of_operation(connection, operation)
    is_import = log.is_import(connection, operation)
    if any(entry.kind == "item.erase" for entry in entries) and not is_import:
        raise ConflictError("an erase cannot be undone", "that is what it is for")
    if force:
        return
    last = max((entry.hlc for entry in entries), default=0)
    if is_import:  # what it brought was written elsewhere, at any time; later is what came after the import
        last = connection.execute("SELECT hlc FROM operation WHERE id = ?", (operation,)).get
    for key in dict.fromkeys(entry.key for entry in entries if entry.kind != "op.put"):
        rows = connection.execute(
            """SELECT DISTINCT operation.id FROM entry JOIN operation ON operation.n = entry.operation
               WHERE entry.key = ? AND entry.hlc > ? AND operation.undoes IS NULL AND operation.redoes IS NULL
               AND operation.id <> ?""",
            (key, last, operation),
        )
        for (later,) in rows:
            found = read.operation_by_id(connection, later)
            if found is not None and not found.undone:
                raise ConflictError(
                    f"`mh {found.command}` ({later[-6:]}) came later and touched the same",
                    f"undo that first, or `mh undo {operation[-6:]} --force`",
                )


def took_away(connection: apsw.Connection, drops: Iterable[str]) -> bool:
    """Whether all these drops came from undoing; what a person removed by hand stays removed."""
    for drop in drops:
        device, seq = drop.rsplit("/", 1)
        found = connection.execute(
            """SELECT operation.undoes IS NOT NULL OR operation.redoes IS NOT NULL FROM entry
               JOIN device ON device.n = entry.device JOIN operation ON operation.n = entry.operation
               WHERE device.id = ? AND entry.seq = ?""",
            (device, int(seq)),
        ).get
        if not found:
            return False
    return True


def inverse(connection: apsw.Connection, operation: str) -> Iterator[list[Draft]]:
    """For each thing that the operation touched, the entries that give back what was before it.

    What was before is evaluated from the entries with an earlier clock than the operation's first on that thing;
    only the fields it touched are given back. Each list is derived when it is asked for. Before an import of another
    device's entries was everything but these.
    """
    is_import = log.is_import(connection, operation)
    by_key: dict[str, list[Entry]] = {}
    for entry in log.entries_of_operation(connection, operation):
        by_key.setdefault(entry.key, []).append(entry)
    for key, own in by_key.items():
        every = log.entries_of(connection, key)
        before = [entry for entry in every if entry.clock < own[0].clock]
        if is_import:
            dots = {entry.dot for entry in own}
            before = [entry for entry in every if entry.dot not in dots]
        kind = own[0].kind
        if kind.startswith(("version.", "item.")):
            drafts = _item(connection, key, own, before, every)
        elif kind.startswith("edge."):
            drafts = _edge(own, before, every)
        elif kind != "op.put":
            drafts = _registers(key, kind, own, before, every)
        else:
            continue
        if drafts:
            yield drafts


def _item(
    connection: apsw.Connection, key: str, own: list[Entry], before: list[Entry], every: list[Entry]
) -> list[Draft]:
    old, now = item_state(before), item_state(every)
    after = item_state(entry for entry in every if entry.clock <= own[-1].clock)
    if now.is_erased:
        return []
    if not old.put:
        return [] if now.drops else [Draft("item.drop", key, {"heads": list(now.heads)})]
    drafts = _set_back(key, "item.set", own, before, every)
    heads = list(now.heads)
    if any(entry.kind == "version.put" for entry in own):
        versions = _version_back(connection, key, old, now)
        drafts += versions
        heads = [hash_of(draft.version) for draft in versions if draft.version] or heads
    was_changed = bool(after.drops) != bool(old.drops)
    is_wanted = old.drops if was_changed else now.drops
    if is_wanted and (not now.drops or heads != list(now.heads)):
        drafts.append(Draft("item.drop", key, {"heads": heads}))
    elif now.drops and not is_wanted:
        drafts.append(Draft("item.restore", key, {"drops": list(now.drops)}))
    return drafts


def _version_back(connection: apsw.Connection, key: str, old: ItemState, now: ItemState) -> list[Draft]:
    view = view_of(old, lambda h: log.load_version(connection, h))
    shown = view_of(now, lambda h: log.load_version(connection, h))
    if view is None or (shown is not None and _same_text(view.version, shown.version) and not shown.is_forked):
        return []
    version = view.version._replace(parents=now.heads, by="hand", nonce=stamp.new_nonce())
    return [Draft("version.put", key, {}, version)]


def _same_text(one: object, other: object) -> bool:
    plain = {"parents": (), "nonce": "", "by": "", "updated_at": None}
    return one._replace(**plain) == other._replace(**plain)  # type: ignore[attr-defined,no-any-return]


def _set_back(key: str, kind: str, own: list[Entry], before: list[Entry], every: list[Entry]) -> list[Draft]:
    """One register entry that returns the touched fields and members to what they were."""
    old, now = registers(in_order(before)), registers(in_order(every))
    payload: dict[str, dict[str, object]] = {"set": {}, "add": {}, "remove": {}}
    for name in _touched(own, "set"):
        if old.fields.get(name) != now.fields.get(name):
            payload["set"][name] = old.fields.get(name)
    for field in {*_touched(own, "add"), *_touched(own, "remove")}:
        was, is_now = old.members.get(field, {}), now.members.get(field, {})
        missing = [name for label, (name, _) in was.items() if label not in is_now]
        surplus = {name: list(dots) for label, (name, dots) in is_now.items() if label not in was}
        if missing:
            payload["add"][field] = missing
        if surplus:
            payload["remove"][field] = surplus
    filled = {name: value for name, value in payload.items() if value}
    return [Draft(kind, key, filled)] if filled else []


def _touched(own: Iterable[Entry], part: str) -> list[str]:
    return list(dict.fromkeys(name for entry in own for name in entry.payload.get(part, {})))


def _registers(key: str, kind: str, own: list[Entry], before: list[Entry], every: list[Entry]) -> list[Draft]:
    if not before:
        return [Draft(kind, key, {"set": {"dropped": True}})]
    drafts = _set_back(key, kind, own, before, every)
    if kind != "entity.put":
        return drafts
    of = list(dict.fromkeys(item for entry in every for item in entry.payload.get("of", ())))  # names fall with these
    return [draft._replace(payload={**draft.payload, "of": of}) if of else draft for draft in drafts]


def _edge(own: list[Entry], before: list[Entry], every: list[Entry]) -> list[Draft]:
    old, now = edge_state(before), edge_state(every)
    if (old and old[1]) == (now and now[1]):
        return []
    ends = {name: own[0].payload[name] for name in ("src", "relation", "dst")}
    if old is None:
        return [Draft("edge.drop", own[0].key, ends)]
    return [Draft("edge.put", own[0].key, {**ends, "attrs": old[1]})]
