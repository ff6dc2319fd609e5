"""Every importer of the registry reads damaged, enormous, misplaced and hostile input: one test for all of them.

Few damages are tried by default, chosen by a seed; all of them when slow tests run.
"""

import zipfile
import zlib
from pathlib import Path

import pytest
from fuzz import check_links, check_places, check_shapes, fuzz_database, fuzz_files, fuzz_lines, fuzz_sizes, kept, run
from fuzz_inputs import INPUTS, Store
from memhub_importers import archives
from memhub_importers.registry import IMPORTERS, load
from memhub_importers.sources import opened

from memhub.model.record import Skipped

CASES = [(row, what) for row in IMPORTERS for what in INPUTS.get(row.name, {})]
NAMES = [f"{row.name}-{what}" if what else row.name for row, what in CASES]
each_input = pytest.mark.parametrize(("row", "what"), CASES, ids=NAMES)
amounts = pytest.mark.parametrize(
    "many", [False, pytest.param(True, marks=[pytest.mark.slow, pytest.mark.timeout(3600)])], ids=["some", "all"]
)


def made(row: object, what: str, scratch: Path) -> Store:
    """The store of a row, when the libraries for it are installed."""
    if row.name in ("html", "pdf"):  # type: ignore[attr-defined]
        pytest.importorskip("bs4")
        pytest.importorskip("pypdfium2")
    return INPUTS[row.name][what](scratch)  # type: ignore[attr-defined]


def test_every_importer_has_input() -> None:
    assert {row.name for row in IMPORTERS} == set(INPUTS)


@each_input
@amounts
def test_damage(row, what, many, tmp_path):
    store = made(row, what, tmp_path)
    assert kept(run(load(row), store.root, "none")), "nothing to lose"
    if store.database is not None:
        fuzz_database(load(row), store.root, store.database, 60 if many else 6)
        return
    assert store.files
    files = store.files if many else store.files[zlib.crc32(row.name.encode()) % 3 :: 3] or store.files[:1]
    fuzz_files(load(row), store.root, files[:8] if not many else files, 80 if many else max(1, 10 // len(files[:8])))


@each_input
@amounts
def test_sizes(row, what, many, tmp_path):
    store = made(row, what, tmp_path)
    if store.database is None:
        path = max(store.files, key=lambda path: path.stat().st_size)
        fuzz_sizes(load(row), store.root, path, 100 if many else 1, zlib.crc32(row.name.encode()))


@each_input
@amounts
def test_bad_lines(row, what, many, tmp_path):
    store = made(row, what, tmp_path)
    if store.lines:
        fuzz_lines(load(row), store.root, list(store.lines), 10_000 if many else 4)


@each_input
def test_misplaced(row, what, tmp_path):
    store = made(row, what, tmp_path)
    path = store.database or store.files[0]
    check_places(load(row), store.root, path)
    if store.root.is_dir():
        check_links(load(row), store.root, tmp_path)


@each_input
def test_in_a_hostile_zip(row, what, tmp_path, monkeypatch):
    """A bomb, a way out, a link and nested archives cost themselves only; nothing is written outside."""
    monkeypatch.setattr(archives, "_SMALL", 1 << 14)
    (tmp_path / "in").mkdir()
    store = made(row, what, tmp_path / "in")
    root, path = store.root, tmp_path / "hostile.zip"
    whole = kept(run(load(row), root, "none"))
    if root.suffix == ".zip":
        files, base = {}, root
        with zipfile.ZipFile(root) as archive:
            files = {name: archive.read(name) for name in archive.namelist()}
    else:
        base = root.parent
        found = [root] if root.is_file() else [path for path in root.rglob("*") if path.is_file()]
        files = {path.relative_to(base).as_posix(): path.read_bytes() for path in found}
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
        top = "" if len(files) == 1 else root.name + "/"
        ending = Path(next(iter(files))).suffix
        archive.writestr("../" * 6 + "tmp/evil" + ending, "out")
        archive.writestr(f"{top}conversations-9.json", b"0" * 3_000_000)
        link = zipfile.ZipInfo(f"{top}link{ending}")
        link.external_attr = 0o120777 << 16
        archive.writestr(link, "/etc/passwd")
    before = set(tmp_path.rglob("*"))
    with opened(path, row.name) as source:
        outcomes = [*source.skipped, *source.importer.read(source.path, scope="x")]
    check_shapes(outcomes)
    assert kept(outcomes) == whole or root.suffix == ".zip"
    assert [x for x in outcomes if isinstance(x, Skipped) and x.failed]
    assert set(tmp_path.rglob("*")) == before
