"""Reads the JSON files in which OpenCode kept its sessions until early 2026."""

from collections.abc import Iterator
from hashlib import blake2b
from pathlib import Path
from typing import Any

from memhub.model.record import Conversation, Cursor, Skipped
from memhub_importers.files import relative_name
from memhub_importers.jsonl import document
from memhub_importers.opencode_messages import Session, Turn, from_parts
from memhub_importers.values import entries, instant, table, text


def session_paths(data: Path) -> Iterator[Path]:
    """The file of each session below the data folder: the later layout first, then the older one."""
    storage = data / "storage"
    for project in _inside(storage / "session"):
        if project.name not in ("message", "part"):
            yield from _inside(project, ".json")
    for project in _inside(data / "project"):
        yield from _inside(project / "storage" / "session" / "info", ".json")


def read_tree(path: Path, scope: str, known: str | None) -> Iterator[Conversation | Skipped | Cursor]:
    """One session, unless its files are as they were when `known` was its cursor."""
    name = relative_name(path.stem)
    is_older = path.parent.name == "info"
    base = path.parent.parent if is_older else path.parent.parent.parent
    turns = [(file, _parts_folder(base, file, is_older)) for file in _inside(base / "message" / path.stem, ".json")]
    state = _state([path, *(one for file, parts in turns for one in (file, *_inside(parts, ".json")))])
    if state == known:
        return
    about = document(path, f"session/{name}.json")
    if not isinstance(about, dict):
        yield about if isinstance(about, Skipped) else Skipped(f"session/{name}.json", "no JSON object", failed=True)
        yield Cursor(name, state)
        return
    damage: list[Skipped] = []
    session = Session(
        id=text(about, "id").strip() or name,
        title=text(about, "title"),
        folder=text(about, "directory") or _worktree(base, text(about, "projectID")),
        parent=text(about, "parentID").strip(),
        revert=table(about, "revert"),
        created=table(about, "time").get("created"),
        updated=table(about, "time").get("updated"),
    )
    found = from_parts(session, scope, sorted(_turns(turns, damage), key=_order))
    yield from damage
    yield found
    yield Cursor(name, state)


def _turns(files: list[tuple[Path, Path]], damage: list[Skipped]) -> Iterator[Turn]:
    for file, folder in files:
        data = _object(file, f"message/{file.parent.name}/{file.name}", damage)
        if data is None:
            continue
        parts = [(text(part, "id"), part) for part in entries(data, "parts") if isinstance(part, dict)]
        for one in _inside(folder, ".json"):
            part = _object(one, f"part/{folder.name}/{one.name}", damage)
            if part is not None:
                parts.append((text(part, "id") or one.stem, part))
        yield Turn(text(data, "id").strip() or relative_name(file.stem), data, sorted(parts, key=lambda part: part[0]))


def _order(turn: Turn) -> tuple[str, str]:
    return _created(turn.data), turn.id


def _created(data: Any) -> str:
    """The time of a message to the millisecond, as text that sorts."""
    created = table(data, "time").get("created")
    if isinstance(created, int | float) and not isinstance(created, bool) and 0 < created < 1e17:
        return f"{int(created):020d}"
    return instant(created) or ""


def _object(path: Path, name: str, damage: list[Skipped]) -> dict[str, Any] | None:
    found = document(path, relative_name(name))
    if isinstance(found, dict):
        return found
    damage.append(found if isinstance(found, Skipped) else Skipped(relative_name(name), "no JSON object", failed=True))
    return None


def _parts_folder(base: Path, message: Path, is_older: bool) -> Path:
    return base / "part" / (message.parent.name if is_older else "") / message.stem


def _worktree(base: Path, project: str) -> str:
    """The folder of a project; `/` stands for no project."""
    if not project or "/" in project or "\\" in project or project.startswith("."):
        return ""
    file = base / "project" / f"{project}.json"
    found = document(file) if file.is_file() and not file.is_symlink() else None
    worktree = text(found, "worktree")
    return "" if worktree == "/" else worktree


def _state(files: list[Path]) -> str:
    digest = blake2b(digest_size=16)
    for file in files:
        try:
            info = file.stat()
        except OSError:
            continue
        digest.update(f"{file.name}\0{info.st_mtime_ns}\0{info.st_size}\0".encode("utf-8", "replace"))
    return f"files:{digest.hexdigest()}"


def _inside(folder: Path, ending: str = "") -> list[Path]:
    """What is in a folder, by name, without links: files with an ending, or folders."""
    try:
        found = sorted(one for one in folder.iterdir() if not one.is_symlink())
        return [one for one in found if (one.suffix == ending and one.is_file() if ending else one.is_dir())]
    except OSError:
        return []
