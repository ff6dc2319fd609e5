"""Importers of other packages: found through their entry points by a fresh process, as the documentation says."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

PAGE = (Path(__file__).parents[2] / "docs" / "importers.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```(?:python|toml)\n(.*?)```", PAGE, re.DOTALL)


def block(start: str) -> str:
    """The block of the documentation that begins so."""
    return next(block for block in BLOCKS if block.startswith(start))


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """A folder with the package of the documentation, installed as `pip` leaves it, and one that is broken."""
    folder = tmp_path / "site"
    package = folder / "my_package"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text("")
    (package / "quotes.py").write_text(block('"""Quotations'), encoding="utf-8")
    (package / "broken.py").write_text("import no_such_module\n")
    points = block("[project.entry-points").partition("\n")[2].replace('"', "")
    info = folder / "my_package-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: my-package\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(f"[memhub.importers]\n{points}broken = my_package.broken\n")
    return folder


def run(site: Path, *command: str) -> subprocess.CompletedProcess[str]:
    home = site.parent / "home"
    environ = {**os.environ, "PYTHONPATH": str(site), "MH_HOME": str(home / "mh"), "HOME": str(home)}
    done = subprocess.run([sys.executable, *command], env=environ, capture_output=True, text=True, cwd=site.parent)
    assert "Traceback" not in done.stderr, done.stderr
    return done


def mh(site: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return run(site, "-m", "memhub", *arguments)


def test_a_package_adds_an_importer(site: Path) -> None:
    shelf = site.parent / "shelf"
    shelf.mkdir()
    (shelf / "quotes.tsv").write_text("Ann\tA sentence.\nno tab\n", encoding="utf-8")
    done = mh(site, "import", "shelf/quotes.tsv", "--no-index")
    assert (done.stdout, done.returncode) == ("imported shelf: 1 new, 1 skipped\n", 6)
    assert "quotes.tsv:2" in done.stderr
    again = mh(site, "import", "shelf/quotes.tsv", "--importer", "quotes", "--json")
    assert json.loads(again.stdout)["unchanged"] == 1
    assert mh(site, "import", "shelf/quotes.tsv", "-o", "loud").returncode == 2


def test_a_broken_package_is_named_and_in_nobodys_way(site: Path) -> None:
    listed = {one["name"]: one["help"] for one in json.loads(mh(site, "import", "--importers", "--json").stdout)}
    assert listed["quotes"] == "from my_package.quotes"
    assert listed["broken"] == "importer `broken` cannot be loaded: No module named 'no_such_module'"
    assert mh(site, "import").returncode == 0
    (site.parent / "x.bin").write_bytes(b"\0")
    assert "no importer reads" in mh(site, "import", "x.bin").stderr
    named = mh(site, "import", "x.bin", "--importer", "broken")
    assert (named.returncode, "cannot be loaded" in named.stderr) == (5, True)


def test_the_test_of_the_documentation_passes(site: Path) -> None:
    (site.parent / "test_quotes.py").write_text(block('"""The importer as mh uses it'), encoding="utf-8")
    done = run(site, "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_quotes.py")
    assert done.returncode == 0, done.stdout
