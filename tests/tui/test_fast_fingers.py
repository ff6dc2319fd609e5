"""Keys that come in one burst, as from fast fingers or a paste, mean what they mean one by one."""

import asyncio
from typing import Any

import pytest
from piloting import Run, until
from textual import events
from textual.widgets import Input, TextArea

from memhub import Memory
from memhub_tui.screens.confirm import ConfirmScreen
from memhub_tui.screens.edit import EditScreen
from memhub_tui.screens.item import ItemScreen
from memhub_tui.screens.labels import LabelScreen
from memhub_tui.screens.links import LinksScreen
from memhub_tui.screens.new_link import NewLinkScreen
from memhub_tui.screens.spaces import SpaceScreen


def burst(app: Any, *keys: str) -> None:
    """Put keys into the queue of the app, as the driver does, without waiting for what they do."""
    for key in keys:
        app.post_message(events.Key(key, "/" if key == "slash" else key if len(key) == 1 else None))


async def test_a_label_typed_taken_and_done(run: Run, memory: Memory) -> None:
    newest = memory.list(limit=1)[0].id
    async with run() as pilot:
        await pilot.press("escape", "l")
        await until(pilot, lambda: isinstance(pilot.app.screen, LabelScreen) and isinstance(pilot.app.focused, Input))
        burst(pilot.app, *"travel", "enter", "ctrl+s")
        await until(pilot, lambda: memory.get(newest).labels == ("kitchen", "travel"))


async def test_a_space_typed_and_taken(run: Run, memory: Memory) -> None:
    newest = memory.list(limit=1)[0].id
    async with run() as pilot:
        await pilot.press("escape", "m")
        await until(pilot, lambda: isinstance(pilot.app.screen, SpaceScreen) and isinstance(pilot.app.focused, Input))
        burst(pilot.app, *"harbour", "enter")
        await until(pilot, lambda: memory.get(newest).space == "harbour")


@pytest.mark.parametrize(
    ("words", "relation"), [("ferry", "leads"), ("the ferry to naxos leaves", ""), ("gate", "is_at the_harbour")]
)
async def test_a_link_found_and_named(run: Run, memory: Memory, words: str, relation: str) -> None:
    newest, *_, ferry = (one.id for one in memory.list(limit=5))
    async with run() as pilot:
        await pilot.press("escape", "L")
        await until(pilot, lambda: isinstance(pilot.app.screen, LinksScreen) and pilot.app.screen.entries.is_loaded)
        await pilot.press("A")
        await until(pilot, lambda: isinstance(pilot.app.screen, NewLinkScreen) and pilot.app.focused is not None)
        burst(pilot.app, *words, "enter", *relation, "enter")
        named = (relation.replace(" ", "_") or "related", ferry)
        await until(pilot, lambda: [(one.relation, one.dst) for one in memory.links(newest)] == [named])


async def test_words_and_enter_open_what_they_find(run: Run, memory: Memory) -> None:
    ferry = memory.list(limit=5)[4].id
    async with run() as pilot:
        burst(pilot.app, *"ferry", "enter")
        await until(pilot, lambda: isinstance(pilot.app.screen, ItemScreen))
        assert pilot.app.screen.item_id == ferry


async def test_words_right_after_the_key_of_the_search_box(run: Run, memory: Memory) -> None:
    async with run() as pilot:
        await pilot.press("escape")
        await until(pilot, lambda: pilot.app.screen.items.has_focus)
        burst(pilot.app, "slash", *"green")
        box = pilot.app.screen.query_one(Input)
        await until(pilot, lambda: box.value == "green" and pilot.app.screen.items.total == 1)
        burst(pilot.app, "slash", *"x")
        await until(pilot, lambda: box.value == "green/x")


async def test_letters_and_escape_lose_nothing(run: Run, memory: Memory) -> None:
    async with run() as pilot:
        await pilot.press("escape", "n")
        await until(pilot, lambda: isinstance(pilot.app.screen, EditScreen) and pilot.app.screen._is_ready)
        await until(pilot, lambda: pilot.app.focused is not None)
        burst(pilot.app, *"words", "escape")
        await until(pilot, lambda: isinstance(pilot.app.screen, ConfirmScreen))
        await pilot.press("s")
        await until(pilot, lambda: memory.list(limit=1)[0].content == "words")


async def test_what_is_typed_before_the_text_is_there_is_typed_once_it_is(
    run: Run, memory: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    newest, fetched, is_asked = memory.list(limit=1)[0], asyncio.Event(), asyncio.Event()
    first_text = EditScreen.first_text

    async def slowly(screen: EditScreen) -> tuple[str, str]:
        is_asked.set()
        await fetched.wait()
        return await first_text(screen)

    monkeypatch.setattr(EditScreen, "first_text", slowly)
    async with run() as pilot:
        await pilot.press("escape", "e")
        await is_asked.wait()
        burst(pilot.app, "end", *" and more", "ctrl+s")
        await pilot.pause()
        fetched.set()
        await until(pilot, lambda: memory.get(newest.id).content.startswith("# Sauce and more\n"))


async def test_keys_that_move_and_delete_act_at_their_place(run: Run, memory: Memory) -> None:
    async with run() as pilot:
        await pilot.press("escape", "n")
        await until(pilot, lambda: isinstance(pilot.app.focused, TextArea))
        burst(pilot.app, *"wrods", "backspace", "backspace", "backspace", "backspace", *"ords", "home", *"two ")
        burst(pilot.app, "end", "enter", *"lines", "ctrl+s")
        await until(pilot, lambda: memory.list(limit=1)[0].content == "two words\nlines")
