"""The table of commands, what each may import, and what is generated from it."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from memhub.cli.app import Plain, load
from memhub.cli.commands import COMMANDS, GROUPS
from memhub.cli.completion import script
from memhub.cli.tree import nodes

ROOT = Path(__file__).resolve().parents[2]
HEAVY = {
    *("asyncio", "concurrent.futures", "dbm", "httpx", "keyring", "litellm", "multiprocessing", "numpy", "openai"),
    *("platformdirs", "pydantic", "rich", "sqlite3", "sqlite_vec", "textual", "tomllib", "urllib.request", "zoneinfo"),
    *("click", "markdown_it", "yaml", "rapidfuzz", "email", "http.client", "ssl"),
}


@pytest.mark.parametrize("row", COMMANDS, ids=lambda row: row.name)
def test_every_row_resolves_and_says_what_its_command_says(row):
    command = load(row.name)
    assert command.name == row.name
    assert command.help.split("\n")[0] == row.help
    assert row.group in GROUPS


def test_every_command_has_the_shared_options_and_a_help_line():
    for node in nodes():
        names = {name for option in node.options for name in option.names}
        assert node.help, node.path
        if not node.children:
            assert {"--db", "--space", "--quiet", "--no-color", "--debug"} <= names, node.path
        for option in node.options:
            assert option.help, (node.path, option.names)


def test_commands_are_made_by_our_factory():
    for row in COMMANDS:
        command = load(row.name)
        for one in getattr(command, "commands", {"": command}).values():
            assert isinstance(one, Plain), row.name
            assert one.rich_markup_mode is None


def _modules(*argv: str) -> set[str]:
    code = (
        "import sys; from memhub.cli import main; code = main(sys.argv[1:]); "
        "sys.stderr.write('\\n' + ' '.join(sys.modules)); sys.exit(code)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, *argv], capture_output=True, env=os.environ, check=True, encoding="utf-8"
    )
    return set(done.stderr.splitlines()[-1].split())


@pytest.mark.parametrize(
    "argv",
    [
        ["--help"],
        ["add", "--help"],
        ["add", "a note"],
        ["list"],
        ["list", "--json"],
        ["search", "note", "--mode", "words"],
        ["search", "note", "--mode", "words", "--json", "--since", "2026-01-01"],
        ["show", "{id}"],
        ["show", "{id}", "--json"],
        ["undo"],
        ["label", "add", "{id}", "x"],
    ],
    ids=" ".join,
)
def test_everyday_commands_load_nothing_heavy(mh, argv):
    known = mh("add", "-q", "a note that is there").out.strip()
    loaded = _modules(*(word.format(id=known) for word in argv))
    assert not loaded & HEAVY
    others = {row.target.split(":")[0] for row in COMMANDS} - {f"memhub.cli.{argv[0]}"}
    if argv[0] in ("add", "list", "search", "show"):
        assert not {name for name in loaded & others if name != "memhub.cli.help"}


def test_help_loads_no_command():
    loaded = _modules("--help")
    assert not loaded & {row.target.split(":")[0] for row in COMMANDS}
    assert "apsw" not in loaded


def test_generated_files_are_up_to_date():
    done = subprocess.run(
        [sys.executable, "docs/generate.py", "--check"], cwd=ROOT, capture_output=True, encoding="utf-8", check=False
    )
    assert (done.returncode, done.stderr) == (0, "")


def test_the_completion_command_prints_the_file_that_is_installed(mh):
    for shell in ("bash", "zsh", "fish"):
        assert mh("completion", shell).out == (ROOT / f"completions/mh.{shell}").read_text("utf-8")


@pytest.mark.parametrize(
    ("words", "offered"),
    [
        (["mh", "sea"], "search"),
        (["mh", "label", ""], "add rm rename list"),
        (["mh", "--space", "work", "links"], "links"),
        (["mh", "search", "--mode", ""], "fast words meaning deep"),
        (["mh", "label", "add", "--nd"], "--ndjson"),
        (["mh", "list", "--project", ""], ""),
    ],
)
def test_bash_completes(tmp_path, words, offered):
    file = tmp_path / "mh.bash"
    file.write_text(script("bash"))
    quoted = " ".join(f"'{word}'" for word in words)
    code = f'source {file}; COMP_WORDS=({quoted}); COMP_CWORD={len(words) - 1}; _mh; echo "${{COMPREPLY[*]}}"'
    done = subprocess.run(["bash", "--norc", "-c", code], capture_output=True, encoding="utf-8", check=True)
    assert (done.stdout.strip(), done.stderr) == (offered, "")
