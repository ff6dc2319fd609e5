"""Promises that belong to no part alone: nothing leaves the machine, what is typed is on disk at once, every part of
every text is found."""

import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NoReturn
from unicodedata import normalize

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memhub import Memory
from memhub.errors import UsageError

_PIECES = st.sampled_from(
    [
        *("ferry", "Naïve", "Straße", "İstanbul", "e\u0301", "ﬁ", "Ａ", "١٢٣", "עברית"),
        *("备份", "数据库每天", "机器学习 with GPU", "カメラ", "한국어", "👩\u200d💻", "🇩🇪"),
        *("foo_bar->baz()", "a+b=c", '"AND" (x*)', "%_\\", "::1", "\t", "  ", "\n\n"),
    ]
)
_TEXTS = st.lists(st.one_of(_PIECES, st.text(max_size=8)), min_size=1, max_size=8).map("".join)


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
        ("judge",),
        ("digest",),
        ("profile",),
        ("persona",),
        ("rulings",),
        ("review",),
        ("brief",),
        ("graph", "ferry"),
        ("ask", "when does the boat leave"),
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


@settings(max_examples=50, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(texts=st.lists(_TEXTS, min_size=1, max_size=3), data=st.data())
def test_any_part_of_any_text_is_found(
    texts: list[str], data: st.DataObject, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Two characters or more, not only white space: what stands in an item finds it."""
    with Memory(tmp_path_factory.mktemp("part") / "mh.db") as memory:
        items = []
        for text in texts:
            try:
                items.append(memory.add(text, again=True).item)
            except UsageError:
                continue  # nothing is left of it once control characters are gone
        for item in items:
            content = item.content
            if len(content) < 2:
                continue
            start = data.draw(st.integers(0, len(content) - 2))
            part = content[start : data.draw(st.integers(start + 2, len(content)))]
            whole = normalize("NFC", part) in normalize("NFC", content)  # not cut between a letter and its accent
            if part.strip() and whole:
                found = [hit.item.id for hit in memory.search(part, exact=True, limit=0).hits]
                assert item.id in found, (part, content)
