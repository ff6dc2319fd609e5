"""Copilot Chat in VS Code: the log of changes, how an answer is put together, and damage."""

import json
from pathlib import Path
from typing import Any

import pytest
from memhub_importers import copilot_vscode
from memhub_importers.copilot_response import answer_of
from memhub_importers.mutation_log import Log
from session_fixtures import copy, read

SESSIONS = Path("Code/User/workspaceStorage/5d41402abc4b2a76b9719d911017c592/chatSessions")
TOOL = {"kind": "toolInvocationSerialized"}
EDIT = {"kind": "textEditGroup"}


def _replayed(*changes: dict[str, Any]) -> tuple[Any, list[str]]:
    log = Log()
    skipped = list(log.replay("s.jsonl", enumerate(changes, 1)))
    return log.state, [one.where for one in skipped]


def _text(value: str) -> dict[str, str]:
    return {"value": value}


def test_the_log_sets_cuts_appends_and_deletes() -> None:
    whole = {"kind": 0, "v": {"requests": [{"response": [1, 2, 3]}], "title": "a", "gone": 1}}
    state, skipped = _replayed(
        whole,
        {"kind": 1, "k": ["title"], "v": "b"},
        {"kind": 2, "k": ["requests", 0, "response"], "i": 1, "v": [9]},
        {"kind": 2, "k": ["requests"], "v": [{"response": []}]},
        {"kind": 2, "k": ["new"], "v": [1]},
        {"kind": 1, "k": ["requests", 1, "id"], "v": "r2"},
        {"kind": 3, "k": ["gone"]},
        {"kind": 2, "k": ["requests", 0, "response"], "i": 1},
    )
    assert state == {"requests": [{"response": [1]}, {"response": [], "id": "r2"}], "title": "b", "new": [1]}
    assert skipped == []


@pytest.mark.parametrize(
    "bad",
    [
        {"kind": 1, "k": ["requests", 5, "x"], "v": 1},
        {"kind": 1, "k": ["requests", 1_000_000_000], "v": 1},
        {"kind": 1, "k": ["requests", True], "v": 1},
        {"kind": 1, "k": [], "v": {}},
        {"kind": 1, "k": "title", "v": 1},
        {"kind": 2, "k": ["title"], "v": [1]},
        {"kind": 2, "k": ["requests"], "v": 7},
        {"kind": 0, "v": []},
        {"kind": [], "k": ["title"]},
        {"k": ["title"], "v": 1},
    ],
)
def test_a_change_that_does_not_fit_is_named_and_changes_nothing(bad: dict[str, Any]) -> None:
    whole = {"kind": 0, "v": {"requests": [{}], "title": "a"}}
    state, skipped = _replayed(whole, bad, {"kind": 1, "k": ["title"], "v": "b"})
    assert state == {"requests": [{}], "title": "b"}
    assert skipped == ["s.jsonl:2"]


def test_kinds_of_changes_to_come_are_passed_over() -> None:
    assert _replayed({"kind": 0, "v": {}}, {"kind": 4, "k": ["x"]}) == ({}, [])


@pytest.mark.parametrize(
    ("items", "content", "is_final"),
    [
        (
            [_text("a "), {"kind": "inlineReference", "inlineReference": {"path": "/x/y.py"}}, _text(".")],
            "a y.py.",
            True,
        ),
        ([{"kind": "inlineReference", "name": "main()", "inlineReference": {}}], "main()", True),
        ([{"kind": "inlineReference", "inlineReference": {"uri": {"path": "/x/z.py"}, "range": {}}}], "z.py", True),
        ([_text("Looking."), TOOL], "Looking.", False),
        ([_text("Looking."), TOOL, _text("Found.")], "Looking.\n\nFound.", True),
        ([_text("Done."), EDIT], "Done.", True),
        ([_text("Edit:"), _text("\n```\n"), {"kind": "codeblockUri"}, EDIT, _text("\n```\n")], "Edit:", True),
        ([_text("```python\n"), _text("x = 1"), _text("\n```")], "```python\nx = 1\n```", True),
        ([{"value": {"value": "an object"}}], "an object", True),
        ([{"kind": "markdownContent", "content": {"value": "marked"}}], "marked", True),
        ([{"kind": "thinking", "value": "hidden"}, {"kind": 7}, 7, None], "", False),
    ],
)
def test_answers(items: list[Any], content: str, is_final: bool) -> None:
    assert answer_of(items) == (content, is_final)


def test_what_was_taken_back_is_left_out(tmp_path: Path) -> None:
    home = copy("copilot-vscode", tmp_path)
    response = [_text("Kept."), {"kind": "undoStop", "id": "s1"}, _text("Undone.")]
    requests = [
        {"requestId": "r1", "message": {"text": "one"}, "response": response},
        {"requestId": "r2", "message": "two", "response": response, "shouldBeRemovedOnSend": {"afterUndoStop": "s1"}},
        {"requestId": "r3", "message": {"text": "three"}, "response": response, "shouldBeRemovedOnSend": True},
        {"requestId": "r4", "message": {"text": "four"}, "response": response, "shouldBeRemovedOnSend": {}},
        {"requestId": "r5", "message": {"text": "exit 0"}, "response": [_text("Seen.")], "isSystemInitiated": True},
    ]
    file = home / SESSIONS / "44444444-aaaa-4bbb-8ccc-000000000001.json"
    file.write_text(json.dumps({"sessionId": "s", "creationDate": 1763727100000, "requests": requests}))
    found, _, _ = read(copilot_vscode, file)
    assert [(m.id, m.role, m.content) for m in found[0].messages] == [
        ("r1", "user", "one"),
        ("r1/answer", "assistant", "Kept.\n\nUndone."),
        ("r2", "user", "two"),
        ("r2/answer", "assistant", "Kept."),
        ("r5/answer", "assistant", "Seen."),
    ]
    assert (found[0].info.started_at, found[0].info.folder) == ("2025-11-21T12:11:40Z", "/home/mira/work/lantern")


def test_times_models_and_a_session_that_was_never_used(tmp_path: Path) -> None:
    found, skipped, _ = read(copilot_vscode, copy("copilot-vscode", tmp_path) / "Code")
    assert [(m.at, dict(m.attrs)) for m in found[1].messages] == [
        ("2026-03-02T09:15:00Z", {}),
        ("2026-03-02T09:15:12Z", {"final": True, "model": "copilot/gpt-5.2"}),
    ]
    assert skipped == [("44444444-aaaa-4bbb-8ccc-000000000003", "never used: no prompt in it", False)]


def test_a_log_without_its_start_gives_way_to_the_older_file(tmp_path: Path) -> None:
    home = copy("copilot-vscode", tmp_path)
    log = home / SESSIONS / "44444444-aaaa-4bbb-8ccc-000000000002.jsonl"
    older = log.with_suffix(".json")
    data = json.loads(older.read_text())
    data["requests"] = [{"requestId": "r", "message": {"text": "kept"}, "response": []}]
    older.write_text(json.dumps(data))
    log.write_text("".join(log.read_text().splitlines(keepends=True)[1:]))
    found, skipped, _ = read(copilot_vscode, log)
    assert [m.content for m in found[0].messages] == ["kept"]
    assert skipped[-1].why == "the log lacks its start; the older file beside it was read"
