"""Reads the tables of an `llm` log into turns: what was asked, what was answered, when, by which model."""

import json
import sqlite3
from collections.abc import Iterator
from typing import Any, NamedTuple

from memhub.model.record import Skipped
from memhub_importers.sqlite import as_text, columns
from memhub_importers.values import entries, instant, text

_CHAIN = 500  # messages of one turn: calls of tools and their results
_OLD = ("id", "conversation_id", "prompt", "response", "model", "datetime_utc")
_NEW = ("id", "thread_id", "parent_message_hash", "tip_message_hash", "model", "datetime_utc")


class Turn(NamedTuple):
    """One prompt and its answer; `at` ISO 8601 UTC."""

    id: str
    prompt: str
    answer: str
    model: str
    at: str | None


class Log:
    """Turns by conversation and id; names of conversations; the conversation that one was forked from."""

    def __init__(self) -> None:
        self.turns: dict[str, dict[str, Turn]] = {}
        self.names: dict[str, str] = {}
        self.forks: dict[str, str] = {}

    def add(self, conversation: str, turn: Turn) -> None:
        """Adds a turn. One without a conversation is a conversation of its own."""
        self.turns.setdefault(conversation or turn.id, {})[turn.id] = turn

    def name(self, conversation: str, name: str) -> None:
        """Names a conversation; the last name counts."""
        if conversation and name.strip():
            self.names[conversation] = " ".join(name.split())


def read_log(store: sqlite3.Connection, log: Log, file: str) -> Iterator[Skipped]:
    """Reads both generations of tables into `log`; yields the rows that cannot be used. Raises sqlite3.Error."""
    yield from _old(store, log, file)
    yield from _new(store, log, file)


def read_rows(document: Any, log: Log, file: str) -> Iterator[Skipped]:
    """Reads the list of rows that `llm logs --json` prints into `log`."""
    if not isinstance(document, list):
        yield Skipped(file, "no list of responses", failed=True)
        return
    for number, row in enumerate(document, 1):
        identifier = text(row, "id").strip()
        if not identifier:
            yield Skipped(f"{file}: row {number}", "no response with an id", failed=True)
            continue
        conversation = text(row, "conversation_id").strip()
        at = instant(row.get("datetime_utc"))
        prompt, answer = text(row, "prompt").strip(), text(row, "response").strip()
        log.add(conversation, Turn(identifier, prompt, answer, text(row, "model"), at))
        log.name(conversation, text(row, "conversation_name"))


def _old(store: sqlite3.Connection, log: Log, file: str) -> Iterator[Skipped]:
    have = columns(store, "responses")
    if not {"id", "prompt", "response"} <= have:
        return
    fragments = _prompt_fragments(store)
    for row in store.execute(f"SELECT {_select(_OLD, have)} FROM responses"):
        identifier, conversation, prompt, answer, model = (as_text(value).strip() for value in row[:5])
        if not identifier:
            yield Skipped(f"{file}: responses", "a response without an id", failed=True)
            continue
        prompt = "\n".join(part for part in (*fragments.get(identifier, ()), prompt) if part).strip()
        log.add(conversation, Turn(identifier, prompt, answer, model, instant(_plain(row[5]))))
    if {"id", "name"} <= columns(store, "conversations"):
        for row in store.execute("SELECT id, name FROM conversations"):
            log.name(as_text(row[0]).strip(), as_text(row[1]))


def _prompt_fragments(store: sqlite3.Connection) -> dict[str, list[str]]:
    """The texts that were put before the prompt of a response, in their order."""
    found: dict[str, list[str]] = {}
    needed = {"response_id", "fragment_id", "order"} <= columns(store, "prompt_fragments")
    if needed and {"id", "content"} <= columns(store, "fragments"):
        rows = store.execute(
            "SELECT p.response_id, f.content FROM prompt_fragments p JOIN fragments f ON f.id = p.fragment_id "
            'ORDER BY p.response_id, p."order"'
        )
        for response, content in rows:
            found.setdefault(as_text(response).strip(), []).append(as_text(content))
    return found


def _new(store: sqlite3.Connection, log: Log, file: str) -> Iterator[Skipped]:
    have = columns(store, "turns")
    if not {"id", "thread_id", "tip_message_hash"} <= have or "parent_hash" not in columns(store, "messages"):
        return
    messages = _Messages(store)
    for row in store.execute(f"SELECT {_select(_NEW, have)} FROM turns"):
        identifier, thread, parent, tip, model = (as_text(value).strip() for value in row[:5])
        if not identifier:
            yield Skipped(f"{file}: turns", "a turn without an id", failed=True)
            continue
        prompt, answer, is_whole = messages.turn(parent, tip)
        if not is_whole:
            yield Skipped(
                f"{file}#{thread or identifier}/{identifier}", "messages of the turn are missing", failed=True
            )
        log.add(thread, Turn(identifier, prompt, answer, model, instant(_plain(row[5]))))
    have = columns(store, "threads")
    if {"id", "name"} <= have:
        for row in store.execute(f"SELECT {_select(('id', 'name', 'forked_from'), have)} FROM threads"):
            thread, name, forked_from = (as_text(value).strip() for value in row)
            log.name(thread, name)
            if thread and forked_from:
                log.forks[thread] = forked_from


class _Messages:
    """Messages by their hash. Threads that begin alike share them, so they belong to none."""

    def __init__(self, store: sqlite3.Connection) -> None:
        self._store = store
        have = columns(store, "parts")
        self._has_parts = {"message_hash", "type"} <= have
        self._parts = (
            f"SELECT {_select(('type', 'text', 'payload', 'position'), have)} FROM parts WHERE message_hash = ?"
        )
        self._has_role = "role" in columns(store, "messages")
        self._has_fragments = {"id", "content"} <= columns(store, "fragments")

    def turn(self, parent: str, tip: str) -> tuple[str, str, bool]:
        """Prompt and answer of a turn, and whether its messages reach from `tip` back to `parent`."""
        answers: list[str] = []
        current, steps = tip, 0
        while current and current != parent and steps < _CHAIN:
            row = self._row(current)
            if row is None:
                break
            if row[0] == "assistant":
                answers.append(self._text(current))
            current, steps = row[1], steps + 1
        answer = "\n\n".join(part for part in reversed(answers) if part)
        asked = self._row(parent) if parent else None
        prompt = self._text(parent) if asked is not None and asked[0] == "user" else ""
        return prompt, answer, current == parent and (not parent or asked is not None)

    def _row(self, digest: str) -> tuple[str, str] | None:
        role = "role" if self._has_role else "NULL"
        row = self._store.execute(f"SELECT {role}, parent_hash FROM messages WHERE hash = ?", (digest,)).fetchone()
        return (as_text(row[0]), as_text(row[1])) if row else None

    def _text(self, digest: str) -> str:
        """The text parts of a message; reasoning, calls of tools, their results and attachments are left out."""
        if not self._has_parts:
            return ""
        rows = self._store.execute(self._parts, (digest,)).fetchall()
        rows.sort(key=lambda row: row[3] if isinstance(row[3], int) else 0)
        found = [as_text(row[1]) or self._referred(as_text(row[2])) for row in rows if as_text(row[0]) == "text"]
        return "\n".join(part for part in found if part.strip()).strip()

    def _referred(self, payload: str) -> str:
        """The text that a payload is put together of: `{"text_ref": [{"fragment": id}, {"literal": "…"}]}`."""
        try:
            value = json.loads(payload) if payload else None
        except (ValueError, RecursionError):
            return ""
        found: list[str] = []
        for part in entries(value, "text_ref"):
            number = part.get("fragment") if isinstance(part, dict) else None
            if isinstance(number, int) and abs(number) < 2**63 and self._has_fragments:
                row = self._store.execute("SELECT content FROM fragments WHERE id = ?", (number,)).fetchone()
                found.append(as_text(row[0]) if row else "")
            else:
                found.append(text(part, "literal"))
        return "".join(found)


def _select(wanted: tuple[str, ...], have: frozenset[str]) -> str:
    """The columns wanted, NULL for those that this version of the table lacks."""
    return ", ".join(f'"{name}"' if name in have else "NULL" for name in wanted)


def _plain(value: Any) -> Any:
    return as_text(value) if isinstance(value, bytes) else value
