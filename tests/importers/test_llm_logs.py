"""The log of `llm`: both generations of tables in one file, forks, tools, its JSON, a log that grows, damage."""

import json
import sqlite3
from pathlib import Path
from typing import Any

from importer_fixtures import copy_fixture
from memhub_importers import llm_logs
from session_fixtures import check_shape, read

from memhub.model.record import Conversation

B = "01j0000000000000000000000b"


def database(folder: Path) -> Path:
    """A copy of the fixture."""
    return copy_fixture("llm", folder) / "logs.db"


def change(path: Path, *statements: str) -> None:
    """Runs statements on a database."""
    with sqlite3.connect(path) as connection:
        for statement in statements:
            connection.execute(statement)
    connection.close()


def thread(path: Path, identifier: str) -> Conversation:
    """One conversation of the log."""
    return next(x for x in read(llm_logs, path)[0] if x.info.key is not None and x.info.key[2] == identifier)


def test_turns_of_both_generations_stand_in_their_order(tmp_path: Path) -> None:
    found = thread(database(tmp_path), "01j0000000000000000000000a")
    assert [(message.role, message.content) for message in found.messages] == [
        ("user", "Is my wheel true?"),
        ("assistant", "Spin it and look at the brake pad."),
        ("user", "What tightens a spoke?"),
        ("assistant", "A spoke key. Turn it a quarter at a time."),
        ("user", "And if the wheel wobbles left?"),
        ("assistant", "Tighten the right-hand spokes there."),
    ]
    assert [(message.at, message.id) for message in found.messages[:3]] == [
        ("2026-07-31T09:00:00Z", "01hzzzzzzzzzzzzzzzzzzzzz0a"),
        ("2026-07-31T09:00:00Z", "01hzzzzzzzzzzzzzzzzzzzzz0a#answer"),
        ("2026-08-01T10:00:00Z", "01j0000000000000000000001a"),
    ]
    assert [message.attrs.get("model") for message in found.messages if message.role == "assistant"] == [
        "gpt-old", "gpt-x", "gpt-x",
    ]  # fmt: skip
    assert all(message.attrs.get("final") for message in found.messages if message.role == "assistant")


def test_a_turn_with_tools_is_one_answer(tmp_path: Path) -> None:
    path = database(tmp_path)
    change(
        path,
        "INSERT INTO messages VALUES ('call','b2:e19347d21854cfc590ade361bd55f76b','assistant',NULL),"
        "('result','call','tool',NULL),('last','result','assistant',NULL)",
        "INSERT INTO parts VALUES (50,'call',0,'text',NULL,'Let me look.',NULL),"
        "(51,'call',1,'tool_call','search',NULL,'{\"q\":1}'),(52,'result',0,'tool_result','search','secret',NULL),"
        "(53,'last',0,'reasoning',NULL,'hmm',NULL),(54,'last',1,'text',NULL,'Found it.',NULL)",
        f"INSERT INTO turns (id, thread_id, parent_message_hash, tip_message_hash) VALUES ('02','{B}',"
        "'b2:e19347d21854cfc590ade361bd55f76b','last')",
    )
    found = thread(path, B)
    assert [message.content for message in found.messages if message.id == "02#answer"] == ["Let me look.\n\nFound it."]
    assert "02" not in {message.id for message in found.messages}, "the turn answers no prompt of its own"


def test_fragments_stand_before_the_prompt_of_an_old_response(tmp_path: Path) -> None:
    path = database(tmp_path)
    change(path, "INSERT INTO prompt_fragments VALUES ('01h000000000000000000001aa', 1, 0)")
    found = thread(path, "01h000000000000000000000aa")
    assert found.messages[0].content == "Long manual text about hubs.\nName a good chain oil"


def test_a_log_that_has_not_changed_is_passed_over_and_one_that_grew_gives_what_grew(tmp_path: Path) -> None:
    path = database(tmp_path)
    first, _, cursors = read(llm_logs, path)
    assert len(first) == 3
    assert read(llm_logs, path, cursors) == ([], [], {})
    change(path, "UPDATE parts SET text = 'Loosen them.' WHERE id = 6")
    again, _, after = read(llm_logs, path, cursors)
    assert [x.info.key[2] for x in again if x.info.key] == [B]
    assert again[0].messages[-1].content == "Loosen them."
    assert [message.id for message in again[0].messages] == [message.id for message in first[2].messages]
    assert set(after) == {B, "logs.db"}


def test_the_log_is_found_where_the_tool_keeps_it(tmp_path: Path) -> None:
    for folder in (tmp_path / ".config" / "io.datasette.llm", tmp_path / "own"):
        folder.mkdir(parents=True)
        (folder / "logs.db").write_bytes(database(folder).read_bytes())
    assert llm_logs.places(tmp_path, {}) == [tmp_path / ".config" / "io.datasette.llm" / "logs.db"]
    assert llm_logs.places(tmp_path, {"LLM_USER_PATH": str(tmp_path / "own")})[0] == tmp_path / "own" / "logs.db"
    assert llm_logs.survey(tmp_path / "own" / "logs.db") == (3, "conversations")
    assert llm_logs.sniff(tmp_path / "own") is True
    assert llm_logs.origin(tmp_path / "own") == llm_logs.origin(tmp_path / "own" / "logs.db") == ("llm", "logs")


def rows() -> list[dict[str, Any]]:
    """What `llm logs --json` prints."""
    return [
        {"id": f"0{n}", "model": "m", "prompt": f"p{n}", "response": f"r{n}", "conversation_id": "c",
         "conversation_name": "Wax", "datetime_utc": f"2025-02-16T22:34:3{n}.374882"}
        for n in (2, 1)
    ]  # fmt: skip


def test_the_json_that_the_tool_prints(tmp_path: Path) -> None:
    path = tmp_path / "logs.json"
    path.write_text(json.dumps([*rows(), {"prompt": "no id"}, 7]))
    assert llm_logs.sniff(path) is True
    (found,), skipped, _ = read(llm_logs, path)
    assert found.info.title == "Wax"
    assert found.info.key == ("llm", "logs", "c")
    assert [message.content for message in found.messages] == ["p1", "r1", "p2", "r2"]
    assert [place.where for place in skipped] == ["logs.json: row 3", "logs.json: row 4"]


def test_a_broken_chain_is_named_and_the_rest_arrives(tmp_path: Path) -> None:
    path = database(tmp_path)
    change(path, "DELETE FROM messages WHERE hash = 'b2:2b81a33476f04b7a6c894973757caf94'")
    found, skipped, _ = read(llm_logs, path)
    assert len(found) == 3
    assert [(place.where, place.failed) for place in skipped] == [(f"logs.db#{B}/01j0000000000000000000002b", True)]


def test_a_chain_in_a_circle_ends(tmp_path: Path) -> None:
    path = database(tmp_path)
    change(path, "UPDATE messages SET parent_hash = 'b2:e19347d21854cfc590ade361bd55f76b'")
    for outcome in llm_logs.read(path, scope="logs"):
        check_shape(outcome)
