"""Threads by their keys: found as one types, read, searched, written, distilled, removed."""

import time
from pathlib import Path
from typing import Any

import pytest
from piloting import Run, answer, covers, entries, go, shown, until
from textual.widgets import Input

from memhub import Memory
from memhub.model.thread import Message, ThreadInfo
from memhub_tui.screens.confirm import ConfirmScreen
from memhub_tui.screens.item import ItemScreen
from memhub_tui.screens.prompt import PromptScreen
from memhub_tui.screens.thread import ThreadScreen


def say(memory: Memory, title: str, *texts: str, platform: str = "codex") -> str:
    """Keep a conversation of these turns, user and assistant by turns."""
    messages = [
        Message(text, ("user", "assistant")[n % 2], at=f"2026-02-0{1 + n // 60 % 9}T10:{n % 60:02}:00Z")
        for n, text in enumerate(texts)
    ]
    return memory.add_messages(messages, thread=ThreadInfo(title=title, platform=platform)).thread.id


@pytest.fixture
def talk(memory: Memory) -> str:
    """A conversation of forty turns."""
    texts = [f"question {n} about the harbour" if n % 2 == 0 else f"answer {n}: 风很大" for n in range(40)]
    return say(memory, "Harbour talk", *texts)


@covers("threads.search", "threads.leave", "app.go('threads')")
async def test_conversations_are_found_while_one_types(run: Run, memory: Memory, talk: str) -> None:
    say(memory, "Dinner", "what shall we cook", "lentils with cumin")
    async with run() as pilot:
        listed = await go(pilot, "2")
        assert listed.total == 2
        await pilot.press("slash", *"cumi")
        await until(pilot, lambda: [listed.at(n).thread.title for n in range(listed.total)] == ["Dinner"])
        await until(pilot, lambda: "lentils" in shown(pilot.app))
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(pilot.app.screen, ThreadScreen) and entries(pilot.app).cursor == 1)
        await pilot.press("escape")
        await until(pilot, lambda: len(pilot.app.screen_stack) == 1)
        await pilot.press("escape", "escape")
        await until(pilot, lambda: listed.total == 2 and not pilot.app.screen.query_one(Input).value)


async def test_a_half_typed_filter_is_told_in_the_bar(run: Run, memory: Memory, talk: str) -> None:
    async with run() as pilot:
        await go(pilot, "2")
        await pilot.press("slash", *"since:neve")
        await until(pilot, lambda: "alert" in pilot.app.screen.query_one("#status").classes)
        assert not pilot.app._notifications


@covers("thread.find", "thread.find_next", "thread.find_before", "thread.save_as", "thread.leave")
async def test_a_conversation_is_read_searched_and_written(run: Run, memory: Memory, talk: str, tmp_path: Path) -> None:
    file = tmp_path / "talk.md"
    async with run() as pilot:
        await go(pilot, "2")
        await until(pilot, lambda: "question 0" in shown(pilot.app))
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(pilot.app.screen, ThreadScreen) and entries(pilot.app).total == 40)
        await pilot.press("slash")
        await answer(pilot, "Answer 1")
        await until(pilot, lambda: entries(pilot.app).cursor == 1)
        for key, place in (("f", 11), ("f", 13), ("F", 11), ("F", 1), ("F", 19)):
            await pilot.press(key)
            assert entries(pilot.app).cursor == place
        await pilot.press("g")
        await until(pilot, lambda: "turn 1 of 40" in shown(pilot.app, "head"))
        assert "question 0" in shown(pilot.app)
        assert "answer 1: 风很大" in shown(pilot.app)  # the answer stands below its question
        await pilot.press("X")
        await answer(pilot, str(file))
        await until(pilot, file.exists)
        assert "answer 39: 风很大" in file.read_text("utf-8")
        file.write_text("mine")
        await pilot.press("X")
        await answer(pilot, str(file))
        await until(pilot, lambda: isinstance(pilot.app.screen, ConfirmScreen))
        await pilot.press("escape")
        await until(pilot, lambda: isinstance(pilot.app.screen, ThreadScreen))
        assert file.read_text() == "mine"
        await pilot.press("escape")
        await until(pilot, lambda: len(pilot.app.screen_stack) == 1)


async def test_a_turn_is_copied_and_opened_as_an_item(run: Run, memory: Memory, talk: str) -> None:
    async with run() as pilot:
        await go(pilot, "2")
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(pilot.app.screen, ThreadScreen) and entries(pilot.app).total == 40)
        await pilot.press("G", "Y")
        await until(pilot, lambda: pilot.app.clipboard == "answer 39: 风很大")
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(pilot.app.screen, ItemScreen))
        assert pilot.app.screen.item_id == memory.thread(talk).turns[39].id


async def test_words_that_nobody_said(run: Run, memory: Memory, talk: str) -> None:
    async with run() as pilot:
        await go(pilot, "2")
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(pilot.app.screen, ThreadScreen) and entries(pilot.app).total == 40)
        await pilot.press("slash")
        await answer(pilot, "[bold]zebra")
        await until(pilot, lambda: any("[bold]zebra" in note.message for note in pilot.app._notifications))
        await pilot.press("f", "slash")
        await until(pilot, lambda: isinstance(pilot.app.screen, PromptScreen))
        await pilot.press("escape")
        assert entries(pilot.app).cursor == 0


async def test_ten_thousand_turns_open_at_once(run: Run, memory: Memory) -> None:
    say(memory, "Long", *(f"turn {n}" for n in range(10_000)))
    async with run() as pilot:
        await go(pilot, "2")
        began = time.monotonic()
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(pilot.app.screen, ThreadScreen) and entries(pilot.app).total == 10_000)
        assert time.monotonic() - began < 10  # a list with a widget for each turn takes minutes
        await pilot.press("G")
        await until(pilot, lambda: "turn 10,000 of 10,000" in shown(pilot.app, "head"))


@covers("threads.drop", "threads.distill")
async def test_a_conversation_is_distilled_removed_and_comes_back(run: Run, memory: Memory) -> None:
    say(memory, "Move", "I live in Paris now, and I work as a baker at the corner of the street", "Noted.")
    async with run() as pilot:
        await go(pilot, "2")
        await pilot.press("D")
        await until(pilot, lambda: [job.state for job in pilot.app.jobs.all] == ["done"])
        assert any("Move" in line for line in pilot.app.jobs.all[0].lines)
        await pilot.press("d")
        await until(pilot, lambda: isinstance(pilot.app.screen, ConfirmScreen))
        await pilot.press("r")
        await until(pilot, lambda: not memory.threads())
        await pilot.press("u")
        await until(pilot, lambda: len(memory.threads()) == 1)


@covers("thread.distill", "thread.remove")
async def test_the_conversation_that_is_read_is_distilled_and_removed(run: Run, memory: Memory, talk: str) -> None:
    async with run() as pilot:
        await go(pilot, "2")
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(pilot.app.screen, ThreadScreen) and entries(pilot.app).total == 40)
        await pilot.press("D")
        await until(pilot, lambda: [job.state for job in pilot.app.jobs.all] == ["done"])
        await pilot.press("R")
        await until(pilot, lambda: isinstance(pilot.app.screen, ConfirmScreen))
        await pilot.press("l")
        await until(pilot, lambda: isinstance(pilot.app.screen, ThreadScreen))
        assert memory.threads()
        await pilot.press("R")
        await until(pilot, lambda: isinstance(pilot.app.screen, ConfirmScreen))
        await pilot.press("r")
        await until(pilot, lambda: not memory.threads() and len(pilot.app.screen_stack) == 1)


async def test_with_a_model_one_says_whether_it_is_asked(run: Run, memory: Memory, talk: str) -> None:
    async with run(llm__model="ollama/none") as pilot:
        await go(pilot, "2")
        await pilot.press("D")
        await until(pilot, lambda: isinstance(pilot.app.screen, ConfirmScreen))
        await pilot.press("r")
        job: Any = None
        await until(pilot, lambda: pilot.app.jobs.all)
        job = pilot.app.jobs.all[0]
        await until(pilot, lambda: job.state == "done")
        assert memory.stats(llm=True)["calls"] == 0
