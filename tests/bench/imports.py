"""Measure bulk writes: items per CPU second, peak memory, and what a second run costs, beside reading the same bytes.

    python tests/bench/imports.py [--sessions N] [--turns N] [--notes N] [--vectors] [--json]

Makes a store of Claude Code sessions (1,000 of 100 turns), a vault of short notes (10,000) and a file of as many to add
at once in a temporary folder. Each comes in through the public API in a process of its own, then again with nothing
new, then with one new turn or note. The reference is a process that reads the same files and parses their JSON. CPU is
the user and system time of the process (wait4); ratios to the reference hold when the machine drifts. `peak_x` is the
peak memory against that with a tenth of the input. Without `--vectors` these stay pending.
"""

import argparse
import json
import os
import random
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

WORDS = (
    *(
        "harbour",
        "winch",
        "rope",
        "tide",
        "boat",
        "lantern",
        "dimmer",
        "kernel",
        "cache",
        "branch",
        "deploy",
        "invoice",
    ),
    *("数据库", "备份", "每天", "会议", "柏林", "咖啡", "编译", "失败", "修好", "分支"),
)
READ = """
import json, sys
from pathlib import Path
root = Path(sys.argv[1])
for path in [root] if root.is_file() else sorted(root.rglob("*")):
    if path.is_file():
        for line in path.read_bytes().split(b"\\n"):
            if path.suffix == ".jsonl" and line:
                json.loads(line)
"""
IMPORT = """
import sys
from memhub import Memory
with Memory() as memory:
    memory.import_(sys.argv[1], importer=sys.argv[2])
    if sys.argv[3] == "vectors":
        memory.index()
"""


ADD = """
import json, sys
from memhub import Memory
from memhub.model.result import NewNote
with Memory() as memory, open(sys.argv[1], encoding="utf-8") as lines:
    for added in memory.add_many(NewNote(**json.loads(line)) for line in lines):
        pass
    if sys.argv[3] == "vectors":
        memory.index()
"""
SETTLED_S = 2.5
"""A file that changed just before an import is read again by the next one: not what is measured here."""


class Row(NamedTuple):
    """One process: its CPU and wall seconds and peak memory."""

    cpu: float
    wall: float
    peak_mib: float


def main() -> int:
    """Make the sources, import each three times, print the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--sessions", type=int, default=1000)
    parser.add_argument("--turns", type=int, default=100)
    parser.add_argument("--notes", type=int, default=10_000)
    parser.add_argument("--vectors", action="store_true")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    for name in ("PYTHONDONTWRITEBYTECODE", "PYTHONUNBUFFERED"):
        os.environ.pop(name, None)
    mode = "vectors" if options.vectors else "words"
    sources = (
        Source("sessions", "claude-code", options.sessions, options.turns, partial(make_sessions, turns=options.turns)),
        Source("vault", "markdown", options.notes, 1, make_vault),
        Source("add_many", "", options.notes, 1, make_lines),
    )
    with tempfile.TemporaryDirectory() as folder:
        table = {source.name: measure(source, mode, Path(folder)) for source in sources}
    if options.json:
        print(json.dumps(table))
    else:
        show(table)
    return 0


class Source(NamedTuple):
    """What is brought in: `count` files or lines of `each` items, made by `make(path, count)`."""

    name: str
    importer: str
    count: int
    each: int
    make: Callable[[Path, int], None]


def measure(source: Source, mode: str, folder: Path) -> dict[str, Any]:
    """The figures of one source; `x_read` is CPU against reading the same bytes in the same minute."""
    code = IMPORT if source.importer else ADD
    ending = "" if source.importer else ".jsonl"
    small, path = folder / f"few {source.name}{ending}", folder / f"{source.name}{ending}"
    source.make(small, source.count // 10)
    source.make(path, source.count)
    time.sleep(SETTLED_S)
    os.environ["MH_HOME"] = str(folder / f"home of few {source.name}")
    tenth = run(code, str(small), source.importer, mode)
    os.environ["MH_HOME"] = str(folder / f"home of {source.name}")
    first = run(code, str(path), source.importer, mode)
    read = run(READ, str(path))
    again = run(code, str(path), source.importer, mode)
    grow(path)
    grown = run(code, str(path), source.importer, mode)
    items = source.count * source.each
    return {
        "items": items,
        "items_per_cpu_second": round(items / first.cpu),
        "x_read": round(first.cpu / read.cpu, 1),
        "peak_mib": round(first.peak_mib),
        "peak_x": round(first.peak_mib / tenth.peak_mib, 2),
        "nothing_new_x_read": round(again.cpu / read.cpu, 2),
        "one_new_x_read": round(grown.cpu / read.cpu, 2),
        "nothing_new_x_first": round(again.cpu / first.cpu, 3),
    }


def run(code: str, *argv: str) -> Row:
    """One Python process, waited for with what it took."""
    start = time.perf_counter()
    pid = os.posix_spawn(sys.executable, [sys.executable, "-c", code, *argv], os.environ)
    _, status, usage = os.wait4(pid, 0)
    if os.waitstatus_to_exitcode(status):
        raise SystemExit("a measured process failed")
    return Row(usage.ru_utime + usage.ru_stime, time.perf_counter() - start, usage.ru_maxrss / 1024)


def make_sessions(root: Path, sessions: int, *, turns: int) -> None:
    """Files as Claude Code writes them: prompts and answers with tool noise between them."""
    chance = random.Random(5)
    for number in range(sessions):
        session = f"{number:08x}-0000-4000-8000-{number:012x}"
        folder = root / "projects" / f"-srv-demo-project{number % 20}"
        folder.mkdir(parents=True, exist_ok=True)
        with open(folder / f"{session}.jsonl", "w", encoding="utf-8") as out:
            for turn in range(turns):
                out.writelines(record(session, turn, sentence(chance, 25)))
                out.write(json.dumps({"type": "progress", "data": sentence(chance, 40)}, ensure_ascii=False) + "\n")


def record(session: str, turn: int, text: str) -> list[str]:
    """One line of a session."""
    role = "assistant" if turn % 2 else "user"
    message: dict[str, Any] = {"role": role, "content": text}
    if role == "assistant":
        content = [{"type": "text", "text": text}]
        message = {"role": role, "content": content, "id": f"msg_{session}_{turn}", "stop_reason": "end_turn"}
    at = time.strftime("%Y-%m-%dT%H:%M:%S.000Z", time.gmtime(1_770_000_000 + turn * 20))
    line = {
        "type": role, "uuid": f"{session}-{turn}", "parentUuid": f"{session}-{turn - 1}" if turn else None,
        "sessionId": session, "timestamp": at, "cwd": "/srv/demo/lamp", "message": message,
    }  # fmt: skip
    return [json.dumps(line, ensure_ascii=False) + "\n"]


def make_vault(root: Path, notes: int) -> None:
    """Short notes with a heading and a label."""
    chance = random.Random(7)
    for number in range(notes):
        folder = root / f"folder{number % 100:02}"
        folder.mkdir(parents=True, exist_ok=True)
        text = f"# Note {number}\n\n{sentence(chance, 30)} #label{number % 50}\n"
        (folder / f"note {number}.md").write_text(text, encoding="utf-8")


def make_lines(path: Path, notes: int) -> None:
    """Short notes with a label, one JSON object a line."""
    chance = random.Random(7)
    with open(path, "w", encoding="utf-8") as out:
        for number in range(notes):
            note = {"content": f"Note {number} {sentence(chance, 30)} #label{number % 50}"}
            out.write(json.dumps(note, ensure_ascii=False) + "\n")


def grow(source: Path) -> None:
    """One more turn, or one more note."""
    files = sorted(source.rglob("*.jsonl"))
    if source.is_file():
        with open(source, "a", encoding="utf-8") as out:
            out.write(json.dumps({"content": "one more note about the harbour"}) + "\n")
    elif files:
        with open(files[0], "a", encoding="utf-8") as out:
            out.writelines(record(files[0].stem, 10_000, "one more question about the harbour"))
    else:
        (source / "one more.md").write_text("# One more\n\nabout the harbour\n", encoding="utf-8")


def sentence(chance: random.Random, length: int) -> str:
    """Words and numbers."""
    return " ".join(
        f"{chance.choice(WORDS)}{chance.randrange(999) if chance.random() < 0.2 else ''}" for _ in range(length)
    )


def show(table: dict[str, dict[str, Any]]) -> None:
    """The table for people."""
    columns = list(next(iter(table.values())))
    print(f"{'source':<10}" + "".join(f"{name:>22}" for name in columns))
    for source, row in table.items():
        print(f"{source:<10}" + "".join(f"{row[name]!s:>22}" for name in columns))


if __name__ == "__main__":
    sys.exit(main())
