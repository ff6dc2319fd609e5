"""Measure imports: items per CPU second, peak memory, and what a second run costs, beside reading the same bytes.

    python tests/bench/imports.py [--sessions N] [--turns N] [--notes N] [--vectors] [--json]

Makes a store of Claude Code sessions (1,000 of 100 turns) and a vault of short notes (10,000) in a temporary folder.
Each is imported through the public API in a process of its own, then again with nothing new, then with one new turn or
note. The reference is a process that reads the same files and parses their JSON. CPU is the user and system time of the
process (wait4); ratios to the reference hold when the machine drifts. Without `--vectors` these stay pending.
"""

import argparse
import json
import os
import random
import sys
import tempfile
import time
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
for path in sorted(Path(sys.argv[1]).rglob("*")):
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
    with tempfile.TemporaryDirectory() as folder:
        chats, vault = Path(folder) / "claude", Path(folder) / "vault"
        make_sessions(chats, options.sessions, options.turns)
        make_vault(vault, options.notes)
        mode = "vectors" if options.vectors else "words"
        table = {
            "sessions": measure(chats, "claude-code", mode, options.sessions * options.turns, Path(folder) / "one"),
            "vault": measure(vault, "markdown", mode, options.notes, Path(folder) / "two"),
        }
    if options.json:
        print(json.dumps(table))
    else:
        show(table)
    return 0


def measure(source: Path, importer: str, mode: str, items: int, home: Path) -> dict[str, Any]:
    """The figures of one source; `x_read` is CPU against reading the same bytes in the same minute."""
    os.environ["MH_HOME"] = str(home)
    first = run(IMPORT, str(source), importer, mode)
    read = run(READ, str(source))
    again = run(IMPORT, str(source), importer, mode)
    grow(source)
    grown = run(IMPORT, str(source), importer, mode)
    return {
        "items": items,
        "items_per_cpu_second": round(items / first.cpu),
        "x_read": round(first.cpu / read.cpu, 1),
        "peak_mib": round(first.peak_mib),
        "nothing_new_x_read": round(again.cpu / read.cpu, 2),
        "one_new_x_read": round(grown.cpu / read.cpu, 2),
        "nothing_new_wall_s": round(again.wall, 2),
    }


def run(code: str, *argv: str) -> Row:
    """One Python process, waited for with what it took."""
    start = time.perf_counter()
    pid = os.posix_spawn(sys.executable, [sys.executable, "-c", code, *argv], os.environ)
    _, status, usage = os.wait4(pid, 0)
    if os.waitstatus_to_exitcode(status):
        raise SystemExit("a measured process failed")
    return Row(usage.ru_utime + usage.ru_stime, time.perf_counter() - start, usage.ru_maxrss / 1024)


def make_sessions(root: Path, sessions: int, turns: int) -> None:
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


def grow(source: Path) -> None:
    """One more turn, or one more note."""
    files = sorted(source.rglob("*.jsonl"))
    if files:
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
