"""What is believed: pinned, corrected, banned and allowed by keys, with what speaks for it."""

from typing import Any

import pytest
from piloting import Run, answer, covers, entries, go, shown, until

from memhub import Memory
from memhub_tui.screens.item import ItemScreen


@pytest.fixture
def believed(memory: Memory) -> list[str]:
    """Three lines of the profile."""
    for text in ("I live in Lisbon", "I'm allergic to peanuts", "My name is Rosa"):
        memory.add(text)
    memory.judge(with_model=False)
    return [line.item for line in memory.persona()]


def lines(app: Any) -> list[str]:
    """What the lines say."""
    found = entries(app)
    return [found.at(n).line.text for n in range(found.total)]


@covers("app.go('persona')", "persona.sources")
async def test_lines_are_shown_with_what_speaks_for_them(run: Run, memory: Memory, believed: list[str]) -> None:
    async with run() as pilot:
        await go(pilot, "8")
        await until(pilot, lambda: lines(pilot.app) == [line.text for line in memory.persona()])
        first = memory.persona()[0]
        assert len(believed) == 3
        await until(pilot, lambda: shown(pilot.app, "title") == first.text)
        assert first.domain in shown(pilot.app, "head")
        assert "from 1 item" in shown(pilot.app, "head")
        assert memory.get(first.evidence[0]).content in shown(pilot.app)
        await pilot.press("s")
        await until(pilot, lambda: isinstance(pilot.app.screen, ItemScreen) and entries(pilot.app).total == 1)
        assert entries(pilot.app).at(0).target == first.evidence[0]
        await pilot.press("enter")
        await until(pilot, lambda: pilot.app.screen.item_id == first.evidence[0])


@covers("persona.pin", "persona.correct")
async def test_a_line_is_pinned_and_corrected(run: Run, memory: Memory, believed: list[str]) -> None:
    async with run() as pilot:
        await go(pilot, "8")
        await until(pilot, lambda: len(lines(pilot.app)) == 3)
        await pilot.press("p")
        await until(pilot, lambda: memory.persona()[0].pinned)
        await until(pilot, lambda: "pinned" in shown(pilot.app, "head"))
        await pilot.press("p")
        await until(pilot, lambda: not memory.persona()[0].pinned)
        await until(pilot, lambda: not entries(pilot.app).entry.line.pinned)
        await pilot.press("e")
        await answer(pilot, "My name is Rosalind")
        await until(pilot, lambda: memory.get(believed[0]).content == "My name is Rosalind")
        await until(pilot, lambda: "My name is Rosalind" in lines(pilot.app))
        assert memory.persona()[0].corrected


@covers("persona.ban", "persona.banned")
async def test_lines_are_banned_shown_and_allowed(run: Run, memory: Memory, believed: list[str]) -> None:
    async with run() as pilot:
        await go(pilot, "8")
        await until(pilot, lambda: len(lines(pilot.app)) == 3)
        await pilot.press("space", "space", "b")
        await until(pilot, lambda: [line.item for line in memory.persona()] == believed[2:])
        await until(pilot, lambda: len(lines(pilot.app)) == 1)
        await pilot.press("B")
        await until(pilot, lambda: len(lines(pilot.app)) == 2)
        assert {line.item for line in memory.persona(banned=True)} == set(believed[:2])
        await pilot.press("p")
        await pilot.press("b")
        await until(pilot, lambda: len(memory.persona(banned=True)) == 1)
        await pilot.press("B")
        await until(pilot, lambda: len(lines(pilot.app)) == 2)
        await pilot.press("u")
        await until(pilot, lambda: len(memory.persona(banned=True)) == 2)
