"""The folders in which editors made from VS Code keep what they and their extensions store."""

import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from urllib.parse import unquote, urlsplit

from memhub_importers.jsonl import document
from memhub_importers.values import text

_MARKS = ("globalStorage", "workspaceStorage")
# Where a `User` folder is, from a folder that a person names: the folder itself, a product's, a portable
# installation, a home.
_BELOW = ("", "User", "data/User", "data/user-data/User", "*/User", ".config/*/User", ".*-server/data/User",
          "Library/Application Support/*/User", "AppData/Roaming/*/User")  # fmt: skip
_WINDOWS = re.compile(r"/?([A-Za-z]):(?:/|$)")


def usual(home: Path, environ: Mapping[str, str]) -> list[Path]:
    """The `User` folders of all such editors of a person, of remote hosts too, in a stable order."""
    bases = [Path(environ["XDG_CONFIG_HOME"]) if environ.get("XDG_CONFIG_HOME") else home / ".config"]
    bases.append(home / "Library" / "Application Support")
    bases.append(Path(environ["APPDATA"]) if environ.get("APPDATA") else home / "AppData" / "Roaming")
    found = [folder for base in bases for folder in _glob(base, "*/User")]
    found += _glob(home, ".var/app/*/config/*/User")  # Flatpak
    found += _glob(home, "snap/*/current/.config/*/User")
    found += _glob(home, ".*-server/data/User")
    if environ.get("VSCODE_PORTABLE"):
        found += _glob(Path(environ["VSCODE_PORTABLE"]), "user-data/User")
    return _unique(found)


def below(path: Path) -> list[Path]:
    """The `User` folders that a folder given by hand means: it may be one, or hold some at the known places."""
    root = path.resolve()
    found = (folder for pattern in _BELOW for folder in ([path] if not pattern else _glob(path, pattern)))
    return _unique(folder for folder in found if folder.resolve().is_relative_to(root))


def extension_folders(path: Path, extension: str) -> list[Path]:
    """The storage of an extension below a folder given by hand, or that folder itself."""
    if path.name == extension and path.is_dir():
        return [path]
    named = [path / extension, path / "globalStorage" / extension]
    named += [user / "globalStorage" / extension for user in below(path)]
    return list(dict.fromkeys(folder for folder in named if _is_folder(folder)))


def workspace_folder(workspace: Path) -> str | None:
    """The folder that `workspaceStorage/<hash>` belongs to, or None when `workspace.json` does not say.

    Of a workspace of several folders, the folder in which its `.code-workspace` file is.
    """
    settings = workspace / "workspace.json"
    found = document(settings) if settings.is_file() else None
    if folder := text(found, "folder"):
        return path_of(folder)
    several = path_of(text(found, "workspace") or text(found, "configuration"))
    if several and several.endswith(".code-workspace"):
        return re.sub(r"[/\\][^/\\]*$", "", several) or None
    return None


def path_of(uri: str) -> str | None:
    """The path in a `file:` or `vscode-remote:` URI, percent-decoded; of a path without scheme, itself.

    A remote path is the one on the other host: `vscode-remote://wsl%2Bubuntu/home/mira` is `/home/mira`.
    """
    if "://" not in uri:
        return uri or None
    try:
        parts = urlsplit(uri)
    except ValueError:
        return None
    path = unquote(parts.path)
    if parts.scheme == "file":
        if parts.netloc and parts.netloc != "localhost":
            return f"//{unquote(parts.netloc)}{path}"
        if _WINDOWS.match(path):
            return path.lstrip("/").replace("/", "\\")
    elif parts.scheme != "vscode-remote":
        return None
    return path or None


def _glob(base: Path, pattern: str) -> Iterator[Path]:
    try:
        yield from sorted(base.glob(pattern))
    except (OSError, ValueError):
        return


def _unique(folders: Iterable[Path]) -> list[Path]:
    """Those that hold an editor's storage, each once, links to one of them left out."""
    seen: dict[Path, Path] = {}
    for folder in folders:
        if any(_is_folder(folder / mark) for mark in _MARKS):
            seen.setdefault(folder.resolve(), folder)
    return list(seen.values())


def _is_folder(path: Path) -> bool:
    try:
        return path.is_dir() and not path.is_symlink()
    except OSError:
        return False
