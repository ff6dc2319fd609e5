"""Whole-process cost of everyday commands, beside bare Python and `import numpy` in the same run.

    python tests/bench/startup.py [--items N] [--rounds N] [--json] [--check]

Commands run interleaved, so that a busy machine slows all alike; CPU is user + system time of the process (wait4),
and the median counts. Ratios to `python -c pass` are what the targets are about: 9 for a command without a model,
18 for the hybrid search. `--check` exits 1 when one is missed.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

WORDS = (
    *("harbour", "ferry", "kettle", "ledger", "winter", "bridge", "signal", "copper", "garden", "letter"),
    *("market", "engine", "船票", "会议", "笔记", "天气"),
)
TARGETS = {"search": 18.0}
DEFAULT_TARGET = 9.0


def main() -> int:
    """Make the items, run the rounds, print the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--items", type=int, default=10_000)
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        # As installed: pip compiles what it installs; with the first variable a checkout compiles at every start.
        for name in ("PYTHONDONTWRITEBYTECODE", "PYTHONUNBUFFERED"):
            os.environ.pop(name, None)
        os.environ["MH_HOME"] = str(Path(folder) / "home")
        os.chdir(folder)
        some_id = _fill(options.items)
        rows = _measure(_commands(some_id), options.rounds)
    if options.json:
        print(json.dumps({"items": options.items, "rounds": options.rounds, "rows": rows}))
    else:
        _print(rows, options.items)
    missed = [row["name"] for row in rows if row["target"] and row["cpu_ratio"] > row["target"]]
    if missed:
        print(f"over its target: {', '.join(missed)}", file=sys.stderr)
    return 1 if missed and options.check else 0


def _fill(items: int) -> str:
    """Store the items through the public API and compute their vectors; the id of one of them."""
    from memhub import Memory
    from memhub.model.result import NewNote

    def note(number: int) -> NewNote:
        words = [WORDS[(number * step) % len(WORDS)] for step in (1, 3, 5, 7, 11)]
        return NewNote(f"{' '.join(words)} number {number}", labels=(words[0],))

    with Memory() as memory:
        added = list(memory.add_many(note(number) for number in range(items)))
        memory.index()
    return str(added[len(added) // 2].item.id)  # type: ignore[union-attr]


def _commands(some_id: str) -> dict[str, list[str]]:
    python = [sys.executable]
    mh = [sys.executable, "-m", "memhub"]
    return {
        "python -c pass": [*python, "-c", "pass"],
        "import numpy": [*python, "-c", "import numpy"],
        "add": [*mh, "add", "--again", "the ferry letter"],
        "show": [*mh, "show", some_id],
        "list": [*mh, "list"],
        "search --mode words": [*mh, "search", "--mode", "words", "ferry", "letter"],
        "search": [*mh, "search", "ferry", "letter"],
        "--help": [*mh, "--help"],
    }


def _measure(commands: dict[str, list[str]], rounds: int) -> list[dict[str, float | str | None]]:
    cpu: dict[str, list[float]] = {name: [] for name in commands}
    wall: dict[str, list[float]] = {name: [] for name in commands}
    for number in range(rounds + 1):
        for name, argv in commands.items():
            spent, took = _run(argv)
            if number:  # the first round writes byte code and warms the page cache
                cpu[name].append(spent)
                wall[name].append(took)
    middle = {name: (statistics.median(cpu[name]), statistics.median(wall[name])) for name in commands}
    base_cpu, base_wall = middle["python -c pass"]
    return [
        {
            "name": name,
            "cpu_ms": round(spent, 1),
            "wall_ms": round(took, 1),
            "cpu_ratio": round(spent / base_cpu, 2),
            "wall_ratio": round(took / base_wall, 2),
            "target": None if name in ("python -c pass", "import numpy") else TARGETS.get(name, DEFAULT_TARGET),
        }
        for name, (spent, took) in middle.items()
    ]


def _run(argv: list[str]) -> tuple[float, float]:
    started = time.perf_counter()
    process = subprocess.Popen(argv, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    _, status, usage = os.wait4(process.pid, 0)
    took = time.perf_counter() - started
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        words = process.stderr.read().decode() if process.stderr else ""
        raise SystemExit(f"{' '.join(argv)} failed with exit code {process.returncode}\n{words}")
    return (usage.ru_utime + usage.ru_stime) * 1000, took * 1000


def _print(rows: list[dict[str, float | str | None]], items: int) -> None:
    print(f"{items} items; median of interleaved runs")
    print(f"{'process':22} {'CPU ms':>8} {'wall ms':>8} {'CPU x':>7} {'wall x':>7} {'target':>7}")
    for row in rows:
        target = f"{row['target']:>7g}" if row["target"] else ""
        numbers = f"{row['cpu_ms']:>8} {row['wall_ms']:>8} {row['cpu_ratio']:>7} {row['wall_ratio']:>7}"
        print(f"{row['name']:22} {numbers} {target}")


if __name__ == "__main__":
    sys.exit(main())
