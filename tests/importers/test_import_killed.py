"""An import that is broken off, by `kill -9` or Ctrl-C: what is there is whole, and the next run ends as one would."""

import json
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from live_writer import claude_line

from memhub import Memory

pytestmark = [
    pytest.mark.skipif(os.name != "posix", reason="ends processes as POSIX does"),
    pytest.mark.timeout(300),
]
TURNS = 40


def sessions(folder: Path, count: int) -> Path:
    for number in range(count):
        name = f"s{number:04}"
        file = folder / f"projects/-srv-p{number % 7}/{name}.jsonl"
        file.parent.mkdir(parents=True, exist_ok=True)
        lines = (claude_line(name, turn, f"{name}: boat {turn} lies at pier {number}") for turn in range(TURNS))
        file.write_bytes(b"".join(lines))
    return folder


def broken_off(source: Path, at: int, how: signal.Signals, *argv: str) -> tuple[int, str]:
    """Import until `at` conversations are there, then send the signal; the exit code and what it said."""
    with subprocess.Popen(
        [sys.executable, "-m", "memhub", "import", str(source), *argv], stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE, text=True,
    ) as process, Memory() as memory:  # fmt: skip
        while memory.store.connection.execute("SELECT count(*) FROM thread").get < at:
            assert process.poll() is None, process.communicate()[1] or "too fast to be broken off"
            time.sleep(0.002)
        process.send_signal(how)
        return process.wait(60), process.communicate()[1]


def log(run: Any, home: Path) -> Counter[str]:
    """Every line of the lossless export but operations, without what tells when and where it was written."""
    out = run("export", env={"MH_HOME": str(home)}).out
    lines: Counter[str] = Counter()
    for line in out.splitlines():
        record = json.loads(line)
        for name in ("at", "hlc", "device", "seq", "operation", "exported_at", "updated_at", "counts"):
            record.pop(name, None)
        if record.get("kind") != "op.put" and record["type"] != "operation":
            lines[json.dumps(record, sort_keys=True)] += 1
    return lines


def is_whole(run: Any) -> None:
    done = run("doctor", "--deep")
    assert done.code == 0, done.out
    with Memory() as memory:
        assert {thread.length for thread in memory.threads(limit=0)} <= {TURNS}


@pytest.mark.slow
def test_killed_four_times_it_ends_as_one_run_does(run, tmp_path):
    source = sessions(tmp_path / "claude", 120)
    for at in (1, 30, 31, 80):
        code, _ = broken_off(source, at, signal.SIGKILL)
        assert code == -signal.SIGKILL
        is_whole(run)
    with Memory() as memory:
        there = len(memory.threads(limit=0))
        assert there < 120
    last = run("import", str(source))
    assert last.code == 0
    assert f" {120 - there} new" in last.out
    assert run("import", str(source)).out == "imported claude-code: nothing new\n"
    whole = tmp_path / "whole"
    run("import", str(source), env={"MH_HOME": str(whole)})
    killed, at_once = log(run, Path(os.environ["MH_HOME"])), log(run, whole)
    assert set(at_once.values()) == {1}
    assert killed == at_once


def test_ctrl_c_says_that_the_next_import_goes_on(run, tmp_path):
    source = sessions(tmp_path / "claude", 80)
    code, said = broken_off(source, 30, signal.SIGINT)
    assert code == 130
    assert said == "mh: broken off; what came in stays, and the next import goes on from there\n"
    is_whole(run)
    assert "nothing new" not in run("import", str(source)).out
    with Memory() as memory:
        assert len(memory.threads(limit=0)) == 80


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM])
def test_a_watch_that_is_ended_while_it_brings_in_what_is_there(run, tmp_path, how):
    source = sessions(tmp_path / "claude", 80)
    code, said = broken_off(source, 30, how, "--watch")
    assert (code, said) == (130 if how == signal.SIGINT else 0, "mh: no longer watching\n")
    is_whole(run)
    run("import", str(source))
    whole = tmp_path / "whole"
    run("import", str(source), env={"MH_HOME": str(whole)})
    assert log(run, Path(os.environ["MH_HOME"])) == log(run, whole)
