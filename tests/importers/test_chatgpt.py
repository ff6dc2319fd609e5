"""ChatGPT: damage, zips and shards, missing times and titles, branches, and what a later export changes."""

import json
import shutil
import zipfile
from pathlib import Path
from typing import Any

import pytest
from importer_fixtures import DATA
from memhub_importers import chatgpt, claude_ai
from session_fixtures import read

from memhub import Memory
from memhub.model.record import Conversation

ODD = DATA / "chatgpt-odd" / "conversations.json"


def _node(key: str, parent: str | None, role: str, parts: list[Any], **more: Any) -> dict[str, Any]:
    message = {
        "id": key,
        "author": {"role": role},
        "content": {"content_type": "text", "parts": parts},
        "recipient": "all",
    }
    return {"id": key, "parent": parent, "children": [], "message": message | {"metadata": {}} | more}


def _export(*nodes: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"id": "c1", "current_node": nodes[-1]["id"], "mapping": {node["id"]: node for node in nodes}} | more


def _one(tmp_path: Path, data: Any) -> Conversation:
    (tmp_path / "conversations.json").write_text(json.dumps([data]), encoding="utf-8")
    (found,), _, _ = read(chatgpt, tmp_path / "conversations.json")
    return found


def _texts(conversation: Conversation) -> list[str]:
    return [message.content for message in conversation.messages]


def test_every_shard_of_a_zip_is_read_and_nothing_else(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "2026-03-01-export.zip", "w") as archive:
        for n in (1, 0):
            data = [_export(_node("u", None, "user", [f"Question {n}"]), id=f"c{n}")]
            archive.writestr(f"conversations-00{n}.json", json.dumps(data))
        archive.writestr("shared_conversations.json", "[]")
        archive.writestr("chat.html", "<html>")
        archive.writestr("../conversations.json", "[]")
    found, skipped, _ = read(chatgpt, tmp_path / "2026-03-01-export.zip")
    assert [_texts(one) for one in found] == [["Question 0"], ["Question 1"]]
    assert skipped == [("../conversations.json", "its name leads out of the archive", True)]
    assert chatgpt.sniff(tmp_path / "2026-03-01-export.zip")
    assert not claude_ai.sniff(tmp_path / "2026-03-01-export.zip")
    assert chatgpt.survey(tmp_path / "2026-03-01-export.zip") == (2, "conversations")
    assert chatgpt.origin(tmp_path / "2026-03-01-export.zip").scope == "chatgpt"


def test_missing_times_and_titles() -> None:
    found, skipped, _ = read(chatgpt, ODD)
    assert [(one.info.title, one.info.started_at, one.info.ended_at) for one in found] == [
        ("Glue for teak", "2026-02-13T16:26:40Z", "2026-02-13T16:26:50Z"),
        ("Open time", None, "2026-02-14T20:13:32Z"),
        (None, None, None),
        (None, "2026-02-17T09:00:00Z", None),
    ]
    assert [[message.at for message in one.messages] for one in found] == [
        ["2026-02-13T16:26:41Z", "2026-02-13T16:26:49Z"],
        ["2026-02-14T20:13:21Z", "2026-02-14T20:13:31Z"],
        [None, None],
        [None, None],
    ]
    assert skipped == [("conversations.json: New chat", "never used: no prompt in it", False)]


def test_missing_times_and_titles_in_the_knowledge_base(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MH_HOME", str(tmp_path / "home"))
    with Memory(tmp_path / "mh.db") as memory:
        for is_dry in (True, False):
            report = memory.import_(ODD, dry_run=is_dry)
            assert (report.created, report.turns, report.unchanged) == (4, 8, 0)
            assert [(one.why, one.failed) for one in report.skipped] == [("never used: no prompt in it", False)]
        threads = {thread.title: thread for thread in memory.threads()}
        assert threads.keys() == {"Glue for teak", "Open time", "刨刃磨到多少度合适？", "Is shellac food safe?"}
        assert [thread.length for thread in threads.values()] == [2, 2, 2, 2]
        assert threads["Open time"].started_at == "2026-02-14T20:13:21Z"
        assert threads["刨刃磨到多少度合适？"].started_at is None
        assert threads["Is shellac food safe?"].started_at == "2026-02-17T09:00:00Z"
        assert memory.search("刨刃").hits[0].item.content == "刨刃磨到多少度合适？\n软木和硬木要分开吗？"
        assert "Is shellac food safe?" in [hit.item.content for hit in memory.search("shellac").hits]
        before = len(memory.operations(limit=0))
        again = memory.import_(ODD)
        assert (again.created, again.updated, again.turns, again.operation) == (0, 0, 0, None)
        assert len(memory.operations(limit=0)) == before


def test_the_branch_that_is_shown(tmp_path: Path) -> None:
    nodes = [
        _node("u", None, "user", ["Which?"]),
        _node("a1", "u", "assistant", ["First"], create_time=10.0),
        _node("a2", "u", "assistant", ["Second"], create_time=20.0, end_turn=True),
    ]
    assert _texts(_one(tmp_path, _export(*nodes, current_node="a1"))) == ["Which?", "First"]
    lost = _one(tmp_path, _export(*nodes, current_node="gone"))
    assert _texts(lost) == ["Which?", "Second"]
    assert lost.warnings == ("c1: which branch is shown is not said; the newest of 2 was read",)
    assert lost.messages[1].attrs == {"final": True}


def test_parents_in_a_circle_end(tmp_path: Path) -> None:
    nodes = [_node("u", "a", "user", ["Round"]), _node("a", "u", "assistant", ["and round"])]
    assert _texts(_one(tmp_path, _export(*nodes))) == ["Round", "and round"]


def test_what_is_shown_of_a_message(tmp_path: Path) -> None:
    hidden = {"metadata": {"is_visually_hidden_from_conversation": True}}
    voice = {"content_type": "audio_transcription", "text": "said aloud"}
    image = {"content_type": "image_asset_pointer", "text": "no"}
    found = _one(
        tmp_path,
        _export(
            _node("u", None, "user", ["one", "", image, voice, 7, None]),
            _node("h", "u", "user", ["hidden"], **hidden),
            _node("t", "h", "assistant", ["to a tool"], recipient="python"),
            _node("o", "t", "tool", ["from a tool"]),
            _node(
                "a", "o", "assistant", ["Cited \ue200cite\ue202turn0\ue201.\ue200 \ue200x\ue201 End"], recipient=None
            ),
        ),
    )
    assert _texts(found) == ["one\n\nsaid aloud", "Cited.\ue200 End"]


def test_a_time_that_cannot_be_read_is_named_and_not_invented(tmp_path: Path) -> None:
    for time in ("soon", -5, float("nan"), 1e300, True, [1]):
        found = _one(tmp_path, _export(_node("u", None, "user", ["?"]), create_time=time))
        assert found.info.started_at is None
        assert found.warnings[0].startswith("c1: the time `")
    assert _one(tmp_path, _export(_node("u", None, "user", ["?"]), create_time="1767225600")).info.started_at == (
        "2026-01-01T00:00:00Z"
    )


def test_a_later_export_changes_what_grew_and_an_older_one_nothing(tmp_path: Path) -> None:
    first, second = _node("u", None, "user", ["One"]), _node("a", "u", "assistant", ["Two"])
    file = tmp_path / "conversations.json"
    old, new = _export(first, update_time=1767225600), _export(first, second, update_time=1767225700)
    file.write_text(json.dumps([old, _export(first, id="c2")]))
    _, _, cursors = read(chatgpt, file)
    file.write_text(json.dumps([new, _export(first, id="c2")]))
    (again,), _, later = read(chatgpt, file, cursors)
    assert _texts(again) == ["One", "Two"]
    file.write_text(json.dumps([old, _export(first, id="c2")]))
    assert read(chatgpt, file, cursors | later) == ([], [], {})


def test_a_conversation_without_an_id_keeps_one_of_its_own(tmp_path: Path) -> None:
    data = _export(_node("u", None, "user", ["One"]), id=None, create_time=1767225600)
    key = _one(tmp_path, data).info.key
    grown = _export(
        _node("u", None, "user", ["One"]), _node("a", "u", "assistant", ["2"]), id="", create_time=1767225600
    )
    assert key is not None
    assert key[2].startswith("#")
    assert _one(tmp_path, grown).info.key == key


def test_what_is_no_export_is_not_claimed(tmp_path: Path) -> None:
    (tmp_path / "package.json").write_text('{"mapping": {}}')
    (tmp_path / "conversations.txt").write_text('[{"mapping": {}}]')
    assert not chatgpt.sniff(tmp_path)
    assert not chatgpt.sniff(tmp_path / "conversations.txt")
    assert read(chatgpt, tmp_path)[1] == [(tmp_path.name, "no `conversations.json` in it", True)]
    shutil.copytree(DATA / "claude-ai", tmp_path / "claude")
    assert not chatgpt.sniff(tmp_path / "claude")
    assert claude_ai.sniff(tmp_path / "claude")
