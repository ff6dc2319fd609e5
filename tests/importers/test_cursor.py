"""Cursor: damage, live stores, projects, sub-agents, and what makes a chat come again."""

import json
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from memhub_importers import cursor
from session_fixtures import copy, read

STORE = Path("Cursor/User/globalStorage/state.vscdb")
FIRST, SECOND = "11111111-aaaa-4bbb-8ccc-000000000001", "11111111-aaaa-4bbb-8ccc-000000000002"


@contextmanager
def _writing(store: Path) -> Iterator[sqlite3.Connection]:
    connection = sqlite3.connect(store)
    with connection:
        yield connection
    connection.close()


def _put(connection: sqlite3.Connection, key: str, value: object) -> None:
    connection.execute("INSERT INTO cursorDiskKV VALUES (?, ?)", (key, json.dumps(value, separators=(",", ":"))))


def test_answers_that_end_a_turn_are_final(tmp_path: Path) -> None:
    found, skipped, _ = read(cursor, copy("cursor", tmp_path) / "Cursor")
    assert [message.attrs.get("final", False) for message in found[0].messages] == [False, False, True, False, True]
    assert [message.at for message in found[0].messages][3:] == [None, "2026-03-02T09:16:00Z"]
    assert found[0].messages[1].attrs["model"] == "claude-4.5-sonnet"
    assert skipped == [("11111111-aaaa-4bbb-8ccc-000000000003", "never used: no prompt in it", False)]


def test_a_new_turn_of_a_running_editor_brings_its_chat_alone(tmp_path: Path) -> None:
    home = copy("cursor", tmp_path)
    writer = sqlite3.connect(home / STORE)
    writer.execute("PRAGMA journal_mode = WAL")
    _, _, cursors = read(cursor, home / "Cursor")
    (value,) = writer.execute("SELECT value FROM cursorDiskKV WHERE key = ?", (f"composerData:{FIRST}",)).fetchone()
    data = json.loads(value)
    data["fullConversationHeadersOnly"].append({"bubbleId": "b9", "type": 1})
    _put(writer, f"composerData:{FIRST}", data)
    _put(writer, f"bubbleId:{FIRST}:b9", {"type": 1, "text": "One more thing"})
    writer.commit()
    assert (home / STORE).with_name("state.vscdb-wal").stat().st_size > 0
    again, _, later = read(cursor, home / "Cursor", cursors)
    assert [one.info.key[2] for one in again] == [FIRST]
    assert again[0].messages[-1].content == "One more thing"
    assert read(cursor, home / "Cursor", cursors | later) == ([], [], {})
    writer.close()


def test_a_write_that_concerns_no_chat_brings_none(tmp_path: Path) -> None:
    home = copy("cursor", tmp_path)
    _, _, cursors = read(cursor, home / "Cursor")
    with _writing(home / STORE) as connection:
        connection.execute("INSERT INTO ItemTable VALUES ('window.size', '1')")
        _put(connection, f"bubbleId:{FIRST}:orphan", {"type": 1, "text": "never listed"})
    assert read(cursor, home / "Cursor", cursors)[0] == []


def test_a_sub_agent_is_linked_to_the_chat_that_started_it_also_when_it_sorts_first(tmp_path: Path) -> None:
    home = copy("cursor", tmp_path)
    with _writing(home / STORE) as connection:
        child = {"conversation": [{"bubbleId": "c1", "type": 1, "text": "look around"}], "createdAt": 1772442900000}
        _put(connection, "composerData:00000000-child", child)
        parent = {
            "conversation": [{"bubbleId": "p1", "type": 1, "text": "start one"}],
            "subComposerIds": ["00000000-child"],
        }
        _put(connection, "composerData:22222222-parent", parent)
    found, _, _ = read(cursor, home / "Cursor")
    assert {one.info.key[2]: one.info.parent for one in found if one.info.parent} == {
        "00000000-child": "22222222-parent"
    }


def test_the_folder_comes_from_the_chat_the_workspace_it_names_or_the_one_that_lists_it(tmp_path: Path) -> None:
    home = copy("cursor", tmp_path)
    workspaces = home / "Cursor/User/workspaceStorage"
    (workspaces / "aaaa").mkdir()
    (workspaces / "aaaa/workspace.json").write_text('{"folder": "vscode-remote://wsl%2Bubuntu/home/mira/far%20away"}')
    chat = {"conversation": [{"bubbleId": "b", "type": 1, "text": "where?"}]}
    with _writing(home / STORE) as connection:
        _put(connection, "composerData:c-1", chat | {"workspaceIdentifier": {"id": "aaaa"}})
        _put(connection, "composerData:c-2", chat)
        _put(connection, "composerData:c-3", chat | {"workspaceIdentifier": {"id": "../../x"}})
        headers = {"allComposers": [{"composerId": "c-2", "workspaceIdentifier": {"id": "aaaa"}}]}
        connection.execute("INSERT INTO ItemTable VALUES (?, ?)", ("composer.composerHeaders", json.dumps(headers)))
    folders = {one.info.key[2]: one.info.folder for one in read(cursor, home / "Cursor")[0]}
    assert folders == {
        FIRST: "/home/mira/work/lantern",
        SECOND: "/home/mira/work/old lamp",
        "c-1": "/home/mira/far away",
        "c-2": "/home/mira/far away",
        "c-3": None,
    }


def test_a_chat_whose_value_is_no_json_costs_itself_and_is_tried_again(tmp_path: Path) -> None:
    home = copy("cursor", tmp_path)
    with _writing(home / STORE) as connection:
        connection.execute("INSERT INTO cursorDiskKV VALUES ('composerData:bad', '{\"cut')")
    found, skipped, cursors = read(cursor, home / "Cursor")
    assert len(found) == 2
    assert skipped[-1] == ("composerData:bad", "no JSON object", True)
    assert not any(place.startswith("store:") for place in cursors)
    again, skipped, _ = read(cursor, home / "Cursor", cursors)
    assert again == []
    assert [one.where for one in skipped] == ["composerData:bad"]


def test_every_way_to_name_the_store(tmp_path: Path) -> None:
    home = copy("cursor", tmp_path)
    for path in (home, home / "Cursor", home / "Cursor/User", home / "Cursor/User/globalStorage", home / STORE):
        assert cursor.sniff(path), path
        assert len(read(cursor, path)[0]) == 2
    assert cursor.survey(home / "Cursor") == (3, "chats")
    config = home / ".config"
    config.mkdir()
    (home / "Cursor").rename(config / "Cursor")
    assert cursor.places(home, {}) == [config / "Cursor/User"]
    assert cursor.places(tmp_path / "x", {"XDG_CONFIG_HOME": str(config)}) == [config / "Cursor/User"]


def test_the_store_of_another_editor_is_none_of_cursors(tmp_path: Path) -> None:
    store = tmp_path / "Code/User/globalStorage/state.vscdb"
    store.parent.mkdir(parents=True)
    with _writing(store) as connection:
        connection.execute("CREATE TABLE ItemTable (key TEXT UNIQUE, value BLOB)")
    assert not cursor.sniff(tmp_path / "Code")
    assert read(cursor, tmp_path / "Code")[1] == [("state.vscdb", "no chats of Cursor in it", False)]
