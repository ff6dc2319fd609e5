"""Roo Code: the tasks of the extension, and of the relatives that kept its files."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from memhub.errors import NotFoundError
from memhub.model import EMPTY
from memhub.model.record import Conversation, Cursor, Origin, Skipped
from memhub_importers import vscode
from memhub_importers.cline_task import API, PANEL, replaced, task_messages, task_state
from memhub_importers.dialogue import conversation
from memhub_importers.files import relative_name
from memhub_importers.jsonl import document
from memhub_importers.values import entries, text

SLUG = "roo-code"
_EXTENSION = "rooveterinaryinc.roo-cline"
_ABOUT = "history_item.json"


def sniff(path: Path) -> bool:
    """Whether the extension's storage is there, or `path` is its folder of tasks, or one task."""
    return bool(_tasks(path))


def origin(path: Path) -> Origin:
    """One source for the whole machine: the ids of tasks are unique."""
    return Origin(SLUG, SLUG)


def places(home: Path, environ: Mapping[str, str]) -> list[Path]:
    """The extension's storage in each editor."""
    found = [user / "globalStorage" / _EXTENSION for user in vscode.usual(home, environ)]
    return [folder for folder in found if folder.is_dir() and sniff(folder)]


def survey(path: Path) -> tuple[int, str]:
    """How many tasks there are."""
    return len(_tasks(path)), "tasks"


def read(
    path: Path, *, scope: str = "", cursors: Mapping[str, str] = EMPTY
) -> Iterator[Conversation | Skipped | Cursor]:
    """The tasks below `path` by id; a task that another one started carries it as `parent`."""
    if not path.exists():
        raise NotFoundError(f"no file or folder `{path}`")
    tasks = _tasks(path)
    index = _index(tasks)
    for folder in tasks:
        name, state = relative_name(folder.name), task_state(folder)
        if cursors.get(name) == state:
            continue
        about = _about(folder) or index.get(folder.name, {})
        messages, damage = task_messages(folder, name)
        if damage and not messages:
            yield from damage
        else:
            parent = text(about, "parentTaskId").strip()
            yield conversation(
                (SLUG, scope or SLUG, name),
                messages,
                folder=text(about, "workspace"),
                parent=parent if parent != name else None,
                warnings=replaced(damage),
            )
        yield Cursor(name, state)


def _tasks(path: Path) -> list[Path]:
    """The folders of tasks that `path` means: itself, those in it, or those of the extension in an editor."""
    if path.is_file() and path.name in (PANEL, *API):
        path = path.parent
    if _is_task(path):
        return [path] if _is_own(path) else []
    bases = [path] if path.name == "tasks" else [path / "tasks"]
    bases += [folder / "tasks" for folder in vscode.extension_folders(path, _EXTENSION)]
    found: dict[Path, Path] = {}
    for base in bases:
        for folder in _folders(base):
            if _is_task(folder) and _is_own(folder):
                found.setdefault(folder.resolve(), folder)
    return list(found.values())


def _is_task(folder: Path) -> bool:
    return any((folder / name).is_file() for name in (PANEL, *API))


def _is_own(task: Path) -> bool:
    """Whether the task is Roo's: it lies in its storage, or beside the files that only Roo writes."""
    if task.parent.parent.name == _EXTENSION:
        return True
    return (task / _ABOUT).is_file() or (task.parent / "_index.json").is_file()


def _folders(folder: Path) -> list[Path]:
    try:
        return sorted(one for one in folder.iterdir() if one.is_dir() and not one.is_symlink())
    except OSError:
        return []


def _about(folder: Path) -> dict[str, Any]:
    file = folder / _ABOUT
    found = document(file) if file.is_file() and not file.is_symlink() else None
    return found if isinstance(found, dict) else {}


def _index(tasks: list[Path]) -> dict[str, Any]:
    """What the lists of tasks say of each, by id; used where the task itself says nothing."""
    found: dict[str, Any] = {}
    for folder in dict.fromkeys(task.parent for task in tasks):
        file = folder / "_index.json"
        listed = document(file) if file.is_file() and not file.is_symlink() else None
        found |= {text(one, "id"): one for one in entries(listed, "entries") if text(one, "id")}
    return found
