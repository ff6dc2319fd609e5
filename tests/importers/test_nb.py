"""Notebooks of nb: numbers, todos, bookmarks, pinned and encrypted notes, names that are times, damage."""

from pathlib import Path

import pytest
from fuzz import records
from importer_fixtures import run
from memhub_importers import nb

from memhub.model.record import Record


def notebook(folder: Path, *names: str, **texts: str) -> dict[str, Record]:
    """The records of a notebook `home` by path; `a_todo` is `a.todo.md`. `names` is its index."""
    home = folder / "home"
    (home / ".git").mkdir(parents=True)
    (home / ".index").write_text("\n".join(names) + "\n")
    for name, text in texts.items():
        (home / (name.lstrip("_").replace("_", ".") + ".md")).write_text(text)
    return {record.path or "": record for record in records(nb, home)}


@pytest.mark.parametrize(
    ("target", "to"),
    [
        ("home:2", "path:b.md"),
        ("2", "path:b.md"),
        ("Second note", "path:b.md"),
        ("home:Second note", None),
        ("b.md", "path:b.md"),
        ("home:b", "path:b.md"),
        ("home:3", None),
        ("other:2", None),
    ],
)
def test_what_a_note_is_called(tmp_path: Path, target: str, to: str | None) -> None:
    found = notebook(tmp_path, "a.md", "b.md", "", a=f"# First\n\n[[{target}]]", b="# Second note")
    assert [link.to for link in found["a.md"].links] == [to]


def test_a_number_is_kept_and_is_not_the_id(tmp_path: Path) -> None:
    found = notebook(tmp_path, "", "", "b.md", a="# A", b="# B")
    assert (found["b.md"].external_id, found["b.md"].attrs["nb_selector"]) == ("path:b.md", "home:3")
    assert "nb_selector" not in found["a.md"].attrs


def test_todos(tmp_path: Path) -> None:
    found = notebook(
        tmp_path, a_todo="# [ ] Buy wax #shop\n\n## Due\n\nnext week\n", b_todo="# [X] Done\n", c_todo="# Odd\n"
    )
    assert (found["a.todo.md"].title, found["a.todo.md"].labels) == ("Buy wax #shop", ("shop", "todo"))
    assert found["a.todo.md"].attrs["metadata"] == {"done": False, "due": "next week"}
    assert (found["b.todo.md"].title, found["b.todo.md"].labels) == ("Done", ("done",))
    assert (found["c.todo.md"].title, found["c.todo.md"].labels) == ("Odd", ())


def test_a_name_that_is_a_time_counts_when_there_is_no_title(tmp_path: Path) -> None:
    found = notebook(tmp_path, _20200101000000="just a line\nand more", _20200101000001="# Titled")
    assert (found["20200101000000.md"].title, found["20200101000000.md"].created_at) == (
        "just a line",
        "2020-01-01T00:00:00",
    )
    assert (found["20200101000001.md"].title, found["20200101000001.md"].created_at) == ("Titled", None)


def test_pinned_encrypted_and_other_files(tmp_path: Path) -> None:
    notebook(tmp_path, "a.md", a="# A", b="# B")
    home = tmp_path / "home"
    (home / ".pindex").write_text("b.md\n")
    (home / "secret.enc").write_bytes(b"Salted__")
    (home / "list.org").write_text("* Org\ntext")
    found, skipped, origin = run(home)
    assert origin == ("nb", "home")
    assert {record.path: record.labels for record in found} == {"a.md": (), "b.md": ("pinned",), "list.org": ()}
    assert {place.where: place.why for place in skipped} == {
        ".index": "configuration of nb",
        "secret.enc": "encrypted",
    }


def test_a_bookmark_takes_no_labels_from_the_page_it_keeps(tmp_path: Path) -> None:
    found = notebook(
        tmp_path, x_bookmark="# T (e.org)\n\n<https://e.org/x>\n\n#own\n\n## Content\n\n#theirs\n\n## Source\n\n#code"
    )
    record = found["x.bookmark.md"]
    assert (record.labels, record.url) == (("own",), "https://e.org/x")
    assert [link.attrs.get("primary") for link in record.links] == [True]


def test_a_bookmark_without_an_address_is_a_note(tmp_path: Path) -> None:
    found = notebook(tmp_path, x_bookmark="# T\n\n## Content\n\n#kept")
    assert (found["x.bookmark.md"].labels, found["x.bookmark.md"].url) == (("kept",), None)
