"""How each screen looks, in two sizes and two themes. `CONTRIBUTING.md` says how to renew the pictures."""

from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from piloting import Make, until
from textual.pilot import Pilot
from textual.widgets import Input, TextArea

from memhub import Memory
from memhub.model.thread import Message, ThreadInfo
from memhub_tui.widgets.pages import Fixed

Steps = Callable[[Pilot[None]], Awaitable[None]]
SIZES = {"80x24": (80, 24), "120x40": (120, 40)}
THEMES = ("textual-dark", "textual-light")


async def browse(pilot: Pilot[None]) -> None:
    """The list and a note in Markdown."""
    await pilot.press("escape")
    await preview(pilot, "4712")


async def browse_found(pilot: Pilot[None]) -> None:
    """A search in the box, two marked lines."""
    await pilot.press(*"green or 备份")
    await until(pilot, lambda: pilot.app.screen.query_one("#items").total == 2)  # type: ignore[attr-defined]
    await pilot.press("escape", "space", "space")
    await preview(pilot, "")


async def edit(pilot: Pilot[None]) -> None:
    """The editor on a note."""
    await pilot.press("escape", "e")
    await until(pilot, lambda: getattr(pilot.app.screen, "_is_ready", False))


async def labels(pilot: Pilot[None]) -> None:
    """The label picker over the list."""
    await pilot.press("escape", "space", "space", "l")
    await until(pilot, lambda: len(pilot.app.screen.query("OptionList")))
    picker: Any = pilot.app.screen.query_one("OptionList")
    await until(pilot, lambda: picker.option_count == 6)


async def item_versions(pilot: Pilot[None]) -> None:
    """What changed in the versions of an item."""
    await pilot.press("escape", "enter")
    await until(pilot, lambda: type(pilot.app.screen).__name__ == "ItemScreen")
    await pilot.press("v")
    await plain(pilot, "The code of")


async def item_facts(pilot: Pilot[None]) -> None:
    """All that is known of an item."""
    await pilot.press("escape", "enter")
    await until(pilot, lambda: type(pilot.app.screen).__name__ == "ItemScreen")
    await pilot.press("f")
    await plain(pilot, "certainty")


async def links(pilot: Pilot[None]) -> None:
    """The neighbours of an item."""
    await pilot.press("escape", "L")
    await entries(pilot)
    await preview(pilot, "")


async def mode(pilot: Pilot[None], key: str) -> None:
    """A screen that a number leads to."""
    await pilot.press("escape", key)
    await entries(pilot)


async def thread(pilot: Pilot[None]) -> None:
    """A conversation turn by turn."""
    await mode(pilot, "2")
    await pilot.press("enter")
    await until(pilot, lambda: type(pilot.app.screen).__name__ == "ThreadScreen")
    await entries(pilot)
    await pilot.press("down")
    await preview(pilot, "wind")


async def review(pilot: Pilot[None]) -> None:
    """Two texts side by side."""
    await mode(pilot, "3")
    text: Any = pilot.app.screen.query_one("#old-text")
    await until(pilot, lambda: "4711" in str(text.render()))


async def brief(pilot: Pilot[None]) -> None:
    """The page of the day; the line that names what the cursor is on is marked."""
    await mode(pilot, "7")
    await pilot.press("j")
    await until(pilot, lambda: pilot.app.screen.query("#preview .-here"))


async def graph(pilot: Pilot[None]) -> None:
    """The tree around a name, come to from an item."""
    await pilot.press("escape", "N")
    await until(pilot, lambda: type(pilot.app.screen).__name__ == "GraphScreen")
    await entries(pilot)
    found: Any = pilot.app.screen.query_one("#entries")
    names = [found.at(n).node.label for n in range(found.total)]
    await pilot.press(*["j"] * names.index("Anna Berger"), "enter")
    await until(pilot, lambda: found.at(0).node.label == "Anna Berger")
    await pilot.press("plus")
    await until(pilot, lambda: found.total > 5)
    await plain(pilot, "sails")


async def persona(pilot: Pilot[None]) -> None:
    """What is believed, the second line pinned."""
    await mode(pilot, "8")
    await preview_words(pilot, "Rosa")
    await preview(pilot, "My name")


async def import_(pilot: Pilot[None]) -> None:
    """A path and a place that was found, and what would come in of them."""
    await mode(pilot, "5")
    await pilot.press("i")
    await until(pilot, lambda: len(pilot.app.screen.query("#told")))
    told: Any = pilot.app.screen.query_one("#told")
    await until(pilot, lambda: "tick" in str(told.render()))
    await pilot.press(*"~/notes", "tab", "tab", "tab", "space", "ctrl+s")
    await until(pilot, lambda: "2 new, 1 skipped" in str(told.render()))


async def settings(pilot: Pilot[None]) -> None:
    """Settings; the places of files, which differ from run to run, are out of view."""
    await mode(pilot, "6")
    await preview_words(pilot, "db")
    found: Any = pilot.app.screen.query_one("#entries")
    await found.show(Fixed([line for n in range(found.total) if (line := found.at(n)).is_setting]))


async def help_(pilot: Pilot[None]) -> None:
    """The keys."""
    await pilot.press("escape", "question_mark")
    await until(pilot, lambda: len(pilot.app.screen.query("#keys")))
    keys: Any = pilot.app.screen.query_one("#keys")
    await until(pilot, lambda: keys.total > 30)


async def entries(pilot: Pilot[None]) -> None:
    """Until the list of the screen is filled."""
    await until(pilot, lambda: len(pilot.app.screen.query("#entries")))
    found: Any = pilot.app.screen.query_one("#entries")
    await until(pilot, lambda: found.is_loaded)


async def plain(pilot: Pilot[None], words: str) -> None:
    """Until the preview shows something that is no Markdown with these words."""
    text: Any = pilot.app.screen.query_one("#preview #plain")
    await until(pilot, lambda: words in str(text.render()))


async def preview_words(pilot: Pilot[None], words: str) -> None:
    """Until the title of the preview says something."""
    title: Any = pilot.app.screen.query_one("#preview #title")
    await until(pilot, lambda: words in str(title.render()))


SCREENS: dict[str, Steps] = {
    "browse": browse,
    "browse-found": browse_found,
    "edit": edit,
    "labels": labels,
    "item-versions": item_versions,
    "item-facts": item_facts,
    "links": links,
    "threads": partial(mode, key="2"),
    "thread": thread,
    "review": review,
    "log": partial(mode, key="4"),
    "activity": partial(mode, key="5"),
    "import": import_,
    "settings": settings,
    "brief": brief,
    "graph": graph,
    "persona": persona,
    "help": help_,
}


def lay_out(home: Path) -> None:
    """Something to import."""
    sessions = home / ".codex" / "sessions" / "2026" / "01" / "01"
    sessions.mkdir(parents=True)
    (sessions / "rollout-2026-01-01T00-00-00-0190a1b2-0000-7000-8000-000000000001.jsonl").write_text("{}\n", "utf-8")
    notes = home / "notes"
    notes.mkdir()
    (notes / "周报.md").write_text("# 周报\n\n港口的风很大", "utf-8")
    (notes / "plan.md").write_text("# Plan\n\nSail on Friday", "utf-8")
    (notes / "odd.md").write_bytes(b"a\x00b")


def fill(memory: Memory) -> None:
    """Something for every screen."""
    said = [Message("Is the harbour open?"), Message("It is, but the **wind** is strong.\n\n风很大", "assistant")]
    memory.add_messages(said, thread=ThreadInfo(title="Harbour 港口", platform="codex"))
    old = memory.add("The gate code is 4711").item
    new = memory.add("The gate code is 4712", labels=["gate"]).item
    memory.link(new.id, "challenges", old.id)
    memory.link(new.id, "explains", memory.list(limit=3)[2].id)
    memory.update(new.id, content="The code of the gate is 4712")


def digest(memory: Memory) -> None:
    """Something for the screens of what was digested."""
    for text in ("My name is Rosa", "I live in Lisbon", "我对花生过敏", "Pay the berth by Friday"):
        memory.add(text)
    sails = memory.add("Anna Berger sails from Piraeus to Naxos").item
    memory.link(memory.add("Anna Berger lives in Graz").item.id, "explains", sails.id)
    memory.judge(with_model=False)
    memory.persona_pin(memory.persona()[1].item)
    memory.look_through(with_model=False)


async def preview(pilot: Pilot[None], words: str) -> None:
    """Until the preview shows something with these words."""
    text: Any = pilot.app.screen.query_one("#preview #text")
    await until(pilot, lambda: text.source and words in text.source)


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("screen", SCREENS)
def test_looks(
    snap_compare: Any, make_app: Make, memory: Memory, screen: str, size: str, theme: str, tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    monkeypatch.setenv("HOME", str(tmp_path))
    fill(memory)
    if screen == "import":
        lay_out(tmp_path)
    if screen in ("brief", "graph", "persona"):
        digest(memory)
    app = make_app()

    async def before(pilot: Pilot[None]) -> None:
        app.theme = theme
        await until(pilot, lambda: app.screen_stack[0].items.is_loaded)  # type: ignore[attr-defined]
        await SCREENS[screen](pilot)
        await until(pilot, lambda: app.focused is None or app.focused.has_focus)  # else its cursor would stay hidden
        for field in app.screen.query(Input):
            field.cursor_blink = False
        for area in app.screen.query(TextArea):
            area.cursor_blink = False
        pilot.app.clear_notifications()
        await pilot.pause()
        await pilot.pause()

    assert snap_compare(app, terminal_size=SIZES[size], run_before=before)
