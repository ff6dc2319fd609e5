"""Keeps what is typed: a note is checked, recognised when it was just said, and written down before anything else."""

import apsw

from memhub import stamp
from memhub.errors import UsageError
from memhub.model.entry import Draft, Version
from memhub.model.result import NewNote
from memhub.pipeline import queue
from memhub.store.canonical import text_hash
from memhub.text.clean import clean, one_line
from memhub.text.labels import find_labels, normalise, unique_labels

KINDS = ("note", "document", "fact", "event", "intent", "procedure")
MAX_LENGTH = 32 * 1024 * 1024
TITLE_LENGTH = 500


class Kept:
    """The outcome of keeping one note; filled while its commit decides."""

    def __init__(self) -> None:
        self.item = ""
        self.status = "created"


def checked(note: NewNote) -> NewNote:
    """The note as it will be stored; raises `UsageError` for one that cannot be."""
    content = clean(note.content)
    if not content.strip():
        raise UsageError(
            "nothing to keep: the text is empty", "`mh add 'some text'`, or `mh add -` to read from a pipe"
        )
    if len(content) > MAX_LENGTH:
        raise UsageError(
            f"a note holds at most {MAX_LENGTH // 2**20} Mi characters, this one has {len(content) / 2**20:.0f} Mi",
            "`split` it and add the parts",
        )
    kind = note.kind or "note"
    if kind not in KINDS:
        raise UsageError(f"no kind `{kind}`", f"kinds are {', '.join(KINDS)}")
    labels = [checked_label(label) for label in note.labels]
    return note._replace(
        content=content,
        title=one_line(note.title, TITLE_LENGTH).strip() or None if note.title else None,
        labels=unique_labels((*labels, *find_labels(content))),
        kind=kind,
        importance=checked_importance(note.importance),
        created_at=checked_created_at(note.created_at),
    )


def checked_label(label: str) -> str:
    """A label as it is kept; raises `UsageError` for one without a letter."""
    found = normalise(label)
    if not found:
        raise UsageError(f"`{label}` cannot be a label", "a label needs at least one letter")
    return found


def checked_created_at(value: str | None) -> str | None:
    """A date or time in ISO 8601, or None; raises `UsageError` for anything else."""
    if value is None:
        return None
    from memhub.text.dates import checked_time

    return checked_time(value)


def checked_importance(value: float | None) -> float | None:
    """An importance of 0 to 1, or None."""
    if value is not None and not 0 <= value <= 1:
        raise UsageError(f"importance {value:g} is not between 0 and 1")
    return value


def note_drafts(
    connection: apsw.Connection,
    note: NewNote,
    kept: Kept,
    *,
    space: str,
    project: str | None,
    again: bool,
    to_judge: bool = False,
) -> list[Draft]:
    """The entries that keep a checked note; none when it is known already. `kept` says which item it is.

    `to_judge` puts it on the queue in the same transaction.
    """
    known = _known(connection, note, space, again)
    if known is not None:
        kept.item, kept.status = known, "known"
        return []
    now = stamp.now_ms()
    kept.item, kept.status = stamp.new_id(), "created"
    if to_judge:
        queue.enqueue(connection, kept.item, space)
    version = Version(
        item=kept.item, parents=(), layer="L1", kind=note.kind or "note", title=note.title, content=note.content,
        attrs=dict(note.attrs), created_at=note.created_at or stamp.iso(now), updated_at=stamp.iso(now),
        valid_from=None, valid_to=None, source=_source(note.source), spans=(), by="hand", nonce=stamp.new_nonce(),
    )  # fmt: skip
    fields: dict[str, object] = {"space": space}
    if note.importance is not None:
        fields["importance"] = note.importance
    if project is not None:
        fields["project"] = project
    payload: dict[str, object] = {"set": fields}
    if note.labels:
        payload["add"] = {"labels": list(note.labels)}
    return [
        Draft("version.put", kept.item, {}, version, note.request_id),
        Draft("item.set", kept.item, payload),
    ]


def _known(connection: apsw.Connection, note: NewNote, space: str, again: bool) -> str | None:
    """The item that this note already is: same request id, or same text in the space within a day."""
    if note.request_id:
        found = connection.execute(
            "SELECT key FROM entry WHERE request = ? AND kind = 'version.put' LIMIT 1", (note.request_id,)
        ).get
        if found is not None:
            return str(found)
    if again:
        return None
    rows = connection.execute(
        """SELECT item.id, version.content FROM item JOIN version ON version.n = item.shown
           JOIN space ON space.n = item.space JOIN space AS end ON end.n = space.resolved
           WHERE item.text_hash = ? AND item.state = 'live' AND item.added_ms >= ? AND end.id = ?
           ORDER BY item.added_ms DESC""",
        (text_hash(note.content), stamp.now_ms() - stamp.DAY_MS, space),
    )
    for identifier, content in rows:
        if content.strip() == note.content.strip():
            return str(identifier)
    return None


def _source(source: str | None) -> dict[str, str] | None:
    if not source:
        return None
    cleaned = one_line(source, 2000).strip()
    return {"kind": "hand", "url" if "://" in cleaned else "scope": cleaned}
