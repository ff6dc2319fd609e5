"""OpenCode: three generations in one folder, what was taken back, and damage."""

import json
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from memhub_importers import opencode
from session_fixtures import copy, read

from memhub.model.record import Conversation

DATA = Path(".local/share/opencode")
TREE, EARLIER, LATER = "ses_41aa0000ffeA", "ses_39bb0000ffeC", "ses_2acc0000ffeD"


@contextmanager
def _writing(home: Path) -> Iterator[sqlite3.Connection]:
    connection = sqlite3.connect(home / DATA / "opencode.db")
    with connection:
        yield connection
    connection.close()


def _by_id(home: Path) -> dict[str, Conversation]:
    return {one.info.key[2]: one for one in read(opencode, home / DATA)[0]}


def _texts(conversation: Conversation) -> list[str]:
    return [message.content for message in conversation.messages]


def test_final_answers_models_and_sub_agents(tmp_path: Path) -> None:
    found = _by_id(copy("opencode", tmp_path))
    assert [message.attrs.get("final", False) for message in found[LATER].messages] == [False, False, True]
    assert found[EARLIER].messages[1].attrs == {"final": True, "model": "claude-sonnet-4-5"}
    assert found[TREE].messages[1].attrs == {"model": "claude-sonnet-4-5"}
    assert {key: one.info.parent for key, one in found.items() if one.info.parent} == {
        "ses_41aa0001ffeB": TREE,
        "ses_2acc0001ffeE": LATER,
    }


def test_what_was_taken_back_is_left_out(tmp_path: Path) -> None:
    home = copy("opencode", tmp_path)
    with _writing(home) as connection:
        revert = json.dumps({"messageID": "msg_c006"})
        connection.execute("UPDATE session SET revert = ? WHERE id = ?", (revert, EARLIER))
    assert _texts(_by_id(home)[EARLIER]) == ["What does night mode do?", "It caps brightness at 20%."]
    with _writing(home) as connection:
        part = '{"type":"text","text":"and more"}'
        connection.execute("INSERT INTO part VALUES ('prt_c002_09', 'msg_c002', ?, 1, 1, ?)", (EARLIER, part))
        revert = json.dumps({"messageID": "msg_c002", "partID": "prt_c002_09"})
        connection.execute("UPDATE session SET revert = ? WHERE id = ?", (revert, EARLIER))
    assert _texts(_by_id(home)[EARLIER]) == ["What does night mode do?", "It caps brightness at 20%."]


def test_a_session_in_the_database_hides_its_old_files(tmp_path: Path) -> None:
    home = copy("opencode", tmp_path)
    with _writing(home) as connection:
        connection.execute(
            "INSERT INTO session VALUES (?, '0f3c9a', NULL, NULL, '', '/moved', 'Count', '1', NULL, 1, 2, NULL, NULL)",
            (TREE,),
        )
        connection.execute("INSERT INTO message VALUES ('m1', ?, 1760000000000, 1, ?)", (TREE, '{"role":"user"}'))
        part = '{"type":"text","text":"from the database"}'
        connection.execute("INSERT INTO part VALUES ('p1', 'm1', ?, 1, 1, ?)", (TREE, part))
    found = _by_id(home)[TREE]
    assert (_texts(found), found.info.folder, found.info.title) == (["from the database"], "/moved", "Count")
    assert found.messages[0].at == "2025-10-09T08:53:20Z"


def test_a_later_row_without_messages_leaves_the_earlier_ones(tmp_path: Path) -> None:
    home = copy("opencode", tmp_path)
    with _writing(home) as connection:
        connection.execute("DELETE FROM session_message WHERE session_id = ?", (LATER,))
    assert _texts(_by_id(home)[LATER]) == ["Rename night mode to dusk"]


def test_a_database_without_the_earlier_tables_and_one_without_the_later(tmp_path: Path) -> None:
    home = copy("opencode", tmp_path)
    with _writing(home) as connection:
        for table in ("session_v2", "session_message"):
            connection.execute(f"DROP TABLE {table}")
    assert {EARLIER, LATER, TREE} <= _by_id(home).keys()
    home = copy("opencode", tmp_path / "b")
    with _writing(home) as connection:
        for table in ("session", "message", "part", "project"):
            connection.execute(f"DROP TABLE {table}")
    assert {LATER, TREE} <= _by_id(home).keys()


def test_a_deleted_message_brings_the_session_again(tmp_path: Path) -> None:
    home = copy("opencode", tmp_path)
    cursors = read(opencode, home / DATA)[2]
    with _writing(home) as connection:
        connection.execute("DELETE FROM message WHERE id = 'msg_c001'")
    again = read(opencode, home / DATA, cursors)[0]
    assert [one.info.key[2] for one in again] == [EARLIER]


def test_a_new_part_file_brings_the_session_again(tmp_path: Path) -> None:
    home = copy("opencode", tmp_path)
    cursors = read(opencode, home / DATA)[2]
    part = {"id": "prt_a00302", "type": "text", "text": "Or eight."}
    (home / DATA / "storage/part/msg_a003/prt_a00302.json").write_text(json.dumps(part))
    (again,) = read(opencode, home / DATA, cursors)[0]
    assert _texts(again)[-1] == "Seven.\n\nOr eight."


def test_the_oldest_layout(tmp_path: Path) -> None:
    base = tmp_path / "opencode/project/home-mira-lantern/storage/session"
    for name, value in {
        "info/ses_1.json": {
            "id": "ses_1",
            "title": "New session - 2025-06-01T10:00:00.000Z",
            "time": {"created": 1750000000000},
        },
        "message/ses_1/msg_1.json": {"id": "msg_1", "role": "user", "time": {"created": 1750000000000}},
        "message/ses_1/msg_2.json": {"id": "msg_2", "role": "assistant", "path": {"cwd": "/home/mira/lantern"}},
        "part/ses_1/msg_1/prt_1.json": {"id": "prt_1", "type": "text", "text": "Old?"},
        "part/ses_1/msg_2/prt_2.json": {"id": "prt_2", "type": "text", "text": "Very."},
    }.items():
        (base / name).parent.mkdir(parents=True, exist_ok=True)
        (base / name).write_text(json.dumps(value))
    (found,), skipped, _ = read(opencode, tmp_path / "opencode")
    assert sorted(_texts(found)) == ["Old?", "Very."]
    assert (found.info.title, found.info.folder, skipped) == (None, "/home/mira/lantern", [])


def test_every_way_to_name_the_store(tmp_path: Path) -> None:
    home = copy("opencode", tmp_path)
    for path in (home, home / ".local/share", home / DATA, home / DATA / "storage"):
        assert opencode.sniff(path), path
        assert len(read(opencode, path)[0]) == 5
    assert len(read(opencode, home / DATA / "opencode.db")[0]) == 3
    assert opencode.survey(home / DATA) == (5, "sessions")
    assert opencode.places(home, {}) == [home / DATA]
    assert opencode.places(tmp_path, {"XDG_DATA_HOME": str(home / ".local/share")}) == [home / DATA]
    elsewhere = home / "x.db"
    (home / DATA / "opencode.db").rename(elsewhere)
    assert opencode.places(tmp_path, {"OPENCODE_DB": str(elsewhere)}) == [elsewhere]


def test_outputs_of_tools_stay_in_the_database_and_a_broken_part_costs_itself(tmp_path: Path) -> None:
    home = copy("opencode", tmp_path)
    with _writing(home) as connection:
        connection.execute('UPDATE part SET data = \'{"type":"text","te\' WHERE id = \'prt_c002_02\'')
    found, skipped, _ = read(opencode, home / DATA)
    earlier = next(one for one in found if one.info.key[2] == EARLIER)
    assert _texts(earlier) == ["What does night mode do?", "When does it start?", "At 22:00."]
    assert skipped == [("part prt_c002_02", "no JSON object", True)]
