"""Codex: archived and compressed rollouts, forks, sub-agents, layers, names, and damage."""

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from fuzz import fuzz_files, run
from memhub_importers import codex, zstd
from session_fixtures import copy, read

from memhub.model.record import Skipped

ID = "019cad09-9999-7aaa-8bbb-0000000000"
META = {"type": "session_meta", "payload": {"id": ID + "01", "cwd": "/home/mira", "source": "cli"}}
packed = pytest.mark.skipif(
    zstd.reader() is None or shutil.which("zstd") is None, reason="nothing here packs and unpacks zstd"
)


def event(second: int, kind: str, **more: Any) -> dict[str, Any]:
    return {"timestamp": _time(second), "type": "event_msg", "payload": {"type": kind, **more}}


def item(second: int, role: str, *texts: str, **more: Any) -> dict[str, Any]:
    content = [{"type": "input_text" if role == "user" else "Output_Text", "text": text} for text in texts]
    payload = {"type": "message", "role": role, "content": content, **more}
    return {"timestamp": _time(second), "type": "response_item", "payload": payload}


def user(second: int, message: str) -> dict[str, Any]:
    return event(second, "user_message", message=message)


def agent(second: int, message: str, **more: Any) -> dict[str, Any]:
    return event(second, "agent_message", message=message, **more)


def _time(second: int) -> str:
    return f"2026-05-01T10:00:{second:02d}.250Z"


def rollout(folder: Path, *records: dict[str, Any], number: str = "01", below: str = "sessions/2026/05/01") -> Path:
    path = folder / below / f"rollout-2026-05-01T10-00-00-{ID}{number}.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
    return path


def said(path: Path) -> list[str]:
    """The texts of the only conversation, users marked with `>`, final answers with `!`."""
    (conversation,), skipped, _ = read(codex, path)
    assert skipped == []
    marks = ["> " if m.role == "user" else "! " if m.attrs.get("final") else "" for m in conversation.messages]
    return [mark + message.content for mark, message in zip(marks, conversation.messages, strict=True)]


def test_models_and_final_answers(tmp_path: Path) -> None:
    conversations, skipped, _ = read(codex, copy("codex", tmp_path) / ".codex")
    assert skipped == []
    by_id = {x.info.key[2][-2:]: x for x in conversations}
    wrapped = by_id["01"].messages
    assert [dict(message.attrs) for message in wrapped if message.role == "assistant"] == [
        {"model": "gpt-5.2-codex"},
        {"final": True, "model": "gpt-5.2-codex"},
        {"final": True, "model": "gpt-5.2-codex"},
    ]
    assert [message.id for message in wrapped][:2] == [
        "user:2026-02-10T10:00:01.100Z",
        "assistant:2026-02-10T10:00:05.000Z",
    ]
    assert [message.id for message in by_id["03"].messages] == ["#1", "#2"]
    assert by_id["04"].info.parent == by_id["01"].info.key[2]


def test_the_same_thread_however_it_is_imported(tmp_path: Path) -> None:
    home = copy("codex", tmp_path) / ".codex"
    _, _, cursors = read(codex, home)
    assert len(cursors) == 4
    for path in (home / "sessions", home / "sessions/2026", home / "sessions/2026/02", *home.rglob("rollout-*")):
        assert codex.sniff(path), path
        assert read(codex, path, cursors)[0] == [], path
    assert codex.survey(home) == (4, "sessions")
    assert codex.places(home.parent, {}) == codex.places(Path("/nobody"), {"CODEX_HOME": str(home)}) == [home]
    # Archiving moves the file; a new name in the index brings the thread again.
    path = next(home.rglob("*000000000002.jsonl"))
    (home / "archived_sessions").mkdir()
    path.rename(home / "archived_sessions" / path.name)
    assert read(codex, home, cursors)[0] == []
    with (home / "session_index.jsonl").open("a") as index:
        index.write(json.dumps({"id": path.stem[-36:], "thread_name": "Safe ember"}) + "\n")
    assert [x.info.title for x in read(codex, home, cursors)[0]] == ["Safe ember"]


def test_the_active_copy_wins_over_the_archived_one(tmp_path: Path) -> None:
    rollout(tmp_path, META, user(1, "Old copy"), below="archived_sessions")
    rollout(tmp_path, META, user(1, "Active copy"))
    assert said(tmp_path) == ["> Active copy"]


def test_without_a_reader_a_compressed_rollout_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(zstd, "reader", lambda: None)
    path = rollout(tmp_path, META, user(1, "Hidden"), number="02")
    path.rename(path.with_name(path.name + ".zst"))
    rollout(tmp_path, META, user(1, "Plain"))
    conversations, (skipped,), cursors = read(codex, tmp_path)
    assert [x.messages[0].content for x in conversations] == ["Plain"]
    assert skipped.where.endswith(".jsonl.zst")
    assert not skipped.failed
    assert "zstandard" in skipped.why
    assert len(cursors) == 1, "it is read as soon as it can be"
    rollout(tmp_path, META, user(1, "Unpacked"), number="02")
    assert [x.messages[0].content for x in read(codex, tmp_path, cursors)[0]] == ["Unpacked"], "a plain copy hides it"


@packed
def test_compressed_rollouts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = rollout(tmp_path, META, user(1, "Packed"), agent(2, "Read."))
    data = path.read_bytes()
    subprocess.run(["zstd", "-q", "--rm", str(path)], check=True)
    assert said(tmp_path) == ["> Packed", "! Read."]
    whole = next(tmp_path.rglob("*.zst"))
    fuzz_files(codex, whole, [whole], 60)
    subprocess.run(["zstd", "-q", "-f", "-o", str(whole), "-"], input=data + bytes(50_000_000), check=True)
    monkeypatch.setattr(zstd, "MOST", 10_000_000)
    skipped = [x for x in run(codex, tmp_path, "a bomb") if isinstance(x, Skipped)]
    assert "unpacks to more than" in skipped[-1].why


def test_a_fork_leaves_out_what_the_parent_has(tmp_path: Path) -> None:
    shared = [event(0, "task_started", turn_id="t1"), user(1, "Begin"), agent(2, "Begun.")]
    rollout(tmp_path, META, *shared)
    meta = {"type": "session_meta", "payload": {"id": ID + "02", "forked_from_id": ID + "01"}}
    more = [event(3, "task_started", turn_id="t2"), user(4, "Differ"), agent(5, "So.")]
    rollout(tmp_path, meta, META, *shared, *more, number="02")
    by_id = {x.info.key[2][-2:]: [m.content for m in x.messages] for x in read(codex, tmp_path)[0]}
    assert by_id == {"01": ["Begin", "Begun."], "02": ["Differ", "So."]}
    next(tmp_path.rglob("*01.jsonl")).unlink()
    assert [m.content for m in read(codex, tmp_path)[0][0].messages] == ["Begin", "Begun.", "Differ", "So."]


def test_injected_text_is_left_out_of_the_layer_of_the_model(tmp_path: Path) -> None:
    path = rollout(
        tmp_path,
        item(0, "user", "# AGENTS.md instructions for /x", "<environment_context><cwd>/from/context</cwd>"),
        item(1, "user", "<skills>x", "Real prompt"),
        item(2, "developer", "Be brief"),
        item(3, "assistant", "One", "Two"),
        item(4, "user", "<turn_aborted>"),
    )
    assert said(path) == ["> Real prompt", "! One\n\nTwo"]
    (conversation,), _, _ = read(codex, path)
    assert conversation.info.folder == "/from/context"
    assert conversation.info.key[2] == ID + "01", "the name of the file says it"


def test_prompts_written_again_come_once(tmp_path: Path) -> None:
    both = {"type": "UserMessage", "content": [{"type": "text", "text": "Try"}]}
    path = rollout(
        tmp_path,
        META,
        user(1, "Try"),
        event(1, "item_completed", item=both),
        event(2, "turn_aborted"),
        user(3, "Try"),
        agent(4, "Done.", phase="final_answer"),
        event(4, "item_completed", item={"type": "AgentMessage", "content": [{"type": "Text", "text": "Done."}]}),
        user(5, "Try"),
        agent(6, "Again done.", phase="commentary"),
    )
    assert said(path) == ["> Try", "! Done.", "> Try", "Again done."]


def test_what_the_editor_puts_before_a_request_is_left_out(tmp_path: Path) -> None:
    context = "# Context from my IDE setup:\n\n## Open tabs:\n- a.py\n\n## My request for Codex:\nRename it\n"
    assert said(rollout(tmp_path, META, user(1, context))) == ["> Rename it"]


@pytest.mark.parametrize(
    ("count", "left"), [(1, ["> A", "! a"]), (2, []), (99, []), (0, 4), (-1, 4), ("1", 4), (True, 4), (None, 4)]
)
def test_rolled_back_turns(tmp_path: Path, count: Any, left: Any) -> None:
    turns = [user(1, "A"), agent(2, "a"), user(3, "B"), agent(4, "b")]
    path = rollout(tmp_path, META, *turns, event(5, "thread_rolled_back", num_turns=count))
    if left:
        assert said(path) == (["> A", "! a", "> B", "! b"] if left == 4 else left)
    else:
        assert read(codex, path)[0] == []


def test_a_tool_after_the_last_text_means_that_it_was_no_answer(tmp_path: Path) -> None:
    call = {"timestamp": _time(3), "type": "response_item", "payload": {"type": "function_call", "name": "shell"}}
    assert said(rollout(tmp_path, META, user(1, "Go"), agent(2, "Looking."), call)) == ["> Go", "Looking."]


def test_names(tmp_path: Path) -> None:
    path = rollout(tmp_path, META, user(1, "Go"), event(2, "thread_name_updated", thread_name="In the rollout"))
    (tmp_path / "session_index.jsonl").write_text(json.dumps({"id": ID + "01", "thread_name": "In the index"}) + "\n")
    assert read(codex, path)[0][0].info.title == "In the rollout"
