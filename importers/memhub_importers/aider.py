"""Aider: the chats of `.aider.chat.history.md`, a file that it keeps in each project.

A chat has no id but its number in the file, `<file>#<n>`. Histories of several projects are one source, and a history
can be deleted and begun anew, so the time of the first chat in the file stands before it; the folder may move.
The cursor of a file is its time and size, that of a chat a hash of its lines, so that only what is new comes.
"""

import hashlib
import re
from collections.abc import Iterator, Mapping
from itertools import islice
from pathlib import Path
from typing import BinaryIO

from memhub.errors import NotFoundError
from memhub.model import EMPTY
from memhub.model.record import Conversation, Cursor, Origin, Record, Skipped
from memhub_importers.aider_session import HEADER, KIND, chat
from memhub_importers.dialogue import NEVER_USED
from memhub_importers.encoding import decode
from memhub_importers.files import Found, read_bytes, walk, why
from memhub_importers.jsonl import MAX_LINE, open_regular
from memhub_importers.values import file_state

NAME = ".aider.chat.history.md"
_START = b"# aider chat started at "
_MARKS = (b"\xff\xfe", b"\xfe\xff")
_HEAD = 65_536
_COUNTED = 64 << 20
_NOTE = re.compile(r"[^.].*[a-z].*\.(?:md|markdown)")


def sniff(path: Path) -> bool:
    """A history, or a folder with some (two levels down) that is no folder of notes."""
    if path.is_file():
        return path.name == NAME or (path.suffix == ".md" and _begins(path))
    if not path.is_dir() or (path / ".obsidian").is_dir() or any(_NOTE.fullmatch(x.name) for x in path.glob("*.m*")):
        return False
    return bool(_histories(path, 1))


def origin(path: Path) -> Origin:
    """One source, wherever its files lie."""
    return Origin(KIND, KIND)


def places(home: Path, environ: Mapping[str, str]) -> list[Path]:
    """The one history that the user set, and that of the home folder; projects must be named."""
    named = environ.get("AIDER_CHAT_HISTORY_FILE", "")
    paths = [home / named.removeprefix("~/")] if named else []
    return [path for path in dict.fromkeys([*paths, home / NAME]) if path.is_file()]


def survey(path: Path) -> tuple[int, str]:
    """How many chats were begun, those in which nothing was asked among them; in a folder, two levels down."""
    count = 0
    for file in [path] if path.is_file() else _histories(path, 1000):
        try:
            with open_regular(file) as opened:
                count += (b"\n" + opened.read(_COUNTED)).count(b"\n" + _START)
        except (OSError, ValueError):
            continue
    return count, "chat" if count == 1 else "chats"


def read(
    path: Path, *, scope: str = "", cursors: Mapping[str, str] = EMPTY
) -> Iterator[Record | Conversation | Skipped | Cursor]:
    """Each chat with all its turns, file by file; a chat that did not change is passed over."""
    if not path.exists():
        raise NotFoundError(f"no file or folder `{path}`")
    for found in walk(path):
        if isinstance(found, Skipped):
            if found.failed or found.where.endswith(NAME):
                yield found
        elif path.is_file() or Path(found.path).name == NAME:
            folder = Path(found.path).parent
            place = f"{folder.name}/{Path(found.path).name}"
            state = file_state(found)
            if cursors.get(place) != state:
                yield from _chats(found, place, scope or KIND, cursors)
                yield Cursor(place, state)


def _chats(
    found: Found, place: str, scope: str, cursors: Mapping[str, str]
) -> Iterator[Conversation | Skipped | Cursor]:
    folder, base = str(Path(found.path).parent), Path(found.path).name
    first = ""
    try:
        for number, (started, lines) in enumerate(_sessions(found), 1):
            first = first or started.replace(" ", "T")
            digest = hashlib.sha256("".join((started, *lines)).encode("utf-8", "replace")).hexdigest()[:16]
            if cursors.get(f"{place}#{number}") == digest:
                continue
            outcome = chat(f"{first}/{base}#{number}", scope, started, lines, folder)
            yield outcome if isinstance(outcome, Conversation) else Skipped(f"{place}#{number}", NEVER_USED)
            yield Cursor(f"{place}#{number}", digest)
    except (OSError, ValueError) as error:
        yield Skipped(found.name, why(error), failed=True)
        return
    if not first:
        yield Skipped(found.name, "no chat of Aider in it", failed=True)


def _sessions(found: Found) -> Iterator[tuple[str, list[str]]]:
    """(time in the header, lines up to the next header) of each chat; what stands before the first is no chat's."""
    started = ""
    lines: list[str] = []
    for line in _lines(found):
        if header := HEADER.fullmatch(line):
            if started:
                yield started, lines
            started, lines = header[1], []
        elif started:
            lines.append(line)
    if started:
        yield started, lines


def _lines(found: Found) -> Iterator[str]:
    """The lines of a file with their ends. Aider writes in the encoding it is told: mostly UTF-8."""
    with open_regular(found.path) as file:
        if file.read(2) not in _MARKS:
            file.seek(0)
            yield from _decoded(file)
            return
    whole = decode(read_bytes(found))
    if whole is not None:
        yield from (line + "\n" for line in whole.text.split("\n"))


def _decoded(file: BinaryIO) -> Iterator[str]:
    while raw := file.readline(MAX_LINE):
        try:
            yield raw.decode("utf-8").removeprefix("\ufeff")
        except UnicodeDecodeError:
            line = decode(raw)
            yield line.text if line else raw.decode("utf-8", "replace")


def _begins(path: Path) -> bool:
    try:
        with open_regular(path) as file:
            return (b"\n" + file.read(_HEAD)).lstrip(b"\xef\xbb\xbf \r\n").startswith(_START)
    except (OSError, ValueError):
        return False


def _histories(folder: Path, most: int) -> list[Path]:
    """The histories in `folder` and two levels down, `most` of them."""
    found = (path for pattern in ("", "*/", "*/*/") for path in folder.glob(pattern + NAME))
    return list(islice((path for path in found if path.is_file()), most))
