"""The user's own keys: `keys.toml` in the configuration folder, `"items.edit" = "ctrl+e"` a line."""

import difflib
import tomllib
from pathlib import Path
from typing import NamedTuple

from memhub.paths import config_folder
from memhub_tui.actions import ACTIONS


class Keys(NamedTuple):
    """What to remap (action id → keys), and what of the file could not be taken."""

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
    keymap: dict[str, str] = {}
    faults: list[str] = []
    for name, keys in table.items():
        if name not in known:
            near = difflib.get_close_matches(name, known, 1)
            faults.append(f"{path.name}: no action {name}" + (f"; did you mean {near[0]}?" if near else ""))
        elif not isinstance(keys, str) or not keys.strip():
            faults.append(f'{path.name}: {name} needs keys in quotes, such as "ctrl+e"')
        else:
            keymap[name] = keys
    return Keys(keymap, (*faults, *_clashes(keymap)))


def keys_of(keymap: dict[str, str]) -> dict[str, str]:
    """Action id → keys, remapped ones included."""
    return {action.id: keymap.get(action.id, action.keys) for action in ACTIONS}


def _clashes(keymap: dict[str, str]) -> list[str]:
    """Two actions of one scope that would have the same key."""
    faults = []
    scope_of = {action.id: action.scope for action in ACTIONS}
    keys = keys_of(keymap)
    for name in keymap:
        for other, theirs in keys.items():
            shared = set(keymap[name].split(",")) & set(theirs.split(","))
            if other != name and shared and scope_of[other] in (scope_of[name], "app"):
                faults.append(f"keys.toml: {min(shared)} is both {name} and {other}")
    return faults
