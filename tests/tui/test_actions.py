"""The table of actions: every row has a test that presses its key, its method, and its place in the guide."""

import sys
from collections import Counter
from pathlib import Path

import piloting
import pytest

from memhub_tui.actions import ACTIONS
from memhub_tui.keymap import read


def test_every_action_is_tried_by_a_test() -> None:
    here = Path(__file__).parent
    for file in here.glob("test_*.py"):
        if file.stem not in sys.modules and file.stem != Path(__file__).stem:
            __import__(file.stem)
    missing = [action.id for action in ACTIONS if action.id not in piloting.COVERED]
    assert not missing


def test_no_test_claims_an_action_that_is_not_there() -> None:
    assert set(piloting.COVERED) <= {action.id for action in ACTIONS}


def test_one_key_means_one_thing_in_a_scope() -> None:
    for scope in {action.scope for action in ACTIONS}:
        keys = [key for action in ACTIONS if action.scope in (scope, "app") for key in action.keys.split(",")]
        doubled = [key for key, count in Counter(keys).items() if count > 1]
        assert not doubled or scope == "pick", f"{scope}: {doubled}"


@pytest.mark.parametrize(
    ("text", "keymap", "fault"),
    [
        ("", {}, ""),
        ('"items.edit" = "ctrl+e"', {"items.edit": "ctrl+e"}, ""),
        ('"items.edti" = "ctrl+e"', {}, "did you mean items.edit?"),
        ('"items.edit" = 3', {}, "needs keys in quotes"),
        ('"items.edit" = "l"', {"items.edit": "l"}, "l is both items.edit and items.label"),
        ("[", {}, "keys.toml"),
    ],
)
def test_a_file_of_keys(tmp_path: Path, text: str, keymap: dict[str, str], fault: str) -> None:
    path = tmp_path / "keys.toml"
    path.write_text(text)
    found = read(path)
    assert found.keymap == keymap
    assert fault in "; ".join(found.faults)
    assert bool(fault) == bool(found.faults)
