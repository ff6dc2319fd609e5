"""The page of a day: put together from what was there, kept as an item of the layer L3, written again around edits."""

from typing import NamedTuple

import apsw

from memhub import stamp
from memhub.digest import activity, dues, focus, page, resurface
from memhub.digest.frame import Frame, frame_of, long_day
from memhub.digest.opening import opening
from memhub.digest.step import Done, Work
from memhub.errors import ConflictError, UnavailableError
from memhub.llm.call import Llm
from memhub.model.briefing import Briefing, Section
from memhub.model.entry import Draft, Expect, Version
from memhub.model.item import Item
from memhub.store import log, read, threads
from memhub.store.connection import query
from memhub.store.evaluate import item_state
from memhub.store.store import Operation, Store
from memhub.text.dates import Zone
from memhub.text.quantities import WEEKDAYS

KIND, BY = "briefing", "digest"
FOCUS, DUE, UNRESOLVED, ACTIVITY, OLDER = (
    "What you were on", "Due and upcoming", "Needs a decision", "Recent activity", "Worth another look",
)  # fmt: skip
_NEVER_AGAIN, _NOT_AGAIN = (-1, 1), tuple(range(-7, -1))
"""Days around one whose older items do not come up again, and those whose do when there is too little else."""


class Kept(NamedTuple):
    """The page of a day as it is in the file: what is shown, and what the machine wrote last."""

    item: Item
    machine: Version
    heads: tuple[str, ...]
    hlc: int
    at: int


class Composed(NamedTuple):
    """What a page would say now. `spans` are the items that its words stand in; `older` came up again, and why."""

    sections: list[Section]
    spans: tuple[str, ...]
    older: tuple[tuple[str, str], ...]


def brief(work: Work) -> Done:
    """The step of the digest: today's page of a space, written again when it would say something else now."""
    now = Zone(work.timezone, stamp.now_ms())
    frame = frame_of(work.store.connection, work.space, now, "{:04d}-{:02d}-{:02d}".format(*now.today()))
    kept = kept_page(frame)
    if _is_erased(frame) or (kept is not None and work.mark >= _clock(frame.connection)):
        return Done(max(work.mark, _clock(frame.connection)))
    if work.dry_run:
        is_new = kept is None or _says_else(compose(frame, kept).sections, kept)
        return Done(work.mark, new=(briefing_id(frame),) if is_new else ())
    done = write(work.store, frame, work.operation, work.llm)
    new, renewed = ((), ()) if not done.is_new else ((), (done.id,)) if kept else ((done.id,), ())
    return Done(_clock(frame.connection), new=new, renewed=renewed)


def _clock(connection: apsw.Connection) -> int:
    """How far the log has come."""
    return int(connection.execute("SELECT coalesce(max(hlc), 0) FROM operation").get)


def _is_erased(frame: Frame) -> bool:
    return item_state(log.entries_of(frame.connection, briefing_id(frame))).is_erased


def briefing_id(frame: Frame, day: str | None = None) -> str:
    """The id of a day's page of a space: the same on every device."""
    return stamp.derived_id("briefing", frame.space, day or frame.day)


def kept_page(frame: Frame, day: str | None = None) -> Kept | None:
    """The page of the day (or of another) when there is one with a text."""
    identifier = briefing_id(frame, day)
    state = item_state(log.entries_of(frame.connection, identifier))
    item = read.item_by_id(frame.connection, identifier) if state.put and not state.drops else None
    if item is None or state.is_erased or not item.content.strip():
        return None
    for version_hash in sorted(state.put, key=lambda one: state.put[one].clock, reverse=True):
        version = log.load_version(frame.connection, version_hash)
        if version is not None and version.by == BY:
            head = state.put[state.heads[0]]
            return Kept(item, version, state.heads, head.hlc, head.at)
    return None


def compose(frame: Frame, kept: Kept | None) -> Composed:
    """The sections of a page; one that has nothing to say is left out."""
    due = dues.dues(frame)
    areas = focus.focus_areas(frame, {one.item for one in due})
    before = dict(kept.machine.attrs.get("older", ())) if kept else {}
    recent = {one for area in areas for unit in area.units for one in (unit.id, *unit.sources)}
    without = {one for days in _NEVER_AGAIN for one in _older_of(frame, days)} | recent | {one.item for one in due}
    rather_not = {one for days in _NOT_AGAIN for one in _older_of(frame, days)}
    older = resurface.resurfaced(frame, areas, before, without, rather_not)
    parts = (
        (FOCUS, focus.lines(frame, areas)),
        (DUE, dues.lines(frame, due)),
        (UNRESOLVED, activity.unresolved(frame)),
        (ACTIVITY, activity.activity(frame)),
        (OLDER, resurface.lines(frame, older)),
    )
    sections = [page.section(title, lines) for title, lines in parts if lines]
    spans = {one for area in areas for unit in area.units for one in unit.sources}
    spans |= _items_of(frame.connection, sections)
    return Composed(sections, tuple(sorted(spans)), tuple((one.item.id, one.why) for one in older))


def _older_of(frame: Frame, days: int) -> list[str]:
    from datetime import timedelta

    other = kept_page(frame, (frame.date + timedelta(days=days)).isoformat())
    return [item for item, _ in other.machine.attrs.get("older", ())] if other else []


def _items_of(connection: apsw.Connection, sections: list[Section]) -> set[str]:
    """The items in which the words of these sections stand; of a conversation its first turns, which name it."""
    found: set[str] = set()
    for identifier in {one for section in sections for one in section.ids}:
        if connection.execute("SELECT 1 FROM thread WHERE id = ?", (identifier,)).get:
            found.update(threads.turn_ids(connection, identifier)[:5])
        else:
            found.add(identifier)
    return found


def write(store: Store, frame: Frame, operation: Operation, llm: Llm | None = None) -> Briefing:
    """Write the page of a day, or write it again around what a person edited; nothing when it says the same."""
    if _is_erased(frame):
        raise ConflictError(f"the page of {long_day(frame.day)} was erased", "`mh brief --date DAY` shows other days")
    identifier = briefing_id(frame)
    heads, kept = read.heads_of(frame.connection, identifier), kept_page(frame)
    composed = compose(frame, kept)
    if kept is not None and not _says_else(composed.sections, kept):
        return shown(frame, kept)
    if kept is None and not composed.sections:
        return _empty(frame)
    notices: tuple[str, ...] = ()
    head = f"# {_title(frame)}"
    if llm is not None:
        try:
            head += f"\n\n{said}" if (said := opening(frame, composed.sections, llm)) else ""
        except UnavailableError as error:
            notices = (f"{error.message}; the page was made without a model",)
    yours = _yours(kept) if kept else set()
    sections = composed.sections
    if kept and yours:
        head, sections = page.written_again(head, sections, kept.item.content, yours)
    version = Version(
        item=identifier, parents=heads, layer="L3", kind=KIND, title=f"Briefing of {long_day(frame.day)}",
        content=page.as_markdown(head, sections), created_at=frame.day, updated_at=None, valid_from=None, valid_to=None,
        attrs={"day": frame.day, "evidence": _evidence(composed.sections),
               "older": [list(one) for one in composed.older], "yours": sorted(yours)},
        source=None, spans=composed.spans, by=BY, nonce=stamp.derived_nonce(identifier),
    )  # fmt: skip
    drafts = [Draft("version.put", identifier, {}, version)]
    if not heads:
        drafts.append(Draft("item.set", identifier, {"set": {"space": frame.space}}))
    is_new = True
    try:
        store.commit(operation, drafts, expect=Expect(heads={identifier: heads}))
    except ConflictError:  # another process was first: its page will do
        is_new = False
    written = kept_page(frame)
    if written is None:
        raise ConflictError("something that the page quotes was erased meanwhile", "`mh brief` makes it anew")
    return shown(frame, written, is_new=is_new, notices=notices)


def _empty(frame: Frame) -> Briefing:
    """The page of a day before anything was written down; it is not kept, so that the first note changes it."""
    name = str(frame.connection.execute("SELECT name FROM space WHERE id = ?", (frame.space,)).get)
    return Briefing(
        id=briefing_id(frame), day=frame.day, space=name, content=f"# {_title(frame)}\n\nNothing was written down yet.",
        sections=(), evidence=(), written_at=stamp.iso(stamp.now_ms()), version="", changes=0, is_new=False,
    )  # fmt: skip


def _title(frame: Frame) -> str:
    return f"{WEEKDAYS[frame.date.weekday()].capitalize()}, {long_day(frame.day)}"


def _evidence(sections: list[Section]) -> list[str]:
    return list(dict.fromkeys(one for section in sections for one in section.ids))


def _yours(kept: Kept) -> set[str]:
    """The titles of the sections that a person changed, at any time."""
    return set(kept.machine.attrs.get("yours", ())) | page.edited(kept.machine.content, kept.item.content)


def _says_else(fresh: list[Section], kept: Kept) -> bool:
    """Whether what the machine would write differs from what it wrote, where it may still write."""
    yours = _yours(kept)
    _, before = page.taken_apart(kept.machine.content)
    old = {one.title: one.text for one in before if one.title not in yours}
    return old != {one.title: one.text.strip() for one in fresh if one.title not in yours}


def shown(frame: Frame, kept: Kept, *, is_new: bool = False, notices: tuple[str, ...] = ()) -> Briefing:
    """A kept page as it is handed out."""
    evidence = tuple(kept.machine.attrs.get("evidence", ()))
    yours = _yours(kept)
    _, parts = page.taken_apart(kept.item.content)
    sections = tuple(
        one._replace(is_yours=one.title in yours, ids=tuple(i for i in evidence if _names(one.text, i)))
        for one in parts
    )
    changes = query(
        frame.connection, "SELECT count(*) FROM operation WHERE hlc > ? AND command NOT LIKE 'brief%'", (kept.hlc,)
    )[0][0]
    return Briefing(
        id=kept.item.id, day=frame.day, space=kept.item.space, content=kept.item.content, sections=sections,
        evidence=evidence, written_at=stamp.iso(kept.at), version=kept.item.version, changes=int(changes),
        is_new=is_new, notices=notices,
    )  # fmt: skip


def _names(text: str, identifier: str) -> bool:
    at = text.find(identifier[-6:] + "`")
    start = text.rfind("`", 0, at) if at >= 0 else -1
    return start >= 0 and identifier.endswith(text[start + 1 : at + 6])
