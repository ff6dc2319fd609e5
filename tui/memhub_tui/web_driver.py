"""Textual's driver for an app in a browser's tab; when the tab or the server is gone, the app leaves as after `q`.

So what is being typed is kept as a draft, and no app is left behind by a server that was killed.
"""

import os
from contextlib import suppress
from typing import Any

from textual.app import App
from textual.drivers.web_driver import WebDriver
from textual.messages import ExitApp

PATIENCE = 2.0  # seconds from `q` to the end, whatever the app has to ask


class TabDriver(WebDriver):
    """Named by `memhub_tui.web` to the app that it starts."""

    def __init__(
        self, app: App[Any], *, debug: bool = False, mouse: bool = True, size: tuple[int, int] | None = None
    ) -> None:
        super().__init__(app, debug=debug, mouse=mouse, size=size)
        self._write = self._write_if_read  # type: ignore[assignment]

    def _write_if_read(self, data: bytes) -> int:
        with suppress(BrokenPipeError):
            while data:
                data = data[os.write(self.fileno, data) :]
        return 0

    def on_meta(self, packet_type: str, payload: dict[str, object]) -> None:
        """What the server says beside the keys."""
        if packet_type == "quit":
            self._leave()
        else:
            super().on_meta(packet_type, payload)

    def run_input_thread(self) -> None:
        """Read until the app ends, or the server is gone."""
        super().run_input_thread()
        if not self.exit_event.is_set():
            self._leave()

    def _leave(self) -> None:
        """Leave as after `q`, but do not stay for a question that nobody sees any more."""
        self._app.call_later(self._app.run_action, "quit")
        if not self.exit_event.wait(PATIENCE):
            self._app.post_message(ExitApp())
