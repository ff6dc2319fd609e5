"""What is installed: the wheel is made from the source archive, as a package index would do it."""

import importlib.util
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = {
    "memhub": ROOT / "memhub",
    "memhub_importers": ROOT / "importers" / "memhub_importers",
    "memhub_tui": ROOT / "tui" / "memhub_tui",
}


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder with both archives; `build` makes the wheel out of the source archive."""
    out = tmp_path_factory.mktemp("dist")
    isolation = ["--no-isolation"] if importlib.util.find_spec("hatchling") else []
    done = subprocess.run(
        [sys.executable, "-m", "build", *isolation, "--outdir", str(out), str(ROOT)],
        capture_output=True, text=True, timeout=300, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    return out


@pytest.mark.slow
def test_the_wheel_holds_the_packages_and_nothing_else(built: Path) -> None:
    (wheel,) = built.glob("*.whl")
    names = zipfile.ZipFile(wheel).namelist()
    top = {name.split("/")[0] for name in names}
    version = wheel.name.split("-")[1]
    assert top == {*PACKAGES, f"memhub-{version}.dist-info", f"memhub-{version}.data"}
    for package, folder in PACKAGES.items():
        assert f"{package}/py.typed" in names
        sources = {
            f"{package}/{path.relative_to(folder).as_posix()}"
            for path in folder.rglob("*")
            if path.is_file() and "__pycache__" not in path.parts
        }
        assert sources == {name for name in names if name.startswith(f"{package}/")}


@pytest.mark.slow
def test_the_wheel_brings_completions_licence_and_programs(built: Path) -> None:
    (wheel,) = built.glob("*.whl")
    archive = zipfile.ZipFile(wheel)
    names = archive.namelist()
    data = next(name.split("/")[0] for name in names if ".data/" in name) + "/data/share"
    for place, shell in (
        ("bash-completion/completions/mh", "bash"),
        ("zsh/site-functions/_mh", "zsh"),
        ("fish/vendor_completions.d/mh.fish", "fish"),
    ):
        assert archive.read(f"{data}/{place}") == (ROOT / "completions" / f"mh.{shell}").read_bytes()
        assert archive.read(f"{data}/mh/keys.{shell}") == (ROOT / "completions" / f"keys.{shell}").read_bytes()
    info = next(name.split("/")[0] for name in names if name.endswith(".dist-info/METADATA"))
    assert f"{info}/licenses/LICENSE" in names
    programs = archive.read(f"{info}/entry_points.txt").decode()
    assert "mh = memhub.cli:main" in programs
    assert "memhub = memhub.cli:main" in programs


@pytest.mark.slow
def test_the_source_archive_can_be_tested(built: Path) -> None:
    (archive,) = built.glob("*.tar.gz")
    with tarfile.open(archive) as source:
        names = {name.partition("/")[2] for name in source.getnames()}
    for wanted in ("README.md", "README.zh-CN.md", "CHANGELOG.md", "CONTRIBUTING.md", "LICENSE", "pyproject.toml"):
        assert wanted in names
    assert "docs/samples/chatgpt/conversations.json" in names  # the README imports it
    assert {"tests/conftest.py", "docs/cli.md", "completions/mh.zsh", "importers/memhub_importers/py.typed"} <= names
