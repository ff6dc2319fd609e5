"""Every fixture of a tool that keeps conversations: what is read, what a second run says, what an edit changes."""

import json
import os
import re
import sqlite3
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from importer_fixtures import DATA
from memhub_importers.registry import IMPORTERS, load
from session_fixtures import copy, expected, read_fixture, roots, shown

SLUGS = sorted(path.parent.name for path in DATA.glob("*/expected.json") if path.read_text("utf-8").startswith("["))


def _sql(path: str, statement: str) -> Callable[[Path], None]:
    def run(home: Path) -> None:
        database = sqlite3.connect(home / path)
        with database:
            database.execute(statement)
        database.close()

    return run


def _digits(path: str, field: str) -> Callable[[Path], None]:
    """Makes the number or time `field` of the JSON file `path` one second later, in every place."""

    def run(home: Path) -> None:
        before = (home / path).read_text(encoding="utf-8")
        later = re.sub(rf'("{field}":\s*"?\d{{4}}-\d\d-)(\d\d)', lambda m: f"{m[1]}{int(m[2]) % 28 + 1:02d}", before)
        later = re.sub(rf'("{field}":\s*)(\d+)', lambda m: f"{m[1]}{int(m[2]) + 60}", later)
        assert later != before
        (home / path).write_text(later, encoding="utf-8")

    return run


# What a tool changes beside the text when a session goes on, where its importer looks at that and not at the text.
ALSO: Mapping[str, Callable[[Path], None]] = {
    "opencode": _sql(
        ".local/share/opencode/opencode.db",
        "UPDATE session_message SET time_updated = 1789000099000 WHERE id = 'msg_e05'",
    ),
}


@pytest.mark.parametrize("slug", SLUGS)
def test_fixture(slug: str, tmp_path: Path) -> None:
    home = copy(slug, tmp_path)
    conversations, _ = read_fixture(slug, home)
    assert shown(conversations, home) == expected(slug)


@pytest.mark.parametrize("slug", SLUGS)
def test_a_second_run_finds_nothing_new(slug: str, tmp_path: Path) -> None:
    home = copy(slug, tmp_path)
    first, cursors = read_fixture(slug, home)
    assert read_fixture(slug, home, cursors)[0] == []
    assert first == read_fixture(slug, home)[0], "without cursors the same comes again"


@pytest.mark.parametrize("slug", SLUGS)
def test_nothing_is_written_into_the_folder_of_another_program(slug: str, tmp_path: Path) -> None:
    home = copy(slug, tmp_path)
    before = {path: path.read_bytes() for path in home.rglob("*") if path.is_file()}
    read_fixture(slug, home)
    assert before == {path: path.read_bytes() for path in home.rglob("*") if path.is_file()}


@pytest.mark.parametrize("slug", SLUGS)
def test_an_edited_session_comes_again_and_no_other(slug: str, tmp_path: Path) -> None:
    home = copy(slug, tmp_path)
    first, cursors = read_fixture(slug, home)
    wanted = expected(slug)[-1]
    whole = next(message["text"] for message in wanted["messages"][::-1] if message["role"] == "assistant")
    old = whole.rpartition("\n\n")[2]  # an answer may be put together from several texts
    word = max(re.findall(r"[A-Za-z]{4,}", old), key=len)
    assert _replace(home, old, old.replace(word, "Emended")), "the fixture does not hold the text as it is shown"
    if slug in ALSO:
        ALSO[slug](home)
    again = [x for x in read_fixture(slug, home, cursors)[0] if x.info.parent is None]
    assert [session["id"] for session in shown(again, home)] == [wanted["id"]]
    before = next(x for x in first if x.info.key == again[0].info.key)
    assert [message.id for message in again[0].messages] == [message.id for message in before.messages]
    changed = [
        (old.content, new.content)
        for old, new in zip(before.messages, again[0].messages, strict=True)
        if old.content != new.content
    ]
    assert changed == [(whole, whole.replace(old, old.replace(word, "Emended")))]


@pytest.mark.parametrize("slug", SLUGS)
def test_the_usual_places_are_found_and_counted(slug: str, tmp_path: Path) -> None:
    importer = load(next(row for row in IMPORTERS if row.name == slug))
    home = copy(slug, tmp_path)
    assert importer.places(home / "nobody", {}) == []
    for place in importer.places(home, {}):
        assert place.exists()
        assert importer.sniff(place)
    for root in roots(slug, home):
        count, unit = importer.survey(root)
        assert int(count) >= 1
        assert unit


def _replace(home: Path, old: str, new: str) -> int:
    """Puts `new` for `old` in every file and database below `home`; how many of them changed."""
    changed = 0
    for path in sorted(home.rglob("*")):
        if not path.is_file():
            continue
        if path.read_bytes().startswith(b"SQLite format 3\0"):
            changed += _replace_in_database(path, old, new)
            continue
        before = path.read_bytes()
        after = before
        for ascii_only in (True, False):
            a, b = (json.dumps(text, ensure_ascii=ascii_only)[1:-1].encode() for text in (old, new))
            after = after.replace(a, b)
        after = after.replace(old.encode(), new.encode())
        if after != before:
            path.write_bytes(after)
            os.utime(path, ns=(path.stat().st_atime_ns, path.stat().st_mtime_ns + 1_000_000_000))
            changed += 1
    return changed


def _replace_in_database(path: Path, old: str, new: str) -> int:
    a, b = (json.dumps(text, ensure_ascii=False)[1:-1] for text in (old, new))
    database = sqlite3.connect(path)
    with database:
        changed = 0
        for (name,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall():
            for column in [row[1] for row in database.execute(f'PRAGMA table_info("{name}")')]:
                for x, y in {(a, b), (old, new)}:
                    changed += database.execute(
                        f'UPDATE "{name}" SET "{column}" = replace("{column}", ?, ?) WHERE instr("{column}", ?)',
                        (x, y, x),
                    ).rowcount
    database.close()
    return changed
