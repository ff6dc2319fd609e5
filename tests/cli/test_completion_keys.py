"""The key bindings, in real shells on a terminal: what is picked stands where the cursor was."""

import os
import shutil
import sys
from pathlib import Path

import pytest
from on_terminal import OnTerminal

from memhub.cli.key_bindings import script

ROOT = Path(__file__).resolve().parents[2]
SHELLS = {"bash": ["--norc", "--noprofile", "-i"], "zsh": ["-f", "-i"], "fish": ["--no-config", "-i"]}


def test_the_command_prints_the_file_that_is_installed(mh):
    for shell in SHELLS:
        assert mh("completion", shell, "--keys").out == (ROOT / f"completions/keys.{shell}").read_text("utf-8")


@pytest.fixture(params=SHELLS)
def shell(request, mh, tmp_path):
    """A shell at its prompt with the bindings read, and two items to pick from."""
    name = request.param
    if not shutil.which(name):
        pytest.skip(f"{name} is not installed: its key bindings are not tested (apt-get install {name})")
    mh("add", "rsync -a ~/notes 备份:/backup")
    mh("add", "two lines\n\nof text")
    programs = tmp_path / "bin"
    programs.mkdir()
    (programs / "mh").write_text(f'#!/bin/sh\nexec "{sys.executable}" -m memhub "$@"\n')
    (programs / "mh").chmod(0o755)
    keys = tmp_path / "keys"
    keys.write_text(script(name), "utf-8")
    env = {"PATH": f"{programs}:{os.environ['PATH']}", "HOME": str(tmp_path), "PS1": "READY> "}
    with OnTerminal([name, *SHELLS[name]], env=env, size=(24, 80)) as terminal:
        terminal.type(f"source {keys}; echo rea''dy\r")
        terminal.wait_for("ready")
        yield terminal


def pick(shell, *keys):
    """Press Alt+M, then keys in the list."""
    shell.type("\x1bm")
    shell.wait_for("rsync")
    shell.type("".join(keys))
    shell.wait_until_left()


def test_what_is_picked_stands_where_the_cursor_was(shell):
    shell.type("echo '<中->'\x1b[D\x1b[D")  # the cursor on the >
    pick(shell, "rsync", "\r")
    shell.type("\r")
    shell.wait_for("<中-rsync -a ~/notes 备份:/backup>")


def test_several_lines_are_put_there_and_none_runs(shell):
    shell.type("printf '[%s]' '")
    pick(shell, "two", "\r")
    shell.type("'\r")
    shell.wait_for("[two lines\r\n\r\nof text]")


def test_escape_leaves_the_line_as_it_was(shell):
    shell.type("echo un'touched'")
    pick(shell, "\x1b")
    shell.type("\r")
    shell.wait_for("untouched")
