"""Gemini CLI: the log of operations, two files of one session, folders of projects, sub-agents, and damage."""

import json
from pathlib import Path
from typing import Any

from memhub_importers import gemini_cli
from session_fixtures import copy, read

ID = "7c0a9f52-1111-4222-8333-44445555"
META = {"sessionId": ID + "0001", "startTime": "2026-05-01T10:00:00.000Z", "kind": "main"}


def user(id: str, content: Any, **more: Any) -> dict[str, Any]:
    return {"id": id, "timestamp": "2026-05-01T10:00:01.500Z", "type": "user", "content": content, **more}


def answer(id: str, content: Any, **more: Any) -> dict[str, Any]:
    return {"id": id, "timestamp": "2026-05-01T10:00:02.500Z", "type": "gemini", "content": content, **more}


def log(tmp: Path, *records: Any, name: str = "session-2026-05-01T10-00-7c0a9f52.jsonl", project: str = "p") -> Path:
    path = tmp / ".gemini" / "tmp" / project / "chats" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = [record if isinstance(record, str) else json.dumps(record) for record in records]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def said(path: Path) -> list[str]:
    (conversation,), _, _ = read(gemini_cli, path)
    return [f"> {m.content}" if m.role == "user" else m.content for m in conversation.messages]


def test_final_answers_models_and_agents(tmp_path: Path) -> None:
    conversations, skipped, _ = read(gemini_cli, copy("gemini-cli", tmp_path) / ".gemini")
    by_id = {x.info.key[2]: x for x in conversations}
    messages = by_id["7c0a9f52-1111-4222-8333-444455556666"].messages
    assert [(message.id, dict(message.attrs)) for message in messages] == [
        ("m1", {}),
        ("m3", {"final": True, "model": "gemini-3-flash-preview"}),
        ("m6", {}),
        ("m8", {"final": True}),
    ]
    agent = by_id["7c0a9f52-1111-4222-8333-444455556666/sub-01"]
    assert agent.info.parent == "7c0a9f52-1111-4222-8333-444455556666"
    assert agent.messages[0].content == "Inspect src"
    assert [place.why for place in skipped] == ["never used: no prompt in it"]


def test_the_same_session_however_it_is_imported(tmp_path: Path) -> None:
    home = copy("gemini-cli", tmp_path) / ".gemini"
    conversations, _, cursors = read(gemini_cli, home)
    folders = {x.info.key[2]: x.info.folder for x in conversations}
    for path in (home / "tmp", home / "tmp/lantern", home / "tmp/lantern/chats"):
        assert gemini_cli.sniff(path), path
        assert read(gemini_cli, path, cursors)[0] == [], path
        assert {folders[x.info.key[2]] for x in read(gemini_cli, path)[0]} == {"/home/mira/work/lantern"}
    only = next(home.rglob("*7c0a9f52.jsonl"))
    assert gemini_cli.sniff(only)
    assert read(gemini_cli, only, cursors)[0] == []
    assert not gemini_cli.sniff(home / "tmp/lantern/logs.json")
    assert gemini_cli.survey(home) == (3, "sessions")
    assert gemini_cli.places(home.parent, {}) == [home]
    assert gemini_cli.places(Path("/nobody"), {"GEMINI_CLI_HOME": str(home.parent)}) == [home]


def test_the_log_is_replayed(tmp_path: Path) -> None:
    path = log(
        tmp_path,
        META,
        user("m1", [{"text": "He"}, {"text": "llo"}, "!", {"inlineData": {}}]),
        answer("m2", "Draft"),
        user("m3", "Gone"),
        {"$rewindTo": "m3"},
        answer("m2", [{"text": "thinking", "thought": True}, {"text": "Final"}]),
        {"type": "unheard of", "content": "x"},
        user("m4", "?help"),
        user("m5", "  /chat save"),
        user("m6", "<session_context>x"),
        user("m7", "@a.py", displayContent=""),
    )
    assert said(path) == ["> Hello!", "Final", "> @a.py"]
    log(tmp_path, META, user("m1", "All gone"), {"$rewindTo": "unknown"}, user("m2", "Anew"))
    assert said(path) == ["> Anew"]
    log(tmp_path, META, user("m1", "Stays"), '{"id":"m2","type":"us', {"$rewindTo": "m2"}, user("m3", "After"))
    assert said(path) == ["> Stays", "> After"], "the id may have been in the line that cannot be read"
    log(tmp_path, META, user("m1", "Old"), {"$set": {"messages": [user("n1", "New"), 7, {"type": "user"}]}})
    assert said(path) == ["> New"]


def test_two_files_of_one_session(tmp_path: Path) -> None:
    old = {**META, "lastUpdated": "2026-05-03T10:00:00Z", "messages": [user("m1", "Document")]}
    log(tmp_path, json.dumps(old), name="session-2026-05-01T10-00-7c0a9f52.json")
    path = log(tmp_path, META, user("m1", "Log"), name="session-2026-05-02T10-00-7c0a9f52.jsonl")
    assert said(tmp_path / ".gemini") == ["> Log"]
    path.write_text(json.dumps(META) + "\n")
    assert said(tmp_path / ".gemini") == ["> Document"], "the log is not begun yet"
    log(tmp_path, {**META, "sessionId": "7c0a9f52-other"}, user("m1", "Other"), name=path.name)
    both = {x.info.key[2]: x.messages[0].content for x in read(gemini_cli, tmp_path / ".gemini")[0]}
    assert both == {ID + "0001": "Document", "7c0a9f52-other": "Other"}


def test_where_the_folder_of_a_project_is_named(tmp_path: Path) -> None:
    path = log(tmp_path, META, user("m1", "Hello"), project="shed")

    def folder() -> str | None:
        return read(gemini_cli, path)[0][0].info.folder

    assert folder() is None
    log(tmp_path, {**META, "directories": ["/from/session"]}, user("m1", "Hello"), project="shed")
    assert folder() == "/from/session"
    (tmp_path / ".gemini" / "projects.json").write_text(json.dumps({"projects": {"/from/list": "shed", "/x": 7}}))
    assert folder() == "/from/list"
    (path.parents[1] / ".project_root").write_text("/from/root\n")
    assert folder() == "/from/root"
