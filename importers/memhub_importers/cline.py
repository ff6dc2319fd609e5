"""Cline: tasks of the extension in VS Code and its kin, of the command line, and sessions of the new engine."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from memhub.errors import NotFoundError
from memhub.model import EMPTY
from memhub.model.record import Conversation, Cursor, Origin, Skipped
from memhub_importers import vscode
from memhub_importers.cline_sessions import MESSAGES, legacy_id, read_session, session_files
from memhub_importers.cline_task import API, PANEL, replaced, task_messages, task_state
from memhub_importers.dialogue import conversation
from memhub_importers.files import relative_name
from memhub_importers.jsonl import document
from memhub_importers.values import text

SLUG = "cline"
_EXTENSION = "saoudrizwan.claude-dev"
_NEW = "new:"  # a session of the new engine, in a cursor: the old task of that id is its past


class _Store(NamedTuple):
    """The folders of tasks and of sessions in one place, as far as they are there."""

    tasks: tuple[Path, ...]
    sessions: tuple[Path, ...]
    history: Path


def sniff(path: Path) -> bool:
    """Whether a folder that Cline writes is there, or `path` is one, or one task or session."""
    return any(store.tasks or store.sessions for store in _stores(path))


def origin(path: Path) -> Origin:
    """One source for the whole machine: the extension and the command line list the same tasks."""
    return Origin(SLUG, SLUG)


def places(home: Path, environ: Mapping[str, str]) -> list[Path]:
    """The data folder of the command line first (its sessions win), then the extension's in each editor."""
    if environ.get("CLINE_DATA_DIR"):
        data = Path(environ["CLINE_DATA_DIR"])
    else:
        data = (Path(environ["CLINE_DIR"]) if environ.get("CLINE_DIR") else home / ".cline") / "data"
    found = [data]
    if environ.get("CLINE_SESSION_DATA_DIR"):
        found.insert(0, Path(environ["CLINE_SESSION_DATA_DIR"]))
    found += [user / "globalStorage" / _EXTENSION for user in vscode.usual(home, environ)]
    return [folder for folder in found if folder.is_dir() and sniff(folder)]


def survey(path: Path) -> tuple[int, str]:
    """How many tasks and sessions there are."""
    return len({folder.name for store in _stores(path) for folder in (*store.tasks, *store.sessions)}), "tasks"


def read(
    path: Path, *, scope: str = "", cursors: Mapping[str, str] = EMPTY
) -> Iterator[Conversation | Skipped | Cursor]:
    """The sessions of the new engine, then the tasks that did not go on as one of them, each store in turn."""
    if not path.exists():
        raise NotFoundError(f"no file or folder `{path}`")
    moved = {place for place, value in cursors.items() if value.startswith(_NEW)}
    stores = _stores(path)
    for store in stores:
        for folder in store.sessions:
            for file in session_files(folder):
                state = _NEW + file.state
                places = [file.session, *([legacy_id(file)] if file.is_lead else [])]
                moved.update(places)
                if cursors.get(file.session) != state:
                    yield read_session(file, SLUG, scope or SLUG)
                    yield from (Cursor(place, state) for place in dict.fromkeys(places) if place)
    for store in stores:
        history = _history(store.history)
        for folder in store.tasks:
            name = relative_name(folder.name)
            about = history.get(folder.name, {})
            state = task_state(folder)
            if name in moved or cursors.get(name) == state:
                continue
            messages, damage = task_messages(folder, name, text(about, "modelId"))
            if damage and not messages:
                yield from damage
            else:
                directory, warnings = text(about, "cwdOnTaskInitialization"), replaced(damage)
                yield conversation((SLUG, scope or SLUG, name), messages, folder=directory, warnings=warnings)
            yield Cursor(name, state)


def _stores(path: Path) -> list[_Store]:
    """The places that `path` means: one task or session, a data folder, a folder of one, an editor."""
    if path.is_file() and (path.name in (PANEL, *API) or path.name.endswith(MESSAGES)):
        path = path.parent
    if not path.is_dir():
        return []
    if any((path / name).is_file() for name in (PANEL, *API)):
        return [_Store((path,), (), path.parent.parent / "state" / "taskHistory.json")] if _is_own_task(path) else []
    if (path / f"{path.name}{MESSAGES}").is_file():
        return [_Store((), (path,), path)]
    bases = [path, path / "data", path / ".cline" / "data", *vscode.extension_folders(path, _EXTENSION)]
    bases += [path.parent] if path.name in ("tasks", "sessions") else []
    found = {}
    for base in dict.fromkeys(bases):
        if _is_anothers(base):
            continue
        tasks = tuple(f for f in _folders(base / "tasks") if any((f / name).is_file() for name in (PANEL, *API)))
        sessions = tuple(f for f in _folders(base / "sessions") if (f / f"{f.name}{MESSAGES}").is_file())
        if tasks or sessions:
            found[base.resolve()] = _Store(tasks, sessions, base / "state" / "taskHistory.json")
    if not found and path.name != "sessions":  # the folder that CLINE_SESSION_DATA_DIR names
        sessions = tuple(f for f in _folders(path) if (f / f"{f.name}{MESSAGES}").is_file())
        return [_Store((), sessions, path)] if sessions else []
    return list(found.values())


def _is_own_task(task: Path) -> bool:
    return task.name.isdecimal() and not _is_anothers(task.parent.parent)


def _is_anothers(base: Path) -> bool:
    """Whether the storage is that of another extension with the same files, such as Roo Code."""
    return base.parent.name == "globalStorage" and base.name != _EXTENSION


def _folders(folder: Path) -> list[Path]:
    try:
        return sorted(one for one in folder.iterdir() if one.is_dir() and not one.is_symlink())
    except OSError:
        return []


def _history(file: Path) -> dict[str, object]:
    """What the list of tasks says of each, by id. It is the only place that knows the folder."""
    found = document(file) if file.is_file() else None
    return {text(one, "id"): one for one in found if text(one, "id")} if isinstance(found, list) else {}
