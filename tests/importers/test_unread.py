"""A second import reads what has changed, and gives what reading everything again would give."""

import os
import random
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from memhub_importers import basic_memory, files, markdown, nb, zk

from memhub.model.record import Cursor, Passed, Record, Skipped
from memhub.workspace import Memory


@pytest.fixture(autouse=True)
def later(clock: Any) -> None:
    """An hour after the files of the test were written."""
    import time

    clock.ms = (int(time.time()) + 3600) * 1000


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    """Notes that link to one another, an alias, an attachment, a text file, a board and a page."""
    root = tmp_path / "vault"
    texts = {
        "a.md": "# A\n\nsee [[b]] and [[Bee]] #rope\n",
        "b.md": "---\nid: bee-1\naliases: [Bee]\n---\n# B\n\nback to [a](a.md), ![[plan.png]]\n",
        "sub/c.md": "# C\n\nnothing but [[later]]\n",
        "d.md": "# D\n\nno link at all\n",
        "t.txt": "plain text\n",
        "board.canvas": '{"nodes": [{"id": "1", "type": "text", "text": "card about [[a]]"}], "edges": []}',
        "page.html": "<html><title>P</title><body><p>a page</p></body></html>",
        "o.org": "* One\n:PROPERTIES:\n:ID: org-1\n:END:\ntext\n",
    }
    for name, text in texts.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text, encoding="utf-8")
    (root / "plan.png").write_bytes(b"\x89PNG picture")
    return root


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Memory]:
    with Memory(tmp_path / "mh.db") as opened:
        yield opened


@pytest.fixture
def opened_files(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the files of which the bytes are read."""
    found: list[str] = []
    real = files.read_bytes

    def read(file: files.Found) -> bytes:
        found.append(file.name)
        return real(file)

    for module in ("text", "note", "html", "org"):
        monkeypatch.setattr(f"memhub_importers.{module}.read_bytes", read, raising=False)
    return found


def titles(memory: Memory) -> dict[str, str]:
    return {item.title or "": item.id for item in memory.list(limit=0)}


def edges(memory: Memory) -> set[tuple[str, str, str]]:
    names = {item.id: item.title for item in memory.list(limit=0)}
    found = {(e.src, e.relation, e.dst) for item in memory.list(limit=0) for e in memory.links(item.id)}
    return {(str(names[src]), relation, str(names[dst])) for src, relation, dst in found if {src, dst} <= names.keys()}


def state(memory: Memory) -> Any:
    """What a person sees of everything that came in."""
    items = {
        (i.title, i.content, i.labels, i.created_at, i.updated_at, i.source and (i.source.path, i.source.external_id),
         repr(i.attrs))
        for i in memory.list(limit=0)
    }  # fmt: skip
    return items, edges(memory)


def test_nothing_is_opened_when_nothing_changed(memory: Memory, vault: Path, opened_files: list[str]) -> None:
    first = memory.import_(vault)
    assert first.created == 8
    opened_files.clear()
    again = memory.import_(vault)
    assert (again.created, again.updated, again.unchanged, again.vanished) == (0, 0, 8, ())
    assert again.operation is None
    assert opened_files == []


def test_a_link_to_what_comes_later_is_made_then(memory: Memory, vault: Path) -> None:
    """Where the format names an id, nothing tells before that it leads to nothing."""
    (vault / "o.org").write_text("* One\n:PROPERTIES:\n:ID: org-1\n:END:\nsee [[id:org-2][two]]\n")
    memory.import_(vault)
    (vault / "p.org").write_text("* Two\n:PROPERTIES:\n:ID: org-2\n:END:\ntext\n")
    memory.import_(vault)
    assert ("One", "links_to", "Two") in edges(memory)


def test_one_new_note_opens_what_it_changes(memory: Memory, vault: Path, opened_files: list[str]) -> None:
    memory.import_(vault)
    (vault / "later.md").write_text("# Later\n\nhere at last\n")
    opened_files.clear()
    report = memory.import_(vault)
    assert report.created == 1
    assert set(opened_files) == {"later.md", "sub/c.md"}
    assert ("C", "links_to", "Later") in edges(memory)


def test_a_file_that_changed_within_seconds_of_the_import_is_read_again(
    memory: Memory, vault: Path, clock: Any
) -> None:
    """Same size, same times: nothing else could tell."""
    clock.ms = max(entry.stat().st_ctime_ns for entry in vault.rglob("*")) // 1_000_000 + 500
    memory.import_(vault)
    before = (vault / "d.md").stat()
    (vault / "d.md").write_text("# D\n\nno LINK at all\n")
    os.utime(vault / "d.md", ns=(before.st_atime_ns, before.st_mtime_ns))
    assert memory.import_(vault).updated == 1


def test_a_change_behind_an_old_time_is_seen(memory: Memory, vault: Path) -> None:
    memory.import_(vault)
    before = (vault / "d.md").stat()
    (vault / "d.md").write_text("# D\n\nno LINK at all\n")
    os.utime(vault / "d.md", ns=(before.st_atime_ns, before.st_mtime_ns))
    assert memory.import_(vault).updated == 1


def test_a_moved_file_is_the_same_item(memory: Memory, vault: Path) -> None:
    memory.import_(vault)
    item = titles(memory)["D"]
    os.rename(vault / "d.md", vault / "sub" / "moved.md")
    report = memory.import_(vault)
    assert (report.moved, report.created, report.vanished) == (1, 0, ())
    assert titles(memory)["D"] == item
    source = memory.get(item).source
    assert source is not None
    assert source.path == "sub/moved.md"


def test_links_follow_a_note_that_moved(memory: Memory, vault: Path) -> None:
    memory.import_(vault)
    assert ("B", "links_to", "A") in edges(memory)
    os.rename(vault / "a.md", vault / "sub" / "a.md")
    report = memory.import_(vault)
    assert report.moved == 1
    assert ("B", "links_to", "A") in edges(memory)
    (vault / "a.md").write_text("# Another A\n\nin the old place\n")
    memory.import_(vault)
    assert ("B", "links_to", "A") not in edges(memory)
    assert ("B", "links_to", "Another A") in edges(memory)


def test_an_id_that_changes_or_is_claimed_twice_changes_the_others(memory: Memory, vault: Path) -> None:
    memory.import_(vault)
    (vault / "b2.md").write_text("---\nid: bee-1\n---\n# B2\n\nanother\n")
    with_double = memory.import_(vault)
    assert any("several notes" in text for _, text in with_double.warnings)
    (vault / "b2.md").unlink()
    memory.import_(vault)
    (vault / "b.md").write_text("---\nid: bee-2\naliases: [Bee]\n---\n# B\n\nback to [a](a.md), ![[plan.png]]\n")
    memory.import_(vault)
    with Memory(vault.parent / "fresh.db") as fresh:
        fresh.import_(vault)
        assert edges(memory) == edges(fresh)


def test_a_changed_picture_is_a_change_of_the_note_that_shows_it(memory: Memory, vault: Path) -> None:
    memory.import_(vault)
    (vault / "plan.png").write_bytes(b"\x89PNG another picture")
    assert memory.import_(vault).updated == 1


def test_new_labels_go_on_everything(memory: Memory, vault: Path) -> None:
    memory.import_(vault)
    assert memory.import_(vault, labels=["winter"]).updated == 8


def test_undone_and_dropped_items_are_looked_at_again(memory: Memory, vault: Path, clock: Any) -> None:
    first = memory.import_(vault)
    (vault / "d.md").write_text("# D\n\nwritten anew\n")
    clock.ms += 3_600_000
    memory.import_(vault)
    memory.undo(first.operation, force=True)
    assert titles(memory) == {}
    report = memory.import_(vault)
    assert report.created == 8
    memory.drop(titles(memory)["D"])
    assert any("dropped here" in skipped.why for skipped in memory.import_(vault).skipped)


def test_a_file_that_comes_back_is_the_same_item(memory: Memory, vault: Path, tmp_path: Path) -> None:
    memory.import_(vault)
    item = titles(memory)["D"]
    os.rename(vault / "d.md", tmp_path / "away.md")
    assert memory.import_(vault).vanished == ("d.md",)
    os.rename(tmp_path / "away.md", vault / "d.md")
    assert memory.import_(vault).vanished == ()
    assert titles(memory)["D"] == item


def test_a_broken_off_import_links_what_it_had_read(
    memory: Memory, vault: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from memhub.tasks.importing import _Import

    def broken(self: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(_Import, "link", broken)
        with pytest.raises(KeyboardInterrupt):
            memory.import_(vault)
    memory.import_(vault)
    assert ("A", "links_to", "B") in edges(memory)


@pytest.mark.parametrize("seed", range(12))
def test_after_any_changes_it_is_as_if_everything_was_read(
    seed: int, memory: Memory, vault: Path, tmp_path: Path, clock: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same changes, with cursors and without, leave the same items and links."""
    chance = random.Random(seed)
    with Memory(tmp_path / "all.db") as whole:
        for _ in range(8):
            clock.ms += 60_000
            memory.import_(vault)
            with monkeypatch.context() as patch:
                patch.setattr("memhub.tasks.before.Before.cursors", lambda self, cursors: {})
                whole.import_(vault)
            assert state(memory) == state(whole)
            _change(vault, chance)


def _change(vault: Path, chance: random.Random) -> None:
    """One to three things that happen to a vault."""
    for _ in range(chance.randint(1, 3)):
        notes = sorted(path for path in vault.rglob("*") if path.suffix in (".md", ".txt", ".org", ".canvas"))
        note = chance.choice(notes)
        new = vault / chance.choice(["", "sub/", "deep/er/"]) / chance.choice(["a.md", "later.md", "x.md", "b.md"])
        kind = chance.choice(["edit", "new", "move", "remove", "id", "copy", "picture"])
        if kind == "edit":
            note.write_text(note.read_text() + f"\nmore {chance.random()} [[{chance.choice('abcdx')}]]\n")
        elif kind == "picture":
            (vault / "plan.png").write_bytes(chance.randbytes(12))
        elif kind == "remove" and len(notes) > 2:
            note.unlink()
        elif kind == "id" and note.suffix == ".md":
            note.write_text(f"---\nid: {chance.choice(['bee-1', 'own'])}\naliases: [later]\n---\n{note.read_text()}")
        elif not new.exists():
            new.parent.mkdir(parents=True, exist_ok=True)
            if kind == "move" and note.suffix == ".md":
                os.rename(note, new)
            elif kind == "copy" and note.suffix == ".md":
                shutil.copy2(note, new)
            elif kind == "new":
                new.write_text(f"# New {chance.random()}\n\nsee [[{chance.choice('abcd')}]] and [[later]]\n")


Read = Callable[..., Iterator[Any]]


def cursors_of(outcomes: list[Any]) -> dict[str, str]:
    return {outcome.place: outcome.value for outcome in outcomes if isinstance(outcome, Cursor)}


def again(read: Read, path: Path, outcomes: list[Any]) -> tuple[set[str], set[str]]:
    """Places passed over, and paths read, with the cursors of a first reading."""
    found = list(read(path, cursors=cursors_of(outcomes)))
    return (
        {one.place for one in found if isinstance(one, Passed)},
        {str(one.path) for one in found if isinstance(one, Record)},
    )


def test_settings_of_zk_count(tmp_path: Path) -> None:
    (tmp_path / ".zk").mkdir()
    (tmp_path / ".zk" / "config.toml").write_text("")
    (tmp_path / "a.md").write_text("# A\n\n:one:two:\n")
    first = list(zk.read(tmp_path))
    assert again(zk.read, tmp_path, first) == ({"a.md"}, set())
    (tmp_path / ".zk" / "config.toml").write_text("[format.markdown]\ncolon-tags = true\n")
    assert again(zk.read, tmp_path, first) == (set(), {"a.md"})


def test_pins_and_numbers_of_nb_count(tmp_path: Path) -> None:
    (tmp_path / ".index").write_text("a.md\nb.md\n")
    (tmp_path / "a.md").write_text("# A\n")
    (tmp_path / "b.md").write_text("# B\n")
    first = list(nb.read(tmp_path))
    assert again(nb.read, tmp_path, first) == ({"a.md", "b.md"}, set())
    (tmp_path / ".pindex").write_text("b.md\n")
    assert again(nb.read, tmp_path, first) == ({"a.md"}, {"b.md"})


def test_notes_of_basic_memory_are_passed_over(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("---\npermalink: main/a\ntitle: A\n---\n# A\n\n- [idea] rope #sea\n- uses [[B]]\n")
    (tmp_path / "b.md").write_text("---\npermalink: main/b\ntitle: B\n---\n# B\n\ntext\n")
    first = list(basic_memory.read(tmp_path))
    assert again(basic_memory.read, tmp_path, first) == ({"a.md", "b.md"}, set())
    (tmp_path / "b.md").unlink()
    assert again(basic_memory.read, tmp_path, first) == (set(), {"a.md"})


@pytest.mark.parametrize("value", ["", "{}", "[]", '["x"]', "null", pytest.param("[" * 5000, id="deep")])
def test_a_cursor_that_cannot_be_read_is_none(value: str, vault: Path) -> None:
    first = cursors_of(list(markdown.read(vault)))
    state = next(iter(first.values()))[2:].partition('"')[0]
    for broken in (value, f'["{state}"', f'["{state}", 1]', f'["{state}", {value or 0}, [], [], [], null, "x"]'):
        outcomes = list(markdown.read(vault, cursors=dict.fromkeys(first, broken)))
        assert sum(isinstance(outcome, Record) for outcome in outcomes) == 8


def test_a_file_with_something_wrong_has_no_cursor(tmp_path: Path) -> None:
    (tmp_path / "empty.md").write_text("")
    (tmp_path / "good.md").write_text("good")
    outcomes = list(markdown.read(tmp_path))
    assert cursors_of(outcomes).keys() == {"good.md"}
    assert [outcome.where for outcome in outcomes if isinstance(outcome, Skipped)] == ["empty.md"]
