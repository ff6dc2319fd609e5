"""The user's own keys: `keys.toml` in the configuration folder, `"items.edit" = "ctrl+e"` a line.

A key that is given away is taken from the action that had it, where both are there at the same time, and that is said.
"""

import difflib
import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from textual.keys import Keys as KnownKeys
from textual.keys import _character_to_key as name_of  # the one place where Textual has the names of signs

from memhub.paths import config_folder
from memhub_tui.actions import ACTIONS, level, meet

NO_KEY = "f35"  # for an action whose keys others have: to name no key would mean its usual ones
_MODIFIERS = {"ctrl", "alt", "shift", "super", "hyper", "meta"}
_NAMES = {key.value for key in KnownKeys}


class Keys(NamedTuple):
    """Action id → keys, of every action, or nothing when the file changes nothing; and what could not be taken."""

    keymap: dict[str, str]
    faults: tuple[str, ...]


def file() -> Path:
    """Where it is, whether it exists or not."""
    return config_folder() / "keys.toml"


def read(path: Path) -> Keys:
    """The file; what is wrong in it is said, and the rest counts. A missing file is an empty one."""
    try:
        table = tomllib.loads(path.read_text("utf-8-sig"))
    except FileNotFoundError:
        return Keys({}, ())
    except (OSError, ValueError) as error:
        return Keys({}, (f"{path}: {error}",))
    known = {action.id: action for action in ACTIONS}
    wanted: dict[str, list[str]] = {}
    faults: list[str] = []
    for name, given in _flat(table):
        if name not in known:
            near = difflib.get_close_matches(name, known, 1)
            faults.append(f"no action {name}" + (f"; did you mean {near[0]}?" if near else "; ? names them all"))
            continue
        keys = _keys(given)
        if not keys:
            faults.append(f'{name} needs keys in quotes, such as "ctrl+e"')
            continue
        wrong = [key for key in keys if not _is_key(key)]
        faults += [f"{name}: there is no key {key}" for key in wrong]
        if right := [key for key in keys if key not in wrong]:
            wanted[name] = right
    keymap, clashes = _share_out(wanted)
    return Keys(keymap, tuple(f"{path.name}: {fault}" for fault in (*faults, *clashes)))


def keys_of(keymap: dict[str, str]) -> dict[str, list[str]]:
    """Action id → keys, remapped ones included."""
    return {action.id: [key for key in keymap.get(action.id, action.keys).split(",") if key] for action in ACTIONS}


def _share_out(wanted: dict[str, list[str]]) -> tuple[dict[str, str], list[str]]:
    """The keys of every action; of two that want the same key the first line of the file has it."""
    if not wanted:
        return {}, []
    keys = {action.id: wanted.get(action.id, action.keys.split(",")) for action in ACTIONS}
    scopes = {action.id: action.scope for action in ACTIONS}
    faults = []
    for place, name in enumerate(wanted):
        later = list(wanted)[place + 1 :]
        for other in keys:
            if other == name or (other in wanted and other not in later) or not meet(scopes[name], scopes[other]):
                continue
            if other not in wanted and level(scopes[other]) > level(scopes[name]):
                continue  # farther away: there this one is asked first, elsewhere the other one has its key
            for key in set(keys[name]) & set(keys[other]):
                keys[other] = [one for one in keys[other] if one != key]
                none = "" if keys[other] else ", which has no key any more"
                faults.append(f"{key} is {name} now and no longer {other}{none}")
    return {name: ",".join(each) or NO_KEY for name, each in keys.items()}, faults


def _flat(table: dict[str, object], prefix: str = "") -> list[tuple[str, object]]:
    """`"items.edit" = …` and `[items]` with `edit = …` are the same."""
    rows: list[tuple[str, object]] = []
    for name, value in table.items():
        rows += _flat(value, f"{prefix}{name}.") if isinstance(value, dict) else [(f"{prefix}{name}", value)]
    return rows


def _keys(given: object) -> list[str]:
    texts: Sequence[object] = given if isinstance(given, list) else given.split(",") if isinstance(given, str) else ()
    if not all(isinstance(text, str) for text in texts):
        return []
    return [_normal(str(text).strip()) for text in texts if str(text).strip()]


def _normal(key: str) -> str:
    """As terminals say it: `?` is `question_mark`, `shift+e` is `E`."""
    *modifiers, last = key.split("+") if len(key) > 1 else [key]
    if modifiers == ["shift"] and len(last) == 1 and last.isalpha():
        return last.upper()
    return "+".join([*(modifier.lower() for modifier in modifiers), name_of(last) if len(last) == 1 else last.lower()])


def _is_key(key: str) -> bool:
    *modifiers, last = key.split("+")
    return set(modifiers) <= _MODIFIERS and (len(last) == 1 or last in _NAMES or key in _NAMES or "_" in last)
