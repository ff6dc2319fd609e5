"""What each importer of the registry is fuzzed with: a store, and which of its files are damaged."""

import json
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import NamedTuple

from importer_fixtures import DATA, copy_fixture
from session_fixtures import copy


class Store(NamedTuple):
    """A store that was made for one test. `lines`: damaged files that have a record in each line."""

    root: Path
    files: list[Path]
    lines: tuple[Path, ...] = ()
    database: Path | None = None


_NOT_READ = ("history.jsonl",)
Make = Callable[[Path], Store]


def _session(slug: str, root: str, pattern: str, *, has_lines: bool = False) -> Make:
    def make(scratch: Path) -> Store:
        return _store(copy(slug, scratch) / root, pattern, has_lines=has_lines)

    return make


def _notes(name: str, root: str, pattern: str = "*") -> Make:
    return lambda scratch: _store(copy_fixture(name, scratch) / root, pattern)


def _store(root: Path, pattern: str, *, has_lines: bool = False) -> Store:
    found = sorted(path for path in root.rglob(pattern) if path.is_file() and path.name not in _NOT_READ)
    files = [root] if root.is_file() else found
    return Store(root, files, tuple(files) if has_lines else ())


def _database(slug: str, root: str, database: str) -> Make:
    def make(scratch: Path) -> Store:
        home = copy(slug, scratch)
        return Store(home / root, [], database=next(home.glob(database)))

    return make


def _zip(slug: str, file: str) -> Make:
    def make(scratch: Path) -> Store:
        path = scratch / "export.zip"
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.write(DATA / slug / file, file)
        return Store(path, [path])

    return make


def _cline(left_out: str) -> Make:
    task = "Code/User/globalStorage/saoudrizwan.claude-dev/tasks"

    def make(scratch: Path) -> Store:
        home = copy("cline", scratch)
        next((home / task).glob(f"*/{left_out}")).unlink()
        return _store(home / "Code", "*.json")

    return make


def _llm_database(scratch: Path) -> Store:
    import shutil

    from test_llm_logs import change, database

    (scratch / "store").mkdir()
    path = shutil.copy(database(scratch), scratch / "store" / "logs.db")
    change(Path(path), "DROP TABLE responses_fts", "DROP TABLE turn_search_fts")  # which are not read
    change(Path(path), *(f"DROP TRIGGER {table}_a{kind}" for table in ("responses", "turn_search") for kind in "idu"))
    return Store(Path(path), [], database=Path(path))


def _llm_json(scratch: Path) -> Store:
    from test_llm_logs import rows

    path = scratch / "logs.json"
    path.write_text(json.dumps(rows()))
    return Store(path, [path])


def _opencode_files(scratch: Path) -> Store:
    root = copy("opencode", scratch) / ".local/share/opencode"
    (root / "storage/part/msg_a001/prt_a00102.json").unlink()  # a flag is all that keeps this one out
    (root / "opencode.db").unlink()
    return _store(root, "*.json")


def _zk_list(ending: str) -> Make:
    def make(scratch: Path) -> Store:
        from test_sources import ZK

        path = scratch / f"list.{ending}"
        path.write_text(json.dumps(ZK) if ending == "json" else "".join(json.dumps(note) + "\n" for note in ZK))
        return Store(path, [path], (path,) if ending == "jsonl" else ())

    return make


def _html(scratch: Path) -> Store:
    folder = copy_fixture("html", scratch) / "saved"
    (folder / "other.html").write_text("<p>untouched</p>")
    return _store(folder, "page.html")


def _pdf(scratch: Path) -> Store:
    from test_pdf import ANCHOR, make

    folder = copy_fixture("pdf", scratch) / "papers"
    make(folder / "other.pdf", [["words enough"]])
    return _store(folder, ANCHOR)


def _canvas(scratch: Path) -> Store:
    return _store(copy_fixture("obsidian", scratch) / "vault", "*.canvas")


INPUTS: Mapping[str, Mapping[str, Make]] = {
    "claude-code": {"": _session("claude-code", ".claude", "*.jsonl", has_lines=True)},
    "codex": {"": _session("codex", ".codex", "rollout-*.jsonl", has_lines=True)},
    "gemini-cli": {
        "": _session("gemini-cli", ".gemini", "*.json"),
        "lines": _session("gemini-cli", ".gemini", "*.jsonl", has_lines=True),
    },
    "aider": {"": _session("aider", "work", "*")},
    "cursor": {
        "": _database("cursor", "Cursor", "Cursor/User/globalStorage/state.vscdb"),
        "workspace": _database("cursor", "Cursor", "Cursor/User/workspaceStorage/9*/state.vscdb"),
    },
    "copilot-vscode": {"": _session("copilot-vscode", "Code", "*.json*")},
    "opencode": {
        "": _database("opencode", ".local/share/opencode", ".local/share/opencode/opencode.db"),
        "files": _opencode_files,
    },
    "cline": {
        "api": _cline("ui_messages.json"),
        "panel": _cline("api_conversation_history.json"),
        "session": _session("cline", ".cline", "*.json"),
    },
    "roo-code": {"": _session("roo-code", "Code", "*.json")},
    "chatgpt": {"": _session("chatgpt", ".", "conv*.json"), "zip": _zip("chatgpt", "conversations-000.json")},
    "claude-ai": {"": _session("claude-ai", ".", "conv*.json"), "zip": _zip("claude-ai", "conversations.json")},
    "llm": {"": _llm_database, "json": _llm_json},
    "bookmarks": {"": _notes("bookmarks", "bookmarks.html")},
    "mcp-memory": {"": _notes("mcp-memory", "memory.jsonl")},
    "nb": {"": _notes("nb", "home")},
    "zk": {"": _notes("zk", "notebook"), "json": _zk_list("json"), "jsonl": _zk_list("jsonl")},
    "basic-memory": {"": _notes("basic-memory", "main")},
    "org": {"": _notes("org", "notes")},
    "html": {"": _html},
    "pdf": {"": _pdf},
    "markdown": {"": _notes("obsidian", "vault", "*.md"), "board": _canvas},
    "text": {"": _notes("text", "notes")},
}
