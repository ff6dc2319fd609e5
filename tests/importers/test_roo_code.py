"""Roo Code: damage, sub-tasks, and summaries of the model's list."""

import json
from pathlib import Path

from memhub_importers import cline, roo_code
from memhub_importers.cline_task import api_messages
from session_fixtures import copy, read

TASKS = Path("Code/User/globalStorage/rooveterinaryinc.roo-cline/tasks")
FIRST = "0197a0a0-1111-7222-8333-444444444441"


def test_a_task_cut_short_comes_from_the_list_of_the_model_with_a_warning(tmp_path: Path) -> None:
    found, skipped, _ = read(roo_code, copy("roo-code", tmp_path) / "Code")
    cut = found[1]
    assert skipped == []
    assert [message.attrs.get("final", False) for message in cut.messages] == [False, True]
    assert cut.warnings[0].endswith("read from the file beside it")
    assert found[0].warnings == ()


def test_a_task_started_by_another_one_is_linked_to_it(tmp_path: Path) -> None:
    home = copy("roo-code", tmp_path)
    about = home / TASKS / "0197a0a0-1111-7222-8333-444444444442" / "history_item.json"
    about.write_text(json.dumps(json.loads(about.read_text()) | {"parentTaskId": FIRST}))
    found, _, _ = read(roo_code, home / "Code")
    assert [one.info.parent for one in found] == [None, FIRST]


def test_the_list_of_tasks_tells_the_folder_where_the_task_does_not(tmp_path: Path) -> None:
    home = copy("roo-code", tmp_path)
    (home / TASKS / FIRST / "history_item.json").unlink()
    found, _, _ = read(roo_code, home / TASKS)
    assert found[0].info.folder == "/home/mira/work/lantern"


def test_summaries_and_markers_are_no_messages() -> None:
    sent = [
        {"role": "user", "content": "<user_message>\nFix it\n</user_message>", "ts": 1770000000000},
        {"role": "assistant", "content": "So far: …", "isSummary": True},
        {"role": "user", "content": "cut here", "isTruncationMarker": True},
        {"role": "assistant", "content": "Fixed.", "condenseParent": "x"},
    ]
    assert [(m.role, m.content, m.id) for m in api_messages(sent)] == [
        ("user", "Fix it", "1770000000000"),
        ("assistant", "Fixed.", "#4"),
    ]


def test_one_task_may_be_named_and_no_other_tool_claims_it(tmp_path: Path) -> None:
    home = copy("roo-code", tmp_path)
    for path in (home / TASKS / FIRST, home / TASKS, home / TASKS.parent, home / "Code/User", home / "Code"):
        assert roo_code.sniff(path), path
        assert not cline.sniff(path), path
        assert FIRST in [one.info.key[2] for one in read(roo_code, path)[0]]
    cline_home = copy("cline", tmp_path)
    assert not roo_code.sniff(cline_home / "Code")
    assert not roo_code.sniff(cline_home / "Code/User/globalStorage/saoudrizwan.claude-dev/tasks/1767225600000")
