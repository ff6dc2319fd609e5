"""Where files live: the folders of the platform, or everything under `MH_HOME`.

On Linux the XDG folders are worked out here, because importing platformdirs costs more than a search; elsewhere
platformdirs knows best and is imported when asked. Folders are made (0700) by whoever first writes into them.
"""

import os
import sys
from pathlib import Path

APP = "mh"


def data_folder() -> Path:
    """Holds `mh.db`, everything the user knows."""
    return _folder("data", "XDG_DATA_HOME", ".local/share")


def config_folder() -> Path:
    """Holds `config.toml`."""
    return _folder("config", "XDG_CONFIG_HOME", ".config")


def cache_folder() -> Path:
    """Holds what can be made again at any time."""
    return _folder("cache", "XDG_CACHE_HOME", ".cache")


def state_folder() -> Path:
    """Holds drafts, the last listing of each terminal and snapshots taken before a migration."""
    return _folder("state", "XDG_STATE_HOME", ".local/state")


def drafts_folder() -> Path:
    """Holds texts that are being typed, in files whose names begin with the id of their item."""
    return state_folder() / "drafts"


def database_file(chosen: str | None = None) -> Path:
    """The database: `chosen` (flag, `MH_DB` or setting `db`) when there is one, else `mh.db` in the data folder."""
    return without_tilde(chosen) if chosen else data_folder() / "mh.db"


def chosen_home() -> Path | None:
    """The folder of `MH_HOME`, where everything lies then; None when the folders of the platform are used."""
    home = os.environ.get("MH_HOME")
    return without_tilde(home).absolute() if home else None


def systemd_folder() -> Path:
    """Where the user's own systemd looks for units."""
    base = os.environ.get("XDG_CONFIG_HOME", "")
    return (Path(base) if os.path.isabs(base) else Path.home() / ".config") / "systemd" / "user"


def without_tilde(path: str | Path) -> Path:
    """`path` with `~` and `~name` as the home folder; a name that nobody has stays as it is."""
    return Path(os.path.expanduser(path))


def config_file() -> Path:
    """The settings file, whether it exists or not."""
    return config_folder() / "config.toml"


def make_folder(folder: Path) -> Path:
    """Make `folder` and its missing parents, readable by the user alone; an existing folder stays as it is."""
    if not folder.is_dir():
        make_parents(folder)
        folder.mkdir(mode=0o700, exist_ok=True)
    return folder


def make_parents(path: Path) -> None:
    """Make the missing parents of `path`, each 0700."""
    missing = []
    for parent in path.parents:
        if parent.exists():
            break
        missing.append(parent)
    for parent in reversed(missing):
        parent.mkdir(mode=0o700, exist_ok=True)


def _folder(kind: str, variable: str, below_home: str) -> Path:
    root = chosen_home()
    if root is not None:
        return root if kind in ("data", "config") else root / kind
    if sys.platform.startswith("linux"):
        base = os.environ.get(variable, "")
        # The XDG specification: a relative path is invalid and is to be ignored.
        return (Path(base) if base.startswith("/") else Path.home() / below_home) / APP
    import platformdirs

    names = {
        "data": platformdirs.user_data_path,
        "config": platformdirs.user_config_path,
        "cache": platformdirs.user_cache_path,
        "state": platformdirs.user_state_path,
    }
    return names[kind](APP, appauthor=False)
