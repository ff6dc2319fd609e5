"""Review: which answers each kind has, and what they leave in the file."""

from pathlib import Path
from typing import Any

import pytest
from piloting import Run, covers, until
from textual.pilot import Pilot
from textual.widgets import Input, TextArea

from memhub import Memory
from memhub_tui.screens.edit import MergeScreen
from memhub_tui.screens.item import ItemScreen
from memhub_tui.screens.prompt import PromptScreen

Pair = tuple[str, str]


@pytest.fixture
def contested(memory: Memory) -> Pair:
    """Two items that contradict one another, the newer first."""
    old = memory.add("The gate code is 4711").item.id
    new = memory.add("The gate code is 4712").item.id
    memory.link(new, "challenges", old)
    return new, old


@pytest.fixture
def twice(memory: Memory, contested: Pair) -> tuple[Pair, Pair]:
    """Two such pairs, as they are listed."""
    old = memory.add("Anna prefers coffee").item.id
    new = memory.add("Anna prefers mate").item.id
    memory.link(new, "challenges", old)
    return (new, old), contested


@pytest.fixture
def forked(memory: Memory, tmp_path: Path) -> str:
    """An item that was changed in two files, the newer change in the other one."""
    item = memory.add("the code").item.id
    with Memory(tmp_path / "other.db") as other:
        exchange(memory, other, tmp_path / "there.ndjson")
        memory.update(item, content="mine")
        other.update(item, content="theirs")
        exchange(other, memory, tmp_path / "back.ndjson")
    assert "forked" in memory.get(item).flags
    return item


def exchange(source: Memory, target: Memory, path: Path) -> None:
    """Give everything of one file to the other."""
    path.write_text("\n".join(source.export_lines()), "utf-8")
    target.import_export(path)


def entries(app: Any) -> Any:
    """The list."""
    return app.screen.query_one("#entries")


def text(app: Any, side: str) -> str:
    """What a side shows."""
    return str(app.screen.query_one(f"#{side}-text").render())


async def reviewing(pilot: Pilot[None], count: int, words: str) -> None:
    """Go there; the first pair is shown."""
    await pilot.press("escape", "3")
    await until(pilot, lambda: len(pilot.app.screen.query("#entries")) and entries(pilot.app).total == count)
    await until(pilot, lambda: words in text(pilot.app, "new"))


async def answer(pilot: Pilot[None], words: str) -> None:
    """Type into the question that comes, and Enter."""
    await until(pilot, lambda: isinstance(pilot.app.screen, PromptScreen))
    pilot.app.screen.query_one(Input).value = words
    await pilot.press("enter")


def can(app: Any) -> set[str]:
    """The answers that can be given now."""
    active = app.screen.active_bindings.values()
    return {one.binding.key for one in active if one.enabled and (one.binding.id or "").startswith("review.")}


@covers("app.go('review')", "review.keep('new')")
async def test_review_keep_new_goes_on_to_the_next(run: Run, memory: Memory, twice: tuple[Pair, Pair]) -> None:
    async with run() as pilot:
        await reviewing(pilot, 2, "mate")
        assert "coffee" in text(pilot.app, "old")
        await pilot.press("n")
        await until(pilot, lambda: memory.get(twice[0][1]).state == "replaced")
        await until(pilot, lambda: "4712" in text(pilot.app, "new") and "4711" in text(pilot.app, "old"))
        await until(pilot, lambda: "n" in can(pilot.app))
        await pilot.press("n")
        await until(pilot, lambda: memory.get(twice[1][1]).state == "replaced")
        await until(pilot, lambda: entries(pilot.app).total == 0 and not pilot.app.screen.query_one("#pair").display)
        assert not can(pilot.app)
        await pilot.press("u")
        await until(pilot, lambda: memory.get(twice[1][1]).state == "live" and entries(pilot.app).total == 1)


@covers("review.keep('old')")
async def test_review_keep_old(run: Run, memory: Memory, contested: Pair) -> None:
    async with run() as pilot:
        await reviewing(pilot, 1, "4712")
        await pilot.press("o")
        await until(pilot, lambda: memory.get(contested[0]).state == "replaced")
        assert memory.get(contested[1]).state == "live"


@covers("review.keep('both')", "review.note", "review.skip")
async def test_review_note_leaves_it_open_and_goes_on(run: Run, memory: Memory, twice: tuple[Pair, Pair]) -> None:
    (new, old), (other, _) = twice
    async with run() as pilot:
        await reviewing(pilot, 2, "mate")
        await pilot.press("t")
        await answer(pilot, "ask her")
        await until(pilot, lambda: any(edge.attrs.get("note") == "ask her" for edge in memory.links(new)))
        await until(pilot, lambda: entries(pilot.app).cursor == 1 and "4712" in text(pilot.app, "new"))
        await until(pilot, lambda: "s" in can(pilot.app))
        await pilot.press("s")
        await until(pilot, lambda: entries(pilot.app).cursor == 0 and "mate" in text(pilot.app, "new"))
        await pilot.press("b")
        await until(pilot, lambda: [entry.item.id for entry in memory.review()] == [other])
        assert {memory.get(one).state for one in (new, old)} == {"live"}
        await until(pilot, lambda: entries(pilot.app).total == 1)
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(pilot.app.screen, ItemScreen) and pilot.app.screen.item_id == other)


@covers("review.merge")
async def test_review_merge_is_one_text_in_place_of_both(run: Run, memory: Memory, contested: Pair) -> None:
    async with run() as pilot:
        await reviewing(pilot, 1, "4712")
        await pilot.press("m")
        await until(pilot, lambda: isinstance(pilot.app.screen, MergeScreen) and pilot.app.screen._is_ready)
        area = pilot.app.screen.query_one(TextArea)
        assert "4711" in area.text
        assert "4712" in area.text
        area.load_text("The gate code was 4711 and is 4712")
        await pilot.press("ctrl+s")
        await until(pilot, lambda: memory.get(contested[1]).content == "The gate code was 4711 and is 4712")
        assert memory.get(contested[0]).state == "replaced"
        await until(pilot, lambda: entries(pilot.app).total == 0)


async def test_a_doubt_holds_is_dropped_or_noted_but_not_both(run: Run, memory: Memory) -> None:
    for words in ("I live in Hamburg.", "I work as a nurse."):
        memory.add(words)
    memory.judge()
    memory.set([line.item for line in memory.profile()], importance=0.9)
    (second, first) = [entry.item.id for entry in memory.review()]
    async with run() as pilot:
        await reviewing(pilot, 2, "nurse")
        assert not pilot.app.screen.query_one("#old").display
        assert "“I work as a nurse” " in str(pilot.app.screen.query_one("#new-quotes").render())
        assert can(pilot.app) == {"n", "o", "m", "t", "s"}
        await pilot.press("b", "n")
        await until(pilot, lambda: memory.get(second).attrs.get("confirmed"))
        await until(pilot, lambda: "Hamburg" in text(pilot.app, "new") and "o" in can(pilot.app))
        await pilot.press("o")
        await until(pilot, lambda: memory.get(first).state == "dropped")
        await until(pilot, lambda: entries(pilot.app).total == 0)


async def test_a_fork_shows_its_ends(run: Run, memory: Memory, forked: str) -> None:
    async with run() as pilot:
        await reviewing(pilot, 1, "theirs")
        assert "mine" in text(pilot.app, "old")
        assert can(pilot.app) == {"n", "o", "m", "s"}
        await pilot.press("m")
        await until(pilot, lambda: isinstance(pilot.app.screen, MergeScreen) and pilot.app.screen._is_ready)
        assert pilot.app.screen.query_one(TextArea).text == "theirs\n\nmine"
        await pilot.press("escape")
        await until(pilot, lambda: not isinstance(pilot.app.screen, MergeScreen))
        await pilot.press("o")
        await until(pilot, lambda: memory.get(forked).content == "mine")
        assert not memory.review()
