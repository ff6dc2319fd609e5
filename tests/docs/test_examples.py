"""What the guides show is what happens: every command, every answer, every Python block."""

import inspect
import re
import shutil
from pathlib import Path

import console
import pytest
import python_blocks

from memhub import Memory

ROOT = Path(__file__).resolve().parents[2]
CONSOLE_PAGES = (
    "README.md",
    pytest.param("README.zh-CN.md", marks=pytest.mark.slow),
    "docs/search.md",
    "docs/entities.md",
    pytest.param("docs/scripting.md", marks=pytest.mark.slow),
    "docs/judging.md",
    "docs/threads.md",
    "docs/brief.md",
)
PYTHON_PAGES = ("docs/sdk.md", "docs/layers.md")


@pytest.mark.parametrize("name", CONSOLE_PAGES)
def test_commands_answer_as_shown(name: str, tmp_path: Path, model_folder: Path) -> None:
    if shutil.which("jq") is None:
        pytest.skip("the recipes need jq, which is not installed")
    page = (ROOT / name).read_text("utf-8")
    steps = [step for block in console.blocks_of(page) for step in console.steps_of(block)]
    console.share_model(tmp_path, model_folder)
    answers = list(console.play([step.command for step in steps], tmp_path, console.setup_of(page)))
    assert len(answers) == len(steps)
    wrong = [
        f"{step.command}\n{different}"
        for step, answer in zip(steps, answers, strict=True)
        if (different := console.difference(step.answer, answer))
    ]
    assert not wrong, f"`python tests/docs/console.py {name}` renews the answers\n" + "\n".join(wrong)


@pytest.mark.parametrize("name", PYTHON_PAGES)
def test_python_prints_as_shown(name: str, tmp_path: Path, model_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MH_HOME", str(tmp_path / "mh"))
    for variable in ("HOME", "USERPROFILE"):  # where other tools keep their sessions
        monkeypatch.setenv(variable, str(tmp_path))
    console.share_model(tmp_path, model_folder)
    names: dict[str, object] = {"__name__": "example"}
    for line, block in python_blocks.blocks_of((ROOT / name).read_text("utf-8")):
        got = python_blocks.printed(block, ROOT / name, line, names)
        assert got == python_blocks.expected(block), f"{name}:{line}"


def test_every_verb_has_an_example() -> None:
    page = (ROOT / "docs/sdk.md").read_text("utf-8")
    verbs = {name for name, _ in inspect.getmembers(Memory, inspect.isfunction) if not name.startswith("_")}
    examples = "\n".join(block for _, block in python_blocks.blocks_of(page))
    missing = [
        verb
        for verb in sorted(verbs - {"engine", "follow"})
        if not re.search(rf"\b(?:memory(?:_copy)?|diary)\.{verb}\(", examples)
    ]
    assert not missing
