"""Activity by its keys: imports that show first what would come in, jobs with their bars, and the queue."""

import threading
from pathlib import Path
from typing import Any

import pytest
from piloting import Run, covers, entries, go, shown, until
from textual.widgets import Input, SelectionList

from memhub import Memory
from memhub.errors import UnavailableError
from memhub.model.report import Discovered
from memhub.model.thread import Message, ThreadInfo
from memhub_tui import works
from memhub_tui.screens.confirm import ConfirmScreen
from memhub_tui.screens.import_sources import ImportScreen
from memhub_tui.screens.item import ItemScreen
from memhub_tui.screens.thread import ThreadScreen


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    """A folder of five notes."""
    folder = tmp_path / "notes"
    folder.mkdir()
    for n in range(5):
        (folder / f"{n}.md").write_text(f"# Note {n}\n\nA text about {n}", "utf-8")
    return folder


async def import_screen(pilot: Any) -> Any:
    """Open Import; answers with the screen, once the usual places were looked into."""
    await go(pilot, "5")
    await pilot.press("i")
    await until(pilot, lambda: isinstance(pilot.app.screen, ImportScreen) and "Ctrl+S" in told(pilot.app))
    return pilot.app.screen


def told(app: Any) -> str:
    """What stands at the lower end of Import."""
    return str(app.screen.query_one("#told").render())


@covers("app.go('activity')", "activity.import", "import.go_on")
async def test_an_import_shows_first_what_would_come_in(run: Run, memory: Memory, notes: Path) -> None:
    async with run() as pilot:
        screen = await import_screen(pilot)
        screen.query_one("#path", Input).value = str(notes)
        screen.query_one("#labels", Input).value = "#harbour boats"
        await pilot.press("ctrl+s")
        await until(pilot, lambda: "5 new" in told(pilot.app))
        assert memory.count() == 5  # those of the fixture: nothing was written
        await pilot.press("ctrl+s")
        await until(pilot, lambda: [job.state for job in pilot.app.jobs.all[:1]] == ["done"])
        job = pilot.app.jobs.all[0]
        assert job.title == f"import {notes}"
        assert "5 new" in job.message
        await until(pilot, lambda: entries(pilot.app).at(0) and entries(pilot.app).at(0).job is job)
    found = [item for item in memory.list(limit=0) if "harbour" in item.labels and "boats" in item.labels]
    assert len(found) == 5


async def test_another_path_is_looked_into_again(run: Run, memory: Memory, notes: Path, tmp_path: Path) -> None:
    (tmp_path / "one.md").write_text("# One\n\nalone", "utf-8")
    async with run() as pilot:
        screen = await import_screen(pilot)
        screen.query_one("#path", Input).value = str(notes)
        await pilot.press("enter")
        await until(pilot, lambda: "5 new" in told(pilot.app))
        screen.query_one("#path", Input).value = str(tmp_path / "one.md")
        await pilot.press("enter")
        await until(pilot, lambda: "1 new" in told(pilot.app))
        assert memory.count() == 5
        screen.query_one("#path", Input).value = str(tmp_path / "none")
        await pilot.press("enter")
        await until(pilot, lambda: "no file or folder" in told(pilot.app))


@covers("import.tick_all", "import.leave")
async def test_places_are_ticked(run: Run, memory: Memory, notes: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    places = [Discovered("markdown", str(notes), 5, "notes"), Discovered("text", str(notes / "0.md"), 1, "files")]
    monkeypatch.setattr(Memory, "discover", lambda self: places)
    async with run() as pilot:
        screen = await import_screen(pilot)
        await pilot.press("ctrl+s")
        await until(pilot, lambda: any("tick a place" in note.message for note in pilot.app._notifications))
        ticks: Any = screen.query_one(SelectionList)
        ticks.focus()
        await pilot.press("a")
        await until(pilot, lambda: len(ticks.selected) == 2)
        await pilot.press("a")
        await until(pilot, lambda: not ticks.selected)
        await pilot.press("home", "space", "ctrl+s")
        await until(pilot, lambda: "5 new" in told(pilot.app))
        await pilot.press("escape")
        await until(pilot, lambda: not isinstance(pilot.app.screen, ImportScreen))
        assert not pilot.app.jobs.all
    assert memory.count() == 5


async def test_what_was_skipped_is_listed(run: Run, memory: Memory, notes: Path) -> None:
    (notes / "odd.md").write_bytes(b"a\x00b")
    async with run() as pilot:
        screen = await import_screen(pilot)
        screen.query_one("#path", Input).value = str(notes)
        await pilot.press("enter")
        await until(pilot, lambda: "1 skipped" in told(pilot.app) and "odd.md: binary" in told(pilot.app))
        await pilot.press("enter")
        await until(pilot, lambda: [job.state for job in pilot.app.jobs.all[:1]] == ["done"])
        await until(pilot, lambda: "odd.md: binary" in shown(pilot.app, "foot"))


@covers("activity.index", "activity.judge")
async def test_long_work_is_begun_and_told(run: Run, memory: Memory) -> None:
    async with run() as pilot:
        await go(pilot, "5")
        for key, title in (("x", "index"), ("J", "judge")):
            await pilot.press(key)
            await until(pilot, lambda: [job.title for job in pilot.app.jobs.all[:1]] == [title])  # noqa: B023
            await until(pilot, lambda: pilot.app.jobs.all[0].state == "done")
        assert "judged" in pilot.app.jobs.all[0].message
        assert "5 vectors" in pilot.app.jobs.all[1].message
        await until(pilot, lambda: entries(pilot.app).at(0) and entries(pilot.app).at(0).job.title == "judge")
    assert memory.stats()["pending_vectors"] == 0
    assert not [row for row in memory.queue() if row.state == "waiting"]


@covers("activity.digest")
async def test_a_digest_shows_its_steps_and_tells_what_came_of_it(run: Run, memory: Memory) -> None:
    memory.add("I live in Lisbon")
    async with run() as pilot:
        await go(pilot, "5")
        await pilot.press("D")
        await until(pilot, lambda: pilot.app.jobs.all and pilot.app.jobs.all[0].state == "done")
        job = pilot.app.jobs.all[0]
        assert job.title == "digest"
        assert job.steps["judge"] == (6, 6)
        assert "new" in job.message
        assert any(line.startswith("judge: ") for line in job.lines)
        await until(pilot, lambda: "judge: " in shown(pilot.app, "foot"))
        await pilot.press("D")
        await until(pilot, lambda: len(pilot.app.jobs.all) == 2 and pilot.app.jobs.all[0].state == "done")
        assert pilot.app.jobs.all[0].message == "nothing new to digest"
    assert "I live in Lisbon" in [line.text for line in memory.persona()]


async def test_a_bar_for_each_step_and_a_stop_between(run: Run, memory: Memory) -> None:
    go_on = threading.Event()

    def work(own: Memory, tell: Any) -> str:
        tell.step("judge", 4, 4)
        tell.step("schemas", 1, 4)
        go_on.wait(20)
        tell.step("core", 0, 1)
        return "all"

    async with run() as pilot:
        await go(pilot, "5")
        job = pilot.app.jobs.start("digest", work)
        await until(pilot, lambda: job.step == "schemas" and entries(pilot.app).at(0).job is job)
        await pilot.press("home")
        await until(pilot, lambda: "schemas" in shown(pilot.app, "head"))
        _, judged, schemas = shown(pilot.app, "head").splitlines()
        assert judged.split()[0] == "judge"
        assert judged.endswith("━━ 100%")
        assert schemas.endswith("── 25%")
        await pilot.press("c")
        go_on.set()
        await until(pilot, lambda: job.state == "cancelled")


async def test_a_digest_that_was_stopped_is_taken_up_by_the_next(run: Run, memory: Memory) -> None:
    memory.add("I live in Lisbon")
    digest = works.digesting(every_space=True)

    def stopped(own: Memory, tell: Any) -> str:
        jobs.cancel(jobs.all[0])
        return digest(own, tell)

    async with run() as pilot:
        jobs = pilot.app.jobs
        await go(pilot, "5")
        job = jobs.start("stopped", stopped)
        await until(pilot, lambda: job.state == "cancelled")
        assert not memory.persona()
        await pilot.press("D")
        await until(pilot, lambda: jobs.all[0].title == "digest" and jobs.all[0].state == "done")
    assert [line.text for line in memory.persona()] == ["I live in Lisbon"]


class Slow:
    """Work that goes on when it is told to."""

    def __init__(self) -> None:
        self.go_on = threading.Event()

    def __call__(self, memory: Memory, tell: Any) -> str:
        memory.add("done before the stop")
        tell(1, 10)
        self.go_on.wait(20)
        tell(2, 10)
        memory.add("never")
        return "all"


@covers("activity.cancel", "activity.drop")
async def test_a_job_is_stopped_and_what_is_done_stays(run: Run, memory: Memory) -> None:
    work = Slow()
    async with run() as pilot:
        await go(pilot, "5")
        job = pilot.app.jobs.start("slow work", work)
        await until(pilot, lambda: job.done == 1 and entries(pilot.app).at(0).job is job)
        await pilot.press("home")
        await until(pilot, lambda: "1 of 10" in shown(pilot.app, "head"))
        await pilot.press("c")
        await until(pilot, lambda: "stopping" in shown(pilot.app, "head"))
        work.go_on.set()
        await until(pilot, lambda: job.state == "cancelled" and "cancelled" in shown(pilot.app, "head"))
        await pilot.press("d")
        await until(pilot, lambda: not pilot.app.jobs.all and not entries(pilot.app).at(0).job)
    assert memory.list(limit=1)[0].content == "done before the stop"


async def test_work_goes_on_elsewhere_and_the_bar_tells(run: Run, memory: Memory) -> None:
    work = Slow()
    async with run() as pilot:
        job = pilot.app.jobs.start("slow work", work)
        await go(pilot, "4")
        bar = pilot.app.screen.query_one("#jobs")
        await until(pilot, lambda: "slow ━" not in str(bar.render()) and "slow ─" in str(bar.render()))
        work.go_on.set()
        await until(pilot, lambda: job.state == "done" and not str(bar.render()).strip())
        await until(pilot, lambda: any("slow work: all" in note.message for note in pilot.app._notifications))


@covers("app.quit")
async def test_leaving_with_work_asks_and_stops_it(run: Run, memory: Memory) -> None:
    work = Slow()
    async with run() as pilot:
        job = pilot.app.jobs.start("slow work", work)
        await until(pilot, lambda: job.done == 1)
        await pilot.press("escape", "q")
        await until(pilot, lambda: isinstance(pilot.app.screen, ConfirmScreen))
        await pilot.press("escape")
        await until(pilot, lambda: not isinstance(pilot.app.screen, ConfirmScreen))
        await pilot.press("q")
        await until(pilot, lambda: isinstance(pilot.app.screen, ConfirmScreen))
        work.go_on.set()
        await pilot.press("l")
        await until(pilot, lambda: not pilot.app.is_running)
    assert job.state in ("cancelled", "done")


async def test_the_same_work_does_not_run_twice(run: Run, memory: Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    work = Slow()
    monkeypatch.setattr("memhub_tui.works.judge", work)
    async with run() as pilot:
        await go(pilot, "5")
        await pilot.press("J")
        await until(pilot, lambda: pilot.app.jobs.running)
        await pilot.press("J")
        await until(pilot, lambda: any("running already" in str(note.title) for note in pilot.app._notifications))
        assert len(pilot.app.jobs.all) == 1
        work.go_on.set()
        await until(pilot, lambda: not pilot.app.jobs.running)


async def test_work_that_fails_says_why(run: Run, memory: Memory) -> None:
    def work(own: Memory, tell: Any) -> str:
        raise UnavailableError("no model answers", "start it")

    async with run() as pilot:
        await go(pilot, "5")
        job = pilot.app.jobs.start("ask", work)
        await until(pilot, lambda: job.state == "failed" and entries(pilot.app).at(0).job is job)
        assert job.message == "no model answers: start it"
        await until(pilot, lambda: any(note.severity == "error" for note in pilot.app._notifications))


@covers("activity.retry")
async def test_what_waits_is_retried_opened_and_forgotten(run: Run, memory: Memory) -> None:
    thread = memory.add_messages(
        [Message("I live in Paris"), Message("Noted", "assistant")], thread=ThreadInfo()
    ).thread
    failing = memory.queue()[0]
    with memory.store.writing():
        memory.store.connection.execute(
            "UPDATE queue SET state='failed', attempts=3, error='the service is down', next_ms=? WHERE item=?",
            (4_000_000_000_000, failing.source),
        )
    waiting = memory.queue_count()
    async with run() as pilot:
        listed = await go(pilot, "5")
        await until(pilot, lambda: listed.total == waiting)
        await until(pilot, lambda: "the service is down" in shown(pilot.app, "foot"))
        assert "3 tries" in shown(pilot.app, "head")
        await pilot.press("r")
        await until(pilot, lambda: memory.queue()[0].next_try is None and memory.queue()[0].attempts == 0)
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(pilot.app.screen, ItemScreen))
        assert pilot.app.screen.item_id == failing.source
        await pilot.press("escape")
        await until(pilot, lambda: len(pilot.app.screen_stack) == 1)
        await pilot.press("G", "enter")
        await until(pilot, lambda: isinstance(pilot.app.screen, ThreadScreen))
        assert pilot.app.screen.thread_id == thread.id
        await pilot.press("escape")
        await until(pilot, lambda: len(pilot.app.screen_stack) == 1)
        await pilot.press("d")
        await until(pilot, lambda: memory.queue_count() == waiting - 1)
    assert memory.thread(thread.id).turns  # only the work was forgotten
