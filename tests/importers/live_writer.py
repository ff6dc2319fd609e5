"""Writes conversations as tools do while they run. Run by `test_watch.py`: python live_writer.py KIND PLACE

Prints a line of JSON for each turn at the moment it is written in full: text, time, session. At the end it prints how
the files look, then waits for the end of its standard input with everything still open.
"""

import json
import os
import sqlite3
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path


def told(session: str, text: str) -> None:
    say({"session": session, "text": text, "at": time.time()})


def say(record: dict[str, object]) -> None:
    sys.stdout.write(json.dumps(record) + "\n")
    sys.stdout.flush()


def claude_line(session: str, number: int, text: str) -> bytes:
    """A prompt or, for odd numbers, an answer."""
    role = "assistant" if number % 2 else "user"
    content = [{"type": "text", "text": text}] if number % 2 else text
    message = {"role": role, "content": content} | ({"id": f"{session}-m{number}", "model": "m"} if number % 2 else {})
    record = {
        "parentUuid": f"{session}-{number - 1}" if number else None, "isSidechain": False, "type": role,
        "cwd": "/srv/demo/lamp", "sessionId": session, "version": "2.1.210", "message": message,
        "uuid": f"{session}-{number}", "timestamp": f"2026-02-09T09:{number // 60:02}:{number % 60:02}.000Z",
    }  # fmt: skip
    return json.dumps(record).encode() + b"\n"


def claude(projects: Path) -> None:
    """Appends, writes half a line, opens new sessions and folders, rewrites a session and lets one shrink."""
    lamp = projects / "-srv-demo-lamp"
    for number in range(2, 12):
        append(lamp / "grows.jsonl", number, halves=number % 3 == 0)
    for number in range(4):
        append(lamp / "new.jsonl", number)
    (projects / "-srv-demo-new/deep").mkdir(parents=True)
    for number in range(4):
        append(projects / "-srv-demo-new/inside.jsonl", number)
    replace(lamp / "rewritten.jsonl", "rewritten", range(6))
    told("rewritten", "rewritten turn 4")
    told("rewritten", "rewritten turn 5")
    with open(lamp / "shrinks.jsonl", "r+b") as file:
        file.truncate(len(claude_line("shrinks", 0, "shrinks turn 0") + claude_line("shrinks", 1, "shrinks turn 1")))
    time.sleep(0.5)
    append(lamp / "shrinks.jsonl", 4)
    append(lamp / "grows.jsonl", 12)


def append(path: Path, number: int, *, halves: bool = False) -> None:
    session, text = path.stem, f"{path.stem} turn {number}"
    line = claude_line(session, number, text)
    with open(path, "ab", buffering=0) as file:
        if halves:
            file.write(line[: len(line) // 2])
            time.sleep(0.7)
            line = line[len(line) // 2 :]
        file.write(line)
    told(session, text)
    time.sleep(0.15)


def replace(path: Path, session: str, numbers: range) -> None:
    """Writes a session anew beside itself and puts it in its place, as editors do."""
    beside = path.with_suffix(".tmp")
    beside.write_bytes(b"".join(claude_line(session, number, f"{session} turn {number}") for number in numbers))
    beside.replace(path)


def opened(store: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(store, isolation_level=None)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA wal_autocheckpoint = 0")
    return connection


def cursor(store: Path) -> Iterator[sqlite3.Connection]:
    """Each bubble and the list of bubbles in a transaction; the connection stays open, so only the log changes."""
    connection = opened(store)
    yield connection
    listed: dict[str, list[dict[str, object]]] = {"one": [], "two": []}
    for number in range(12):
        session = "two" if number % 4 > 1 else "one"
        bubble = {"bubbleId": f"{session}-{number}", "type": 1 + number % 2, "text": f"{session} turn {number}"}
        listed[session].append({"bubbleId": bubble["bubbleId"], "type": bubble["type"]})
        about = {"composerId": session, "name": session, "createdAt": 1772442900000}
        about["fullConversationHeadersOnly"] = listed[session]
        connection.execute("BEGIN")
        for key, value in ((f"bubbleId:{session}:{bubble['bubbleId']}", bubble), (f"composerData:{session}", about)):
            connection.execute("INSERT OR REPLACE INTO cursorDiskKV VALUES (?, ?)", (key, json.dumps(value)))
        connection.execute("COMMIT")
        told(session, str(bubble["text"]))
        time.sleep(0.25)


def opencode(store: Path) -> Iterator[sqlite3.Connection]:
    """A message, then its part, each on its own; the text of an answer comes in three pieces."""
    connection = opened(store)
    yield connection
    at = 1775000000000
    for session in ("ses_a", "ses_b"):
        connection.execute(
            "INSERT INTO session(id, project_id, directory, title, time_created, time_updated) VALUES (?,?,?,?,?,?)",
            (session, "p", "/srv/demo/lamp", session, at, at),
        )
    for number in range(10):
        session = "ses_b" if number % 4 > 1 else "ses_a"
        role, text = ("assistant", "user")[number % 2 == 0], f"{session} turn {number}"
        message = f"msg_{number:03}"
        at += 1000
        data = {"role": role, "time": {"created": at}}
        connection.execute("INSERT INTO message VALUES (?,?,?,?,?)", (message, session, at, at, json.dumps(data)))
        pieces = [text] if role == "user" else [text[:4], text[:8], text]
        for piece in pieces:
            time.sleep(0.1)
            at += 1
            connection.execute(
                """INSERT INTO part VALUES (?1, ?2, ?3, ?4, ?4, ?5)
                   ON CONFLICT(id) DO UPDATE SET data = ?5, time_updated = ?4""",
                (f"prt_{number:03}", message, session, at, json.dumps({"type": "text", "text": piece})),
            )
        told(session, text)
        time.sleep(0.2)


def main() -> None:
    kind, place = sys.argv[1], Path(sys.argv[2])
    writers: dict[str, Callable[[Path], Iterator[sqlite3.Connection] | None]] = {
        "claude-code": claude, "cursor": cursor, "opencode": opencode,
    }  # fmt: skip
    opened_ones = list(writers[kind](place) or ())
    root = place if place.is_dir() else place.parent
    say({"files": looks(root)})
    sys.stdin.read()
    for connection in opened_ones:
        connection.close()


def looks(root: Path) -> list[list[object]]:
    """Name, time and size of everything in a folder."""
    return [
        [str(path.relative_to(root)), (info := os.stat(path)).st_mtime_ns, info.st_size]
        for path in sorted(root.rglob("*"))
    ]


if __name__ == "__main__":
    main()
