"""What lies in the usual places of a home folder besides chats: vaults, notebooks, the bookmarks of browsers."""

import json
import sqlite3
from pathlib import Path

import pytest
from memhub_importers import bookmarks
from memhub_importers.registry import discover, others_in

from memhub import Memory
from memhub.model.record import Record, Skipped

CHROME = {
    "roots": {
        "bookmark_bar": {
            "type": "folder", "name": "Bookmarks bar",
            "children": [
                {"type": "url", "name": "Ferries", "url": "https://example.org/f", "date_added": "13350000000000000"},
                {"type": "folder", "name": "旅行", "children": [
                    {"type": "url", "name": "茶", "url": "https://example.org/tea", "date_added": "x"},
                    {"type": "url", "name": "settings", "url": "chrome://settings"}, "nonsense", None,
                ]},
            ],
        },
        "other": {"type": "folder", "name": "Other", "children": "nonsense"}, "sync_transaction_version": "1",
    }
}  # fmt: skip
FIREFOX = """
CREATE TABLE moz_places(id INTEGER PRIMARY KEY, url TEXT, title TEXT);
CREATE TABLE moz_bookmarks(id INTEGER PRIMARY KEY, type INTEGER, fk INTEGER, parent INTEGER, position INTEGER,
  title TEXT, dateAdded INTEGER, lastModified INTEGER, guid TEXT);
INSERT INTO moz_places VALUES (1,'https://example.org/boat','Boat'), (2,'place:sort=8','x'),
  (3,'https://example.org/only-visited','no bookmark');
INSERT INTO moz_bookmarks VALUES
 (1,2,NULL,0,0,'',1,1,'root________'), (2,2,NULL,1,0,'menu',1,1,'menu________'),
 (3,2,NULL,1,1,'toolbar',1,1,'toolbar_____'), (4,2,NULL,1,2,'tags',1,1,'tags________'),
 (5,2,NULL,4,0,'sea',1,1,'aaaaaaaaaaaa'), (6,1,1,5,0,NULL,1,1,'bbbbbbbbbbbb'),
 (7,2,NULL,3,0,'Harbour',1,1,'cccccccccccc'),
 (8,1,1,7,0,'The boat',1700000000000000,1700000001000000,'dddddddddddd'), (9,1,2,2,0,'Most visited',1,1,'e');
"""


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A home folder with two browsers, vaults and notebooks."""
    home = tmp_path / "home"
    for profile in ("Default", "Profile 1"):
        folder = home / ".config/google-chrome" / profile
        folder.mkdir(parents=True)
        (folder / "Bookmarks").write_text(json.dumps(CHROME), "utf-8")
    store = home / ".mozilla/firefox/abcd1234.default-release/places.sqlite"
    store.parent.mkdir(parents=True)
    connection = sqlite3.connect(store)
    connection.executescript(FIREFOX)
    connection.close()
    for name in ("Vault/.obsidian/x", "Vault/inner/.obsidian/x", "far/away/.obsidian/x", ".nb/home/.git/x"):
        (home / name).parent.mkdir(parents=True)
    for name in ("Vault/a.md", "Vault/inner/b.md", "far/away/c.md", ".nb/home/d.md"):
        (home / name).write_text("# Ferry\n")
    (home / ".nb/home/.index").write_text("d.md\n")
    (home / ".config/obsidian").mkdir()
    vaults = {"a": {"path": str(home / "far/away")}, "b": {"path": str(home / "gone")}, "c": "nonsense"}
    (home / ".config/obsidian/obsidian.json").write_text(json.dumps({"vaults": vaults}))
    (home / "org").mkdir()
    (home / "org/inbox.org").write_text("* Ferry\n")
    return home


def test_the_table_names_vaults_notebooks_and_browsers(home: Path) -> None:
    found = {(name, str(Path(path).relative_to(home)), count, what) for name, path, count, what in discover(home, {})}
    assert found == {
        ("bookmarks", ".config/google-chrome/Default/Bookmarks", 3, "bookmarks"),
        ("bookmarks", ".config/google-chrome/Profile 1/Bookmarks", 3, "bookmarks"),
        ("bookmarks", ".mozilla/firefox/abcd1234.default-release/places.sqlite", 1 + 1, "bookmarks"),
        ("nb", ".nb/home", 1, "notes"),
        ("org", "org", 1, "files"),
        ("markdown", "far/away", 1, "vault notes"),
        ("markdown", "Vault", 2, "vault notes"),
    }


def test_the_bookmarks_of_chrome_keep_folder_and_time(home: Path) -> None:
    path = home / ".config/google-chrome/Profile 1/Bookmarks"
    assert bookmarks.sniff(path)
    assert bookmarks.origin(path) == ("bookmarks", "chrome Profile 1")
    found = list(bookmarks.read(path))
    records = [one for one in found if isinstance(one, Record)]
    assert [(one.title, one.url, one.labels, one.created_at) for one in records] == [
        ("Ferries", "https://example.org/f", (), "2024-01-17T21:20:00Z"),
        ("茶", "https://example.org/tea", ("旅行",), None),
    ]
    assert [one.why for one in found if isinstance(one, Skipped)] == ["scheme `chrome:`"]


def test_the_bookmarks_of_firefox_keep_tags_and_leave_the_history(home: Path) -> None:
    path = home / ".mozilla/firefox/abcd1234.default-release/places.sqlite"
    before = path.read_bytes()
    assert bookmarks.origin(path) == ("bookmarks", "firefox default-release")
    (record,) = [one for one in bookmarks.read(path) if isinstance(one, Record)]
    assert (record.title, record.url, record.labels) == ("The boat", "https://example.org/boat", ("sea", "Harbour"))
    assert (record.created_at, record.updated_at) == ("2023-11-14T22:13:20Z", "2023-11-14T22:13:21Z")
    assert path.read_bytes() == before
    assert sorted(file.name for file in path.parent.iterdir()) == ["places.sqlite"]


def test_a_damaged_store_of_a_browser_is_told(home: Path) -> None:
    path = home / ".mozilla/firefox/abcd1234.default-release/places.sqlite"
    path.write_bytes(path.read_bytes()[:4096] + b"\xff" * 4096)
    (skipped,) = list(bookmarks.read(path))
    assert isinstance(skipped, Skipped)
    assert skipped.failed


def test_all_places_are_one_operation_and_nothing_new_the_next_time(home: Path, tmp_path: Path) -> None:
    with Memory(tmp_path / "mh.db") as memory:
        places = discover(home, {})
        for expected in (1, 1):
            with memory.together("import", f"{len(places)} sources"):
                for name, path, _, _ in places:
                    memory.import_(path, importer=name)
            assert len(memory.operations()) == expected
        assert memory.count() == 2 + 2 + 1 + 1 + 1 + 1 + 2
        memory.undo()
        assert memory.count() == 0


def test_what_else_lies_in_a_folder_is_named(home: Path) -> None:
    (home / "exports/chatgpt").mkdir(parents=True)
    (home / "exports/note.md").write_text("# Ferry\n")
    (home / "exports/empty").mkdir()
    assert others_in(home / "exports", ["chatgpt"]) == ["note.md"]
    assert others_in(home / "exports", ["markdown"]) == []
    assert others_in(home / "nothing", ["chatgpt"]) == []
