"""A walk through the app in a real terminal: what a person would type, and what stands on the screen afterwards."""

import shutil
import subprocess
import sys
import time
import warnings
from collections.abc import Iterator
from pathlib import Path

import pytest

from memhub import Memory
from memhub.text.clean import display_width

pytestmark = pytest.mark.slow
SIZES = {"80x24": (80, 24), "200x50": (200, 50)}


class Terminal:
    """A window of tmux, on a server of its own."""

    def __init__(self, folder: Path, size: tuple[int, int], *command: str) -> None:
        self._tmux = ["tmux", "-S", str(folder / "tmux"), "-f", "/dev/null"]
        self.width, self.height = size
        self._run("new-session", "-d", "-x", str(size[0]), "-y", str(size[1]), *command)

    def _run(self, *words: str) -> str:
        return subprocess.run([*self._tmux, *words], check=True, capture_output=True, text=True).stdout

    def keys(self, *keys: str) -> None:
        """Press keys by their names."""
        for key in keys:
            self._run("send-keys", key)

    def type(self, text: str) -> None:
        """Type a text."""
        self._run("send-keys", "-l", text)

    def screen(self) -> list[str]:
        """The lines of the window."""
        return self._run("capture-pane", "-p").split("\n")[: self.height]

    def wait(self, *words: str, gone: str = "") -> list[str]:
        """The screen, once all words stand on it and `gone` does not."""
        end = time.monotonic() + 60
        while True:
            lines = self.screen()
            text = "\n".join(lines)
            if all(word in text for word in words) and not (gone and gone in text):
                assert all(display_width(line) <= self.width for line in lines)
                return lines
            assert time.monotonic() < end, f"{words} not on the screen:\n{text}"
            time.sleep(0.1)

    def close(self) -> None:
        """End it and what runs in it."""
        subprocess.run([*self._tmux, "kill-server"], check=False, capture_output=True)


@pytest.fixture(params=SIZES)
def terminal(request: pytest.FixtureRequest, memory: Memory, tmp_path: Path) -> Iterator[Terminal]:
    """`mh tui` in a window."""
    if not shutil.which("tmux"):
        warnings.warn("tmux is not installed: the walk through a real terminal was skipped", UserWarning, stacklevel=1)
        pytest.skip("needs tmux")
    old = memory.add("The gate code is 4711").item.id
    memory.link(memory.add("The gate code is 4712").item.id, "challenges", old)
    opened = Terminal(
        tmp_path, SIZES[request.param], "env", "-u", "COLUMNS", "-u", "LINES", "TERM=tmux-256color", "LC_ALL=C.UTF-8",
        sys.executable, "-m", "memhub", "tui", "--db", str(memory.path),
    )  # fmt: skip
    yield opened
    opened.close()


def test_add_find_edit_label_resolve_undo_quit(terminal: Terminal, memory: Memory) -> None:
    terminal.wait("1 Browse", "7 items", "Anna prefers green tea")
    terminal.keys("Escape")
    time.sleep(0.5)  # a lone escape is told from the beginning of a sequence by what does not follow
    terminal.keys("n")
    terminal.wait("Save", "title (may be left out)")
    terminal.type("Bread: feed the starter in the evening 面包")
    terminal.keys("C-s")
    terminal.wait("8 items", "Bread: feed the starter")
    terminal.keys("/")
    terminal.type("starter")
    terminal.wait("1 item", "面包")
    terminal.keys("Escape")
    time.sleep(0.5)
    terminal.keys("e")
    terminal.wait("Save", "面包", gone="Open")
    terminal.keys("End")
    terminal.type(" and the oven")
    terminal.keys("C-s")
    terminal.wait("and the oven", gone="title (may be left out)")
    terminal.keys("l")
    terminal.wait("find or make a label")
    terminal.type("kitchen")
    terminal.keys("Enter", "C-s")
    terminal.wait("#kitchen", gone="find or make a label")
    terminal.keys("3")
    terminal.wait("3 Review", "4711", "4712", "1 to settle")
    terminal.keys("n")
    terminal.wait("Nothing needs you", "0 to settle")
    terminal.keys("u")
    terminal.wait("1 to settle", "4711")
    terminal.keys("1")
    terminal.wait("1 Browse", "#kitchen")
    terminal.keys("q")
    end = time.monotonic() + 20
    bread = memory.list(limit=1)[0]
    assert (bread.content, bread.labels) == ("Bread: feed the starter in the evening 面包 and the oven", ("kitchen",))
    while True:
        try:
            terminal.screen()
        except subprocess.CalledProcessError:
            return  # the window closed with the program
        assert time.monotonic() < end
        time.sleep(0.1)
