"""Walks an import root safely: sorted, without following links, each file once, every refusal named."""

import os
import stat
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from memhub.errors import NotFoundError
from memhub.model.record import Skipped
from memhub.stamp import iso
from memhub.text.clean import clean
from memhub_importers.encoding import nfc

MAX_BYTES = 64 * 1024 * 1024
_FLAGS = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
_NEVER = {
    ".git": "version control",
    ".hg": "version control",
    ".svn": "version control",
    ".obsidian": "configuration",
    ".zk": "configuration",
    "node_modules": "installed packages",
    ".venv": "installed packages",
    "__pycache__": "made by a program",
    "__MACOSX": "made by a program",
    ".stversions": "old versions kept by a sync program",
}
_LOGSEQ = {"bak": "backups", ".recycle": "trash"}
_SYSTEM_FILES = (".DS_Store", "Thumbs.db", ".mh-export.json")


class Found(NamedTuple):
    """A regular file: where it is, and its name from the root, with `/` and in NFC. Times are Unix times.

    `ctime_ns` moves with every change of the bytes, also where a program sets `mtime_ns` back. `suffix` is the ending
    of the name in lower case, `.md`, or nothing.
    """

    path: str
    name: str
    size: int
    mtime_ns: int
    ctime_ns: int = 0
    suffix: str = ""

    @property
    def stem(self) -> str:
        """The name without folders and ending."""
        return os.path.splitext(self.name.rpartition("/")[2])[0]

    @property
    def changed_at(self) -> str:
        """The time of the file, ISO 8601 UTC."""
        return iso(max(0, self.mtime_ns // 1_000_000_000) * 1000)


def found_at(path: str, name: str, info: os.stat_result) -> Found:
    """The file at `path`, called `name` in its source."""
    suffix = sys.intern(os.path.splitext(name)[1].lower())
    return Found(path, name, info.st_size, info.st_mtime_ns, info.st_ctime_ns, suffix)


def walk(root: Path) -> Iterator[Found | Skipped]:
    """The files below `root` (or `root` itself, when it is a file), files of a folder before its folders.

    A symbolic link is never followed: what it points to is either in the root and imported there, or outside. Raises
    `NotFoundError` when there is no `root`.
    """
    try:
        root = root.resolve(strict=True)
        info = root.stat()
    except (OSError, RuntimeError) as error:
        raise NotFoundError(f"no file or folder `{root}`") from error
    if not stat.S_ISDIR(info.st_mode):
        if stat.S_ISREG(info.st_mode):
            yield found_at(str(root), relative_name(root.name), info)
        else:
            yield Skipped(root.name, "neither a file nor a folder")
        return
    seen = {(info.st_dev, info.st_ino)}
    folders: list[tuple[str, str, bool]] = [(str(root), "", False)]
    while folders:
        path, prefix, is_trash = folders.pop()
        below: list[tuple[str, str, bool]] = []
        for entry in _entries(path, prefix):
            if isinstance(entry, Skipped):
                yield entry
                continue
            name = prefix + relative_name(entry.name)
            if not _is_folder(entry):
                yield from _file(entry, name, str(root), is_trash)
                continue
            reason = _reason_to_leave(entry.name, prefix)
            if reason:
                yield Skipped(name + "/", reason)
                continue
            info = entry.stat(follow_symlinks=False)
            key = (info.st_dev, entry.inode() if os.name == "nt" else info.st_ino)
            if key in seen:
                yield Skipped(name + "/", "a folder that was read already")
                continue
            seen.add(key)
            below.append((entry.path, name + "/", is_trash or entry.name == ".trash"))
        folders.extend(reversed(below))


def read_bytes(found: Found) -> bytes:
    """The bytes of a file; never those of a link or a pipe put in its place. Raises OSError or ValueError."""
    if found.size > MAX_BYTES:
        raise ValueError(f"larger than {MAX_BYTES >> 20} MiB")
    file = os.open(found.path, _FLAGS)
    try:
        if not stat.S_ISREG(os.fstat(file).st_mode):
            raise ValueError("no regular file any more")
        parts = [os.read(file, found.size + 1)]
        length = len(parts[0])
        while parts[-1] and length != found.size and length <= MAX_BYTES:  # it has changed since it was found
            parts.append(os.read(file, 1 << 20))
            length += len(parts[-1])
    finally:
        os.close(file)
    if length > MAX_BYTES:
        raise ValueError(f"larger than {MAX_BYTES >> 20} MiB")
    return b"".join(parts)


def why(error: Exception) -> str:
    """What went wrong with a file, without its path, for a `Skipped`."""
    if isinstance(error, OSError):
        return f"cannot be read: {error.strerror or type(error).__name__}"
    return str(error) or type(error).__name__


def relative_name(name: str) -> str:
    """A file name as part of an id: NFC, no control characters, bytes that are no text as U+FFFD."""
    return nfc(clean(name.replace("\n", " ")))


def left_over(names: Iterable[str]) -> Iterator[Skipped]:
    """One `Skipped` for each ending of files that no rule reads, so that a folder of code gives lines, not pages."""
    counts = Counter(os.path.splitext(name)[1].lower() for name in names)
    for suffix, count in sorted(counts.items()):
        files = "1 file" if count == 1 else f"{count} files"
        yield Skipped(f"*{suffix}" if suffix else "files without an ending", f"{files} of a kind that is not read here")


def _entries(path: str, prefix: str) -> list["os.DirEntry[str] | Skipped"]:
    try:
        with os.scandir(path) as entries:
            found = sorted(entries, key=lambda entry: (_is_folder(entry), relative_name(entry.name), entry.name))
    except OSError as error:
        return [Skipped(prefix or path, why(error), failed=True)]
    return list(found)


def _is_folder(entry: "os.DirEntry[str]") -> bool:
    try:
        return entry.is_dir(follow_symlinks=False)
    except OSError:
        return False


def _reason_to_leave(name: str, prefix: str) -> str | None:
    if prefix.endswith("logseq/") and name in _LOGSEQ:
        return _LOGSEQ[name]
    return _NEVER.get(name)


def _file(entry: "os.DirEntry[str]", name: str, root: str, is_trash: bool) -> Iterator[Found | Skipped]:
    """What comes of one entry that is no folder; nothing for what the operating system leaves lying about."""
    base = entry.name
    if base in _SYSTEM_FILES or base.startswith("._"):
        return
    try:
        info = entry.stat(follow_symlinks=False)
    except OSError as error:
        yield Skipped(name, why(error), failed=True)
        return
    if stat.S_ISLNK(info.st_mode):
        yield Skipped(name, _link_reason(entry.path, root))
    elif not stat.S_ISREG(info.st_mode):
        yield Skipped(name, "no regular file")
    elif is_trash:
        yield Skipped(name, "trash")
    elif ".sync-conflict-" in base:
        yield Skipped(name, "conflict copy of a sync program")
    elif base.startswith("~$"):
        yield Skipped(name, "lock file of an editor")
    elif base.endswith(".icloud"):
        yield Skipped(name, "not downloaded from iCloud")
    else:
        yield found_at(entry.path, name, info)


def _link_reason(path: str, root: str) -> str:
    target = os.path.realpath(path)
    if not os.path.exists(target):
        return "symbolic link that leads nowhere"
    if target == root or target.startswith(root.rstrip(os.sep) + os.sep):
        return "symbolic link; what it leads to is read in its own place"
    return "symbolic link out of the folder; not followed"
