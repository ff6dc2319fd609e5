"""Aider: prompts, output and answers told apart, interrupted answers, several histories, and damage."""

import os
import time
from pathlib import Path

import pytest
from memhub_importers import aider
from memhub_importers.registry import choose
from session_fixtures import read

HEADER = "\n# aider chat started at 2026-05-01 10:00:00\n\n> Main model: sonnet with diff edit format  \n\n"


def history(folder: Path, text: str, *, header: str = HEADER) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / aider.NAME
    path.write_bytes((header + text).encode())
    return path


def said(path: Path) -> list[str]:
    (conversation,), skipped, _ = read(aider, path)
    assert skipped == []
    marks = ["> " if m.role == "user" else "! " if m.attrs.get("final") else "" for m in conversation.messages]
    return [mark + message.content for mark, message in zip(marks, conversation.messages, strict=True)]


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("#### one  \n#### two  \n\nAnswer.\n", ["> one\ntwo", "! Answer."]),
        ("#### one  \n\n#### two  \n", ["> one", "> two"]),
        ("#### one\n\n#### two\n", ["> one", "> two"]),
        ("#### one  \n\n# Plan\n\n#### Step 1\n\nDo.\n", ["> one", "! # Plan\n\n#### Step 1\n\nDo."]),
        ("#### one  \n\nFirst.\n\n> Applied edit  \n\nSecond.\n", ["> one", "First.", "! Second."]),
        ("#### a  \n\n~~~~\n```\n#### b  \n> c\n~~~~\nd\n", ["> a", "! ~~~~\n```\n#### b\n> c\n~~~~\nd"]),
        ("#### a  \n\n```py\nx = 1\n\n#### stopped  \n\nOh.\n", ["> a", "! ```py\nx = 1", "> stopped", "! Oh."]),
        ("#### /ask why?  \n\nSo.\n\n#### /add a.py  \n#### /drop  \n\n#### !ls  \n", ["> /ask why?", "! So."]),
        ("#### /ask  \n\n#### <blank>  \n\n#### /code fix  \n", ["> /code fix"]),
        ("#### one  \n####   \n#### two  \n", ["> one\n\ntwo"]),
        ("#### 你好\u2028世界  \n\n好\u0007的\n", ["> 你好\u2028世界", "! 好的"]),
        ("#### a  \r\n\r\nb\r\n", ["> a", "! b"]),
        ("####Five\n#### a  \n\n```inline``` and\n#### b  \n", ["! ####Five", "> a", "! ```inline``` and", "> b"]),
    ],
)
def test_what_is_a_prompt_and_what_an_answer(tmp_path: Path, text: str, shown: list[str]) -> None:
    assert said(history(tmp_path, text)) == shown


def test_model_folder_and_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = history(tmp_path / "shed", "#### a  \n\nb\n\n> Main model: opus with x  \n\n#### c  \n\nd\n")
    monkeypatch.setenv("TZ", "Asia/Shanghai")
    time.tzset()
    (conversation,), _, _ = read(aider, path)
    assert conversation.info.started_at == "2026-05-01T02:00:00Z"
    assert conversation.info.folder == str(tmp_path / "shed")
    assert [message.attrs.get("model") for message in conversation.messages] == [None, "sonnet", None, "opus"]
    assert [message.id for message in conversation.messages] == ["#1", "#2", "#3", "#4"]
    assert conversation.info.key == ("aider", "aider", "2026-05-01T10:00:00/.aider.chat.history.md#1")
    history(tmp_path / "shed", "#### a  \n", header="# aider chat started at 2026-99-99 10:00:00\n")
    assert read(aider, path)[0][0].info.started_at is None


def test_a_chat_that_goes_on_comes_again_alone(tmp_path: Path) -> None:
    later = "\n# aider chat started at 2026-05-02 10:00:00\n\n#### second  \n"
    path = history(tmp_path / "shed", "#### first  \n" + later)
    first, _, cursors = read(aider, tmp_path)
    assert [x.info.key[2][-2:] for x in first] == ["#1", "#2"]
    with path.open("a") as file:
        file.write("\nAnswer.\n")
    again, _, after = read(aider, tmp_path, cursors)
    assert [[message.content for message in x.messages] for x in again] == [["second", "Answer."]]
    (tmp_path / "shed").rename(tmp_path / "hut")
    assert {x.info.key for x in read(aider, tmp_path)[0]} == {x.info.key for x in first}, "the folder may move"
    os.remove(tmp_path / "hut" / aider.NAME)
    assert read(aider, tmp_path, {**cursors, **after}) == ([], [], {})


def test_histories_of_two_projects_are_told_apart(tmp_path: Path) -> None:
    history(tmp_path / "a", "#### one  \n")
    history(tmp_path / "b", "#### two  \n", header="# aider chat started at 2026-05-01 10:00:07\n")
    history(tmp_path / "node_modules" / "c", "#### three  \n")
    conversations, _, _ = read(aider, tmp_path)
    assert len({x.info.key for x in conversations}) == len(conversations) == 2
    assert aider.survey(tmp_path) == (2 + 1, "chats")
    assert aider.places(tmp_path / "a", {}) == [tmp_path / "a" / aider.NAME]
    assert aider.places(tmp_path, {"AIDER_CHAT_HISTORY_FILE": "~/b/" + aider.NAME}) == [tmp_path / "b" / aider.NAME]


def test_which_paths_are_taken(tmp_path: Path) -> None:
    path = history(tmp_path / "repo", "#### one  \n")
    (tmp_path / "repo" / "README.md").write_text("# Repo\n")
    assert choose(path)[0].name == choose(tmp_path / "repo")[0].name == choose(tmp_path)[0].name == "aider"
    moved = path.rename(tmp_path / "repo" / "chats.md")
    assert choose(moved)[0].name == "aider"
    history(tmp_path / "repo", "#### one  \n")
    assert choose(tmp_path / "repo")[0].name == "markdown", "a folder of notes stays one"


def test_a_file_without_chats_and_other_encodings(tmp_path: Path) -> None:
    path = tmp_path / aider.NAME
    path.write_text("#### one  \n")
    assert read(aider, path)[1] == [(aider.NAME, "no chat of Aider in it", True)]
    text = "# aider chat started at 2026-05-01 10:00:00\n\n#### Grüße  \n"
    for encoding in ("utf-8-sig", "utf-16", "latin-1"):
        path.write_bytes(text.encode(encoding))
        assert said(path) == ["> Grüße"], encoding
