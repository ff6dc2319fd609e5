"""Copies a session fixture, builds its databases, and shows what an importer yields in the form of `expected.json`."""

import json
import re
import shutil
import sqlite3
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from importer_fixtures import DATA
from memhub_importers.registry import Importer, choose
from memhub_importers.values import first_line

from memhub.model import EMPTY
from memhub.model.record import Conversation, Cursor, Record, Skipped

# What is handed to the importer, from the fixture folder, where it is not the folder's only entry. Several: each once.
ROOTS: Mapping[str, tuple[str, ...]] = {
    "cline": ("Code", ".cline"),
    "opencode": (".local/share/opencode",),
    "chatgpt": (".",),
    "claude-ai": (".",),
    "gemini-takeout": ("Takeout",),
    "goose": (".local/share/goose",),
    "zed": (".local/share/zed",),
    "amp": (".local/share/amp",),
    "crush": ("work",),
}
_INSTANT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ")
_KEYS = ("id", "tool", "project", "title", "started_at", "ended_at", "messages")
Outcome = Record | Conversation | Skipped | Cursor


def expected(slug: str) -> list[dict[str, Any]]:
    """The sessions of a fixture."""
    wanted: list[dict[str, Any]] = json.loads((DATA / slug / "expected.json").read_text(encoding="utf-8"))
    return wanted


def copy(slug: str, to: Path) -> Path:
    """A copy of the fixture `slug` without `expected.json`, each `X.sql` made into the database `X`."""
    home = shutil.copytree(DATA / slug, to / slug)
    (home / "expected.json").unlink()
    for dump in sorted(home.rglob("*.sql")):
        with sqlite3.connect(dump.with_suffix("")) as database:
            database.executescript(dump.read_text(encoding="utf-8"))
        database.close()
        dump.unlink()
    return home


def roots(slug: str, home: Path) -> list[Path]:
    """The paths that a user would import of the fixture copied to `home`."""
    if slug in ROOTS:
        return [home / name for name in ROOTS[slug]]
    (only,) = home.iterdir()
    return [only]


def read(
    importer: Importer, path: Path, cursors: Mapping[str, str] = EMPTY
) -> tuple[list[Conversation], list[Skipped], dict[str, str]]:
    """What one run yields: conversations, skipped places, and cursors by place. Checks the shape of each."""
    conversations: list[Conversation] = []
    skipped: list[Skipped] = []
    after: dict[str, str] = {}
    for outcome in importer.read(path, scope=importer.origin(path).scope, cursors=cursors):
        check_shape(outcome)
        if isinstance(outcome, Conversation):
            conversations.append(outcome)
        elif isinstance(outcome, Skipped):
            skipped.append(outcome)
        elif isinstance(outcome, Cursor):
            after[outcome.place] = outcome.value
    return conversations, skipped, after


def read_fixture(slug: str, home: Path, cursors: Mapping[Path, Mapping[str, str]] = EMPTY) -> Any:
    """(conversations, cursors by root) of all roots of a fixture, each read by the importer that claims it."""
    conversations: list[Conversation] = []
    after: dict[Path, dict[str, str]] = {}
    for root in roots(slug, home):
        _, importer = choose(root)
        assert importer.origin(root).kind == slug
        found, _, after[root] = read(importer, root, cursors.get(root, EMPTY))
        conversations += found
    return conversations, after


def check_shape(outcome: Any) -> None:
    """Fails unless `outcome` keeps the contract of an importer of conversations, whatever it was read from."""
    assert isinstance(outcome, Record | Conversation | Skipped | Cursor)
    if isinstance(outcome, Skipped):
        assert _is_text(outcome.where), outcome
        assert _is_text(outcome.why), outcome
        assert isinstance(outcome.failed, bool)
    elif isinstance(outcome, Cursor):
        assert _is_text(outcome.place), outcome
        assert _is_text(outcome.value), outcome
    elif isinstance(outcome, Conversation):
        _check_conversation(outcome)


def _check_conversation(conversation: Conversation) -> None:
    info = conversation.info
    assert info.key is not None
    assert all(_is_text(part) for part in info.key), info
    assert info.platform == info.key[0]
    assert info.whole is True
    for value in (info.title, info.folder, info.parent):
        assert value is None or _is_text(value), info
    for moment in (info.started_at, info.ended_at):
        assert moment is None or _INSTANT.fullmatch(moment), info
    ids = [message.id for message in conversation.messages]
    assert len(set(ids)) == len(ids), ids
    assert any(message.role == "user" for message in conversation.messages), "a session without a prompt"
    for message in conversation.messages:
        assert message.role in ("user", "assistant"), message
        assert _is_text(message.content), message
        assert message.content == message.content.strip()
        assert _is_text(message.id), message
        assert message.at is None or _INSTANT.fullmatch(message.at), message
        assert json.dumps(dict(message.attrs))
    assert all(_is_text(warning) for warning in conversation.warnings)


def _is_text(value: Any) -> bool:
    """A string that says something and that UTF-8 can hold."""
    return isinstance(value, str) and bool(value.strip()) and bool(value.encode("utf-8"))


def shown(conversations: Iterable[Conversation], home: Path) -> list[dict[str, Any]]:
    """The conversations in the form and order of `expected.json`; sub-agents are left out."""
    sessions = [_session(conversation, home) for conversation in conversations if conversation.info.parent is None]
    return sorted(sessions, key=lambda session: (session["started_at"] or "", session["id"]))


def _session(conversation: Conversation, home: Path) -> dict[str, Any]:
    info, messages = conversation.info, conversation.messages
    times = [message.at for message in messages if message.at]
    folder = info.folder
    if folder is not None and Path(folder).is_relative_to(home.resolve()):
        folder = Path(folder).relative_to(home.resolve()).as_posix()
    prompt = next(message.content for message in messages if message.role == "user")
    assert info.key is not None
    values = (
        # An id of Aider is that of `expected.json` after the time of the first chat: else two projects share theirs.
        info.key[2].rpartition("/")[2] if info.platform == "aider" else info.key[2],
        info.platform,
        folder,
        info.title or first_line(prompt),
        times[0] if times else info.started_at,
        times[-1] if times else info.ended_at,
        [{"role": message.role, "text": message.content} for message in messages],
    )
    return dict(zip(_KEYS, values, strict=True))
