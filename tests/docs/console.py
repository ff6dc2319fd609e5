"""Plays the ```console blocks of a page in a real terminal, and writes or compares what the commands answer.

python tests/docs/console.py README.md docs/scripting.md      # renew the answers shown in these pages

Lines that begin with `$ ` are commands (a line that ends with a backslash goes on), all others are their answer. The
blocks of a page share one new, empty home and one shell, 80 columns wide. A page may hold an HTML comment
`<!-- setup … -->`, whose lines are run before the first block; `$CHECKOUT` is this checkout there.
"""

import difflib
import fcntl
import os
import pty
import re
import shlex
import struct
import subprocess
import sys
import tempfile
import termios
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[2]
COLUMNS = 80
_BLOCK = re.compile(r"^```console\n(.*?)^```$", re.M | re.S)
_SETUP = re.compile(r"^<!-- setup\n(.*?)^-->$", re.M | re.S)
_MARK = "\x1f"
_ID = "[0-9a-hjkmnp-tv-z]"
_DONE = "append|duplicate|enriches|replaces|challenges|ignore|distill|leave"
_MASKS = (
    (re.compile(r"\b[0-9a-f]{64}\b"), "HASH"),
    (re.compile(r"\b[0-9a-f]{12}\b"), "HASH"),
    (re.compile(rf"\b01{_ID}{{24}}\b"), "ID"),
    (re.compile(rf"(?m)^( *(?:[a-z]+ |\[\d+\] )?){_ID}{{6,26}}(?=  \d{{4}}-\d\d-\d\d)"), r"\1ID"),
    (re.compile(rf"(?m)^([│├└─ ]*(?:← )?(?:[a-z_]+ )?){_ID}{{6,26}}(?=  .*(?:\(.*\d{{4}}-\d\d-\d\d|↑))"), r"\1ID"),
    (re.compile(rf"(?m)^( *(?:{_DONE}) +){_ID}{{6,26}}(?=  )"), r"\1ID"),
    (re.compile(rf"(?m)^(captured |known ){_ID}{{6,26}}(?=  )"), r"\1ID"),
    (re.compile(rf"(?m)^{_ID}{{6,26}}(?=  [a-z]+\.[a-z]+ )"), "ID"),
    (re.compile(rf"((?:→|--[a-z_]+--) |, ){_ID}{{6,26}}(?=[):] |\)$| )", re.M), r"\1ID"),
    (re.compile(rf"(?m)^{_ID}{{6,26}}(?= .*-->)"), "ID"),
    (re.compile(rf"((?:-->  )|…|`mh history ){_ID}{{6,26}}(?=[\s`])"), r"\1ID"),
    (re.compile(r"\d{4}-\d\d-\d\dT[\d:.]+Z"), "TIME"),
    (re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d"), "TIME"),
    (re.compile(r"(?<=  )\d{4}-\d\d-\d\d(?=  )|(?<=\()\d{4}-\d\d-\d\d(?=[,)])"), "DATE"),
    (re.compile(r"(?m)^updated +TIME\n"), ""),  # shown when it differs from `created`, by a millisecond or not
    (re.compile(r"\bsince \d{4}-\d\d-\d\d"), "since DATE"),
    (re.compile(r"/tmp/[\w./-]+"), "PATH"),
)


class Step(NamedTuple):
    """A command as typed (without `$ `) and the answer that the page shows."""

    command: str
    answer: str


def steps_of(block: str) -> list[Step]:
    """The commands of a block with their answers."""
    steps: list[Step] = []
    command, answer, goes_on = "", [], False
    for line in block.splitlines():
        if goes_on:
            command, goes_on = f"{command}\n{line}", line.endswith("\\")
        elif line.startswith("$ "):
            if command:
                steps.append(Step(command, "\n".join(answer).rstrip()))
            command, answer, goes_on = line[2:], [], line.endswith("\\")
        else:
            answer.append(line)
    return [*steps, Step(command, "\n".join(answer).rstrip())] if command else steps


def blocks_of(page: str) -> list[str]:
    """The text of every console block."""
    return _BLOCK.findall(page)


def setup_of(page: str) -> str:
    """What a page runs unseen before its first block."""
    return "".join(_SETUP.findall(page))


def masked(answer: str) -> str:
    """The answer without what differs in every run: ids, hashes, times, sizes, and where a long line was cut."""
    for pattern, word in _MASKS:
        answer = pattern.sub(word, answer)
    return answer


def difference(shown: str, got: str) -> str:
    """How an answer differs from the one shown, or nothing."""
    if masked(shown) == masked(got):
        return ""
    return "\n".join(difflib.unified_diff(shown.splitlines(), got.splitlines(), "page", "run", lineterm=""))


def play(commands: list[str], home: Path, setup: str = "") -> Iterator[str]:
    """What each command answers on a terminal of its own; the exit code is the last line when it is not 0."""
    work = home / "work"
    work.mkdir(parents=True)
    script = home / "script.sh"
    parts = [setup, "cd -- " + shlex.quote(str(work))]
    for command in commands:
        told = 'code=$?; [ $code = 0 ] || echo "[exit code $code]"'
        parts += [f"printf '{_MARK}'", command, f"{told}; printf '{_MARK}'"]
    script.write_text("\n".join(parts) + "\n", "utf-8")
    heard = _on_terminal(["bash", "--noprofile", "--norc", str(script)], work, home)
    for answer in heard.split(_MARK)[1::2]:
        yield "\n".join(_seen(line) for line in answer.strip("\n").split("\n")).rstrip()


def environment(home: Path) -> dict[str, str]:
    """A new user: empty home, plain terminal, UTC; `mh` is the one beside this Python."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("MH_", "LC_", "GIT_"))}
    return kept | {
        "MH_HOME": str(home / "mh"), "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}", "NO_COLOR": "1",
        "TERM": "xterm", "TZ": "UTC", "LC_ALL": "C.UTF-8", "LANG": "C.UTF-8", "HOME": str(home),
        "PAGER": "cat", "EDITOR": "true", "CHECKOUT": str(ROOT),
    }  # fmt: skip


def _on_terminal(command: list[str], cwd: Path, home: Path) -> str:
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, COLUMNS, 0, 0))
    variables = environment(home)
    variables.pop("COLUMNS", None)
    with subprocess.Popen(
        command, stdin=theirs, stdout=theirs, stderr=theirs, cwd=cwd, env=variables, start_new_session=True
    ) as process:
        os.close(theirs)
        heard = b""
        while True:
            try:
                piece = os.read(ours, 65536)
            except OSError:  # Linux says EIO when the last one on the other end has gone
                break
            if not piece:
                break
            heard += piece
        process.wait(60)
    os.close(ours)
    return heard.decode("utf-8", "replace").replace("\r\n", "\n")


def _seen(line: str) -> str:
    """What is left on the screen of a line that was written over, without colour."""
    return re.sub(r"\x1b\[[\d;]*[mK]", "", line.rpartition("\r")[2]).rstrip()


def renewed(page: str, answers: Iterator[str]) -> str:
    """The page with other answers in its blocks."""

    def block(found: re.Match[str]) -> str:
        lines = []
        for step in steps_of(found.group(1)):
            answer = next(answers)
            lines += ["$ " + step.command, *([answer] if answer else [])]
        return "```console\n" + "\n".join(lines) + "\n```"

    return _BLOCK.sub(block, page)


def share_model(home: Path, cache: Path) -> None:
    """Let a new home use a language model that was prepared before."""
    (home / "mh").mkdir(parents=True)
    cache.mkdir(parents=True, exist_ok=True)
    (home / "mh" / "cache").symlink_to(cache)


def main() -> None:
    """Renew the answers in the pages named."""
    for name in sys.argv[1:]:
        path = Path(name)
        page = path.read_text("utf-8")
        commands = [step.command for block in blocks_of(page) for step in steps_of(block)]
        with tempfile.TemporaryDirectory() as folder:
            home = Path(folder)
            share_model(home, ROOT / ".hypothesis" / "model-cache")
            path.write_text(renewed(page, play(commands, home, setup_of(page))), "utf-8")


if __name__ == "__main__":
    main()
