"""Promises that belong to no part alone: nothing leaves the machine, and what is typed is on disk at once."""

import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NoReturn

import pytest


def _refuse(*_: object, **__: object) -> NoReturn:
    raise AssertionError("a socket was opened")


def test_no_command_opens_a_socket(mh: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("socket", "create_connection", "getaddrinfo"):
        monkeypatch.setattr(socket, name, _refuse)
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "ferry.md").write_text("# Ferry\n\nSee https://example.org/timetable\n", "utf-8")
    export = str(tmp_path / "all.jsonl")
    for command in (
        ("add", "The ferry leaves at 7:30"),
        ("import", str(tmp_path / "notes")),
        ("search", "when does the boat leave"),
        ("index",),
        ("list", "--json"),
        ("stats",),
        ("export", export),
        ("import", export, "--db", str(tmp_path / "copy.db")),
        ("doctor", "--deep"),
    ):
        done = mh(*command)
        assert (command, done.code) == (command, 0), done.err


@pytest.mark.skipif(os.name != "posix", reason="kills a process as POSIX does")
def test_a_note_is_on_disk_when_add_has_answered(run: Callable[..., Any]) -> None:
    """The process is killed the moment it has said that the note is there."""
    process = subprocess.Popen(
        [sys.executable, "-m", "memhub", "add", "-", "--split", "line", "--ndjson"],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8",
    )  # fmt: skip
    assert process.stdin is not None
    assert process.stdout is not None
    with process:
        process.stdin.write("".join(f"note number {n}\n" for n in range(200)))
        process.stdin.flush()
        answered = json.loads(process.stdout.readline())
        process.send_signal(signal.SIGKILL)
    assert run("show", answered["id"], "--json").code == 0
