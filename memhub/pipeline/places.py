"""Which project a folder belongs to: one repository, however many worktrees and clones, is one project.

The key is the normalised remote of `origin`, else the repository's first commit, else the folder itself. Reads `.git`
without running git, which is asked only for the first commit and may be missing.
"""

import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit


class Place(NamedTuple):
    """`rank` orders kinds of keys: 2 remote, 1 first commit, 0 folder. `root` is the main checkout."""

    key: str
    name: str
    rank: int
    root: Path


def place_of(folder: Path, first_commit: Callable[[Path], str | None] | None = None) -> Place | None:
    """The project of a folder inside a repository; None outside any. A vanished folder counts as its nearest parent.

    `first_commit` answers for a git folder; without it git is asked.
    """
    start = folder.absolute()
    while not start.is_dir() and start != start.parent:
        start = start.parent
    for candidate in (start, *start.parents):
        common = _common_dir(candidate / ".git")
        if common is not None:
            return _repository(common, candidate, first_commit or ask_first_commit)
    return None


def _common_dir(git: Path) -> Path | None:
    """The shared git folder that a `.git` folder or file (worktree, submodule) stands for."""
    try:
        if git.is_dir():
            return git if (git / "HEAD").exists() else None
        if not git.is_file():
            return None
        text = git.read_text(encoding="utf-8").strip()
        if not text.startswith("gitdir:"):
            return None
        target = (git.parent / text.removeprefix("gitdir:").strip()).resolve()
        pointer = target / "commondir"
        if pointer.is_file():
            return (target / pointer.read_text(encoding="utf-8").strip()).resolve()
        if target.parent.name == "worktrees":
            return target.parent.parent
        return target if target.is_dir() else None
    except (OSError, UnicodeDecodeError):
        return None


def _repository(common: Path, checkout: Path, first_commit: Callable[[Path], str | None]) -> Place:
    root = common.parent if common.name == ".git" else checkout
    remote = _origin(common / "config")
    if remote:
        return Place(f"git:{remote}", remote.rsplit("/", 1)[-1], 2, root)
    first = first_commit(common)
    if first:
        return Place(f"commit:{first}", root.name, 1, root)
    return Place(f"folder:{root}", root.name, 0, root)


def _origin(config: Path) -> str | None:
    """The address of the remote `origin` in a git config file, normalised."""
    try:
        lines = config.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError):
        return None
    inside = False
    for line in lines:
        stripped = line.strip()
        if stripped.startswith("["):
            inside = stripped.replace(" ", "") == '[remote"origin"]'
        elif inside and stripped.partition("=")[0].strip() == "url":
            return normalised_remote(stripped.partition("=")[2].strip().strip('"'))
    return None


def normalised_remote(url: str) -> str | None:
    """`host/path` of a remote address: without scheme, user, port and `.git`; None for a local path."""
    if "://" not in url:
        host, colon, path = url.partition(":")
        if not colon or "/" in host or len(host) < 2:
            return None
        host = host.rsplit("@", 1)[-1]
    else:
        parts = urlsplit(url)
        host, path = parts.hostname or "", parts.path
        if parts.scheme == "file" or not host:
            return None
    return f"{host.lower()}/{path.strip('/').removesuffix('.git')}"


def ask_first_commit(common: Path) -> str | None:
    """The smallest hash among the commits without parents, or None: no commit yet, or no git."""
    try:
        done = subprocess.run(
            ["git", "--git-dir", str(common), "rev-list", "--max-parents=0", "--all"],
            capture_output=True, text=True, timeout=10, check=False,
        )  # fmt: skip
    except (OSError, subprocess.TimeoutExpired):
        return None
    commits = sorted(done.stdout.split())
    return commits[0] if done.returncode == 0 and commits else None
