"""The table of importers: what `mh import` can read, and which one a path is for."""

from collections.abc import Collection, Iterator, Mapping
from importlib import import_module
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple, Protocol, cast

from memhub.errors import NotFoundError, UnavailableError, UsageError
from memhub.model import EMPTY
from memhub.model.record import Conversation, Cursor, Option, Origin, Record, Skipped

ENTRY_POINTS = "memhub.importers"
NOTES = frozenset({"nb", "zk", "basic-memory", "org", "html", "pdf", "markdown", "text"})
_LOOKED_AT = 200


class Importer(Protocol):
    """The shape of an importer: a module with these three functions. `docs/importers.md` explains each.

    Three more are optional: `places(home, environ) -> list[Path]`, where the program usually keeps its store;
    `survey(path) -> (count, what)`, about how much is in one; and `OPTIONS`, a tuple of `Option`, for an importer whose
    `read` takes `options` too, the chosen values by name. With `GOES_BY_NAME = True` a place is a folder like any
    other, known by its name; without, a store with `places` is the one of its program wherever it lies.
    """

    def sniff(self, path: Path) -> bool:
        """Whether the importer reads `path`; cheap, and changes nothing."""

    def origin(self, path: Path) -> Origin:
        """The kind of the source, and the name it goes by unless the user gives one."""

    def read(
        self, path: Path, *, scope: str = "", cursors: Mapping[str, str] = EMPTY
    ) -> Iterator[Record | Conversation | Skipped | Cursor]:
        """What is in `path`, in file order."""


class Row(NamedTuple):
    """One importer: its name on the command line, the module that is loaded when it is used, a help line."""

    name: str
    module: str
    help: str


IMPORTERS = (
    Row("claude-code", "memhub_importers.claude_code", "Claude Code: the transcripts of its sessions"),
    Row("codex", "memhub_importers.codex", "OpenAI Codex: the rollouts of its threads, archived ones too"),
    Row("gemini-cli", "memhub_importers.gemini_cli", "Gemini CLI: its recorded sessions"),
    Row("aider", "memhub_importers.aider", "Aider: the chat histories of projects"),
    Row("cursor", "memhub_importers.cursor", "Cursor: the chats of the editor"),
    Row("copilot-vscode", "memhub_importers.copilot_vscode", "GitHub Copilot Chat in VS Code: its chat sessions"),
    Row("opencode", "memhub_importers.opencode", "OpenCode: sessions of its database and of its older files"),
    Row("cline", "memhub_importers.cline", "Cline: tasks and sessions of the extension and the command line"),
    Row("roo-code", "memhub_importers.roo_code", "Roo Code: the tasks of the extension"),
    Row("chatgpt", "memhub_importers.chatgpt", "ChatGPT: the export of your data (zip, folder, JSON)"),
    Row("claude-ai", "memhub_importers.claude_ai", "Claude.ai: the export of your data (zip, folder, JSON)"),
    Row("llm", "memhub_importers.llm_logs", "llm: the log of the command line tool (logs.db, or its JSON)"),
    Row("bookmarks", "memhub_importers.bookmarks", "bookmarks: those of browsers, and the files they export (HTML)"),
    Row("mcp-memory", "memhub_importers.mcp_memory", "the reference memory server for MCP: memory.jsonl"),
    Row("nb", "memhub_importers.nb", "notebooks of nb: notes, bookmarks, todos"),
    Row("zk", "memhub_importers.zk", "notebooks of zk"),
    Row("basic-memory", "memhub_importers.basic_memory", "basic-memory: notes with permalinks and relations"),
    Row("org", "memhub_importers.org", "Org files and folders: one item for each headline"),
    Row("html", "memhub_importers.html", "saved web pages (needs memhub[docs])"),
    Row("pdf", "memhub_importers.pdf", "PDF files (needs memhub[docs])"),
    Row("markdown", "memhub_importers.markdown", "Markdown files and folders, Obsidian vaults, text files among them"),
    Row("text", "memhub_importers.text", "plain text files: .txt, .rst, .adoc, names without an ending"),
)


def rows() -> tuple[Row, ...]:
    """All importers in the order they are asked: ours, then those that installed packages add."""
    from importlib.metadata import entry_points

    ours = {row.name for row in IMPORTERS}
    added = sorted(entry_points(group=ENTRY_POINTS), key=lambda point: point.name)
    return (
        *IMPORTERS,
        *(Row(point.name, point.value, f"from {point.value}") for point in added if point.name not in ours),
    )


def load(row: Row) -> Importer:
    """The importer of a row. Raises `UnavailableError` when its module cannot be loaded."""
    try:
        return cast(Importer, import_module(row.module))
    except Exception as error:  # foreign code runs here
        hint = "reinstall or remove the package it comes from"
        raise UnavailableError(f"importer `{row.name}` cannot be loaded: {error}", hint) from error


def choose(path: Path, name: str | None = None) -> tuple[Row, Importer]:
    """The importer called `name`, else the first that says it reads `path`.

    Raises `NotFoundError` for a path that is not there, `UsageError` for an unknown name or a path nobody reads.
    """
    if not path.exists():
        raise NotFoundError(f"no file or folder `{path}`")
    found = named(name) if name is not None else reader_of(path)
    if found is None:
        raise UsageError(f"no importer reads `{path}`", f"`--importer NAME` forces one of: {_known()}")
    return found


def named(name: str) -> tuple[Row, Importer]:
    """The importer of a name. Raises `UsageError` for one that is not there."""
    row = next((row for row in rows() if row.name == name), None)
    if row is None:
        raise UsageError(f"no importer `{name}`", f"there are: {_known()}")
    return row, load(row)


def reader_of(path: Path, name: str | None = None) -> tuple[Row, Importer] | None:
    """The first importer that says it reads `path`; only the one called `name` is asked, if there is a name."""
    for row in rows():
        importer = _loaded(row) if name in (None, row.name) else None
        if importer is not None and _says_yes(importer, path):
            return row, importer
    return None


def _known() -> str:
    return ", ".join(row.name for row in IMPORTERS)


def options_of(importer: Importer | None) -> tuple[Option, ...]:
    """What an importer can be told."""
    return tuple(getattr(importer, "OPTIONS", ()))


def checked(name: str, importer: Importer, given: Mapping[str, str]) -> dict[str, str]:
    """`given`, checked. Raises `UsageError` for an option that the importer does not have, or a value that it does not.

    An empty value stands for `yes`.
    """
    options = {option.name: option for option in options_of(importer)}
    found: dict[str, str] = {}
    for key, value in given.items():
        option = options.get(key)
        if option is None:
            hint = f"it has: {'; '.join(map(described, options.values()))}" if options else "it has none"
            raise UsageError(f"importer `{name}` has no option `{key}`", hint)
        found[key] = value or "yes"
        if found[key] not in option.values:
            raise UsageError(f"`{key}` of importer `{name}` cannot be `{found[key]}`", f"it is: {described(option)}")
    return found


def listing() -> list[tuple[str, str, tuple[Option, ...]]]:
    """Name, help and options of each importer; for one that cannot be loaded the reason instead."""
    found = []
    for row in rows():
        try:
            found.append((row.name, row.help, options_of(load(row))))
        except UnavailableError as error:
            found.append((row.name, error.message, ()))
    return found


def described(option: Option) -> str:
    """`split=auto|headline|file (what it does)`, the default first."""
    return f"{option.name}={'|'.join(option.values)} ({option.help})"


def readers_of(path: Path) -> list[str]:
    """The name of the first importer that reads `path`; of a tool's store, those of all tools with a store in it."""
    names: list[str] = []
    for row in rows():
        importer = load(row)
        is_tool = is_store(importer)
        if (is_tool or not names) and _says_yes(importer, path):
            names.append(row.name)
            if not is_tool:
                break
    return names


def others_in(folder: Path, names: Collection[str]) -> list[str]:
    """What lies directly in a folder and is for none of the importers `names`, but for another; hidden files are not.

    Importers of notes read whatever lies among notes, so that nothing is left beside them.
    """
    if not names or NOTES.issuperset(names):
        return []
    try:
        inside = sorted(path for path in islice(folder.iterdir(), _LOOKED_AT) if not path.name.startswith("."))
    except OSError:
        return []
    return [path.name for path in inside if (found := reader_of(path)) is not None and found[0].name not in names]


def is_store(importer: Importer) -> bool:
    """Whether an importer reads the store of a program, and not folders that are known by their names."""
    return hasattr(importer, "places") and not getattr(importer, "GOES_BY_NAME", False)


def discover(home: Path, environ: Mapping[str, str]) -> list[tuple[str, str, int, str]]:
    """Name of the importer, path, count and what is counted, for each store in a usual place; empty ones left out.

    A folder of notes that several importers would read is that of the first.
    """
    found = []
    taken = set()
    for row in rows():
        importer = _loaded(row)
        for path in _asked(importer, "places", [], home, environ):
            count, what = _asked(importer, "survey", (0, ""), path)
            if count and (path not in taken or is_store(cast(Importer, importer))):
                taken.add(path)
                found.append((row.name, str(path), count, what))
    return found


def _asked(importer: Importer | None, name: str, default: Any, *args: Any) -> Any:
    """The answer of a function that an importer need not have."""
    function = getattr(importer, name, None)
    if function is None:
        return default
    try:
        return function(*args)
    except Exception:  # foreign code runs here; one store that cannot be looked at hides no other
        return default


def _loaded(row: Row) -> Importer | None:
    """The importer of a row; a broken one of another package is in nobody's way."""
    try:
        return load(row)
    except UnavailableError:
        return None


def _says_yes(importer: Importer, path: Path) -> bool:
    try:
        return importer.sniff(path)
    except Exception:  # foreign code runs here, and a path that one importer stumbles over may be another's
        return False
