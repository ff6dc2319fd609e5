"""Does something once the cursor of a list rests: what a held key passes over is neither read nor drawn."""

from collections.abc import Callable
from time import monotonic

from textual.message_pump import MessagePump
from textual.timer import Timer

STEP, ROW = 0.05, 0.12  # seconds to wait after one step, and after some in a row


class Rest:
    """Waits with the timers of `owner`, which end with it."""

    def __init__(self, owner: MessagePump) -> None:
        self._owner = owner
        self._timer: Timer | None = None
        self._moved_at = 0.0

    @property
    def is_awaited(self) -> bool:
        """Whether there is something to do yet."""
        return self._timer is not None

    def then(self, work: Callable[[], object]) -> None:
        """The cursor moved; do `work` when it stays there, in place of what was to be done before."""
        before, self._moved_at = self._moved_at, monotonic()
        if self._timer is not None:
            self._timer.stop()

        def rested() -> None:
            self._timer = None
            work()

        self._timer = self._owner.set_timer(ROW if self._moved_at - before < ROW else STEP, rested)
