"""A file that lies where tools keep their stores is itself, and no store."""

import shutil
from pathlib import Path

import pytest
from memhub_importers.registry import choose

DATA = Path(__file__).parent / "data"
TOOLS = ("aider", "claude-code", "cline", "codex", "copilot-vscode", "cursor", "gemini-cli", "opencode", "roo-code")
BOOKMARKS = "<!DOCTYPE NETSCAPE-Bookmark-file-1>\n<DL><p><DT><A HREF='https://example.org'>One</A></DL>\n"


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home folder with the stores of all tools."""
    home = tmp_path_factory.mktemp("home")
    for tool in TOOLS:
        for store in (DATA / tool).iterdir():
            if store.is_dir():
                to = home / (store.name if store.name.startswith(".") else f".config/{store.name}")
                shutil.copytree(store, to, dirs_exist_ok=True)
    return home


@pytest.mark.parametrize("folder", ["", ".cline", ".cline/data", ".config", ".config/Code/User", ".claude", ".codex"])
@pytest.mark.parametrize(
    ("name", "content", "importer"),
    [
        ("note.md", "# Ferry\n", "markdown"),
        ("note.txt", "Ferry\n", "text"),
        ("bookmarks.html", BOOKMARKS, "bookmarks"),
        ("page.html", "<html><body>Ferry</body></html>", "html"),
    ],
)
def test_a_file_beside_stores_is_itself(home: Path, folder: str, name: str, content: str, importer: str) -> None:
    path = home / folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(content, "utf-8")
    row, _ = choose(path)
    assert row.name == importer
