"""The log of the command line tool `llm`: one thread for each conversation, from both generations of its tables.

Since its store by content the tool writes `threads`, `turns`, `messages` and `parts`; what it wrote before stays in
`conversations` and `responses`. One conversation may have begun in the old tables and gone on in the new ones; the ids
of both kinds of turn sort together. The list that `llm logs -n 0 --json` prints is read too.
"""

import hashlib
from collections.abc import Iterator, Mapping
from pathlib import Path

from memhub.errors import NotFoundError
from memhub.model import EMPTY
from memhub.model.record import Conversation, Cursor, Origin, Skipped
from memhub.model.thread import Message, ThreadInfo
from memhub_importers import jsonl
from memhub_importers.files import relative_name
from memhub_importers.llm_store import Log, Turn, read_log, read_rows
from memhub_importers.sqlite import ERRORS, columns, is_database, open_store, reason, state

_FOLDER = "io.datasette.llm"
_SNIFFED = 256 * 1024


def places(home: Path, environ: Mapping[str, str]) -> list[Path]:
    """Where the tool keeps its log, on each system, or where its own variable says."""
    given = environ.get("LLM_USER_PATH")
    folders = [
        *([Path(given)] if given else []),
        home / ".config" / _FOLDER,
        home / "Library" / "Application Support" / _FOLDER,
    ]
    return [folder / "logs.db" for folder in folders if (folder / "logs.db").is_file()]


def survey(path: Path) -> tuple[int, str]:
    """How many conversations there are."""
    try:
        with open_store(_file(path)) as store:
            names = [
                f'SELECT "{key}" FROM {table}'
                for table, key in (("responses", "conversation_id"), ("turns", "thread_id"))
                if key in columns(store, table)
            ]
            count = store.execute(f"SELECT count(*) FROM ({' UNION '.join(names)})").fetchone()[0] if names else 0
            return int(count), "conversations"
    except ERRORS:
        return 0, "conversations"


STDIN_ENDING = ".json"


def sniff(path: Path) -> bool:
    """Whether `path` is a log by its tables, the folder with one, or the JSON that the tool prints of one."""
    file = _file(path)
    if file.suffix.lower() == ".json" and file.is_file():
        with open(file, "rb") as opened:
            head = opened.read(_SNIFFED)
        return head.lstrip().startswith(b"[") and b'"conversation_id"' in head and b'"datetime_utc"' in head
    if not is_database(file):
        return False
    with open_store(file) as store:
        return "conversation_id" in columns(store, "responses") or "tip_message_hash" in columns(store, "turns")


def origin(path: Path) -> Origin:
    """`llm`, named after the file."""
    file = _file(path.resolve())
    return Origin("llm", file.stem if file.is_file() else "llm")


def read(
    path: Path, *, scope: str = "", cursors: Mapping[str, str] = EMPTY
) -> Iterator[Conversation | Skipped | Cursor]:
    """Each conversation, oldest id first, unless it is as the last run left it. Raises `NotFoundError`."""
    file = _file(path)
    if not path.exists():
        raise NotFoundError(f"no file or folder `{path}`")
    if not file.is_file():
        yield Skipped(relative_name(path.name) or "the folder", "no log of llm in it", failed=True)
        return
    before = state(file)
    if cursors.get(file.name) == before:
        return
    log = Log()
    if file.suffix.lower() == ".json":
        document = jsonl.document(file)
        yield from [document] if isinstance(document, Skipped) else read_rows(document, log, file.name)
    else:
        try:
            with open_store(file) as store:
                yield from read_log(store, log, file.name)
        except ERRORS as error:
            yield Skipped(file.name, reason(error), failed=True)
            return
    for identifier in sorted(log.turns):
        conversation = _conversation(identifier, log, scope or file.stem)
        if conversation is None:
            yield Skipped(f"{file.name}#{identifier}", "no prompt and no answer in words")
            continue
        value = hashlib.sha256(repr(conversation).encode("utf-8", "replace")).hexdigest()[:32]
        if cursors.get(identifier) != value:
            yield conversation
            yield Cursor(identifier, value)
    yield Cursor(file.name, before)


def _conversation(identifier: str, log: Log, scope: str) -> Conversation | None:
    turns = [turn for _, turn in sorted(log.turns[identifier].items()) if turn.prompt or turn.answer]
    messages = [message for turn in turns for message in _messages(turn)]
    if not any(message.role == "user" for message in messages):
        return None
    if origin_thread := log.forks.get(identifier):
        messages[0] = messages[0]._replace(attrs={**messages[0].attrs, "forked_from": origin_thread})
    for number, message in enumerate(messages):
        if message.role == "assistant" and (number + 1 == len(messages) or messages[number + 1].role == "user"):
            messages[number] = message._replace(attrs={**message.attrs, "final": True})
    times = [turn.at for turn in turns if turn.at]
    info = ThreadInfo(
        title=log.names.get(identifier),
        platform="llm",
        key=("llm", scope, identifier),
        whole=True,
        started_at=times[0] if times else None,
        ended_at=times[-1] if times else None,
    )
    return Conversation(info, tuple(messages))


def _messages(turn: Turn) -> Iterator[Message]:
    """The prompt under the id of the turn, and the answer under the same with a mark."""
    attrs = {"model": turn.model} if turn.model else {}
    if turn.prompt:
        yield Message(turn.prompt, "user", at=turn.at, id=turn.id)
    if turn.answer:
        yield Message(turn.answer, "assistant", at=turn.at, id=f"{turn.id}#answer", attrs=attrs)


def _file(path: Path) -> Path:
    """The file that a path stands for: a folder for the log in it."""
    return path / "logs.db" if path.is_dir() else path
