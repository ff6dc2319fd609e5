"""What is believed about the owner of the notes: profile lines and what the digest found, to pin, correct or ban."""

import apsw

from memhub.errors import NotFoundError, UsageError
from memhub.model.digested import PersonaLine
from memhub.model.entry import Draft
from memhub.model.item import Item
from memhub.pipeline import change
from memhub.pipeline.lines import restated
from memhub.pipeline.relatives import slot_from
from memhub.store import log, read
from memhub.store.connection import query
from memhub.store.evaluate import item_state
from memhub.text.clean import clean

_CHAPTERS = {
    "identity": "identity", "state": "life", "health": "health", "preference": "preferences", "skill": "skills",
    "relation": "people", "contact": "contact", "possession": "possessions",
}  # fmt: skip


def lines(connection: apsw.Connection, spaces: list[int], *, banned: bool = False) -> list[PersonaLine]:
    """The lines of these spaces by part of life, pinned ones first; or those that were banned."""
    state = "'dropped', 'live'" if banned else "'live'"
    rows = query(
        connection,
        f"""SELECT id FROM item WHERE kind IN ('profile', 'persona_catalog') AND state IN ({state})
            AND space IN ({",".join("?" * len(spaces))}) ORDER BY n""",
        (*spaces,),
    )
    found = []
    for item in read.items_by_ids(connection, [row[0] for row in rows]):
        if is_banned(connection, item.id) == banned and (line := _line(connection, item)) is not None:
            found.append(line)
    chapters = list(dict.fromkeys((*_CHAPTERS.values(), *sorted(line.domain for line in found))))
    return sorted(found, key=lambda line: (chapters.index(line.domain), not line.pinned, line.since or "", line.item))


def is_line(connection: apsw.Connection, item: str) -> str:
    """The id, when it is that of a line. Raises `NotFoundError` for anything else."""
    kind = connection.execute("SELECT kind FROM item WHERE id = ?", (item,)).get
    if kind not in ("profile", "persona_catalog"):
        raise NotFoundError(f"item …{item[-6:]} is no line of the persona", "`mh persona` shows them")
    return item


def is_banned(connection: apsw.Connection, item: str) -> bool:
    """Whether a line must not be believed."""
    return bool(item_state(log.entries_of(connection, item)).registers.fields.get("banned"))


def ban(connection: apsw.Connection, item: str) -> list[Draft]:
    """Take a line away for good."""
    return [*change.set_fields(connection, item, {"banned": True}), *change.drop(connection, item)]


def allow(connection: apsw.Connection, item: str) -> list[Draft]:
    """Take a ban back; a line that was not banned stays as it is."""
    if not is_banned(connection, item):
        return []
    return [*change.set_fields(connection, item, {"banned": False}), *change.restore(connection, item)]


def correct(connection: apsw.Connection, item: str, text: str) -> list[Draft]:
    """A line in the words of its owner."""
    said = clean(text).strip()
    if not said:
        raise UsageError("a line cannot be empty", "`mh persona ban` takes one away")
    return restated(connection, item, said)


def banned_evidence(connection: apsw.Connection) -> list[set[str]]:
    """For each banned line of a digest what spoke for it, so that it does not return under another id."""
    rows = query(connection, "SELECT id FROM item WHERE kind = 'persona_catalog' AND state = 'dropped'")
    return [
        {src for (src,) in query(
            connection, "SELECT src FROM edge WHERE dst = ? AND relation = 'evidence_of'", (identifier,))}
        for (identifier,) in rows
        if is_banned(connection, identifier)
    ]  # fmt: skip


def _line(connection: apsw.Connection, item: Item) -> PersonaLine | None:
    slot = slot_from(item.attrs)
    if item.kind == "profile" and (slot is None or slot.subject != "user"):
        return None
    domain = _CHAPTERS.get(slot.dimension.partition(".")[0], "other") if slot else item.attrs.get("domain", "other")
    evidence = query(
        connection,
        """SELECT edge.src FROM edge JOIN item AS source ON source.id = edge.src AND source.is_present
           WHERE edge.dst = ? AND edge.relation = 'evidence_of' ORDER BY edge.hlc""",
        (item.id,),
    )
    version = log.load_version(connection, item.version) if item.version else None
    return PersonaLine(
        item=item.id, domain=domain, text=item.content, since=item.created_at, confidence=item.confidence,
        evidence=tuple(row[0] for row in evidence), pinned=item.pinned, banned=is_banned(connection, item.id),
        corrected=version is not None and version.by == "hand", flags=item.flags,
    )  # fmt: skip
