"""Claude.ai: damage, edited prompts, fillers, and zips."""

import json
import zipfile
from pathlib import Path
from typing import Any

from memhub_importers import chatgpt, claude_ai
from session_fixtures import copy, read

ROOT = "00000000-0000-4000-8000-000000000000"


def _message(key: str, sender: str, words: str, parent: str | None = None, **more: Any) -> dict[str, Any]:
    at = f"2026-01-05T10:00:{len(words):02d}.000000Z"
    message = {"uuid": key, "sender": sender, "created_at": at, "text": words, "content": []}
    return message | ({} if parent is None else {"parent_message_uuid": parent}) | more


def _texts(tmp_path: Path, *messages: dict[str, Any]) -> list[str]:
    file = tmp_path / "conversations.json"
    file.write_text(json.dumps([{"uuid": "c1", "name": "", "chat_messages": messages}]))
    (found,), _, _ = read(claude_ai, file)
    return [message.content for message in found.messages]


def test_a_zip_reads_as_its_folder(tmp_path: Path) -> None:
    home = copy("claude-ai", tmp_path)
    with zipfile.ZipFile(tmp_path / "data-2026.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        for file in sorted(home.iterdir()):
            archive.write(file, file.name)
        archive.writestr("projects.json", "[]")
    assert claude_ai.sniff(tmp_path / "data-2026.zip")
    assert not chatgpt.sniff(tmp_path / "data-2026.zip")
    found, skipped, _ = read(claude_ai, tmp_path / "data-2026.zip")
    assert found == read(claude_ai, home)[0]
    assert [message.attrs.get("final", False) for message in found[0].messages] == [False, True, False, True]
    assert skipped == [
        ("conversations.json: cccccccc-aaaa-4bbb-8ccc-000000000002", "never used: no prompt in it", False)
    ]
    assert claude_ai.survey(tmp_path / "data-2026.zip") == (2, "conversations")


def test_of_edited_prompts_the_last_one_is_live_with_what_follows_it(tmp_path: Path) -> None:
    assert _texts(
        tmp_path,
        _message("u1", "human", "first try", ROOT),
        _message("a1", "assistant", "answer to it", "u1"),
        _message("u2", "human", "second try", ROOT),
        _message("a2", "assistant", "an answer", "u2"),
        _message("a3", "assistant", "asked for again", "u2"),
        _message("u3", "human", "go on", "a3"),
    ) == ["second try", "asked for again", "go on"]


def test_parents_that_make_no_tree_lose_nothing(tmp_path: Path) -> None:
    senders = ["human", "assistant", "human", "assistant"]
    flat = [_message(f"m{n}", sender, f"text {n}", ROOT) for n, sender in enumerate(senders)]
    assert len(_texts(tmp_path, *flat)) == 4
    some = [_message("u", "human", "a", ROOT), _message("a", "assistant", "b"), _message("v", "human", "c", ROOT)]
    assert _texts(tmp_path, *some) == ["a", "b", "c"]


def test_blocks_count_and_the_filler_does_not(tmp_path: Path) -> None:
    filler = "This block is not supported on your current device yet."
    tools = [{"type": "thinking", "thinking": "x"}, {"type": "tool_use", "name": "y"}]
    assert _texts(
        tmp_path,
        _message("u", "human", "typed", content=[{"type": "text", "text": ""}]),
        _message("v", "human", "pasted", content=[{"type": "voice_note"}]),
        _message("a", "assistant", filler, content=[*tools, {"type": "text", "text": "Here."}]),
    ) == ["pasted", "Here."]


def test_a_conversation_without_its_id_or_messages_is_named(tmp_path: Path) -> None:
    data = [{"name": "Lost", "chat_messages": []}, {"uuid": "c2", "name": "Odd", "chat_messages": 7}, 3]
    (tmp_path / "conversations.json").write_text(json.dumps(data))
    found, skipped, _ = read(claude_ai, tmp_path)
    assert found == []
    assert skipped == [
        ("conversations.json: Lost", "no conversation: no `uuid`", True),
        ("conversations.json: Odd", "no conversation: no `chat_messages`", True),
        ("conversations.json#3", "no JSON object", True),
    ]
