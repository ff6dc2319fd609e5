"""Where programs for notes keep their folders, and about how many notes are in one."""

import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from memhub_importers.jsonl import document

_SETTINGS = (
    "Library/Application Support", "AppData/Roaming", "snap/obsidian/current/.config",
    ".var/app/md.obsidian.Obsidian/config",
)  # fmt: skip
_VAULTS = ("*", "Documents/*", "Obsidian/*", "Dropbox/*", "Library/Mobile Documents/iCloud~md~obsidian/Documents/*")
_MOST = 200_000


def obsidian(home: Path, environ: Mapping[str, str]) -> list[Path]:
    """The vaults that Obsidian lists, and those one level below the home folder and the usual ones in it."""
    bases = [Path(environ["XDG_CONFIG_HOME"]) if environ.get("XDG_CONFIG_HOME") else home / ".config"]
    listed: list[Path] = []
    for base in (*bases, *(home / folder for folder in _SETTINGS)):
        vaults = _mapping(document(base / "obsidian" / "obsidian.json"), "vaults")
        listed += [Path(path) for vault in vaults.values() if (path := _text(vault, "path"))]
    found = [mark.parent for pattern in _VAULTS for mark in sorted(home.glob(f"{pattern}/.obsidian"))]
    return _outermost(vault for vault in (*listed, *found) if (vault / ".obsidian").is_dir())


def nb(home: Path, environ: Mapping[str, str]) -> list[Path]:
    """The notebooks of nb."""
    folder = Path(environ["NB_DIR"]) if environ.get("NB_DIR") else home / ".nb"
    return sorted(mark.parent for mark in folder.glob("*/.index"))


def zk(home: Path, environ: Mapping[str, str]) -> list[Path]:
    """The notebook that zk takes by default, and those one level below the home folder."""
    named = [Path(environ["ZK_NOTEBOOK_DIR"])] if environ.get("ZK_NOTEBOOK_DIR") else []
    found = (mark.parent.parent for mark in sorted(home.glob("*/.zk/config.toml")))
    return _outermost(folder for folder in (*named, *found) if folder.is_dir())


def basic_memory(home: Path, environ: Mapping[str, str]) -> list[Path]:
    """The folders of the projects of basic-memory."""
    named = [Path(environ["BASIC_MEMORY_HOME"])] if environ.get("BASIC_MEMORY_HOME") else []
    projects = _mapping(document(home / ".basic-memory" / "config.json"), "projects").values()
    named += [Path(path) for one in projects if (path := one if isinstance(one, str) else _text(one, "path"))]
    return _outermost(folder for folder in (*named, home / "basic-memory") if folder.is_dir())


def org(home: Path, environ: Mapping[str, str]) -> list[Path]:
    """The folder in which Org keeps its files unless told otherwise, and that of Org-roam."""
    return _outermost(folder for folder in (home / "org", home / "org-roam") if folder.is_dir())


def count(folder: Path, endings: tuple[str, ...]) -> int:
    """How many files below a folder have one of the endings; hidden folders are not looked into."""
    total = 0
    for _, folders, files in os.walk(folder):
        folders[:] = [name for name in folders if not name.startswith(".")]
        total += sum(name.lower().endswith(endings) for name in files)
        if total > _MOST:
            break
    return total


def _outermost(folders: Iterable[Path]) -> list[Path]:
    """Each folder once, without those inside another."""
    found = {os.path.realpath(folder): folder for folder in folders}
    return [folder for real, folder in found.items() if not any(str(p) in found for p in Path(real).parents)]


def _mapping(found: Any, name: str) -> dict[str, Any]:
    value = found.get(name) if isinstance(found, dict) else None
    return value if isinstance(value, dict) else {}


def _text(found: Any, name: str) -> str:
    value = found.get(name) if isinstance(found, dict) else None
    return value if isinstance(value, str) else ""
