"""Gemini CLI: the recorded sessions below `~/.gemini/tmp/<project>/chats`, which it deletes after a month.

Resuming an old `.json` writes a `.jsonl` of the same session beside it; of several files of one session the log counts,
and among equals the one that was changed last. The folder of a project is named after a hash that cannot be undone or
after a short name, which `.project_root` in it or `projects.json` explains; without either the thread has no folder.
"""

import re
from collections.abc import Iterator, Mapping
from itertools import islice
from pathlib import Path
from typing import Any

from memhub.errors import NotFoundError
from memhub.model import EMPTY
from memhub.model.record import Conversation, Cursor, Origin, Record, Skipped
from memhub_importers.files import Found, walk
from memhub_importers.gemini_session import KIND, Recording
from memhub_importers.jsonl import document, lines, open_regular
from memhub_importers.values import file_state, table, text

_NAME = re.compile(r"session-\d{4}-\d\d-\d\dT\d\d-\d\d\S*\.jsonl?")
_TIME = re.compile(r"^session-\d{4}-\d\d-\d\dT\d\d-\d\d-")
_PATTERNS = ("", "chats/", "*/chats/", "tmp/*/chats/", ".gemini/tmp/*/chats/")
_SHORT = 4096


def sniff(path: Path) -> bool:
    """A recorded session by its name, or a folder that holds some: `~/.gemini`, its `tmp`, a project's, its `chats`."""
    if path.is_file():
        return _NAME.fullmatch(path.name) is not None and (path.parent.name == "chats" or _looks_right(path))
    if not path.is_dir():
        return False
    found = (file for pattern in _PATTERNS for file in islice(path.glob(f"{pattern}session-*"), 5))
    return any(_NAME.fullmatch(file.name) and file.parent.name == "chats" and _looks_right(file) for file in found)


def origin(path: Path) -> Origin:
    """One source, wherever its files lie."""
    return Origin(KIND, KIND)


def places(home: Path, environ: Mapping[str, str]) -> list[Path]:
    """The folder of the tool, where it has sessions."""
    folder = home / environ.get("GEMINI_CLI_HOME", "").removeprefix("~/") / ".gemini"
    return [folder] if next((folder / "tmp").glob("*/chats"), None) else []


def survey(path: Path) -> tuple[int, str]:
    """How many recorded sessions there are; none is opened."""
    if path.is_file():
        return 1, "session"
    files = {file for pattern in _PATTERNS for file in path.glob(f"{pattern}session-*") if _NAME.fullmatch(file.name)}
    count = len({file.name.partition(".")[0] for file in files})
    return count, "session" if count == 1 else "sessions"


def read(
    path: Path, *, scope: str = "", cursors: Mapping[str, str] = EMPTY
) -> Iterator[Record | Conversation | Skipped | Cursor]:
    """Each session with all its turns, and each sub-agent's; a session none of whose files changed is passed over."""
    if not path.exists():
        raise NotFoundError(f"no file or folder `{path}`")
    groups: dict[str, list[Found]] = {}
    for found in walk(_root(path)):
        if isinstance(found, Skipped):
            if found.failed or ".json" in found.where:
                yield found
        elif _is_main(found) or _parent(found):
            groups.setdefault(_group(found), []).append(found)
    folders = _folders(path)
    for place, files in sorted(groups.items()):
        state = ",".join(file_state(file) for file in files)
        if cursors.get(place) != state:
            yield from _session(files, scope or KIND, folders)
            yield Cursor(place, state)


def _session(files: list[Found], scope: str, folders: Mapping[str, str]) -> Iterator[Conversation | Skipped]:
    """The thread in files that seem to be of one session; each where they are of several after all."""
    best: dict[str, tuple[tuple[bool, str], Found, Recording]] = {}
    for found in files:
        recording = Recording()
        for record in _records(found):
            if isinstance(record, Skipped):
                recording.is_damaged |= record.failed
                yield record
            else:
                recording.add(record)
        id = recording.id or found.stem
        rank = (found.suffix == ".jsonl" and recording.has_prompt, recording.updated)
        if id not in best or rank >= best[id][0]:
            best[id] = (rank, found, recording)
    for id, (_, found, recording) in best.items():
        project, parent = _project(found), _parent(found)
        folder = _project_root(project) or folders.get(project.name, "")
        yield recording.conversation(f"{parent}/{id}" if parent else id, scope, folder=folder, parent=parent)


def _records(found: Found) -> Iterator[dict[str, Any] | Skipped]:
    name = _place(found)
    if found.suffix == ".jsonl":
        for record in lines(found.path, name):
            yield record if isinstance(record, Skipped) else record[1]
        return
    whole = document(found.path, name)
    if isinstance(whole, Skipped | dict):
        yield whole
    else:
        yield Skipped(name, "no session in it", failed=True)


def _root(path: Path) -> Path:
    """`tmp` of the folder of the tool, which has other things that are not looked through."""
    for folder in (path / "tmp", path / ".gemini" / "tmp"):
        if folder.is_dir():
            return folder
    return path


def _place(found: Found) -> str:
    """The name of a file from the `tmp` folder, so that every way to import it says the same."""
    project = _project(found)
    return Path(found.path).relative_to(project.parent).as_posix() if project.name else found.name


def _group(found: Found) -> str:
    """Files with one value are read together: their name holds the same start of a session id."""
    folder, _, base = _place(found).rpartition("/")
    stem = base.rpartition(".")[0]
    return f"{folder}/{_TIME.sub('', stem)}" if folder else stem


def _project(found: Found) -> Path:
    """The folder of the project in `tmp`: the one that `chats` is in."""
    path = Path(found.path)
    return next((folder.parent for folder in path.parents if folder.name == "chats"), path.parent)


def _is_main(found: Found) -> bool:
    return _NAME.fullmatch(Path(found.path).name) is not None


def _parent(found: Found) -> str:
    """The session that a sub-agent worked for: its files are in a folder of that name in `chats`."""
    folder = Path(found.path).parent
    is_inner = folder.parent.name == "chats" and found.suffix in (".jsonl", ".json")
    return folder.name if is_inner and not _is_main(found) else ""


def _project_root(project: Path) -> str:
    """What `.project_root` says, or nothing."""
    try:
        with open_regular(project / ".project_root") as file:
            return text({"": file.read(_SHORT).decode("utf-8", "replace")}, "").strip().partition("\n")[0]
    except (OSError, ValueError):
        return ""


def _folders(path: Path) -> dict[str, str]:
    """The folders of projects by their short names, from the `projects.json` above `path`."""
    for folder in (path, path / ".gemini", *path.resolve().parents[:5]):
        if (folder / "projects.json").is_file():
            whole = document(folder / "projects.json")
            projects = table(whole, "projects")
            return {text(projects, place): text({"": place}, "") for place in projects}
    return {}


def _looks_right(path: Path) -> bool:
    """Whether a file begins as a recorded session does."""
    try:
        with open_regular(path) as file:
            head = file.read(_SHORT)
    except (OSError, ValueError):
        return False
    return (b'"sessionId"' in head and b'"messages"' in head) or (b'"sessionId"' in head and path.suffix == ".jsonl")
