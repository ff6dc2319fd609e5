"""`kill -9` at any moment of judging: nothing is lost, nothing has an effect twice, the next run goes on at once."""

import json
import os
import random
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from server import Request
from told import Told

from memhub import Memory
from memhub.model.query import Filters
from memhub.model.thread import Message, Speaker, ThreadInfo

pytestmark = pytest.mark.skipif(os.name != "posix", reason="kills processes as POSIX does")
ALL = Filters(states=("all",))


def fill(memory: Memory) -> None:
    """A note that is judged, one that replaces it, a conversation with facts and a profile line."""
    memory.add("The gate opens at 8:00")
    memory.judge(with_model=False)
    memory.add("The gate opens at 9:30")
    memory.add("I live in Paris")
    talk = [
        Message("Remember: the key hangs behind the door. By the way, the anchor rusts away.", "user", Speaker()),
        Message("I always sail with hemp rope.", "assistant", Speaker()),
        Message("I moved to Berlin. Remember: the gate opens at 9:30.", "user", Speaker()),
    ]
    memory.add_messages(talk, thread=ThreadInfo(title="talk"))


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_killed_at_every_step(tmp_path: Path) -> None:
    _killed_at_every_step(tmp_path, 1)


def _killed_at_every_step(folder: Path, stride: int) -> None:
    with Memory(folder / "start.db") as memory:
        fill(memory)
        memory.store.connection.wal_checkpoint()
    killer = Path(__file__).with_name("killer.py")
    done = subprocess.run(
        [sys.executable, str(killer), str(folder)], capture_output=True, timeout=850, check=False, text=True,
        env={**os.environ, "STRIDE": str(stride)},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-3000:]
    whole, *killed = [json.loads(line) for line in done.stdout.splitlines()]
    assert ["L1", "note", "The gate opens at 8:00", "replaced"] in whole["items"]
    assert ["L1", "fact", "the anchor rusts away", "live"] in whole["items"]
    assert (whole["queue"], whole["ok"]) == ([], True)
    assert len(killed) > 80 // stride
    for one in killed:
        for name in ("items", "edges", "rulings", "queue", "history", "ok"):
            assert one[name] == whole[name], (one["step"], name)
        twice = [call for call, times in Counter(one["asked"]).items() if times > 1]
        assert set(one["asked"]) == set(whole["asked"]), one["step"]
        assert len(twice) <= 1, "only the call in flight is paid again"


def test_killed_at_some_steps(tmp_path: Path) -> None:
    _killed_at_every_step(tmp_path, 17)


def start(*argv: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-m", "memhub", *argv], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE, env={**os.environ},
    )  # fmt: skip


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.parametrize("call", [1, 2, 3])
def test_killed_while_the_model_thinks(told: Told, call: int, mh: Callable[..., Any]) -> None:
    """The real command and the real LiteLLM; the server holds the n-th call until the process is dead."""
    mh("config", "set", "judge.batch", "1")
    mh("config", "set", "llm.timeout", "60")
    told.state("The mast was sold")
    told.state("The keel was painted")
    told.rule("The mast was sold", "enriches", "The mast was old")
    told.rule("The keel was painted", "enriches", "The keel was bare")
    for text in ("The mast was old", "The keel was bare"):
        mh("add", text)
    mh("judge")
    calls = len(told.asked)
    mh("capture", stdin=json.dumps([{"role": "user", "content": "The mast was sold. The keel was painted. Fine?"}]))
    reached, dead = threading.Event(), threading.Event()

    def hold(request: Request) -> None:
        if len(told.asked) - calls == call:
            reached.set()
            dead.wait(60)

    told.on_call = hold
    process = start("judge")
    assert reached.wait(120)
    process.send_signal(signal.SIGKILL)
    process.wait(60)
    dead.set()
    told.on_call = None
    assert json.loads(mh("list", "--kind", "fact", "--json").out) == []
    assert [row["state"] for row in json.loads(mh("queue", "--json").out)] == ["waiting"]
    done = mh("judge", "--json")
    assert done.code == 0, done.err
    facts = {item["content"] for item in json.loads(mh("list", "--kind", "fact", "--json").out)}
    assert facts == {"The mast was sold", "The keel was painted"}
    asked = [json.dumps(request.data, sort_keys=True) for request in told.server.requests[calls:]]
    assert len(set(asked)) == 3
    assert len(asked) == 4, "one call was paid again"
    rulings = json.loads(mh("rulings", "--json").out)
    assert sorted(one["text"] for one in rulings) == ["The keel was painted", "The mast was sold"]
    assert json.loads(mh("doctor", "--json").out)["ok"]


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.parametrize("seed", range(3))
def test_killed_at_random_moments(seed: int, tmp_path: Path) -> None:
    """Rules alone, forty notes; each run is killed sooner or later, until one gets through."""
    chance = random.Random(seed)
    said = {}
    with Memory() as memory:
        for number in range(20):
            for text in (f"The gate of yard {number} opens at 8:00", f"The gate of yard {number} opens at 9:30"):
                said[memory.add(text).item.id] = text
        memory.index()
        undisturbed = tmp_path / "undisturbed.db"
        memory.store.connection.execute("VACUUM INTO ?", (str(undisturbed),))
        with Memory(undisturbed) as other:
            other.judge(with_model=False)
            expected = {item.id: item.state for item in other.list(ALL, limit=0)}
        for _ in range(12):
            process = start("judge", "-q")
            begun = time.monotonic()
            time.sleep(chance.uniform(0.3, 2.5))
            if process.poll() is None:
                process.send_signal(signal.SIGKILL)
            assert process.stderr is not None
            process.stderr.read()
            process.wait(60)
            assert time.monotonic() - begun < 60
            assert memory.doctor().ok
        last = start("judge", "-q")
        _, err = last.communicate(timeout=120)
        assert last.returncode == 0, err.decode()
        assert [row for row in memory.queue() if row.state != "doubt"] == []
        assert {item.id for item in memory.list(ALL, limit=0)} == set(said)
        assert all([v.content for v in memory.history(item)] == [text] for item, text in said.items())
        per_source = Counter((one.source, one.text) for one in memory.rulings(limit=0))
        assert max(per_source.values()) == 1
        assert {item.id: item.state for item in memory.list(ALL, limit=0)} == expected
        assert list(expected.values()).count("replaced") >= 10


def test_the_lease_of_a_dead_process_is_taken_over_at_once(mh: Callable[..., Any]) -> None:
    process = subprocess.Popen([sys.executable, "-c", "pass"])
    process.wait()
    import platform

    item = mh("add", "-q", "The gate opens at 8:00").out.strip()
    with Memory() as memory, memory.store.writing():
        memory.store.connection.execute(
            "INSERT INTO lease SELECT space, ?, ? FROM queue",
            (f"{platform.node()}/{process.pid}/abc", 9_999_999_999_999),
        )
    done = mh("judge", "--json")
    assert [one["source"] for one in json.loads(done.out)["judged"]] == [item]
    with Memory() as memory:
        assert memory.store.connection.execute("SELECT count(*) FROM lease").get == 0
