"""What is done with items by their keys, and what the file holds afterwards."""

import os
import stat
import sys
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pytest
from piloting import Run, covers, until
from textual.widgets import Input

from memhub import Memory
from memhub.model.thread import Message, ThreadInfo
from memhub_tui.outside import OPENERS
from memhub_tui.screens.confirm import ConfirmScreen
from memhub_tui.screens.importance import ImportanceScreen
from memhub_tui.screens.prompt import PromptScreen
from memhub_tui.screens.spaces import SpaceScreen
from memhub_tui.screens.thread import ThreadScreen


async def answer(pilot: Any, words: str) -> None:
    """Type into the question that comes, and Enter."""
    await until(pilot, lambda: isinstance(pilot.app.screen, PromptScreen))
    pilot.app.screen.query_one(Input).value = words
    await pilot.press("enter")


def told(app: Any) -> str:
    """All that was said so far."""
    return "\n".join(f"{note.title} {note.message}" for note in app._notifications)


@covers("items.pin")
async def test_pin_and_unpin(run: Run, memory: Memory) -> None:
    newest = memory.list(limit=1)[0].id
    async with run() as pilot:
        await pilot.press("escape", "p")
        await until(pilot, lambda: memory.get(newest).pinned)
        await until(pilot, lambda: pilot.app.screen.items.entry.pinned)
        await pilot.press("p")
        await until(pilot, lambda: not memory.get(newest).pinned)


@covers("items.archive", "app.redo")
async def test_archive_undo_and_redo(run: Run, memory: Memory) -> None:
    newest = memory.list(limit=1)[0].id
    async with run() as pilot:
        await pilot.press("escape", "a")
        await until(pilot, lambda: memory.get(newest).state == "archived" and pilot.app.screen.items.total == 4)
        await pilot.press("u")
        await until(pilot, lambda: memory.get(newest).state == "live")
        await pilot.press("U")
        await until(pilot, lambda: memory.get(newest).state == "archived")


@covers("items.label", "list.mark", "list.mark_all")
async def test_label_all_at_once(run: Run, memory: Memory) -> None:
    async with run() as pilot:
        await pilot.press("escape", "ctrl+a")
        await until(pilot, lambda: len(pilot.app.screen.items.marked) == 5)
        await pilot.press("space", "up", "l")
        await until(pilot, lambda: len(pilot.app.screen.query("#options")))
        await pilot.press(*"seen", "enter", "ctrl+s")
        await until(pilot, lambda: sum("seen" in item.labels for item in memory.list()) == 4)
        await until(pilot, lambda: len(pilot.app.screen_stack) == 1)
        await pilot.press("u")
        await until(pilot, lambda: not any("seen" in item.labels for item in memory.list()))


@covers("items.importance")
async def test_importance_and_a_number_that_is_none(run: Run, memory: Memory) -> None:
    newest, second = (item.id for item in memory.list(limit=2))
    async with run() as pilot:
        await pilot.press("escape", "space", "space", "i")
        await until(pilot, lambda: isinstance(pilot.app.screen, ImportanceScreen) and pilot.app.screen.shown)
        await pilot.press(*"1.5")
        await until(pilot, lambda: pilot.app.screen.shown == [])
        await pilot.press("enter", "backspace", "backspace", "backspace", *"0.65", "enter")
        await until(pilot, lambda: memory.get(second).importance == 0.65)
        assert memory.get(newest).importance == 0.65
        await until(pilot, lambda: len(pilot.app.screen_stack) == 1)
        await pilot.press("u")
        await until(pilot, lambda: memory.get(newest).importance is None and memory.get(second).importance is None)


@covers("items.move")
async def test_move_into_a_space_that_is_made_for_it(run: Run, memory: Memory) -> None:
    memory.space_new("workshop")
    newest, second = (item.id for item in memory.list(limit=2))
    async with run() as pilot:
        await pilot.press("escape", "space", "space", "m")
        await until(pilot, lambda: isinstance(pilot.app.screen, SpaceScreen) and len(pilot.app.screen.shown) == 2)
        await pilot.press(*"work")
        await until(pilot, lambda: pilot.app.screen.shown == ["workshop", "work"])
        await pilot.press("down", "enter")
        await until(pilot, lambda: memory.get(newest).space == "work" and memory.get(second).space == "work")
        await until(pilot, lambda: len(pilot.app.screen_stack) == 1)
        await pilot.press("u")
        await until(pilot, lambda: memory.get(newest).space == memory.get(second).space == "default")


@covers("items.copy_id", "items.copy_texts", "items.copy_markdown")
async def test_what_is_copied(run: Run, memory: Memory) -> None:
    first, second = (item.id for item in memory.list(limit=2))
    async with run() as pilot:
        await pilot.press("escape", "space", "space", "y")
        await until(pilot, lambda: pilot.app.clipboard == f"{first}\n{second}")
        await pilot.press("Y")
        await until(pilot, lambda: pilot.app.clipboard.endswith("slowly\n\nAnna prefers green tea to coffee"))
        memory.update(second, title="Tea")
        await pilot.press("ctrl+y")
        await until(pilot, lambda: pilot.app.clipboard.endswith("# Tea\n\nAnna prefers green tea to coffee"))


@covers("items.export")
async def test_export_writes_over_nothing_unasked(run: Run, memory: Memory, tmp_path: Path) -> None:
    notes, lines = tmp_path / "out", tmp_path / "all.jsonl"
    lines.write_text("mine")
    async with run() as pilot:
        await pilot.press("escape", "space", "space", "x")
        await answer(pilot, str(notes))
        await until(pilot, lambda: len(list(notes.rglob("*.md"))) == 2)
        await pilot.press("x")
        await answer(pilot, str(lines))
        await until(pilot, lambda: isinstance(pilot.app.screen, ConfirmScreen))
        await pilot.press("l")
        await until(pilot, lambda: len(pilot.app.screen_stack) == 1)
        assert lines.read_text() == "mine"
        await pilot.press("x")
        await answer(pilot, str(lines))
        await until(pilot, lambda: isinstance(pilot.app.screen, ConfirmScreen))
        await pilot.press("w")
        await until(pilot, lambda: lines.read_text().count('"type":"item"') == 2)
        (tmp_path / "mine").mkdir()
        (tmp_path / "mine" / "file").write_text("mine")
        await pilot.press("x")
        await answer(pilot, str(tmp_path / "mine"))
        await until(pilot, lambda: isinstance(pilot.app.screen, ConfirmScreen))
        await pilot.press("w")
        await until(pilot, lambda: any(note.severity == "error" for note in pilot.app._notifications))
        assert [path.name for path in (tmp_path / "mine").iterdir()] == ["file"]


async def test_marked_items_that_are_gone_are_told(run: Run, memory: Memory) -> None:
    first, second = (item.id for item in memory.list(limit=2))
    async with run() as pilot:
        await pilot.press("escape", "space", "space")
        await until(pilot, lambda: len(pilot.app.screen.items.marked) == 2)
        memory.erase([first])
        await pilot.press("p")
        await until(pilot, lambda: memory.get(second).pinned)
        await until(pilot, lambda: "pinned 1 item; 1 gone meanwhile" in told(pilot.app))


async def test_a_change_of_many_items_is_a_job_and_one_operation(
    run: Run, memory: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("memhub_tui.verbs.MANY", 3)
    async with run() as pilot:
        await pilot.press("escape", "ctrl+a")
        await until(pilot, lambda: len(pilot.app.screen.items.marked) == 5)
        await pilot.press("p")
        await until(pilot, lambda: "pinned: 5 items" in told(pilot.app))
        assert all(item.pinned for item in memory.list())
        assert (pilot.app.jobs.all[0].done, pilot.app.jobs.all[0].total) == (5, 5)
        await pilot.press("u")
        await until(pilot, lambda: not any(item.pinned for item in memory.list()))


@covers("items.open_source")
async def test_a_source_opens(run: Run, memory: Memory, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    talk = [Message(f"turn {n}: where is the key?") for n in range(3)]
    thread = memory.add_messages(talk, thread=ThreadInfo(title="Keys")).thread
    (tmp_path / "note.md").write_text("from a file")
    memory.import_(tmp_path / "note.md")
    memory.add("a page", source="https://example.org/page")
    opened: list[str] = []
    async with run("turn 1 layer:L0") as pilot:
        monkeypatch.setattr(pilot.app, "open_url", opened.append)
        await until(pilot, lambda: pilot.app.screen.items.total == 3)
        await until(pilot, lambda: pilot.app.screen.items.entry.head.startswith("turn 1"))
        await pilot.press("escape", "o")
        await until(pilot, lambda: isinstance(pilot.app.screen, ThreadScreen))
        assert pilot.app.screen.thread_id == thread.id
        await until(pilot, lambda: pilot.app.screen.entries.cursor == 1)
        await pilot.press("escape", "slash")
        monkeypatch.setenv("BROWSER", "/bin/true")
        for words, address in (("file", (tmp_path / "note.md").as_uri()), ("page", "https://example.org/page")):
            pilot.app.screen.query_one(Input).value = f"from a {words}" if words == "file" else "a page"
            await until(pilot, lambda: words in pilot.app.screen.items.at(0).head)  # noqa: B023
            await pilot.press("escape", "o")
            await until(pilot, lambda: opened[-1:] == [address])  # noqa: B023
            await pilot.press("slash")
        for name in OPENERS:
            monkeypatch.delenv(name, raising=False)
        monkeypatch.setattr("sys.platform", "linux")
        await pilot.press("escape", "o")
        await until(pilot, lambda: pilot.app.clipboard == "https://example.org/page")
        pilot.app.screen.query_one(Input).value = "green tea"
        await until(pilot, lambda: "tea" in pilot.app.screen.items.at(0).head)
        await pilot.press("o")
        await until(pilot, lambda: "It was typed" in told(pilot.app))


def editor(folder: Path, script: str) -> str:
    """A program that stands in for an editor."""
    path = folder / "editor"
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return str(path)


@pytest.fixture
def drafts() -> Any:
    """The texts that editors left."""
    folder = Path(os.environ["MH_HOME"]) / "state" / "drafts"
    return lambda: [path.read_text("utf-8").rpartition("---\n")[2].strip() for path in folder.glob("*.md")]


@covers("items.edit_outside")
async def test_the_users_own_editor(
    run: Run, memory: Memory, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, drafts: Any
) -> None:
    newest = memory.list(limit=1)[0].id
    async with run() as pilot:
        monkeypatch.setattr(pilot.app, "suspend", nullcontext)  # a test has no terminal to give away
        monkeypatch.setenv("EDITOR", editor(tmp_path, 'sed "s/^title:.*/title: Tea/; s/basil/mint/" -i "$1"'))
        await pilot.press("escape", "E")
        await until(pilot, lambda: memory.get(newest).title == "Tea")
        assert "mint" in memory.get(newest).content
        assert not drafts()
        monkeypatch.setenv("EDITOR", editor(tmp_path, 'echo "half a thought" >> "$1"; exit 3'))
        await pilot.press("E")
        await until(pilot, lambda: "exit code 3" in told(pilot.app) and "is kept in" in told(pilot.app))
        assert drafts()[0].endswith("half a thought")
        monkeypatch.setenv("EDITOR", editor(tmp_path, 'echo "and the rest" >> "$1"'))
        await pilot.press("E")
        await until(pilot, lambda: memory.get(newest).content.endswith("half a thought\nand the rest"))
        assert not drafts()


async def test_an_editor_that_comes_back_at_once(
    run: Run, memory: Memory, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, drafts: Any
) -> None:
    newest = memory.list(limit=1)[0]
    monkeypatch.setenv("EDITOR", editor(tmp_path, "exit 0"))
    async with run() as pilot:
        monkeypatch.setattr(pilot.app, "suspend", nullcontext)
        await pilot.press("escape", "E")
        await until(pilot, lambda: "wait flag" in told(pilot.app) and "is kept in" in told(pilot.app))
    assert memory.get(newest.id).version == newest.version
    assert len(drafts()) == 1


async def test_an_editor_while_another_program_changes_the_item(
    run: Run, memory: Memory, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, drafts: Any
) -> None:
    newest = memory.list(limit=1)[0].id
    change = f"import sys, memhub; memhub.Memory({str(memory.path)!r}).update({newest!r}, content='theirs')"
    monkeypatch.setenv("EDITOR", editor(tmp_path, f'{sys.executable} -c "{change}"; echo mine >> "$1"'))
    async with run() as pilot:
        monkeypatch.setattr(pilot.app, "suspend", nullcontext)
        await pilot.press("escape", "E")
        await until(pilot, lambda: "is kept in" in told(pilot.app))
    assert memory.get(newest).content == "theirs"
    assert drafts()[0].endswith("mine")


async def test_a_terminal_that_cannot_be_given_away(run: Run, memory: Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EDITOR", "true")
    async with run() as pilot:
        await pilot.press("escape", "E")
        await until(pilot, lambda: "needs a terminal" in told(pilot.app))


@covers("items.drop")
async def test_what_was_deleted_comes_back_by_the_same_key(run: Run, memory: Memory) -> None:
    newest = memory.list(limit=1)[0].id
    async with run() as pilot:
        await pilot.press("escape", "d")
        await until(pilot, lambda: memory.get(newest).state == "dropped")
        await pilot.press("slash", *"state:dropped", "escape")
        await until(pilot, lambda: pilot.app.screen.items.total == 1)
        await pilot.press("d")
        await until(pilot, lambda: memory.get(newest).state == "live")
