"""OpenAI Codex: the rollouts below `~/.codex`, one thread a file, archived and compressed ones too.

The name of a file stays when it is archived or compressed, so it is the place; a copy among the active sessions wins
over an archived one, a plain file over a compressed one. Names of threads come from the rollout, else from
`session_index.jsonl`; a thread that only got a new name there comes again.
"""

import hashlib
import re
from collections.abc import Iterator, Mapping
from itertools import islice
from pathlib import Path
from typing import Any

from memhub.errors import NotFoundError
from memhub.model import EMPTY
from memhub.model.record import Conversation, Cursor, Origin, Record, Skipped
from memhub_importers import zstd
from memhub_importers.codex_session import KIND, Rollout
from memhub_importers.files import Found, walk, why
from memhub_importers.jsonl import lines, open_regular, stream
from memhub_importers.values import file_state, text

_NAME = re.compile(r"rollout-\d{4}-\d\d-\d\dT[\w.-]*?\.jsonl(?:\.zst)?")
_ID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?=\.jsonl)", re.I)
_FOLDERS = ("sessions", "archived_sessions")
_PATTERNS = (
    "rollout-*",
    "[0-9][0-9]/rollout-*",
    "[0-9][0-9]/[0-9][0-9]/rollout-*",
    "[0-9][0-9][0-9][0-9]/*/*/rollout-*",
    "sessions/rollout-*",
    "sessions/*/*/*/rollout-*",
    "archived_sessions/rollout-*",
)


def sniff(path: Path) -> bool:
    """A rollout by its name, or a folder that holds some: `~/.codex`, its `sessions`, a year, a month or a day."""
    if path.is_file():
        return _NAME.fullmatch(path.name) is not None
    patterns = _PATTERNS if path.is_dir() else ()
    return any(_NAME.fullmatch(file.name) for pattern in patterns for file in islice(path.glob(pattern), 5))


def origin(path: Path) -> Origin:
    """One source, wherever its files lie."""
    return Origin(KIND, KIND)


def places(home: Path, environ: Mapping[str, str]) -> list[Path]:
    """The folder that Codex keeps everything in, where it has sessions."""
    folder = home / (environ.get("CODEX_HOME", "").removeprefix("~/") or ".codex")
    return [folder] if any((folder / name).is_dir() for name in _FOLDERS) else []


def survey(path: Path) -> tuple[int, str]:
    """How many rollouts there are; none is opened."""
    if path.is_file():
        return 1, "session"
    files = (file for root in _roots(path) for file in root.rglob("rollout-*"))
    count = len({file.name.removesuffix(".zst") for file in files if _NAME.fullmatch(file.name)})
    return count, "session" if count == 1 else "sessions"


def read(
    path: Path, *, scope: str = "", cursors: Mapping[str, str] = EMPTY
) -> Iterator[Record | Conversation | Skipped | Cursor]:
    """Each thread with all its turns, in the order of the names; a file that did not change is passed over."""
    if not path.exists():
        raise NotFoundError(f"no file or folder `{path}`")
    files: dict[str, Found] = {}
    for root in _roots(path):
        for found in walk(root):
            if isinstance(found, Skipped):
                if found.failed or ".jsonl" in found.where:
                    yield found
            elif _NAME.fullmatch(_base(found)):
                place = _base(found).removesuffix(".zst")
                files[place] = min(files.get(place, found), found, key=_preference)
    titles = _titles(path)
    for place, found in sorted(files.items()):
        title = titles.get(_file_id(place), "")
        state = f"{file_state(found)}|{hashlib.sha256(title.encode()).hexdigest()[:8]}"
        if cursors.get(place) != state:
            yield from _thread(found, place, scope or KIND, titles, files, state)


def _thread(
    found: Found, place: str, scope: str, titles: Mapping[str, str], files: Mapping[str, Found], state: str
) -> Iterator[Conversation | Skipped | Cursor]:
    rollout = Rollout(_file_id(place))
    for record in _records(found):
        if not isinstance(record, Skipped):
            rollout.add(record[1])
            continue
        yield record
        if record.why == zstd.HINT:
            return  # no cursor: it is read as soon as it can be
    id = rollout.id or place.removesuffix(".jsonl")
    known = _turns(files, rollout.forked_from) if rollout.forked_from not in ("", id) else frozenset()
    yield rollout.conversation(id, scope, title=titles.get(id, ""), known=known)
    yield Cursor(place, state)


def _records(found: Found) -> Iterator[tuple[int, dict[str, Any]] | Skipped]:
    if not found.name.endswith(".zst"):
        yield from lines(found.path, found.name)
        return
    unpack = zstd.reader()
    if unpack is None:
        yield Skipped(found.name, zstd.HINT)
        return
    try:
        with open_regular(found.path) as file:
            yield from stream(unpack(file), found.name)
    except (OSError, ValueError) as error:
        yield Skipped(found.name, why(error), failed=True)


def _turns(files: Mapping[str, Found], id: str) -> frozenset[str]:
    """The ids of the turns of another thread, where its file is there."""
    rollout = Rollout()
    for place, found in files.items():
        if _file_id(place) == id:
            for record in _records(found):
                if not isinstance(record, Skipped):
                    rollout.add(record[1])
    return frozenset(rollout.turns)


def _titles(path: Path) -> dict[str, str]:
    """Names by thread id, from the index in the folder that the rollouts belong to; the last one counts."""
    titles: dict[str, str] = {}
    for folder in (path, *path.resolve().parents[:5]):
        if (folder / "session_index.jsonl").is_file():
            for record in lines(folder / "session_index.jsonl"):
                if not isinstance(record, Skipped) and (title := text(record[1], "thread_name").strip()):
                    titles[text(record[1], "id").strip()] = title
            break
    return titles


def _roots(path: Path) -> list[Path]:
    """Where rollouts lie: the folder also holds caches and work trees, which are not looked through."""
    return [path / name for name in _FOLDERS if (path / name).is_dir()] or [path]


def _base(found: Found) -> str:
    return found.name.rpartition("/")[2]


def _preference(found: Found) -> tuple[bool, bool, str]:
    return "archived_sessions" in Path(found.path).parts, found.name.endswith(".zst"), found.name


def _file_id(place: str) -> str:
    """The thread id in the name of a rollout, or nothing."""
    found = _ID.search(place)
    return found[0].lower() if found else ""
