"""Every fixture of a format, and the shape that every row of the registry obeys."""

import inspect
import subprocess
import sys
from pathlib import Path

import pytest
from importer_fixtures import DATA, check_fixture, run
from memhub_importers import registry
from memhub_importers.registry import IMPORTERS, Row, choose, is_store, load, options_of

from memhub.errors import NotFoundError, UnavailableError, UsageError

NOTES = sorted(path.parent.name for path in DATA.glob("*/expected.json") if path.read_text("utf-8").startswith("{"))


@pytest.mark.parametrize("name", NOTES)
def test_fixture(name: str, tmp_path: Path) -> None:
    check_fixture(name, tmp_path)


@pytest.mark.parametrize("row", IMPORTERS, ids=lambda row: row.name)
def test_every_row_has_the_shape(row: Row, tmp_path: Path) -> None:
    importer = load(row)
    assert row.help
    assert importer.__doc__
    assert inspect.isgeneratorfunction(importer.read)
    wanted = ["path", "scope", "cursors", *(["options"] if options_of(importer) else [])]
    assert [*inspect.signature(importer.read).parameters] == wanted
    assert importer.sniff(tmp_path) is False
    assert importer.sniff(tmp_path / "nothing") in (True, False)
    assert importer.origin(tmp_path).scope == (row.name if is_store(importer) else tmp_path.name)
    with pytest.raises(NotFoundError, match="no file or folder"):
        list(importer.read(tmp_path / "nothing"))


def test_a_run_changes_no_file_and_a_second_one_says_the_same() -> None:
    vault = DATA / "obsidian" / "vault"
    before = {path: path.read_bytes() for path in vault.rglob("*") if path.is_file()}
    assert run(vault) == run(vault)
    assert before == {path: path.read_bytes() for path in vault.rglob("*") if path.is_file()}


def test_a_renamed_note_with_an_id_keeps_it(tmp_path: Path) -> None:
    import shutil

    vault = shutil.copytree(DATA / "obsidian" / "vault", tmp_path / "vault")
    first = {record.external_id: record for record in run(vault)[0]}
    (vault / "Depot.md").rename(vault / "Garage.md")
    second = {record.external_id: record for record in run(vault)[0]}
    assert first.keys() == second.keys()
    assert second["id:7c1e5d3a"].title == "Garage"
    assert second["id:7c1e5d3a"].path == "Garage.md"
    changed = [key for key in first if first[key][1:5] != second[key][1:5]]
    assert changed == ["id:7c1e5d3a"]


@pytest.mark.parametrize(
    ("note", "labels"),
    [
        ("links.md", {"profiling"}),
        ("code.md", {"4711a"}),
        ("zh.md", {"读书", "日记/2026", "emoji🎉", "表里", "括号里"}),
        ("front.md", {"garden", "slow tools", "slow-tools", "tools"}),
    ],
)
def test_hash_signs_that_are_no_labels(note: str, labels: set[str]) -> None:
    folder = DATA / "hash-signs" / "notes"
    record = next(record for record in run(folder)[0] if record.path == note)
    assert set(record.labels) == labels
    whole = (folder / note).read_text(encoding="utf-8")
    assert record.content in whole


def test_a_row_is_chosen_by_name_or_by_the_path(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("plain")
    assert choose(tmp_path)[0].name == "text"
    assert choose(tmp_path, "markdown")[0].name == "markdown"
    with pytest.raises(UsageError, match="no importer `kindle`"):
        choose(tmp_path, "kindle")
    with pytest.raises(NotFoundError):
        choose(tmp_path / "gone")
    (tmp_path / "x.bin").write_bytes(b"\0")
    with pytest.raises(UsageError, match="no importer reads"):
        choose(tmp_path / "x.bin")


def test_a_package_can_add_an_importer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from importlib.metadata import EntryPoint

    point = EntryPoint("shelf", "memhub_test_shelf", "memhub.importers")
    broken = EntryPoint("broken", "memhub_test_no_such_module", "memhub.importers")
    monkeypatch.setattr("importlib.metadata.entry_points", lambda group: [point, broken])
    (tmp_path / "memhub_test_shelf.py").write_text("def sniff(path): return path.suffix == '.shelf'\n")
    monkeypatch.syspath_prepend(tmp_path)
    assert [row.name for row in registry.rows()][-2:] == ["broken", "shelf"]
    (tmp_path / "my.shelf").write_text("x")
    assert choose(tmp_path / "my.shelf", "shelf")[0].name == "shelf"
    with pytest.raises(UnavailableError, match="importer `broken` cannot be loaded"):
        choose(tmp_path / "my.shelf", "broken")


def test_the_table_loads_no_importer() -> None:
    code = "import sys, memhub_importers.registry; print([m for m in sys.modules if m in ('yaml', 'markdown_it')"
    code += " or m.startswith('memhub_importers.') and m != 'memhub_importers.registry'])"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"


def test_the_example_of_the_documentation_works(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = (Path(__file__).parents[2] / "docs" / "importers.md").read_text(encoding="utf-8")
    start = page.index('"""Quotations')
    (tmp_path / "memhub_test_quotes.py").write_text(page[start : page.index("```", start)], encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    importer = load(Row("quotes", "memhub_test_quotes", ""))
    (tmp_path / "quotes.tsv").write_text("Ann\tA sentence.\nno tab\nBo\tA sentence.\n\n", encoding="utf-8")
    first, bad, second = importer.read(tmp_path / "quotes.tsv")
    assert importer.sniff(tmp_path / "quotes.tsv")
    assert (first.title, first.content) == ("Ann", "A sentence.")
    assert bad == ("quotes.tsv:2", "no tab between author and sentence", True)
    assert second.external_id == first.external_id + "~2"
