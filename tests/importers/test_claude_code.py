"""Claude Code: forks, edited prompts, queued prompts, commands, sub-agents, and damage."""

import json
from pathlib import Path
from typing import Any

import pytest
from memhub_importers import claude_code
from session_fixtures import copy, read

ID = "5b1e7c1a-0a11-4c0e-9f10-3d1c2b7a90"


def user(uuid: str, content: Any, parent: str | None = None, **more: Any) -> dict[str, Any]:
    message = {"role": "user", "content": content}
    return {"type": "user", "uuid": uuid, "parentUuid": parent, "message": message, **_common(uuid), **more}


def answer(uuid: str, content: Any, parent: str | None = None, **more: Any) -> dict[str, Any]:
    blocks = [{"type": "text", "text": content}] if isinstance(content, str) else content
    message = {"role": "assistant", "id": more.pop("id", f"msg_{uuid}"), "model": more.pop("model", "opus")}
    message |= {"content": blocks, "stop_reason": more.pop("stop", None)}
    return {"type": "assistant", "uuid": uuid, "parentUuid": parent, "message": message, **_common(uuid), **more}


def _common(uuid: str) -> dict[str, Any]:
    second = int("".join(letter for letter in uuid if letter.isdigit()) or 0)
    return {"timestamp": f"2026-05-01T10:00:{second:02d}.500Z", "cwd": "/home/mira/work", "sessionId": "s"}


def transcript(folder: Path, *records: dict[str, Any] | str, name: str = ID + "01") -> Path:
    path = folder / "projects" / "-home-mira-work" / f"{name}.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = [record if isinstance(record, str) else json.dumps(record) for record in records]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def said(path: Path) -> list[str]:
    """The texts of the only conversation, users marked with `>`."""
    (conversation,), skipped, _ = read(claude_code, path)
    assert skipped == []
    return [f"> {m.content}" if m.role == "user" else m.content for m in conversation.messages]


def test_the_end_of_a_turn_and_the_model_are_kept(tmp_path: Path) -> None:
    home = copy("claude-code", tmp_path) / ".claude"
    conversations, skipped, _ = read(claude_code, home)
    first = next(x for x in conversations if x.info.key[2] == ID + "01")
    marks = [(message.id, dict(message.attrs)) for message in first.messages if message.role == "assistant"]
    final = {"final": True, "model": "claude-sonnet-4-5"}
    assert marks == [("msg_01", {"model": "claude-sonnet-4-5"}), ("msg_02", final), ("msg_03", final)]
    agent = next(x for x in conversations if x.info.parent)
    assert agent.info.key == ("claude-code", "claude-code", ID + "01/agent-ab12cd34")
    assert agent.info.parent == ID + "01"
    assert [message.content for message in agent.messages] == ["List all PWM call sites", "Three call sites."]
    assert agent.messages[1].attrs["final"] is True
    assert {(place.where.rpartition("/")[2], place.failed) for place in skipped} == {
        (ID + "01.jsonl:25", False),
        (ID + "03", False),
    }


def test_the_same_file_is_one_place_however_it_is_imported(tmp_path: Path) -> None:
    home = copy("claude-code", tmp_path) / ".claude"
    _, _, cursors = read(claude_code, home)
    for path in (home / "projects", *(home / "projects").iterdir(), *(home / "projects").glob("*/*.jsonl")):
        assert claude_code.sniff(path), path
        assert read(claude_code, path, cursors)[0] == [], path
    assert not claude_code.sniff(home / "history.jsonl")
    assert claude_code.survey(home) == (3, "sessions")
    assert claude_code.places(home.parent, {}) == [home / "projects"]
    assert claude_code.places(Path("/nobody"), {"CLAUDE_CONFIG_DIR": f"{home}, /nowhere"}) == [home / "projects"]


def test_a_fork_holds_only_what_came_after_and_the_owner_stays(tmp_path: Path) -> None:
    shared = [user("u1", "Plan a shed"), answer("a2", "Four posts.", "u1", stop="end_turn")]
    old = transcript(tmp_path, *shared, name="f0000000-0a11-4c0e-9f10-000000000001")
    transcript(tmp_path, *shared, user("u5", "Of oak", "a2"), answer("a6", "Oak.", "u5"), name="a-fork")
    conversations, _, cursors = read(claude_code, tmp_path)
    by_id = {x.info.key[2]: [message.content for message in x.messages] for x in conversations}
    assert by_id == {old.stem: ["Plan a shed", "Four posts."], "a-fork": ["Of oak", "Oak."]}
    # The old session goes on after the fork: it is still the owner, and the fork does not come again.
    transcript(tmp_path, *shared, user("u9", "Of pine", "a2"), name=old.stem)
    again, _, after = read(claude_code, tmp_path, cursors)
    assert [x.info.key[2] for x in again] == [old.stem]
    assert [message.content for message in again[0].messages] == ["Plan a shed", "Four posts.", "Of pine"]
    assert read(claude_code, tmp_path, {**cursors, **after})[0] == []
    # A second fork comes later.
    transcript(tmp_path, *shared, user("u3", "Of steel", "a2"), name="0-later")
    later, _, _ = read(claude_code, tmp_path, {**cursors, **after})
    assert [[message.content for message in x.messages] for x in later] == [["Of steel"]]


def test_chains_of_resumed_copies_are_each_told_once(tmp_path: Path) -> None:
    chain = [user("u1", "One"), answer("a2", "1", "u1"), user("u3", "Two", "a2"), user("u4", "Three", "u3")]
    for number, name in ((2, "c"), (3, "b"), (4, "a")):
        transcript(tmp_path, *chain[:number], name=name)
    conversations, _, _ = read(claude_code, tmp_path)
    assert {x.info.key[2]: [m.content for m in x.messages] for x in conversations} == {
        "c": ["One", "1"],
        "b": ["Two"],
        "a": ["Three"],
    }


def test_only_the_last_of_an_edited_prompt_lives(tmp_path: Path) -> None:
    path = transcript(
        tmp_path,
        user("u1", "Start"),
        answer("a2", "Go on.", "u1"),
        user("u3", "First try", "a2"),
        answer("a4", "Lost.", "u3"),
        user("u5", "Lost too", "a4"),
        user("u6", "Second try", "a2"),
        answer("a7", "Kept.", "u6"),
    )
    assert said(path) == ["> Start", "Go on.", "> Second try", "Kept."]


def test_noise_beside_a_prompt_does_not_kill_it(tmp_path: Path) -> None:
    path = transcript(
        tmp_path,
        user("u1", "Start"),
        answer("a2", "Go on.", "u1"),
        user("u3", "Same", "a2"),
        answer("a4", "Answered.", "u3"),
        user("u5", "Same", "a2"),
        user("u6", "<task-notification>done</task-notification>", "a2"),
        user("u7", [{"type": "text", "text": "[Request interrupted by user for tool use]"}], "a2"),
    )
    assert said(path) == ["> Start", "Go on.", "> Same", "Answered."]


def test_an_answer_in_pieces_and_snapshots_is_one(tmp_path: Path) -> None:
    text = [{"type": "text", "text": "Both "}]
    path = transcript(
        tmp_path,
        user("u1", "Which?"),
        answer("a2", [{"type": "thinking", "thinking": "hm"}], "u1", id="m"),
        answer("a3", text, "a2", id="m"),
        answer("a4", [{"type": "text", "text": "Both are"}], "a3", id="m"),
        answer("a5", [{"type": "text", "text": "Both are"}, {"type": "text", "text": "Fine."}], "a4", id="m"),
        answer("a6", [{"type": "tool_use", "name": "Bash", "input": {}}], "a5", id="m", stop="tool_use"),
    )
    assert said(path) == ["> Which?", "Both are\n\nFine."]


@pytest.mark.parametrize(
    ("content", "shown"),
    [
        ("plain", "plain"),
        ("a <system-reminder>x</system-reminder> b", "a  b"),
        ("<system-reminder>never ends", "<system-reminder>never ends"),
        ("<ide_selection>code</ide_selection>why?", "why?"),
        (
            [{"type": "text", "text": "one"}, {"type": "image", "source": {}}, {"type": "text", "text": "two"}],
            "one\n\ntwo",
        ),
        ([{"type": "tool_result", "content": "no"}, {"type": "text", "text": "yes"}], "yes"),
        ("keep <memory-context>m</memory-context>", "keep <memory-context>m</memory-context>"),
        ("a\u0000b\u001b[31mc\ud800", "abc\ufffd"),
        ("<command-name>/fix</command-name><command-args>the door</command-args>", "/fix the door"),
    ],
)
def test_what_of_a_prompt_is_kept(tmp_path: Path, content: Any, shown: str) -> None:
    path = transcript(tmp_path, user("u1", content), answer("a2", "Yes.", "u1"))
    assert said(path) == [f"> {shown}", "Yes."]


def test_commands(tmp_path: Path) -> None:
    init, clear = (f"<command-name>/{x}</command-name><command-args></command-args>" for x in ("init", "clear"))
    path = transcript(
        tmp_path,
        user("u1", clear),
        user("u2", "<local-command-stdout>(no content)</local-command-stdout>", "u1"),
        user("u3", init, "u2"),
        user("u4", "Please analyse this codebase.", "u3", isMeta=True),
        answer("a5", "Written.", "u4"),
        user("u6", clear, "a5"),
        user("u7", "Next", "u6"),
    )
    assert said(path) == ["> /init", "Written.", "> Next"]


def test_queued_prompts_come_once(tmp_path: Path) -> None:
    queued = {"type": "queued_command", "commandMode": "prompt", "prompt": [{"type": "text", "text": "And the roof"}]}
    bare = {"type": "attachment", "timestamp": "2026-05-01T10:00:03.000Z", "attachment": queued}
    path = transcript(
        tmp_path,
        user("u1", "Build it"),
        bare,
        bare,
        {**bare, "uuid": "q4", "parentUuid": "u1"},
        answer("a5", "Done.", "u1"),
        user("u6", "And the roof", "a5", promptSource="queued"),
        user("u7", "Injected", "u6", promptSource="system"),
        user("u8", "And the roof", "u7", promptSource="typed"),
    )
    assert said(path) == ["> Build it", "> And the roof", "Done.", "> And the roof"]


def test_titles(tmp_path: Path) -> None:
    def title(*records: dict[str, Any]) -> str | None:
        (conversation,), _, _ = read(claude_code, transcript(tmp_path, *records, user("u1", "Hello there")))
        return conversation.info.title

    ai, own = {"type": "ai-title", "aiTitle": "Generated"}, {"type": "custom-title", "customTitle": "Mine"}
    assert title() is None
    assert title({"type": "summary", "summary": "Of this", "leafUuid": "u1"}) == "Of this"
    assert title({"type": "summary", "summary": "Of another", "leafUuid": "elsewhere"}) is None
    assert title(own, ai) == "Mine"
    assert title(ai, {**ai, "aiTitle": "Later"}) == "Later"
    assert title({**own, "customTitle": 7}, {**ai, "aiTitle": "Untitled"}) is None


def test_old_agent_files_beside_the_session_are_agents(tmp_path: Path) -> None:
    transcript(tmp_path, user("u1", "Look", isSidechain=True), name="agent-77")
    transcript(tmp_path, user("u1", "Look"), user("u2", "Inner", isSidechain=True))
    by_parent = {x.info.parent: x for x in read(claude_code, tmp_path)[0]}
    assert by_parent["s"].info.key[2] == "s/agent-77"
    assert [message.content for message in by_parent[None].messages] == ["Look"]


def test_other_tools_are_left_to_their_importers(tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    for line in (
        {"uuid": "q1", "parentUuid": None, "sessionId": "7", "type": "user", "message": {"role": "user", "parts": []}},
        {"timestamp": "2026-02-10T10:00:00.000Z", "type": "session_meta", "payload": {}},
        {"role": "user", "message": {"content": []}},
        ["user"],
    ):
        path.write_text(json.dumps(line) + "\n")
        assert not claude_code.sniff(path)
        assert not claude_code.sniff(tmp_path)
