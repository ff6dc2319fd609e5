"""Cline: both engines, their damage, and what is a person's and what is the tool's."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from memhub_importers import cline
from memhub_importers.cline_api import asked, said
from memhub_importers.cline_task import panel_messages
from session_fixtures import copy, read

from memhub.model.record import Conversation

TASK = Path("Code/User/globalStorage/saoudrizwan.claude-dev/tasks/1767225600000")
SESSION = Path(".cline/data/sessions/session_2026_lamp_01")


def _shown(conversation: Conversation) -> list[tuple[str, str]]:
    return [(message.role, message.content) for message in conversation.messages]


def _panel(*messages: tuple[str, str, str], **more: Any) -> list[tuple[str, str]]:
    shown = [
        {"ts": 1767225600000 + n, "type": t, t: kind, "text": text} | more for n, (t, kind, text) in enumerate(messages)
    ]
    return [(message.role, message.content) for message in panel_messages(shown)]


def _texts(*texts: str) -> list[dict[str, str]]:
    return [{"type": "text", "text": text} for text in texts]


def test_the_list_of_the_model_says_the_same_as_the_panel(tmp_path: Path) -> None:
    home = copy("cline", tmp_path)
    (panel,), _, _ = read(cline, home / "Code")
    (home / TASK / "ui_messages.json").write_text('[{"ts":17672256')
    (model,), skipped, _ = read(cline, home / "Code")
    assert _shown(model) == _shown(panel)
    assert model.info == panel.info
    assert skipped == []
    (warning,) = model.warnings
    assert warning.startswith("1767225600000/ui_messages.json: no JSON")
    assert [bool(message.attrs.get("final")) for message in model.messages] == [False, False, True, False, True]


def test_a_task_with_nothing_to_read_is_named(tmp_path: Path) -> None:
    home = copy("cline", tmp_path)
    for name in ("ui_messages.json", "api_conversation_history.json"):
        (home / TASK / name).write_text("[{")
    found, skipped, _ = read(cline, home / "Code")
    assert found == []
    assert [one.failed for one in skipped] == [True, True]


def test_answers_that_close_a_task_are_final_and_the_folder_is_known(tmp_path: Path) -> None:
    (task,), _, _ = read(cline, copy("cline", tmp_path) / "Code")
    assert task.info.folder == "/home/mira/work/lantern"
    assert [message.attrs.get("final", False) for message in task.messages] == [False, False, True, False, True]
    assert task.messages[1].attrs["model"] == "claude-sonnet-4-5"
    assert task.messages[0].id == "1767225600000"


def test_the_new_engine_has_sub_agents_and_hides_its_own_messages(tmp_path: Path) -> None:
    found, _, _ = read(cline, copy("cline", tmp_path) / ".cline")
    by_id = {one.info.key[2]: one for one in found}
    assert by_id["session_2026_lamp_01"].messages[-1].attrs == {"final": True, "model": "claude-sonnet-4-5"}
    agent = by_id["session_2026_lamp_01__agent_7"]
    assert agent.info.parent == "session_2026_lamp_01"
    assert agent.info.title is None


def test_wrappers_of_the_new_engine(tmp_path: Path) -> None:
    home = copy("cline", tmp_path)
    file = home / SESSION / "session_2026_lamp_01.messages.json"
    texts = [
        '<mode_notice>plan</mode_notice><user_input mode="plan">Look at this\n'
        '<file_content path="a.py">x=1</file_content></user_input>',
        '<user_command slash="review">the driver</user_command>',
        "You have three files open.",
        '<user_input mode="act">And <b>this</b>?</user_input>',
    ]
    messages = [
        {"id": f"u{n}", "role": "user", "content": [{"type": "text", "text": one}]} for n, one in enumerate(texts)
    ]
    file.write_text(json.dumps({"messages": messages}))
    found, _, _ = read(cline, home / SESSION)
    lead = next(one for one in found if one.info.parent is None)
    assert _shown(lead) == [("user", "Look at this"), ("user", "/review the driver"), ("user", "And <b>this</b>?")]


def test_a_task_that_went_on_as_a_session_is_read_once(tmp_path: Path) -> None:
    home = copy("cline", tmp_path)
    manifest = home / SESSION / "session_2026_lamp_01.json"
    data = json.loads(manifest.read_text())
    data["metadata"]["legacyTask"] = "1767225600000"
    manifest.write_text(json.dumps(data))
    cursors = read(cline, home / ".cline")[2]
    assert read(cline, home / "Code", cursors)[0] == []
    whole = shutil.copytree(
        home / "Code/User/globalStorage/saoudrizwan.claude-dev", tmp_path / "data", dirs_exist_ok=True
    )
    shutil.copytree(home / ".cline/data", whole, dirs_exist_ok=True)
    assert {one.info.key[2] for one in read(cline, whole)[0]} == {
        "session_2026_lamp_01",
        "session_2026_lamp_01__agent_7",
    }


def test_kinds_of_the_panel() -> None:
    assert _panel(
        ("say", "text", "First"),
        ("ask", "followup", '{"question":"Which?","options":["a"]}'),
        ("ask", "followup", "an old question"),
        ("ask", "plan_mode_respond", '{"response":"The plan"}'),
        ("say", "text", "Working"),
        ("say", "tool", "{}"),
        ("ask", "command", "rm"),
        ("say", "plan_completion_result", "Planned"),
        ("say", "completion_result", "HAS_CHANGES"),
        ("say", "subtask_result", "of another"),
    ) == [
        ("user", "First"),
        ("assistant", "Which?"),
        ("assistant", "an old question"),
        ("assistant", "The plan"),
        ("assistant", "Working"),
        ("assistant", "Planned"),
        ("assistant", ""),
    ]  # fmt: skip
    assert _panel(("say", "task", "Half"), partial=True) == []


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("<task>\nDo it\n</task>\n<environment_details>\nfiles\n</environment_details>", "Do it"),
        ("plain", "plain"),
        (_texts("[read_file for 'a'] Result:", "<task>in a file</task>"), ""),
        (_texts("[ask_followup_question for 'q'] Result:", "<answer>\nYes\n</answer>"), "Yes"),
        ([{"type": "tool_result", "content": _texts("The user said no.\n<feedback>\nStop\n</feedback>")}], "Stop"),
        ([{"type": "tool_result", "content": "def f(): pass\n\n<feedback>x</feedback>\nmore"}], ""),
        ([{"type": "image"}, {"type": "text", "text": "See <task> there"}], "See <task> there"),
        (None, ""),
        (7, ""),
    ],
)  # fmt: skip
def test_what_a_person_said(content: Any, words: str) -> None:
    assert asked(content) == words


@pytest.mark.parametrize(
    ("content", "words", "closes"),
    [
        ("<thinking>hm</thinking>I look.\n<read_file><path>a</path></read_file>", "I look.", False),
        ("Ok.<attempt_completion><result>Done.</result><command/></attempt_completion>", "Ok.\n\nDone.", True),
        ("<ask_followup_question><question>Which?</question></ask_followup_question>", "Which?", False),
        ("<write_to_file><content>a</write_to_file>b</content></write_to_file> after", "after", False),
        ("`<read_file>` is a tool", "`<read_file>` is a tool", False),
        ([{"type": "tool_use", "name": "attempt_completion", "input": {"result": "Done."}}], "Done.", True),
        ([{"type": "tool_use", "name": "read_file", "input": {"result": "no"}}], "", False),
    ],
)  # fmt: skip
def test_what_a_model_said(content: Any, words: str, closes: bool) -> None:
    assert said(content) == (words, closes)


def test_long_texts_of_tags_take_linear_time() -> None:
    for piece in ("<task>", "<environment_details>", "<thinking>", "<write_to_file>", "</task>"):
        asked(piece * 100_000)
        said(piece * 100_000)


def test_the_usual_places(tmp_path: Path) -> None:
    home = copy("cline", tmp_path)
    config = home / ".config"
    config.mkdir()
    (home / "Code").rename(config / "Code")
    found = cline.places(home, {})
    assert [place.relative_to(home).as_posix() for place in found] == [
        ".cline/data",
        ".config/Code/User/globalStorage/saoudrizwan.claude-dev",
    ]
    assert cline.places(home / "x", {"CLINE_DATA_DIR": str(home / ".cline/data")}) == [home / ".cline/data"]
