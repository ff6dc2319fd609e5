"""Keeps what is typed: a note is checked, recognised when it was just said, and written down before anything else."""

from collections.abc import Sequence
from typing import NamedTuple

import apsw

from memhub import stamp
from memhub.errors import UsageError
from memhub.model.entry import Draft, Version
from memhub.model.result import NewNote
from memhub.store.canonical import dumps, text_hash
from memhub.text.clean import clean, one_line
from memhub.text.labels import find_labels, normalise, unique_labels

KINDS = ("note", "document", "fact", "event", "intent", "procedure")
MAX_LENGTH = 32 * 1024 * 1024
TITLE_LENGTH = 500


class Kept(NamedTuple):
    """The outcome of keeping one note: its item, and the entries that make it when it is not known already."""

    item: str
    drafts: tuple[Draft, ...] = ()

    @property
    def status(self) -> str:
        """`created` or `known`."""
        return "created" if self.drafts else "known"


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


def plan_note(note: NewNote, *, space: str, project: str | None) -> Kept:
    """A new item for a checked note."""
    now = stamp.now_ms()
    item = stamp.new_id()
    version = Version(
        item=item, parents=(), layer="L1", kind=note.kind or "note", title=note.title, content=note.content,
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
    return Kept(item, (Draft("version.put", item, {}, version, note.request_id), Draft("item.set", item, payload)))


def known_notes(connection: apsw.Connection, notes: Sequence[NewNote], space: str, *, again: bool) -> list[str | None]:
    """The item that each of these notes already is: same request id, or same text in the space within a day.

    `again` looks at request ids alone.
    """
    requests = [note.request_id for note in notes if note.request_id]
    by_request = _by_request(connection, requests) if requests else {}
    by_text = {} if again else _by_text(connection, [text_hash(note.content) for note in notes], space)
    return [by_request.get(note.request_id or "") or by_text.get(note.content.strip()) for note in notes]


def _by_request(connection: apsw.Connection, requests: list[str]) -> dict[str, str]:
    rows = connection.execute(
        """SELECT request, key FROM entry WHERE request IN (SELECT value FROM json_each(?)) AND kind = 'version.put'
           ORDER BY device DESC, seq DESC""",
        (dumps(requests),),
    )
    return {request: item for request, item in rows}


def _by_text(connection: apsw.Connection, hashes: list[int], space: str) -> dict[str, str]:
    """Trimmed text → the newest item of the space that says it, among those of the last day with one of the hashes."""
    rows = connection.execute(
        """SELECT version.content, item.id FROM item JOIN version ON version.n = item.shown
           JOIN space ON space.n = item.space JOIN space AS end ON end.n = space.resolved
           WHERE item.text_hash IN (SELECT value FROM json_each(?)) AND item.state = 'live' AND item.added_ms >= ?
             AND end.id = ? ORDER BY item.added_ms""",
        (dumps(hashes), stamp.now_ms() - stamp.DAY_MS, space),
    )
    return {content.strip(): item for content, item in rows}


def _source(source: str | None) -> dict[str, str] | None:
    if not source:
        return None
    cleaned = one_line(source, 2000).strip()
    return {"kind": "hand", "url" if "://" in cleaned else "scope": cleaned}
