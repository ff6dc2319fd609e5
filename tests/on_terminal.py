"""A process on a terminal of its own, as when a person started it."""

import fcntl
import os
import re
import select
import signal
import struct
import subprocess
import termios
import time
from collections.abc import Mapping, Sequence
from typing import Any

_CODES = re.compile(r"\x1b(\[[0-9;?<>=]*[ -/]*[@-~]|\][^\x07\x1b]*(\x07|\x1b\\)|[()][A-Z0-9]|[=>78cDEHM])")


class OnTerminal:
    """Use it in a `with`; at its end the process is killed if it is still there.

    stdin, stdout and stderr are the terminal, unless `streams` leads them elsewhere.
    """

    def __init__(
        self,
        argv: Sequence[str],
        *,
        env: Mapping[str, str] | None = None,
        size: tuple[int, int] = (24, 80),
        **streams: Any,
    ) -> None:
        self._main, side = os.openpty()
        fcntl.ioctl(side, termios.TIOCSWINSZ, struct.pack("HHHH", *size, 0, 0))
        self.process = subprocess.Popen(
            argv, env={**os.environ, **(env or {})}, start_new_session=True,
            preexec_fn=lambda: fcntl.ioctl(side, termios.TIOCSCTTY, 0),
            **{"stdin": side, "stdout": side, "stderr": side, **streams},
        )  # fmt: skip
        os.close(side)
        self._seen = b""

    def __enter__(self) -> "OnTerminal":
        return self

    def __exit__(self, *_: object) -> None:
        if self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
        for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
            if stream is not None:
                stream.close()
        os.close(self._main)

    def type(self, keys: str) -> None:
        """Press keys. What was shown before is forgotten."""
        self._seen = b""
        os.write(self._main, keys.encode())

    @property
    def shown(self) -> str:
        """What was written since the last key, without the codes that place and paint it."""
        return _CODES.sub("", self._seen.decode("utf-8", "replace"))

    def wait_for(self, words: str, seconds: float = 120) -> None:
        """Until something is shown."""
        end = time.monotonic() + seconds
        while words not in self.shown:
            assert time.monotonic() < end, f"{words!r} was not shown, but:\n{self.shown[-3000:]}"
            self._read()

    def wait_until_left(self, seconds: float = 120) -> None:
        """Until an app has given the terminal back: what is typed from now on goes to the shell again."""
        end = time.monotonic() + seconds
        while b"\x1b[?1004l" not in self._seen:
            assert time.monotonic() < end, f"the app did not end:\n{self.shown[-3000:]}"
            self._read()

    def wait(self, seconds: float = 120) -> int:
        """Until the process ends; its exit code."""
        end = time.monotonic() + seconds
        while (code := self.process.poll()) is None:
            assert time.monotonic() < end, f"it did not end:\n{self.shown[-3000:]}"
            self._read()
        return code

    def _read(self) -> None:
        if select.select([self._main], [], [], 0.05)[0]:
            try:
                self._seen += os.read(self._main, 65536)
            except OSError:  # the other side is closed
                time.sleep(0.01)
