"""Folders with notes of several kinds: each file is read by its own importer, or named where a library is missing."""

import importlib
import shutil
from pathlib import Path

import pytest
from importer_fixtures import DATA, run
from memhub_importers import documents
from memhub_importers.registry import choose

from memhub import Memory


@pytest.fixture
def mixed(tmp_path: Path) -> Path:
    """A folder with a note, a text, an Org file, a page and a PDF."""
    folder = tmp_path / "mixed"
    folder.mkdir()
    (folder / "note.md").write_text("# Note\n\nSee [[anchor.pdf]], ![[anchor.pdf]] and [page](page.html). #a")
    (folder / "plain.txt").write_text("Plain words")
    (folder / "list.org").write_text("* TODO Org task :b:\nbody")
    (folder / "page.html").write_text("<title>Page</title><p>web words</p>")
    shutil.copy(DATA / "pdf" / "papers" / "anchor.pdf", folder / "anchor.pdf")
    return folder


def test_every_kind_is_read_by_its_own_reader(mixed: Path) -> None:
    records, skipped, origin = run(mixed)
    assert origin == ("markdown", "mixed")
    assert skipped == []
    assert {record.external_id: record.title for record in records} == {
        "path:anchor.pdf": "Anchor (and chain)",
        "path:list.org#Org task": "Org task",
        "path:note.md": "Note",
        "path:page.html": "Page",
        "path:plain.txt": "Plain words",
    }
    note = next(record for record in records if record.path == "note.md")
    assert [(link.type, link.target, link.to) for link in note.links] == [
        ("link", "anchor.pdf", "path:anchor.pdf"),
        ("embed", "anchor.pdf", "path:anchor.pdf"),
        ("attachment", "page.html", None),
    ]


def test_without_the_extra_the_rest_arrives_and_the_hint_is_given(mixed: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def import_module(name: str) -> object:
        if name.startswith("memhub_importers."):
            return importlib.import_module(name)
        raise ModuleNotFoundError(f"No module named '{name}'")

    monkeypatch.setattr(documents, "import_module", import_module)
    records, skipped, _ = run(mixed)
    assert {record.path for record in records} == {"list.org", "note.md", "plain.txt"}
    assert [(place.where, place.why, place.failed) for place in skipped] == [
        ("anchor.pdf", "reading PDF needs `pypdfium2`, which is not installed: pip install 'memhub[docs]'", False),
        ("page.html", "reading HTML needs `bs4`, which is not installed: pip install 'memhub[docs]'", False),
    ]


def test_what_cannot_be_read_without_the_extra_has_not_vanished(mixed: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with Memory(mixed.parent / "m.db") as memory:
        assert memory.import_(mixed).created == 5
        monkeypatch.setattr(documents, "library", _no_library)
        for module in ("html_text", "pdf"):
            monkeypatch.setattr(f"memhub_importers.{module}.library", _no_library)
        again = memory.import_(mixed, prune=True)
        assert (again.unchanged, again.vanished) == (3, ())


def _no_library(name: str, what: str) -> None:
    raise documents.UnavailableError(f"reading {what} needs `{name}`, which is not installed", documents.EXTRA)


@pytest.mark.parametrize(
    ("names", "importer"),
    [
        (("a.org",), "org"),
        (("a.org", "b.png"), "org"),
        (("a.html", "b.htm"), "html"),
        (("a.pdf",), "pdf"),
        (("a.txt",), "text"),
        (("a.txt", "b.pdf"), "markdown"),
        (("a.org", "b.html"), "markdown"),
        (("a.md", "b.org"), "markdown"),
    ],
)
def test_a_folder_is_of_its_only_kind_or_mixed(tmp_path: Path, names: tuple[str, ...], importer: str) -> None:
    for name in names:
        (tmp_path / name).write_text("words")
    assert choose(tmp_path)[0].name == importer


def test_files_of_other_kinds_in_a_folder_of_one_kind_are_counted(tmp_path: Path) -> None:
    for name in ("a.org", "b.png", "c.png"):
        (tmp_path / name).write_text("* words")
    _, skipped, _ = run(tmp_path)
    assert [(place.where, place.why) for place in skipped] == [("*.png", "2 files of a kind that is not read here")]
