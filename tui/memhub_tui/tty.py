"""Textual's driver for an app below the prompt, on the terminal itself, whatever the standard streams lead to.

So that `mh show $(mh pick)` works: Textual's own reads standard input, writes to standard error and takes the size of
the window from standard output.
"""

import os
from threading import Event
from typing import Any

from textual.app import App
from textual.driver import Driver
from textual.drivers.linux_inline_driver import LinuxInlineDriver

TERMINAL = "/dev/tty"


class TtyDriver(LinuxInlineDriver):
    """Given to an app as its `driver_class`."""

    def __init__(
        self, app: App[Any], *, debug: bool = False, mouse: bool = True, size: tuple[int, int] | None = None
    ) -> None:
        Driver.__init__(self, app, debug=debug, mouse=mouse, size=size)  # the next above asks the standard streams
        self.fileno = os.open(TERMINAL, os.O_RDWR | os.O_NOCTTY)
        self.attrs_before: list[Any] | None = None
        self.exit_event = Event()
        self._is_given_back = False
        self._terminal = open(self.fileno, "w", encoding="utf-8", closefd=False)  # noqa: SIM115 (closed in `close`)
        self._file = self._terminal

    def _get_terminal_size(self) -> tuple[int, int]:
        return os.get_terminal_size(self.fileno)

    def stop_application_mode(self) -> None:
        """Give the terminal back."""
        super().stop_application_mode()
        self._is_given_back = True

    def disable_input(self) -> None:
        """Throw away what was typed and not read; later on, what is typed is for the shell."""
        if not self._is_given_back:
            super().disable_input()

    def close(self) -> None:
        """Let go of the terminal."""
        self._terminal.close()
        os.close(self.fileno)


def has_terminal() -> bool:
    """Whether this process belongs to a terminal."""
    try:
        os.close(os.open(TERMINAL, os.O_RDWR | os.O_NOCTTY))
    except OSError:
        return False
    return True
