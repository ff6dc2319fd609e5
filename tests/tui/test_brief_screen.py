"""The page of a day: read, gone from day to day, edited, and written again."""

import threading
from typing import Any

import pytest
from piloting import Run, covers, entries, go, shown, until

from memhub import Memory
from memhub.model.thread import Message, ThreadInfo
from memhub_tui.screens.brief import BriefScreen
from memhub_tui.screens.edit import EditScreen
from memhub_tui.screens.item import ItemScreen
from memhub_tui.screens.thread import ThreadScreen

DUE = "Renew the passport by 20 February 2026"


@pytest.fixture
def due(memory: Memory) -> str:
    """Something for the page to say."""
    memory.add_messages([Message("where is the key?", "user")], thread=ThreadInfo(title="Key of the boat"))
    return memory.add(DUE).item.id


def words(app: Any) -> list[str]:
    """The lines of the list."""
    found = entries(app)
    return [found.at(n).words for n in range(found.total)]


async def opened(pilot: Any) -> Any:
    """Go to the page of today; answers with the screen."""
    await go(pilot, "7")
    await until(pilot, lambda: DUE in shown(pilot.app))
    return pilot.app.screen


@covers("app.go('brief')")
async def test_the_page_is_shown_with_what_it_rests_on(run: Run, memory: Memory, due: str) -> None:
    async with run() as pilot:
        screen = await opened(pilot)
        page = memory.brief()
        assert shown(pilot.app) == page.content
        assert "written 2026-02-10" in shown(pilot.app, "head")
        assert words(pilot.app)[0] == page.sections[0].title
        listed = [entries(pilot.app).at(n).target for n in range(entries(pilot.app).total)]
        assert [one for one in listed if one] == [one for section in page.sections for one in section.ids]
        at = listed.index(due)
        await pilot.press(*["j"] * at)
        marked = lambda: [str(one.render()) for one in screen.query("#text .-here")]  # noqa: E731
        await until(pilot, lambda: len(marked()) == 1 and due[-6:] in marked()[0])
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(pilot.app.screen, ItemScreen))
        assert pilot.app.screen.item_id == due


async def test_a_conversation_is_opened_from_the_page_and_a_heading_opens_nothing(
    run: Run, memory: Memory, due: str
) -> None:
    async with run() as pilot:
        await opened(pilot)
        await pilot.press("enter")
        at = words(pilot.app).index("Key of the boat")
        await pilot.press(*["j"] * at, "enter")
        await until(pilot, lambda: isinstance(pilot.app.screen, ThreadScreen))


@covers("brief.before", "brief.after", "brief.today")
async def test_one_goes_from_day_to_day_and_not_into_what_is_to_come(run: Run, memory: Memory, due: str) -> None:
    async with run() as pilot:
        screen = await opened(pilot)
        await pilot.press("left")
        await until(pilot, lambda: screen.page.day == "2026-02-09")
        await pilot.press("left_square_bracket")
        await until(pilot, lambda: screen.page.day == "2026-02-08" and "8 February" in shown(pilot.app))
        await pilot.press("right")
        await until(pilot, lambda: screen.page.day == "2026-02-09")
        await pilot.press("t")
        await until(pilot, lambda: screen.page.day == "2026-02-10" and DUE in shown(pilot.app))
        await pilot.press("right")
        await pilot.pause()
        assert screen.page.day == "2026-02-10"
        assert screen.day is None


@covers("brief.edit", "brief.again")
async def test_what_is_edited_stays_when_the_page_is_written_again(run: Run, memory: Memory, due: str) -> None:
    async with run() as pilot:
        await opened(pilot)
        before = memory.brief()
        await pilot.press("w")
        await until(pilot, lambda: any("say the same" in note.message for note in pilot.app._notifications))
        assert memory.brief().version == before.version
        await pilot.press("e")
        await until(pilot, lambda: isinstance(pilot.app.screen, EditScreen) and pilot.app.screen._is_ready)
        area: Any = pilot.app.screen.query_one("#text")
        area.load_text(before.content + "\n\n## Mine\n\nCall Kostas")
        await pilot.press("ctrl+s")
        await until(pilot, lambda: "Call Kostas" in shown(pilot.app))
        later = memory.add("Pay the berth by 21 February 2026").item
        await until(pilot, lambda: "since" in shown(pilot.app, "head"))
        await pilot.press("w")
        await until(pilot, lambda: later.content in shown(pilot.app))
        assert "Call Kostas" in memory.brief().content
        assert [one.title for one in memory.brief().sections if one.is_yours] == ["Mine"]
        await until(pilot, lambda: "yours: Mine" in shown(pilot.app, "head"))


async def test_leaving_waits_for_no_page(run: Run, memory: Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    is_begun, go_on = threading.Event(), threading.Event()

    def slow(self: Memory, date: str | None = None, *, again: bool = False) -> None:
        is_begun.set()
        go_on.wait(60)

    monkeypatch.setattr(Memory, "brief", slow)
    try:
        async with run() as pilot:
            await pilot.press("escape", "7")
            await until(pilot, is_begun.is_set)
            await until(pilot, lambda: "Looking" in shown(pilot.app, "head"))
            await pilot.press("q")
            await until(pilot, lambda: not pilot.app.is_running)
        assert not go_on.is_set()
    finally:
        go_on.set()


async def test_a_page_that_cannot_be_written_says_why(run: Run, memory: Memory, due: str) -> None:
    memory.erase(memory.brief().id)
    async with run() as pilot:
        await pilot.press("escape", "7")
        await until(pilot, lambda: isinstance(pilot.app.screen, BriefScreen))
        await until(pilot, lambda: "was erased" in shown(pilot.app, "title") + shown(pilot.app, "head"))
        assert not entries(pilot.app).total
        assert pilot.app.screen.page is None
