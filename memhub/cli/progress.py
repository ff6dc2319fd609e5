"""How far long work is, on one line of a terminal: counts, a rate, and a bar where the end is known."""

import sys
import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from memhub.cli.session import Session

_EVERY = 0.1  # seconds between two looks
_CELLS = 20


class Progress:
    """One stretch of work. Used as a context: at its end the line is taken away."""

    def __init__(self, session: "Session", name: str) -> None:
        self._diagnostics = session.diagnostics
        self._name = name
        self._is_shown = is_shown(session)
        self._began = self._last = time.monotonic()

    def __enter__(self) -> "Progress":
        return self

    def __exit__(self, *_: object) -> None:
        self._diagnostics.progress("")

    def count(self, done: int, place: str = "") -> None:
        """So many of an unknown number, and where it is just now."""
        if self._is_due():
            self._diagnostics.progress(f"{self._name}: {done:,}{self._rate(done)}  {place}")

    def reach(self, done: int, total: int) -> None:
        """So many of `total`."""
        if self._is_due() or not done:
            filled = _CELLS * done // max(total, 1)
            bar = "#" * filled + "." * (_CELLS - filled)
            self._diagnostics.progress(f"{self._name}: [{bar}] {done:,} of {total:,}{self._rate(done)}")

    def _is_due(self) -> bool:
        now = time.monotonic()
        if not self._is_shown or now - self._last < _EVERY:
            return False
        self._last = now
        return True

    def _rate(self, done: int) -> str:
        return f"  {done / max(self._last - self._began, 0.001):,.0f}/s" if done else ""


def is_shown(session: "Session") -> bool:
    """Whether someone looks at standard error."""
    return not session.quiet and sys.stderr.isatty()
