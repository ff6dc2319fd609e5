"""The user's own keys: what a file of them means, that they work, and that footer and help show them."""

from pathlib import Path
from typing import Any

import pytest
from piloting import Run, until
from textual.widgets import Footer

from memhub import Memory
from memhub_tui import keymap
from memhub_tui.actions import ACTIONS
from memhub_tui.screens.edit import EditScreen
from memhub_tui.screens.help import HelpScreen


@pytest.fixture
def keys() -> Any:
    """Writes the file."""

    def write(text: str) -> Path:
        path = keymap.file()
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
        return path

    return write


@pytest.mark.parametrize(
    ("text", "action", "expected"),
    [
        ('"items.edit" = "ctrl+e"', "items.edit", "ctrl+e"),
        ('"items.edit" = "ctrl+e, F4"', "items.edit", "ctrl+e,f4"),
        ('[items]\nedit = ["?", "shift+w"]', "items.edit", "question_mark,W"),
        ('"app.go(\'log\')" = "0"', "app.go('log')", "0"),
    ],
)
def test_a_file_of_keys(keys: Any, text: str, action: str, expected: str) -> None:
    assert keymap.read(keys(text)).keymap[action] == expected


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ('"items.edti" = "ctrl+e"', "keys.toml: no action items.edti; did you mean items.edit?"),
        ('"items.edit" = 3', 'keys.toml: items.edit needs keys in quotes, such as "ctrl+e"'),
        ('"items.edit" = "ctlr+e"', "keys.toml: items.edit: there is no key ctlr+e"),
        ('"items.edit" = "l"', "keys.toml: l is items.edit now and no longer items.label, which has no key any more"),
        ('"items.edit" = "j"', "keys.toml: j is items.edit now and no longer list.down"),
        (
            '"items.edit" = "f6"\n"items.pin" = "f6"',
            "keys.toml: f6 is items.edit now and no longer items.pin, which has no key any more",
        ),
        ("[", "keys.toml: "),
    ],
)
def test_what_is_wrong_is_told_and_the_rest_counts(keys: Any, text: str, fault: str) -> None:
    found = keymap.read(keys(f'"items.move" = "f8"\n{text}'))
    assert fault.partition(": ")[0] in found.faults[0]
    assert text == "[" or (found.faults == (fault,) and found.keymap["items.move"] == "f8")


def test_no_file_and_keys_that_never_meet_are_no_fault(keys: Any, tmp_path: Path) -> None:
    assert keymap.read(tmp_path / "nosuch.toml") == keymap.Keys({}, ())
    assert keymap.read(keys('"review.skip" = "l"')).faults == ()


async def test_a_key_of_ones_own_works_and_is_shown(run: Run, memory: Memory, keys: Any) -> None:
    keys('"items.edit" = "ctrl+e"\n"items.pin" = "l"\n"items.edti" = "x"')
    newest = memory.list(limit=1)[0].id
    async with run() as pilot:
        told = [note.message for note in pilot.app._notifications]
        assert any("did you mean items.edit?" in words for words in told)
        assert any("l is items.pin now and no longer items.label" in words for words in told)
        await pilot.press("escape", "l")
        await until(pilot, lambda: memory.get(newest).pinned)
        await pilot.press("e")
        await pilot.press("question_mark")
        await until(pilot, lambda: isinstance(pilot.app.screen, HelpScreen))
        lines: Any = pilot.app.screen.query_one("#keys")
        await until(pilot, lambda: lines.total > len(ACTIONS))
        shown = {lines.at(n).id: lines.at(n).words for n in range(lines.total)}
        assert (shown["items.edit"], shown["items.pin"], shown["items.label"]) == ("^e", "l", "")
        await pilot.press("escape")
        await until(pilot, lambda: len(pilot.app.screen_stack) == 1)
        footer = pilot.app.screen.query_one(Footer)
        await until(pilot, lambda: "^e" in [key.key_display for key in footer.query("FooterKey")])  # type: ignore[attr-defined]
        await pilot.press("ctrl+e")
        await until(pilot, lambda: isinstance(pilot.app.screen, EditScreen))


async def test_every_other_key_still_works_beside_ones_own(run: Run, memory: Memory, keys: Any) -> None:
    keys('"items.new" = "f2"')
    async with run() as pilot:
        await pilot.press("escape", "j", "space")
        await until(pilot, lambda: len(pilot.app.screen.items.marked) == 1)
        await pilot.press("d")
        await until(pilot, lambda: memory.count() == 4)
        await pilot.press("u")
        await until(pilot, lambda: memory.count() == 5)
        await pilot.press("f2")
        await until(pilot, lambda: isinstance(pilot.app.screen, EditScreen))
