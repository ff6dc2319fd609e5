"""What happened in the file since yesterday, and what waits for a person."""

import json

from memhub.digest.frame import Frame, counted, plain, short_day, words_of
from memhub.model.briefing import Line
from memhub.pipeline import review
from memhub.stamp import DAY_MS
from memhub.store import threads
from memhub.store.connection import query

MOST = 5
_LAST = 2
_DONE = {
    "add": "added", "edit": "edited", "rm": "dropped", "restore": "restored", "erase": "erased", "label": "labelled",
    "set": "changed", "mv": "moved", "link": "linked", "capture": "captured", "review": "settled",
}  # fmt: skip


def unresolved(frame: Frame) -> list[Line]:
    """Contradictions, forks and what lost its evidence."""
    found: list[Line] = []
    for entry in review.entries(frame.connection, list(frame.spaces), 0):
        if entry.kind == "low_confidence" or entry.item.kind == "briefing" or not _was(frame, entry.item.id):
            continue
        text = f"**{entry.kind}**: {words_of(entry.item, 60)} {frame.ref(entry.item.id)}"
        ids = [entry.item.id]
        if entry.other:
            text += f" against {words_of(entry.other, 60)} {frame.ref(entry.other.id)}"
            ids.append(entry.other.id)
        found.append(Line(text, tuple(ids)))
    stale = query(
        frame.connection,
        f"""SELECT id FROM item WHERE state = 'live' AND instr(' ' || flags || ' ', ' stale ') AND kind <> 'briefing'
            AND space IN ({",".join("?" * len(frame.spaces))}) AND added_ms < ? ORDER BY updated_ms DESC, n""",
        (*frame.spaces, frame.stop),
    )
    from memhub.store import read

    for item in read.items_by_ids(frame.connection, [row[0] for row in stale]):
        found.append(Line(f"**stale**: {words_of(item)} {frame.ref(item.id)}, what it rests on changed", (item.id,)))
    more = len(found) - MOST
    return [*found[:MOST], Line(f"… {more} more: `mh review`")] if more > 0 else found


def _was(frame: Frame, item: str) -> bool:
    sql = "SELECT coalesce(created_ms, added_ms) < ? FROM item WHERE id = ?"
    return bool(frame.connection.execute(sql, (frame.stop, item)).get)


def activity(frame: Frame) -> list[Line]:
    """What was done on the day before and on the day itself: by hand, by imports, in conversations."""
    found = []
    for start, stop, name in (
        (frame.start, frame.stop, "today"),
        (frame.start - DAY_MS, frame.start, "yesterday"),
    ):
        done, newest = _done(frame, start, stop)
        if done:
            refs = " ".join(map(frame.ref, newest))
            found.append(Line(f"{name}: {', '.join(done)}, the last {refs}", tuple(newest)))
    return [*found, *_imports(frame), *_sessions(frame)]


def _done(frame: Frame, start: int, stop: int) -> tuple[list[str], list[str]]:
    """`12 added, 3 edited`: items by what was done to them, in the spaces of the page; and the last of them."""
    rows = query(
        frame.connection,
        f"""SELECT operation.command, item.id, item.is_present FROM operation
            JOIN entry ON entry.operation = operation.n JOIN item ON item.id = entry.key
            WHERE operation.at >= ? AND operation.at < ? AND operation.command <> 'import'
              AND item.space IN ({",".join("?" * len(frame.spaces))}) AND item.kind <> 'briefing'
            GROUP BY operation.command, item.id ORDER BY max(entry.hlc), item.id""",
        (start, stop, *frame.spaces),
    )
    touched: dict[str, dict[str, None]] = {}
    last: dict[str, None] = {}
    for command, item, is_present in rows:
        word = _DONE.get((command or "").split(" ")[0])
        if word:
            touched.setdefault(word, {})[item] = None
            last.pop(item, None)
            if is_present:
                last[item] = None
    order = list(dict.fromkeys(_DONE.values()))
    return [f"{len(touched[word]):,} {word}" for word in order if word in touched], list(last)[: -_LAST - 1 : -1]


def _imports(frame: Frame) -> list[Line]:
    rows = query(
        frame.connection,
        f"""SELECT operation.summary, count(DISTINCT item.id), max(entry.hlc) AS last, item.id FROM operation
            JOIN entry ON entry.operation = operation.n JOIN item ON item.id = entry.key
            WHERE operation.command = 'import' AND operation.at >= ? AND operation.at < ? AND item.is_present
              AND item.space IN ({",".join("?" * len(frame.spaces))})
            GROUP BY operation.summary ORDER BY last DESC, operation.summary LIMIT ?""",
        (frame.start - DAY_MS, frame.stop, *frame.spaces, MOST),
    )
    return [
        Line(
            f"imported {plain(summary or 'a source', 60)}: {counted(count, 'item')}, the last {frame.ref(item)}",
            (item,),
        )
        for summary, count, _, item in rows
    ]


def _sessions(frame: Frame) -> list[Line]:
    """Conversations of the two days, the one with the newest turn first."""
    rows = query(
        frame.connection,
        f"""SELECT thread.id, thread.fields, count(*), max(item.created_ms) AS last FROM thread
            JOIN edge ON edge.dst = thread.id AND edge.relation = 'part_of' JOIN item ON item.id = edge.src
            WHERE NOT thread.is_dropped AND item.is_present AND item.created_ms >= ? AND item.created_ms < ?
              AND item.space IN ({",".join("?" * len(frame.spaces))})
            GROUP BY thread.id ORDER BY last DESC, thread.id""",
        (frame.start - DAY_MS, frame.stop, *frame.spaces),
    )
    found = []
    for identifier, fields, count, last in rows[:MOST]:
        thread = threads.thread_by_id(frame.connection, identifier)
        if thread is not None:
            year, month, day = frame.zone.local(last)[:3]
            when = short_day(f"{year:04d}-{month:02d}-{day:02d}", frame.day)
            where = json.loads(fields).get("platform") or "conversation"
            text = f"{plain(where, 20)}, {when}: {plain(thread.title, 70)} {frame.ref(identifier, 'thread')}"
            found.append(Line(f"{text}, {counted(count, 'turn')}", (identifier,)))
    more = len(rows) - MOST
    return [*found, Line(f"… {more} more: `mh thread list`")] if more > 0 else found
