"""Finds the folder that a chat of Cursor was about: the chat says it, or the workspace that lists the chat."""

import json
import re
import sqlite3
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from memhub_importers import sqlite, vscode
from memhub_importers.values import entries, table, text

# Named keys only: the same table holds login tokens.
_LISTS = "composer.composerData"
_HEADERS = "composer.composerHeaders"
_PANE = re.compile(r"workbench\.panel\.aichat\.view\.([0-9a-fA-F-]{36})")
_PANE_KEYS = ("workbench.panel.composerChatViewPane", "workbench.panel.aichat.view.")
_MOST = 16 * 1024 * 1024


class Projects:
    """What the workspaces of one Cursor say; they are read when the first chat needs them."""

    def __init__(self, connection: sqlite3.Connection, user: Path) -> None:
        self._connection = connection
        self._user = user
        self._by_chat: dict[str, str] | None = None

    def folder_of(self, chat: str, data: Mapping[str, Any]) -> str | None:
        """The folder of a chat, or None when nobody says."""
        uri = table(table(data, "workspaceIdentifier"), "uri")
        if folder := text(uri, "fsPath") or vscode.path_of(text(uri, "external")) or text(uri, "path"):
            return folder
        if named := self._workspace(text(table(data, "workspaceIdentifier"), "id")):
            return named
        if self._by_chat is None:
            self._by_chat = self._chats()
        return self._by_chat.get(chat)

    def _workspace(self, name: str) -> str | None:
        if not re.fullmatch(r"[A-Za-z0-9-]{1,64}", name):
            return None
        return vscode.workspace_folder(self._user / "workspaceStorage" / name)

    def _chats(self) -> dict[str, str]:
        found: dict[str, str] = {}
        for header in entries(_items(self._connection, (_HEADERS,)).get(_HEADERS), "allComposers"):
            folder = self._workspace(text(table(header, "workspaceIdentifier"), "id"))
            if folder:
                found.setdefault(text(header, "composerId"), folder)
        for store in sorted((self._user / "workspaceStorage").glob("*/state.vscdb")):
            folder = vscode.workspace_folder(store.parent)
            if folder is None:
                continue
            try:
                with sqlite.open_store(store) as connection:
                    for chat in _listed(_items(connection, (_LISTS,), _PANE_KEYS)):
                        found.setdefault(chat, folder)
            except sqlite.ERRORS:
                continue  # the chats of that workspace are known, their folder is not
        return found


def _items(connection: sqlite3.Connection, names: tuple[str, ...], prefixes: tuple[str, ...] = ()) -> dict[str, Any]:
    """The parsed values of named keys, and of keys that begin in a way."""
    if not {"key", "value"} <= sqlite.columns(connection, "ItemTable"):
        return {}
    query = "SELECT key, value FROM ItemTable WHERE length(value) < ? AND "
    found: dict[str, Any] = {}
    rows: list[tuple[Any, Any]] = []
    for name in names:
        rows += connection.execute(query + "key = ?", (_MOST, name)).fetchall()
    for prefix in prefixes:
        rows += connection.execute(query + "key >= ? AND key < ?", (_MOST, prefix, prefix + "\U0010ffff")).fetchall()
    for key, value in rows:
        try:
            found[sqlite.as_text(key)] = json.loads(sqlite.as_text(value))
        except (ValueError, RecursionError):
            found[sqlite.as_text(key)] = None
    return found


def _listed(items: Mapping[str, Any]) -> set[str]:
    """The ids of the chats that a workspace names."""
    chats = items.get(_LISTS)
    found = {text(entry, "composerId") for entry in entries(chats, "allComposers")}
    found.add(text(chats, "selectedComposerId"))
    for field in ("selectedComposerIds", "lastFocusedComposerIds"):
        found |= {chat for chat in entries(chats, field) if isinstance(chat, str)}
    for key, value in items.items():
        found |= set(_PANE.findall(key))
        if isinstance(value, dict):
            found |= {match[1] for name in value if isinstance(name, str) and (match := _PANE.match(name))}
    return found - {""}
