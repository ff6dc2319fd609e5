"""`mh pick`: type, mark, take; on the terminal whatever the standard streams lead to."""

import json
import subprocess
import sys
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any

import pytest
from on_terminal import OnTerminal
from piloting import covers, until
from textual.pilot import Pilot

from memhub import Memory, stamp
from memhub.config import Config
from memhub.model import EMPTY
from memhub.text.dates import Zone
from memhub_tui import keymap
from memhub_tui.pick_app import PickApp

MH = (sys.executable, "-m", "memhub")


@asynccontextmanager
async def picking(
    memory: Memory, size: tuple[int, int] = (80, 10), config: Mapping[str, str] = EMPTY, **kwargs: Any
) -> AsyncIterator[Pilot[Any]]:
    """The app in a window, its list filled."""
    app = PickApp(
        lambda space: Memory(memory.path, space=space), Config(config), Zone("UTC", stamp.now_ms()), **kwargs
    )  # fmt: skip
    async with app.run_test(size=size) as pilot:
        await until(pilot, lambda: app.screen.items.is_loaded)  # type: ignore[attr-defined]
        yield pilot


def texts(memory: Memory, ids: tuple[str, ...] | None) -> list[str]:
    """The first words of what was chosen."""
    return [" ".join(memory.get(id).content.split()[:2]) for id in ids or ()]


async def test_enter_takes_what_was_typed_for_even_before_the_list_shows_it(memory: Memory) -> None:
    async with picking(memory) as pilot:
        await pilot.press(*"ferr", "enter")
        await until(pilot, lambda: pilot.app.return_value)
    assert texts(memory, pilot.app.return_value) == ["The ferry"]


async def test_what_is_marked_stays_marked_while_one_looks_for_more(memory: Memory) -> None:
    async with picking(memory, query="ferry") as pilot:
        app: Any = pilot.app
        await until(pilot, lambda: app.screen.items.total == 1)
        await pilot.press("tab", *["backspace"] * 5)
        await until(pilot, lambda: app.screen.items.total == 5)
        assert len(app.screen.items.marked) == 1
        await pilot.press("down", "tab", "enter")
        await until(pilot, lambda: app.return_value)
    assert texts(memory, app.return_value) == ["The ferry", "Anna prefers"]


@covers("pick.mark", "pick.mark_back")
async def test_pick_mark_and_mark_back_walk_down_and_up(memory: Memory) -> None:
    async with picking(memory) as pilot:
        items: Any = pilot.app.screen.items  # type: ignore[attr-defined]
        await pilot.press("tab", "tab")
        assert items.cursor == 2
        await pilot.press("shift+tab")
        assert items.cursor == 1
        await pilot.press("shift+tab")
        assert [row.head.split()[0] for row in items.marked.values()] == ["#", "Backups"]


async def test_one_alone_cannot_be_marked(memory: Memory) -> None:
    async with picking(memory, several=False) as pilot:
        await pilot.press("tab", "down", "enter")
        await until(pilot, lambda: pilot.app.return_value)
    assert texts(memory, pilot.app.return_value) == ["Anna prefers"]


@covers("pick.leave")
@pytest.mark.parametrize("key", ["escape", "ctrl+c", "ctrl+g"])
async def test_pick_leave_chooses_nothing(memory: Memory, key: str) -> None:
    async with picking(memory) as pilot:
        await pilot.press("tab", key)
    assert not pilot.app.is_running
    assert pilot.app.return_value is None


async def test_nothing_found_is_nothing_to_take(memory: Memory) -> None:
    async with picking(memory, query="is:nonsense") as pilot:
        await pilot.press("enter")
        await until(pilot, lambda: "nothing known" in str(pilot.app.screen.query_one("#count").render()))  # type: ignore[attr-defined]
        assert pilot.app.return_value is None


async def test_colours_and_keys_are_those_of_the_user(memory: Memory) -> None:
    file = keymap.file()
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text('"pick.mark" = "ctrl+t"\n', "utf-8")
    async with picking(memory, config={"tui.theme": "textual-light"}) as pilot:
        assert pilot.app.theme == "textual-light"
        await pilot.press("ctrl+t", "down", "enter")
        await until(pilot, lambda: pilot.app.return_value)
    assert texts(memory, pilot.app.return_value) == ["# Sauce"]


async def test_a_wide_window_shows_the_text_beside(memory: Memory) -> None:
    async with picking(memory, size=(120, 20), query="sauce") as pilot:
        text: Any = pilot.app.screen.query_one("#preview #text")
        await until(pilot, lambda: "tomatoes" in text.source)
        assert text.region.width > 50


def test_pick_in_a_pipe(memory: Memory) -> None:
    with OnTerminal([*MH, "pick", "--db", str(memory.path)], size=(10, 60), stdin=subprocess.DEVNULL,
                    stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as pick:  # fmt: skip
        pick.wait_for("The ferry")
        pick.type("\x1b[B\t\t\r")
        assert pick.wait() == 0
        assert pick.process.stdout is not None
        out = pick.process.stdout.read().decode()
    assert texts(memory, tuple(out.split())) == ["Anna prefers", "Backups older"]
    assert out.count("\n") == 2


@pytest.mark.parametrize(("options", "shown"), [(["--print", "text"], "text"), (["--json"], "json")])
def test_pick_prints_texts_or_items(memory: Memory, options: list[str], shown: str) -> None:
    with OnTerminal([*MH, "pick", "ferry", *options, "--db", str(memory.path)], stdout=subprocess.PIPE) as pick:
        pick.wait_for("The ferry")
        pick.type("\r")
        assert pick.wait() == 0
        assert pick.process.stdout is not None
        out = pick.process.stdout.read().decode()
    said = json.loads(out)[0]["content"] if shown == "json" else out.removesuffix("\n")
    assert said == "The ferry to Naxos leaves at 7:30 from gate E2"


def test_pick_that_is_left_prints_nothing(memory: Memory) -> None:
    with OnTerminal([*MH, "pick", "--db", str(memory.path)], stdout=subprocess.PIPE) as pick:
        pick.wait_for("The ferry")
        pick.type("\x1b")
        assert pick.wait() == 130
        assert pick.process.stdout is not None
        assert pick.process.stdout.read() == b""


def test_pick_without_a_terminal_says_so(memory: Memory) -> None:
    done = subprocess.run(
        [*MH, "pick", "--db", str(memory.path)], stdin=subprocess.DEVNULL, capture_output=True, text=True,
        start_new_session=True, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == (
        "mh: error: `mh pick` needs a terminal\nhint: `mh search -q WORDS` prints ids without one\n"
    )  # fmt: skip
