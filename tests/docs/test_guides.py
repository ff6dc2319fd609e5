"""The guides name what exists: commands, settings, files, tests, numbers."""

import ast
import json
import re
from pathlib import Path

import pytest

from memhub import Memory
from memhub.cli.commands import COMMANDS
from memhub.errors import EXIT_CODE_WORDS
from memhub.model.judging import ACTIONS
from memhub.model.query import Filters
from memhub.pipeline.review import HOW, MATTERS
from memhub.search import fresh, fusion, literal, show
from memhub.store import schema, support, words
from memhub.store.filters import STATES
from memhub.text.chunks import Limits

ROOT = Path(__file__).resolve().parents[2]
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")])
GUIDES = [page for page in PAGES if page.name not in ("cli.md", "CHANGELOG.md")]
NAMES = [page.relative_to(ROOT).as_posix() for page in PAGES]


def text(name: str) -> str:
    return (ROOT / name).read_text("utf-8")


def test_every_command_is_in_a_guide() -> None:
    guides = "\n".join(page.read_text("utf-8") for page in GUIDES)
    missing = [row.name for row in COMMANDS if not re.search(rf"\bmh {re.escape(row.name)}\b", guides)]
    assert not missing


def test_the_guides_use_only_commands_that_exist() -> None:
    known = {row.name for row in COMMANDS}
    used = {
        (page.name, found)
        for page in GUIDES
        for found in re.findall(r"(?:^\$ |[`|] ?)mh ([a-z]+)\b", page.read_text("utf-8"), re.M)
    }
    assert not {(page, command) for page, command in used if command not in known}


@pytest.mark.parametrize("name", NAMES)
def test_links_lead_somewhere(name: str) -> None:
    page = ROOT / name
    plain = re.sub(r"^```.*?^```", "", page.read_text("utf-8"), flags=re.M | re.S)
    plain = re.sub(r"`[^`\n]*`", "", plain)
    broken = []
    for target in re.findall(r"\]\(([^)\s]+)\)", plain):
        path, _, part = target.partition("#")
        if "://" in path:
            continue
        goal = page.parent / path if path else page
        if not goal.exists() or (part and part not in _anchors(goal)):
            broken.append(target)
    assert not broken


def _anchors(page: Path) -> set[str]:
    """The names of the headings of a page, as GitHub makes them."""
    headings = re.findall(r"^#+ (.+)$", page.read_text("utf-8"), re.M)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("name", NAMES)
def test_files_named_exist(name: str) -> None:
    named = re.findall(r"`((?:memhub|importers|tui|tests|docs)/[\w./-]+?\.(?:py|md))(?:::(\w+))?`", text(name))
    missing = []
    for path, test in named:
        if not (ROOT / path).exists():
            missing.append(path)
        elif test and test not in _functions(ROOT / path):
            missing.append(f"{path}::{test}")
    assert not missing


def _functions(path: Path) -> set[str]:
    tree = ast.parse(path.read_text("utf-8"))
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
    found = {node.name for node in ast.walk(tree) if isinstance(node, kinds)}
    return found | {
        target.id
        for node in tree.body
        if isinstance(node, ast.Assign)
        for target in node.targets
        if isinstance(target, ast.Name)
    }


@pytest.mark.parametrize("name", ["README.md", "README.zh-CN.md", "docs/architecture.md"])
def test_every_promise_names_a_test(name: str) -> None:
    rows = re.findall(r"^\|(.+)\|$", text(name), re.M)
    promises = [row for row in rows if "tests/" in row]
    assert len(promises) >= 6


def test_exit_codes_of_the_cookbook() -> None:
    for code, meaning in EXIT_CODE_WORDS.items():
        words_of_it = re.escape(re.split(r" \(|:", meaning)[0])
        assert re.search(rf"^\| {code.value} \| {words_of_it}", text("docs/scripting.md"), re.M)


def test_numbers_of_the_search_page() -> None:
    page = text("docs/search.md")
    for shown in (
        f"score(d) = {fusion.WORDS_SHARE} · lex(d) + {1 - fusion.WORDS_SHARE:.1f} · c(d)",
        f"from `c ≥ {fusion.FAINT}` on, in another script from {fusion.FAINT_FOREIGN} on",
        f"{fusion.PHRASE_LIFT} when the words of the query stand together",
        f"{fusion.TITLE_LIFT} when the query is the title",
        f"up to {fresh.FEW} waiting chunks",
        f"files of up to {literal.LIMIT:,}",
        f"match more than {words.BUDGET:,} rows",
        f"Neighbouring turns weigh {words.NEAR_WEIGHT}",
        f"more than {Limits().max:,} characters",
        f"about {Limits().target:,}",
    ):
        assert shown in " ".join(page.split()) or shown in page, shown
    for state in STATES:
        assert f"`{state}`" in text("docs/data-model.md")
    assert set(Filters._fields) <= {
        "labels", "kinds", "layers", "space", "project", "created", "dated", "importance", "states", "pinned",
        "alone",
    }  # fmt: skip


def test_numbers_and_words_of_judging() -> None:
    page = text("docs/data-model.md")
    assert f"doubt = {support.TYPED} typed or imported, {support.DRAWN} drawn from a text" in page
    typed, drawn = ([support.confidence(count, typed=typed) for count in (1, 2, 3)] for typed in (True, False))
    for first, second, third in (typed, drawn):
        assert f"{first:.2f}, then {second:.2f}, {third:.2f}".replace("0.", ".") in " ".join(page.split())
    assert f"Below {support.LOW}".replace("0.", ".") in page
    assert f"(confidence below {support.LOW})" in text("docs/judging.md")
    assert f"an importance of {MATTERS} or more" in text("docs/judging.md")
    assert f"the first {show.FOLDED} ranks" in text("docs/search.md")
    for action in ACTIONS:
        assert f"\n| {action} |" in text("docs/judging.md")
    for how in set(HOW) - {"merge", "note"}:
        assert how in re.findall(r"--keep ([\w|]+)`", text("docs/judging.md"))[0].split("|")


def test_the_data_model_names_every_field_of_a_ruling() -> None:
    page = text("docs/data-model.md")
    with Memory() as memory:
        memory.add("I live in Paris")
        memory.judge()
        memory.add("I moved to Berlin")
        memory.judge()
        fields = [json.loads(line)["payload"]["set"] for line in memory.export_lines() if '"ruling.put"' in line]
    assert len(fields) == 2
    assert not [name for one in fields for name in one if f"`{name}`" not in page]


def test_the_data_model_names_every_table() -> None:
    page = text("docs/data-model.md")
    groups = [group for name, group in vars(schema).items() if name.isupper() and isinstance(group, tuple)]
    statements = "\n".join(one for group in groups for one in group if isinstance(one, str))
    tables = re.findall(r"CREATE (?:VIRTUAL )?TABLE (\w+)", statements)
    missing = [table for table in tables if table != "words_vocab" and f"`{table}`" not in page]
    assert not missing


def line_under(page: str, mark: str) -> str:
    """The one line of the code block that follows a mark."""
    found = re.search(rf"<!-- {mark} -->\n```sh\n(.+)\n```", text(page))
    assert found, f"{page} has no {mark}"
    return found.group(1)


def test_the_two_lines_are_the_same_in_both_languages() -> None:
    for mark in ("first line", "test line"):
        line = line_under("README.md", mark)
        assert line.startswith("python3 -m venv .venv && ")
        assert f"```sh\n{line}\n```" in text("README.zh-CN.md")


def test_the_check_uses_the_lines_of_the_readme() -> None:
    check = ROOT / ".ci" / "run"
    if not check.exists():
        pytest.skip("the source archive has no .ci")
    script = check.read_text("utf-8")
    assert "tests/readme_line.sh 'test line'" in script
    assert "tests/readme_line.sh 'first line'" in script
