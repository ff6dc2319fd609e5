"""What is typed and not saved survives: leaving, quitting, a kill, and the item's own end."""

import os
import pty
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

from piloting import Run, covers, until
from textual.widgets import TextArea

from memhub import Memory
from memhub.paths import drafts_folder
from memhub_tui.screens.confirm import ConfirmScreen
from memhub_tui.screens.edit import EditScreen


def editing(app: Any) -> bool:
    """Whether an editor is open and filled."""
    return isinstance(app.screen, EditScreen) and app.screen._is_ready


def drafts() -> list[Path]:
    """The draft files."""
    return list(drafts_folder().glob("*.json"))


async def test_quitting_keeps_the_text_and_the_next_start_offers_it(run: Run, memory: Memory) -> None:
    newest = memory.list(limit=1)[0]
    async with run() as pilot:
        await pilot.press("escape", "e")
        await until(pilot, lambda: editing(pilot.app))
        await pilot.press(*"Hm: ", "ctrl+q")
    assert memory.get(newest.id).content == newest.content
    assert len(drafts()) == 1
    async with run() as pilot:
        await until(pilot, lambda: isinstance(pilot.app.screen, ConfirmScreen))
        await pilot.press("o")
        await until(pilot, lambda: editing(pilot.app))
        assert pilot.app.screen.query_one(TextArea).text == "Hm: " + newest.content
        await pilot.press("ctrl+s")
        await until(pilot, lambda: memory.get(newest.id).content.startswith("Hm: # Sauce"))
        await until(pilot, lambda: not drafts())


async def test_erasing_an_item_erases_what_was_being_typed(run: Run, memory: Memory) -> None:
    newest = memory.list(limit=1)[0]
    async with run() as pilot:
        await pilot.press("escape", "e")
        await until(pilot, lambda: editing(pilot.app))
        await pilot.press(*"secret ", "ctrl+q")
    assert len(drafts()) == 1
    memory.erase(newest.id)
    assert not drafts()
    async with run() as pilot:
        await pilot.pause()
        assert not isinstance(pilot.app.screen, ConfirmScreen)


@covers("items.new")
async def test_leaving_asks_before_anything_is_lost(run: Run, memory: Memory) -> None:
    async with run() as pilot:
        await pilot.press("escape", "n")
        await until(pilot, lambda: editing(pilot.app))
        await pilot.press(*"one", "escape")
        await until(pilot, lambda: isinstance(pilot.app.screen, ConfirmScreen))
        await pilot.press("g")  # go on
        await until(pilot, lambda: editing(pilot.app))
        await pilot.press("escape")
        await until(pilot, lambda: isinstance(pilot.app.screen, ConfirmScreen))
        await pilot.press("s")
        await until(pilot, lambda: memory.list(limit=1)[0].content == "one")
        await until(pilot, lambda: pilot.app.screen.items.total == 6)
    assert not drafts()


async def test_someone_elses_change_is_told_and_neither_text_is_lost(run: Run, memory: Memory) -> None:
    newest = memory.list(limit=1)[0]
    async with run() as pilot:
        await pilot.press("escape", "e")
        await until(pilot, lambda: editing(pilot.app))
        memory.update(newest.id, content="theirs")
        await pilot.press(*"mine ", "ctrl+s")
        await until(pilot, lambda: isinstance(pilot.app.screen, ConfirmScreen))
        assert memory.get(newest.id).content == "theirs"
        await pilot.press("s")
        await until(pilot, lambda: memory.get(newest.id).content.startswith("mine # Sauce"))
    assert [version.content for version in memory.history(newest.id)][1] == "theirs"


async def test_a_killed_process_leaves_the_text(run: Run, memory: Memory) -> None:
    main, side = pty.openpty()
    command = [sys.executable, "-m", "memhub", "tui", "--db", str(memory.path)]
    child = subprocess.Popen(command, stdin=side, stdout=side, stderr=side, start_new_session=True)
    seen = bytearray()
    reader = threading.Thread(target=_drain, args=(main, seen), daemon=True)
    reader.start()
    try:
        _until(lambda: b"items" in seen)
        os.write(main, b"\x1b")
        time.sleep(0.5)  # a lone escape is told from the beginning of a sequence by what does not follow
        os.write(main, b"n")
        _until(lambda: b"Save" in seen)
        typed = "kept through the kill 备份"
        os.write(main, typed.encode())
        _until(lambda: any(typed in file.read_text("utf-8") for file in drafts()))
        child.send_signal(signal.SIGKILL)
        child.wait(10)
    finally:
        child.kill()
        os.close(side)
    async with run() as pilot:
        await until(pilot, lambda: isinstance(pilot.app.screen, ConfirmScreen))
        await pilot.press("o")
        await until(pilot, lambda: editing(pilot.app))
        assert pilot.app.screen.query_one(TextArea).text == typed


def _drain(source: int, into: bytearray) -> None:
    while True:
        try:
            into += os.read(source, 65536)
        except OSError:
            return


def _until(condition: Any) -> None:
    end = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.05)
