"""The file under the app: others change it, hold it, take it away, put another in its place."""

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import apsw
from piloting import Run, until

from memhub import Memory
from memhub_tui.widgets.top_bar import TopBar

ADD = """
import sys
from memhub import Memory
with Memory(sys.argv[1]) as memory:
    for text in sys.argv[2:]:
        memory.add(text)
"""


def add_elsewhere(path: Path, *texts: str) -> None:
    """Another process adds notes."""
    subprocess.run([sys.executable, "-c", ADD, str(path), *texts], check=True)


def bar(app: Any) -> str:
    """What the bar says at the right."""
    return str(app.screen.query_one(TopBar).query_one("#status").render())


async def test_another_process_changes_the_list_and_not_the_cursor(run: Run, memory: Memory) -> None:
    async with run() as pilot:
        items: Any = pilot.app.screen.query_one("#items")
        await pilot.press("escape", "down", "down")
        under = items.entry.id
        add_elsewhere(memory.path, "one from elsewhere", "another from elsewhere")
        await until(pilot, lambda: items.total == 7)
        await until(pilot, lambda: items.entry.id == under and items.cursor == 4)
        assert items.at(0).head == "another from elsewhere"
        memory.drop(under)
        await until(pilot, lambda: items.total == 6)
        assert items.cursor == 4


async def test_the_text_in_view_follows(run: Run, memory: Memory) -> None:
    newest = memory.list(limit=1)[0]
    async with run() as pilot:
        memory.update(newest.id, content="changed elsewhere")
        preview: Any = pilot.app.screen.query_one("#preview #text")
        await until(pilot, lambda: "changed elsewhere" in preview.source)


async def test_a_file_that_is_gone_is_told_and_one_that_comes_is_read(run: Run, memory: Memory, tmp_path: Path) -> None:
    with Memory(tmp_path / "other.db") as other:
        other.add("in the other file")
    memory.close()
    async with run() as pilot:
        items: Any = pilot.app.screen.query_one("#items")
        os.rename(memory.path, tmp_path / "away.db")
        await until(pilot, lambda: "is gone" in bar(pilot.app))
        assert items.total == 5
        await pilot.press("escape", "p")
        await until(pilot, lambda: any("nothing was changed" in told.message for told in pilot.app._notifications))
        assert not memory.path.exists()
        shutil.move(tmp_path / "other.db", memory.path)
        await until(pilot, lambda: items.total == 1 and items.at(0).head == "in the other file")
        await until(pilot, lambda: "1 item" in bar(pilot.app))


async def test_a_change_waits_for_who_writes_and_says_so(run: Run, memory: Memory) -> None:
    holder = apsw.Connection(str(memory.path))
    holder.execute("BEGIN IMMEDIATE")
    async with run() as pilot:
        await pilot.press("escape", "p")
        await until(pilot, lambda: any("Another program" in str(told.message) for told in pilot.app._notifications))
        holder.execute("ROLLBACK")
        await until(pilot, lambda: memory.list(limit=1)[0].pinned)
    holder.close()


def test_a_file_from_a_newer_mh_is_refused_before_the_screen_is_taken(memory: Memory, tmp_path: Path) -> None:
    path = memory.path
    memory.close()
    connection = apsw.Connection(str(path))
    connection.execute("PRAGMA user_version = 9999")
    connection.close()
    import pty

    main, side = pty.openpty()
    done = subprocess.run(
        [sys.executable, "-m", "memhub", "tui", "--db", str(path)], stdin=side, stdout=side, stderr=subprocess.PIPE,
        text=True, check=False,
    )  # fmt: skip
    os.close(main)
    os.close(side)
    assert done.returncode != 0
    assert done.stderr.startswith("mh: error:")
    assert "newer" in done.stderr
    assert "\x1b" not in done.stderr
