"""Claude Code: the transcripts below `~/.claude/projects`, one session a file.

A session that was forked (or resumed by old versions) is a copy of the whole chain in a new file, with the same uuids
and no word of where it came from. Such files are told by the uuid of their first record; each uuid belongs to the
oldest of them, and the others hold only what came after. The cursor of a file therefore keeps, beside time and size,
that first uuid and the file's rank among its relatives, so that the owner stays the same in later runs.

Turns of sub-agents that old versions wrote into the main transcript are left out; those in files of their own are
threads with a parent.
"""

import hashlib
import json
import re
from collections.abc import Callable, Iterator, Mapping
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

from memhub.errors import NotFoundError
from memhub.model import EMPTY
from memhub.model.record import Conversation, Cursor, Origin, Record, Skipped
from memhub_importers.claude_session import KIND, Transcript, add_all
from memhub_importers.files import Found, walk
from memhub_importers.jsonl import lines, open_regular
from memhub_importers.values import file_state, table, text

_UUID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.I)
_INNER = ("subagents", "tool-results", "workflows")
_OWN_TYPES = ("mode", "permission-mode", "file-history-snapshot", "ai-title", "custom-title", "last-prompt", "summary")
_BULK = (b'{"type":"file-history-snapshot"', b'{"type":"queue-operation"')
_HEAD = 65_536


class _File(NamedTuple):
    """One transcript: where, its name from the `projects` folder, the uuid that relatives share, its rank of old."""

    found: Found
    place: str
    root: str = ""
    rank: int | None = None
    is_new: bool = True


def sniff(path: Path) -> bool:
    """A transcript, or a folder that holds some: the configuration folder, `projects`, the folder of one project."""
    if path.is_file():
        return path.suffix == ".jsonl" and _is_transcript(path)
    patterns = ("*.jsonl", "*/*.jsonl", "projects/*/*.jsonl") if path.is_dir() else ()
    return any(_is_transcript(file) for pattern in patterns for file in islice(path.glob(pattern), 5))


def origin(path: Path) -> Origin:
    """One source, wherever its files lie."""
    return Origin(KIND, KIND)


def places(home: Path, environ: Mapping[str, str]) -> list[Path]:
    """The `projects` folders of the configuration folders that there are."""
    named = [
        Path(part.strip()).expanduser() for part in environ.get("CLAUDE_CONFIG_DIR", "").split(",") if part.strip()
    ]
    folders = named or [home / ".claude", home / ".config" / "claude"]
    return [folder / "projects" for folder in folders if (folder / "projects").is_dir()]


def survey(path: Path) -> tuple[int, str]:
    """How many transcripts there are; none is opened."""
    if path.is_file():
        return 1, "session"
    root = _projects(path)
    found = {file for pattern in ("*.jsonl", "*/*.jsonl") for file in root.glob(pattern)}
    count = sum(not file.name.startswith(("agent-", "history.")) for file in found)
    return count, "session" if count == 1 else "sessions"


def read(
    path: Path, *, scope: str = "", cursors: Mapping[str, str] = EMPTY
) -> Iterator[Record | Conversation | Skipped | Cursor]:
    """Each session with all its turns, and each sub-agent's; a file that did not change is passed over."""
    if not path.exists():
        raise NotFoundError(f"no file or folder `{path}`")
    scope = scope or KIND
    files: list[_File] = []
    for found in walk(_projects(path)):
        if isinstance(found, Skipped):
            if found.failed or found.where.endswith(".jsonl"):
                yield found
        elif found.suffix == ".jsonl" and _counts(found.name):
            files.append(_file(found, cursors))
    for family in _families(files):
        if len(family) == 1:
            if family[0].is_new:
                yield from _session(family[0], scope, frozenset(), 0)
        elif any(file.is_new for file in family):
            yield from _relatives(family, scope)


def _projects(path: Path) -> Path:
    return path / "projects" if (path / "projects").is_dir() else path


def _place(found: Found) -> str:
    """The name of a file from the `projects` folder that it is in, so that every way to import it says the same."""
    parts = Path(found.path).parts
    if "projects" in parts[:-1]:
        after = len(parts) - parts[::-1].index("projects")
        return "/".join(parts[after:])
    return found.name


def _counts(name: str) -> bool:
    """Whether a file is a transcript by its place: in the folder of a session only its sub-agents are."""
    *folders, base = name.split("/")
    if base.startswith("agent-"):
        return True
    return base != "history.jsonl" and not any(part in _INNER or _UUID.fullmatch(part) for part in folders)


def _file(found: Found, cursors: Mapping[str, str]) -> _File:
    """The file with what its cursor knows; a new one or a changed one is opened for the uuid of its first record."""
    place = _place(found)
    state, _, known = cursors.get(place, "").partition("|")
    root, _, rank = known.partition("|")
    is_new = state != file_state(found)
    if found.name.rpartition("/")[2].startswith("agent-"):
        return _File(found, place, is_new=is_new)
    if is_new:
        root = _first_uuid(found)
    return _File(found, place, root, int(rank) if rank.isdecimal() else None, is_new)


def _families(files: list[_File]) -> list[list[_File]]:
    """Files that share the uuid of their first record together, in the order in which the first of them came."""
    families: dict[str, list[_File]] = {}
    for number, file in enumerate(files):
        families.setdefault(file.root or f"\n{number}", []).append(file)
    return list(families.values())


def _relatives(family: list[_File], scope: str) -> Iterator[Conversation | Skipped | Cursor]:
    """The sessions of a family, each without what an older one has. Unchanged ones are read for their uuids."""
    uuids = {file.place: _load(file, Transcript())[0].times for file in family}
    shared: dict[str, int] = {}
    for times in uuids.values():
        for uuid in times:
            shared[uuid] = shared.get(uuid, 0) + 1

    def age(file: _File) -> tuple[bool, int, str, int, str]:
        own = (time for uuid, time in uuids[file.place].items() if shared[uuid] == 1)
        return file.rank is None, file.rank or 0, min(own, default=""), len(uuids[file.place]), file.place

    taken: set[str] = set()
    for rank, file in enumerate(sorted(family, key=age)):
        if file.is_new or file.rank != rank:
            yield from _session(file, scope, frozenset(taken), rank)
        taken |= uuids[file.place].keys()


def _session(file: _File, scope: str, foreign: frozenset[str], rank: int) -> Iterator[Conversation | Skipped | Cursor]:
    is_agent = Path(file.place).name.startswith("agent-")
    transcript, skipped = _load(file, Transcript(is_agent=is_agent, foreign=foreign))
    yield from skipped
    parent = _parent(file, transcript) if is_agent else ""
    id = file.found.stem
    yield transcript.conversation(f"{parent}/{id}" if parent else id, scope, parent=parent)
    yield Cursor(file.place, f"{file_state(file.found)}|{file.root}|{rank}")


def _load(file: _File, transcript: Transcript) -> tuple[Transcript, list[Skipped]]:
    return transcript, add_all(transcript, lines(file.found.path, file.place, wanted=_no_repeats()))


def _parent(file: _File, transcript: Transcript) -> str:
    """The session that a sub-agent worked for: the folder it is in, else what its records say."""
    folders = file.place.split("/")[:-1]
    if "subagents" in folders[1:]:
        return folders[folders.index("subagents", 1) - 1]
    return transcript.session or "unknown"


def _no_repeats() -> Callable[[bytes], bool]:
    """Says no to bulk without turns, and to a queued prompt written again byte for byte (files of gigabytes are)."""
    seen: set[bytes] = set()

    def wanted(raw: bytes) -> bool:
        if raw.startswith(_BULK):
            return False
        if b'"queued_command"' not in raw:
            return True
        digest = hashlib.blake2b(raw, digest_size=12).digest()
        is_first = digest not in seen
        seen.add(digest)
        return is_first

    return wanted


def _first_uuid(found: Found) -> str:
    """The uuid of the first turn of a transcript, or nothing."""
    for record in lines(found.path, wanted=lambda raw: b'"uuid"' in raw):
        if not isinstance(record, Skipped) and text(record[1], "type") in ("user", "assistant"):
            uuid = text(record[1], "uuid").strip()
            return "" if "|" in uuid or "\n" in uuid else uuid
    return ""


def _is_transcript(path: Path) -> bool:
    """Whether the first lines of a file are records of Claude Code and of no other tool."""
    try:
        with open_regular(path) as file:
            head = file.read(_HEAD)
    except (OSError, ValueError):
        return False
    for line in head.split(b"\n")[:20]:
        try:
            record: Any = json.loads(line)
        except (ValueError, RecursionError):
            continue
        kind = text(record, "type")
        if kind in ("user", "assistant") and text(record, "sessionId") and "parentUuid" in record:
            return "content" in table(record, "message")
        if kind in _OWN_TYPES and ("sessionId" in record or "messageId" in record or "leafUuid" in record):
            return True
    return False
