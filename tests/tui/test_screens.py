"""Each screen by its keys: what it shows, and what its actions leave in the file."""

from pathlib import Path
from typing import Any

import pytest
from piloting import Run, covers, until
from textual.widgets import Input, OptionList, TextArea

from memhub import Memory
from memhub.model.thread import Message, ThreadInfo
from memhub_tui.screens.confirm import ConfirmScreen
from memhub_tui.screens.edit import EditScreen, MergeScreen
from memhub_tui.screens.help import HelpScreen
from memhub_tui.screens.item import ItemScreen
from memhub_tui.screens.links import LinksScreen
from memhub_tui.screens.prompt import PromptScreen
from memhub_tui.screens.threads import ThreadScreen


def entries(app: Any) -> Any:
    """The list of the screen in front."""
    return app.screen.query_one("#entries")


async def go(pilot: Any, key: str) -> Any:
    """Go to a mode by its number; answers with its list, filled."""
    await pilot.press("escape", key)
    await until(pilot, lambda: len(pilot.app.screen.query("#entries")) and entries(pilot.app).is_loaded)
    return entries(pilot.app)


async def answer(pilot: Any, words: str) -> None:
    """Type into the question that comes, and Enter."""
    await until(pilot, lambda: isinstance(pilot.app.screen, PromptScreen))
    field = pilot.app.screen.query_one(Input)
    field.value = words
    await pilot.press("enter")
    await until(pilot, lambda: not isinstance(pilot.app.screen, PromptScreen))


def shown(app: Any, part: str = "text") -> str:
    """What the preview of the screen in front shows."""
    found = app.screen.query_one(f"#preview #{part}")
    return str(found.source if part == "text" else found.render())


# ---- an item


@covers("list.choose", "item.versions", "item.why", "item.text", "item.leave")
async def test_an_item_shows_its_text_its_versions_and_why(run: Run, memory: Memory) -> None:
    newest = memory.list(limit=1)[0]
    memory.update(newest.id, content="Sauce of tomatoes")
    async with run() as pilot:
        await pilot.press("escape", "enter")
        await until(pilot, lambda: isinstance(pilot.app.screen, ItemScreen) and "tomatoes" in shown(pilot.app))
        await pilot.press("v")
        await until(pilot, lambda: shown(pilot.app).count("####") == 2)
        assert "**Sauce of**" in shown(pilot.app) or "**of**" in shown(pilot.app)
        await pilot.press("w")
        await until(pilot, lambda: "confidence" in shown(pilot.app))
        await pilot.press("t")
        await until(pilot, lambda: shown(pilot.app) == "Sauce of tomatoes")
        await pilot.press("escape")
        await until(pilot, lambda: not isinstance(pilot.app.screen, ItemScreen))
    assert memory.decay(newest.id).times == 1


async def test_a_long_text_can_be_read_to_its_end(run: Run, memory: Memory) -> None:
    memory.add("word " * 200_000 + "the very end")
    async with run() as pilot:
        await pilot.press("escape", "enter")
        await until(pilot, lambda: isinstance(pilot.app.screen, ItemScreen))
        area = pilot.app.screen.query_one("#long", TextArea)
        await until(pilot, lambda: area.text.endswith("the very end"))


@covers("items.links", "links.follow", "links.back", "links.evolution", "links.open", "links.leave")
async def test_links_are_walked_along(run: Run, memory: Memory) -> None:
    newest, second, third = memory.list(limit=3)
    memory.link(newest.id, "replaces", second.id)
    memory.link(third.id, "explains", second.id)
    async with run() as pilot:
        await pilot.press("escape", "L")
        await until(pilot, lambda: isinstance(pilot.app.screen, LinksScreen) and entries(pilot.app).total == 1)
        await pilot.press("enter")
        await until(pilot, lambda: pilot.app.screen.path == [newest.id, second.id] and entries(pilot.app).total == 2)
        await pilot.press("v")
        await until(pilot, lambda: [entries(pilot.app).at(n).item for n in range(2)] == [second.id, newest.id])
        await pilot.press("v", "backspace")
        await until(pilot, lambda: pilot.app.screen.path == [newest.id] and entries(pilot.app).total == 1)
        await pilot.press("o")
        await until(pilot, lambda: isinstance(pilot.app.screen, ItemScreen) and pilot.app.screen.item_id == second.id)
        await pilot.press("escape", "escape")
        await until(pilot, lambda: len(pilot.app.screen_stack) == 1)


# ---- threads


@pytest.fixture
def talk(memory: Memory) -> str:
    """A conversation of forty turns."""
    messages = [
        Message(
            f"question {n} about the harbour" if n % 2 == 0 else f"answer {n}: 风很大",
            "user" if n % 2 == 0 else "assistant",
        )
        for n in range(40)
    ]
    return memory.add_messages(messages, thread=ThreadInfo(title="Harbour talk", platform="codex")).thread.id


@covers("threads.search", "thread.find", "thread.find_next", "thread.find_before", "thread.save_as", "thread.leave")
async def test_a_conversation_is_found_read_and_written(run: Run, memory: Memory, talk: str, tmp_path: Path) -> None:
    async with run() as pilot:
        await go(pilot, "2")
        await pilot.press("slash")
        await answer(pilot, "harbour")
        await until(pilot, lambda: entries(pilot.app).total == 1)
        await until(pilot, lambda: "question 0" in shown(pilot.app))
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(pilot.app.screen, ThreadScreen) and entries(pilot.app).total == 40)
        await pilot.press("slash")
        await answer(pilot, "answer 1")
        await until(pilot, lambda: entries(pilot.app).cursor == 1)
        await pilot.press("greater_than_sign")
        await until(pilot, lambda: entries(pilot.app).cursor == 11)
        await pilot.press("less_than_sign")
        await until(pilot, lambda: entries(pilot.app).cursor == 1)
        await pilot.press("X")
        await answer(pilot, str(tmp_path / "talk.md"))
        await until(pilot, lambda: (tmp_path / "talk.md").exists())
        assert "answer 39: 风很大" in (tmp_path / "talk.md").read_text("utf-8")
        await pilot.press("escape")
        await until(pilot, lambda: len(pilot.app.screen_stack) == 1)


@covers("threads.drop", "app.go('threads')", "threads.distill")
async def test_a_conversation_is_removed_and_comes_back(run: Run, memory: Memory, talk: str) -> None:
    async with run() as pilot:
        await go(pilot, "2")
        await pilot.press("D")
        await until(pilot, lambda: [job.state for job in pilot.app.jobs.all] == ["done"])
        await pilot.press("d")
        await until(pilot, lambda: isinstance(pilot.app.screen, ConfirmScreen))
        await pilot.press("r")
        await until(pilot, lambda: not memory.threads())
        await pilot.press("u")
        await until(pilot, lambda: len(memory.threads()) == 1)


# ---- review


@pytest.fixture
def contested(memory: Memory) -> tuple[str, str]:
    """Two items that contradict one another, the newer first."""
    old = memory.add("The gate code is 4711").item.id
    new = memory.add("The gate code is 4712").item.id
    memory.link(new, "challenges", old)
    return new, old


@covers("app.go('review')", "review.keep('new')")
async def test_the_newer_one_holds(run: Run, memory: Memory, contested: tuple[str, str]) -> None:
    async with run() as pilot:
        await go(pilot, "3")
        await until(pilot, lambda: "4712" in str(pilot.app.screen.query_one("#new-text").render()))
        assert "4711" in str(pilot.app.screen.query_one("#old-text").render())
        await pilot.press("n")
        await until(pilot, lambda: memory.get(contested[1]).state == "replaced")
        await until(pilot, lambda: entries(pilot.app).total == 0)
        await pilot.press("u")
        await until(pilot, lambda: memory.get(contested[1]).state == "live")
        await until(pilot, lambda: entries(pilot.app).total == 1)


@covers("review.keep('old')")
async def test_the_older_one_holds(run: Run, memory: Memory, contested: tuple[str, str]) -> None:
    async with run() as pilot:
        await go(pilot, "3")
        await pilot.press("o")
        await until(pilot, lambda: memory.get(contested[0]).state == "replaced")


@covers("review.keep('both')", "review.note", "review.skip")
async def test_both_hold_after_a_note(run: Run, memory: Memory, contested: tuple[str, str]) -> None:
    async with run() as pilot:
        await go(pilot, "3")
        await pilot.press("s", "t")
        await answer(pilot, "ask the porter")
        await until(
            pilot, lambda: any(edge.attrs.get("note") == "ask the porter" for edge in memory.links(contested[0]))
        )
        await pilot.press("b")
        await until(pilot, lambda: not memory.review())
        assert {memory.get(one).state for one in contested} == {"live"}


@covers("review.merge")
async def test_one_text_takes_the_place_of_both(run: Run, memory: Memory, contested: tuple[str, str]) -> None:
    async with run() as pilot:
        await go(pilot, "3")
        await pilot.press("m")
        await until(pilot, lambda: isinstance(pilot.app.screen, MergeScreen) and pilot.app.screen._is_ready)
        pilot.app.screen.query_one(TextArea).load_text("The gate code was 4711 and is 4712")
        await pilot.press("ctrl+s")
        await until(pilot, lambda: memory.get(contested[1]).content == "The gate code was 4711 and is 4712")
        assert memory.get(contested[0]).state == "replaced"


# ---- log


@covers("app.go('log')", "log.undo_this", "log.redo_this")
async def test_any_operation_is_taken_back_and_brought_back(run: Run, memory: Memory) -> None:
    async with run() as pilot:
        await go(pilot, "4")
        await until(pilot, lambda: entries(pilot.app).total == 5)
        await pilot.press("down", "down", "z")
        await until(pilot, lambda: memory.count() == 4)
        assert all("Backups" not in item.content for item in memory.list())
        await until(pilot, lambda: entries(pilot.app).total == 6 and entries(pilot.app).entry.operation.undone)
        await pilot.press("Z")
        await until(pilot, lambda: memory.count() == 5)


# ---- activity and settings


@covers("app.go('activity')", "activity.import", "activity.index", "activity.judge")
async def test_long_work_is_begun_and_told(run: Run, memory: Memory, tmp_path: Path) -> None:
    (tmp_path / "notes").mkdir()
    for n in range(5):
        (tmp_path / "notes" / f"{n}.md").write_text(f"# Note {n}\n\nA text", "utf-8")
    async with run() as pilot:
        await go(pilot, "5")
        for key, title in (("i", "import"), ("x", "index"), ("J", "judge")):
            await pilot.press(key)
            if key == "i":
                await answer(pilot, str(tmp_path / "notes"))
            await until(pilot, lambda: [job.state for job in pilot.app.jobs.all[:1]] == ["done"])
            assert pilot.app.jobs.all[0].title.startswith(title)
        assert "5 new" in pilot.app.jobs.all[2].message
        await until(pilot, lambda: entries(pilot.app).total >= 3)
    assert memory.count() == 10


@covers("activity.cancel")
async def test_a_job_is_stopped_and_what_is_done_stays(run: Run, memory: Memory) -> None:
    import threading

    go_on = threading.Event()

    def work(own: Memory, tell: Any) -> str:
        own.add("done before the stop")
        tell(1, 10)
        go_on.wait(20)
        tell(2, 10)
        own.add("never")
        return "all"

    async with run() as pilot:
        await go(pilot, "5")
        job = pilot.app.jobs.start("slow", work)
        await until(pilot, lambda: job.done == 1 and entries(pilot.app).at(0).job is job)
        await pilot.press("home")
        await pilot.press("c")
        go_on.set()
        await until(pilot, lambda: job.state == "cancelled")
    assert memory.list(limit=1)[0].content == "done before the stop"


@covers("activity.retry", "activity.drop")
async def test_what_waits_is_forgotten(run: Run, memory: Memory) -> None:
    waiting = len(memory.queue())
    assert waiting
    async with run() as pilot:
        await go(pilot, "5")
        await until(pilot, lambda: entries(pilot.app).total == waiting)
        await pilot.press("r", "d")
        await until(pilot, lambda: len(memory.queue()) == waiting - 1)


@covers("app.go('settings')", "settings.change", "settings.reset")
async def test_a_setting_is_changed_and_reset(run: Run) -> None:
    async with run() as pilot:
        await go(pilot, "6")
        names = [entries(pilot.app).at(n).id for n in range(entries(pilot.app).total)]
        entries(pilot.app).cursor = names.index("tui.theme")
        await pilot.press("e")
        await answer(pilot, "textual-light")
        await until(pilot, lambda: pilot.app.theme == "textual-light")
        assert "textual-light" in pilot.app.config.file.read_text("utf-8")
        await until(pilot, lambda: entries(pilot.app).entry.value == "textual-light")
        await pilot.press("r")
        await until(pilot, lambda: pilot.app.theme == "textual-dark")


# ---- everywhere


@covers("app.help")
async def test_help_names_the_keys_and_narrows(run: Run) -> None:
    async with run() as pilot:
        await pilot.press("escape", "question_mark")
        await until(pilot, lambda: isinstance(pilot.app.screen, HelpScreen))
        keys: Any = pilot.app.screen.query_one("#keys")
        await until(pilot, lambda: keys.total > 30 and keys.at(0).scope == "browse")
        await pilot.press(*"delete")
        await until(pilot, lambda: 0 < keys.total < 8)
        await pilot.press("escape")
        await until(pilot, lambda: not isinstance(pilot.app.screen, HelpScreen))


@covers("app.space", "items.move")
async def test_another_space(run: Run, memory: Memory) -> None:
    newest = memory.list(limit=1)[0]
    async with run() as pilot:
        await pilot.press("escape", "m")
        await until(pilot, lambda: len(pilot.app.screen.query(OptionList)))
        await pilot.press(*"work", "enter")
        await until(pilot, lambda: memory.get(newest.id).space == "work")
        await until(pilot, lambda: len(pilot.app.screen_stack) == 1)
        await pilot.press("S")
        await until(pilot, lambda: len(pilot.app.screen.query(OptionList)))
        await until(pilot, lambda: pilot.app.screen.query_one(OptionList).option_count == 2)
        await pilot.press(*"work", "enter")
        await until(pilot, lambda: len(pilot.app.screen_stack) == 1 and pilot.app.screen.items.total == 1)
        await pilot.press("n")
        await until(pilot, lambda: isinstance(pilot.app.screen, EditScreen) and pilot.app.screen._is_ready)
        await pilot.press(*"here", "ctrl+s")
        await until(pilot, lambda: any(item.space == "work" for item in memory.list(limit=0, filters=_in("work"))))


def _in(space: str) -> Any:
    from memhub.model.query import Filters

    return Filters(space=space)
