"""The bookmarks of Chrome and its kin: a JSON file `Bookmarks` in each profile."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from memhub_importers.bookmark import Entry
from memhub_importers.jsonl import document

NAME = "Bookmarks"
_SINCE_1601 = 11_644_473_600 * 10**6  # microseconds from 1601-01-01, from which Chrome counts, to 1970-01-01
_MAX_DEPTH = 100
_PRODUCTS = {
    "google-chrome": "chrome", "google-chrome-beta": "chrome-beta", "chromium": "chromium", "microsoft-edge": "edge",
    "vivaldi": "vivaldi", "BraveSoftware/Brave-Browser": "brave", "Google/Chrome": "chrome", "Chromium": "chromium",
    "Microsoft Edge": "edge", "Vivaldi": "vivaldi", "Google/Chrome/User Data": "chrome",
    "Microsoft/Edge/User Data": "edge", "BraveSoftware/Brave-Browser/User Data": "brave",
    "Vivaldi/User Data": "vivaldi", "Chromium/User Data": "chromium",
}  # fmt: skip
"""Folders of profiles below the folder that programs keep their settings in, and what the browser is called."""


def places(home: Path, environ: Mapping[str, str]) -> list[Path]:
    """The bookmark files of all profiles of a person."""
    bases = [Path(environ["XDG_CONFIG_HOME"]) if environ.get("XDG_CONFIG_HOME") else home / ".config"]
    bases += [home / "Library" / "Application Support", home / "snap" / "chromium" / "common"]
    bases.append(Path(environ["LOCALAPPDATA"]) if environ.get("LOCALAPPDATA") else home / "AppData" / "Local")
    found = (file for base in bases for product in _PRODUCTS for file in sorted((base / product).glob(f"*/{NAME}")))
    return [file for file in found if file.is_file()]


def is_store(path: Path) -> bool:
    """Whether a file is what Chrome keeps its bookmarks in."""
    return path.name == NAME and path.is_file() and isinstance(_roots(path), dict)


def scope_of(path: Path) -> str:
    """`chrome`, `chrome Profile 1`: the browser, and the profile unless it is the first."""
    profile, folder = path.parent.name, path.parent.parent.as_posix()
    product = next((name for end, name in _PRODUCTS.items() if folder.endswith(f"/{end}")), path.parent.parent.name)
    return product if profile == "Default" else f"{product} {profile}"


def entries(path: Path) -> Iterator[Entry]:
    """Each bookmark in the order of the folders."""
    roots = _roots(path)
    for root in roots.values() if isinstance(roots, dict) else ():
        yield from _below(root, ())


def _roots(path: Path) -> Any:
    found = document(path)
    return found.get("roots") if isinstance(found, dict) else None


def _below(node: Any, folders: tuple[str, ...]) -> Iterator[Entry]:
    children = node.get("children") if isinstance(node, dict) else None
    for child in children if isinstance(children, list) else ():
        if not isinstance(child, dict):
            continue
        name = child["name"] if isinstance(child.get("name"), str) else ""
        if child.get("type") == "url" and isinstance(child.get("url"), str):
            attrs = {"href": child["url"], "add_date": _since_1970(child.get("date_added"))}
            yield Entry(attrs, folders, name)
        elif len(folders) < _MAX_DEPTH:
            yield from _below(child, (*folders, name) if name else folders)


def _since_1970(raw: Any) -> str:
    value = int(raw) if isinstance(raw, str) and raw.isascii() and raw.isdigit() and len(raw) < 19 else 0
    return str(value - _SINCE_1601) if value > _SINCE_1601 else ""
