"""What `mh tui` costs over a long list, beside an empty Textual app in the same run.

    python tests/bench/tui.py [--items N] [--rounds N] [--db FILE] [--json] [--check]

Starts are processes of their own, interleaved: CPU (user + system, wait4) until the list is filled and the first frame
is out, for an app with one empty list and for `mh tui`. Keys are measured inside one process. The list's keys are held:
one comes every thirtieth of a second, as from a keyboard, whatever the one before still does; CPU until the next one
comes, and how long that is kept waiting. Typing and a cursor that rests are CPU and wall time from the key to the
moment when nothing is left to do, search and preview included. Memory is the peak of the process. Headless, 120x40:
everything is drawn, but no terminal is written to.

Targets: a start costs at most 3 empty apps; a key of the list at most 10 ms CPU in the middle, 50 ms at the 95th.
"""

import argparse
import asyncio
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any, NamedTuple

BARE = """
import asyncio
from textual.app import App
from textual.widgets import Footer, Input, OptionList
class Bare(App):
    def compose(self):
        yield Input()
        yield OptionList()
        yield Footer()
async def main():
    async with Bare().run_test(size=(120, 40)) as pilot:
        await pilot.pause()
asyncio.run(main())
"""
REPEAT = 1 / 30  # seconds between two keys of one that is held
TYPED = ("harbour rope", "备份 失败", "python", "winch tide boat")
TARGETS = {"start": 3.0, "median": 10.0, "p95": 50.0}


class Row(NamedTuple):
    """One kind of key: CPU and wall milliseconds, median and 95th percentile."""

    key: str
    count: int
    cpu_ms: float
    cpu_p95_ms: float
    wall_ms: float
    wall_p95_ms: float


def main() -> int:
    """Make the items, measure, print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--items", type=int, default=100_000)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--db", type=Path, help="measure this file (a copy of it)")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--child", choices=["start", "keys"], help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.child:
        return child(options.child, options.db)
    with tempfile.TemporaryDirectory() as folder:
        for name in ("PYTHONDONTWRITEBYTECODE", "PYTHONUNBUFFERED"):
            os.environ.pop(name, None)
        os.environ["MH_HOME"] = str(Path(folder) / "home")
        path = Path(folder) / "mh.db"
        fill(path, options.items, options.db)
        me = [sys.executable, __file__, "--db", str(path), "--child"]
        starts = rounds({"empty": [sys.executable, "-c", BARE], "mh": [*me, "start"]}, options.rounds)
        answer = json.loads(subprocess.run([*me, "keys"], check=True, capture_output=True, text=True).stdout)
    rows = [Row(*row) for row in answer["rows"]]
    ratio = starts["mh"][0] / starts["empty"][0]
    if options.json:
        print(json.dumps({"items": options.items, "start": starts, "ratio": ratio, **answer}))
    else:
        print_table(options.items, starts, ratio, rows, answer)
    missed = [row.key for row in rows if row.key not in ("typing", "resting") and missed_target(row)]
    missed += ["start"] if ratio > TARGETS["start"] else []
    if missed:
        print(f"over its target: {', '.join(missed)}", file=sys.stderr)
    return 1 if missed and options.check else 0


def missed_target(row: Row) -> bool:
    """Whether a key of the list costs too much."""
    return row.cpu_ms > TARGETS["median"] or row.cpu_p95_ms > TARGETS["p95"]


def fill(path: Path, items: int, given: Path | None) -> None:
    """The file to measure: a copy of the given one, or made through the public API, without vectors."""
    if given:
        import shutil

        shutil.copy(given, path)
        return
    import random

    from memhub import Memory
    from memhub.model.result import NewNote

    words = [word for line in TYPED for word in line.split()] + [
        "kernel",
        "invoice",
        "会议",
        "lantern",
        "cache",
        "分支",
    ]
    chance = random.Random(7)
    notes = (
        NewNote(
            f"Note {n} {' '.join(chance.choices(words, k=chance.randint(5, 40)))}",
            labels=("ops",) if n % 3 == 0 else (),
            created_at=f"20{chance.randint(20, 26)}-{chance.randint(1, 11):02d}-{chance.randint(1, 28):02d}",
        )
        for n in range(items)
    )
    with Memory(path) as memory:
        for _ in memory.add_many(notes, again=True):
            pass


def rounds(commands: dict[str, list[str]], count: int) -> dict[str, tuple[float, float]]:
    """Median CPU milliseconds and peak MiB of each command, run in turns."""
    taken: dict[str, list[tuple[float, float]]] = {name: [] for name in commands}
    for number in range(count + 1):
        for name, command in commands.items():
            process = subprocess.Popen(command)
            _, status, used = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
            if process.returncode:
                raise SystemExit(f"{name} ended with {process.returncode}")
            if number:  # the first round only warms up
                taken[name].append(((used.ru_utime + used.ru_stime) * 1000, used.ru_maxrss / 1024))
    return {
        name: (statistics.median(cpu for cpu, _ in rows), max(peak for _, peak in rows)) for name, rows in taken.items()
    }


def child(what: str, path: Path) -> int:
    """What runs in a process of its own."""
    from memhub import Memory, stamp
    from memhub.config import Config
    from memhub.text.dates import Zone
    from memhub_tui.app import MhApp

    config = Config()
    app = MhApp(lambda space: Memory(path, config=config, space=space), config, Zone("UTC", stamp.now_ms()))
    asyncio.run(drive(app, what))
    return 0


async def drive(app: Any, what: str) -> None:
    """Start, and press keys when that is what is measured."""
    async with app.run_test(size=(120, 40)) as pilot:
        items = app.screen.query_one("#items")
        while not items.is_loaded:
            await pilot.pause(0.001)
        await pilot.pause()
        if what == "start":
            return
        await settle(pilot)
        rows = [await keys(pilot, "typing", [key for line in TYPED for key in (*line, *["ctrl+u"])], 0.15)]
        await pilot.press("escape")
        await settle(pilot)
        for name, pressed in (
            ("down", ["down"] * 60), ("page down", ["pagedown"] * 60), ("end, home", ["end", "home"] * 15),
            ("up from the end", ["end", *["up"] * 59]),
        ):  # fmt: skip
            rows.append(await held(pilot, name, pressed))
        rows.append(await keys(pilot, "resting", ["down"] * 20, 0.06))
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        print(json.dumps({"rows": rows, "peak_mib": peak}))


async def keys(pilot: Any, name: str, pressed: list[str], pause: float) -> Row:
    """Press one after the other, each after the one before has done all it does."""
    cpu, wall = list[float](), list[float]()
    for key in pressed:
        start_cpu, start = time.process_time(), time.perf_counter()
        await pilot.press("space" if key == " " else key)
        if pause:
            await pilot.pause(pause)
        await settle(pilot)
        cpu.append((time.process_time() - start_cpu) * 1000)
        wall.append((time.perf_counter() - start) * 1000)
    return Row(name, len(pressed), *spread(cpu), *spread(wall))


async def held(pilot: Any, name: str, pressed: list[str]) -> Row:
    """Press them as a held key does; the wall time of one is how long it kept the next one waiting."""
    cpu, wall = list[float](), list[float]()
    for key in pressed:
        start_cpu, start = time.process_time(), time.perf_counter()
        pilot.app.simulate_key(key)
        await asyncio.sleep(REPEAT)
        cpu.append((time.process_time() - start_cpu) * 1000)
        wall.append((time.perf_counter() - start - REPEAT) * 1000)
    await settle(pilot)
    return Row(name, len(pressed), *spread(cpu), *spread(wall))


async def settle(pilot: Any) -> None:
    """Until no cursor is waited for, no worker runs and no message waits."""
    await pilot.pause()
    while pilot.app.screen.rest.is_awaited:
        await asyncio.sleep(0.005)
    await pilot.app.workers.wait_for_complete(
        [
            worker
            for worker in pilot.app.workers
            if worker.group in ("list", "preview", "put") or worker.group.startswith("page")
        ]
    )
    await pilot.pause()


def spread(values: list[float]) -> tuple[float, float]:
    """Median and 95th percentile."""
    ordered = sorted(values)
    return statistics.median(ordered), ordered[int(len(ordered) * 0.95)]


def print_table(
    items: int, starts: dict[str, tuple[float, float]], ratio: float, rows: list[Row], answer: dict[str, Any]
) -> None:
    """For people."""
    print(f"{items:,} items")
    for name, (cpu, peak) in starts.items():
        print(f"start {name:6}{cpu:8.0f} ms CPU{peak:8.0f} MiB peak")
    print(f"start ratio {ratio:.2f} (target {TARGETS['start']:g})\n")
    print(f"{'key':18}{'n':>5}{'CPU ms':>9}{'p95':>8}{'wall ms':>9}{'p95':>8}")
    for row in rows:
        print(
            f"{row.key:18}{row.count:5}{row.cpu_ms:9.1f}{row.cpu_p95_ms:8.1f}{row.wall_ms:9.1f}{row.wall_p95_ms:8.1f}"
        )
    print(f"\npeak after all keys {answer['peak_mib']:.0f} MiB")


if __name__ == "__main__":
    sys.exit(main())
