"""GitHub Copilot Chat in VS Code and its relatives: the chat sessions of each workspace."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from memhub.errors import NotFoundError
from memhub.model import EMPTY
from memhub.model.record import Conversation, Cursor, Origin, Skipped
from memhub.model.thread import Message
from memhub_importers import vscode
from memhub_importers.copilot_response import answer_of
from memhub_importers.dialogue import attrs, conversation
from memhub_importers.files import relative_name
from memhub_importers.jsonl import document, lines
from memhub_importers.mutation_log import Log
from memhub_importers.values import entries, instant, table, text

SLUG = "copilot-vscode"
_FOLDERS = ("workspaceStorage/*/chatSessions", "globalStorage/emptyWindowChatSessions",
            "globalStorage/transferredChatSessions")  # fmt: skip
_NAMES = ("chatSessions", "emptyWindowChatSessions", "transferredChatSessions")
_ENDINGS = (".jsonl", ".json")  # the first that is there is the session; an older build left the other


def sniff(path: Path) -> bool:
    """Whether an editor's storage with chat sessions is there, or `path` is a file of one."""
    return next(_sessions(path), None) is not None


def origin(path: Path) -> Origin:
    """One source for the whole machine: the ids of sessions are unique, and one may move to another window."""
    return Origin(SLUG, SLUG)


def places(home: Path, environ: Mapping[str, str]) -> list[Path]:
    """The `User` folders of editors that hold chat sessions."""
    return [user for user in vscode.usual(home, environ) if sniff(user)]


def survey(path: Path) -> tuple[int, str]:
    """How many session files there are, unused ones among them."""
    return sum(1 for _ in _sessions(path)), "sessions"


def read(
    path: Path, *, scope: str = "", cursors: Mapping[str, str] = EMPTY
) -> Iterator[Conversation | Skipped | Cursor]:
    """The sessions below `path`, by workspace and file name; a file as it was is passed over."""
    if not path.exists():
        raise NotFoundError(f"no file or folder `{path}`")
    for file in _sessions(path):
        name = relative_name(f"{file.parent.parent.name}/{file.name}")
        try:
            info = file.stat()
        except OSError as error:
            yield Skipped(name, f"cannot be read: {error.strerror}", failed=True)
            continue
        state = f"{info.st_mtime_ns}:{info.st_size}"
        if cursors.get(name) != state:
            yield from _session(file, name, scope or SLUG)
            yield Cursor(name, state)


def _sessions(path: Path) -> Iterator[Path]:
    """The session files that `path` means, of two for one session the newer kind."""
    if path.is_file():
        if path.suffix in _ENDINGS and path.parent.name in _NAMES:
            yield path
        return
    folders = [path] if path.name in _NAMES else [path / _NAMES[0], *path.glob("*/" + _NAMES[0])]
    for user in vscode.below(path):
        folders += [folder for pattern in _FOLDERS for folder in sorted(user.glob(pattern))]
    root, seen = path.resolve(), set()
    for folder in folders:
        real = folder.resolve()
        if real in seen or not real.is_dir() or not real.is_relative_to(root):
            continue
        seen.add(real)
        files = [file for file in _listed(real) if file.suffix in _ENDINGS and _is_regular(file)]
        newer = {file.stem for file in files if file.suffix == _ENDINGS[0]}
        yield from (file for file in files if file.suffix == _ENDINGS[0] or file.stem not in newer)


def _listed(folder: Path) -> list[Path]:
    try:
        return sorted(folder.iterdir())
    except OSError:
        return []


def _is_regular(file: Path) -> bool:
    return file.is_file() and not file.is_symlink()


def _session(file: Path, name: str, scope: str) -> Iterator[Conversation | Skipped]:
    data: Any
    if file.suffix == ".jsonl":
        log = Log()
        yield from log.replay(name, lines(file, name))
        data = log.state
        older = file.with_suffix(".json")
        if data is None and _is_regular(older):
            yield Skipped(name, "the log lacks its start; the older file beside it was read", failed=True)
            data = document(older, name)
    else:
        data = document(file, name)
    if isinstance(data, Skipped):
        yield data
    elif not isinstance(data, dict):
        yield Skipped(name, "no session in it", failed=True)
    else:
        yield _conversation(data, file, scope)


def _conversation(data: Mapping[str, Any], file: Path, scope: str) -> Conversation | Skipped:
    return conversation(
        (SLUG, scope, text(data, "sessionId").strip() or relative_name(file.stem)),
        [message for number, one in enumerate(entries(data, "requests"), 1) for message in _turn(one, number)],
        title=text(data, "customTitle"),
        folder=vscode.workspace_folder(file.parent.parent) if file.parent.name == _NAMES[0] else None,
        started_at=instant(data.get("creationDate")),
        ended_at=instant(data.get("lastMessageDate")),
    )


def _turn(request: Any, number: int) -> Iterator[Message]:
    """The prompt and the answer of one request; nothing of one that was taken back.

    `shouldBeRemovedOnSend` with `afterUndoStop` takes back only what the answer says after that stop.
    """
    if not isinstance(request, dict) or request.get("isHidden") is True:
        return
    undone = request.get("shouldBeRemovedOnSend")
    stop = text(undone, "afterUndoStop")
    if (undone is True or isinstance(undone, dict)) and not stop:
        return
    key, asked = text(request, "requestId").strip() or f"#{number}", request.get("timestamp")
    if request.get("isSystemInitiated") is not True:
        yield Message(_prompt(request), at=instant(asked), id=key)
    answer = answer_of(entries(request, "response"), stop)
    used = attrs(text(request, "modelId"), answer.is_final)
    yield Message(answer.content, "assistant", at=_answered_at(request, asked), id=f"{key}/answer", attrs=used)


def _prompt(request: Mapping[str, Any]) -> str:
    message = request.get("message")
    if isinstance(message, str):
        return text(request, "message")
    return text(message, "text") or "".join(text(part, "text") for part in entries(message, "parts"))


def _answered_at(request: Mapping[str, Any], asked: Any) -> str | None:
    took = table(table(request, "result"), "timings").get("totalElapsed")
    began, lasted = _number(asked), _number(took)
    if began is not None and lasted is not None and lasted >= 0 and (at := instant(began + lasted)):
        return at
    return instant(table(request, "modelState").get("completedAt"))


def _number(value: Any) -> int | float | None:
    return value if isinstance(value, int | float) and not isinstance(value, bool) else None
