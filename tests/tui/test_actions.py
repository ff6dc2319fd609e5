"""The table of actions: every row has a test that presses its key, its method, and its place in the guide."""

import sys
from collections import Counter
from pathlib import Path

import piloting

from memhub_tui.actions import ACTIONS
from memhub_tui.screens.help import SCOPES


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
        keys = [key for action in ACTIONS if action.scope == scope for key in action.keys.split(",")]
        doubled = [key for key, count in Counter(keys).items() if count > 1]
        assert not doubled, f"{scope}: {doubled}"


def test_no_screen_takes_the_keys_that_work_everywhere() -> None:
    everywhere = {key for action in ACTIONS if action.scope == "app" for key in action.keys.split(",")}
    taken = {
        action.id
        for action in ACTIONS
        if action.scope not in ("app", "pick") and set(action.keys.split(",")) & everywhere
    }
    assert not taken


def test_the_help_has_a_name_for_every_scope() -> None:
    assert {action.scope for action in ACTIONS} == set(SCOPES)
