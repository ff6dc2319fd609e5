"""The one place where an error of the core becomes words on the screen."""

from textual.message import Message
from textual.message_pump import MessagePump
from textual.worker import Worker, WorkerState

from memhub.errors import MhError


class Failed(Message):
    """Something could not be done."""

    def __init__(self, error: BaseException) -> None:
        super().__init__()
        self.error = error


class ReportsErrors(MessagePump):
    """For screens and widgets that start workers: an error in one is told, and nothing else stops."""

    def on_worker_state_changed(self, event: Worker.StateChanged) -> None:
        """Tell what a worker failed with."""
        if event.state is WorkerState.ERROR and event.worker.error is not None:
            self.app.post_message(Failed(event.worker.error))


def words_of(error: BaseException) -> tuple[str, str]:
    """What to say about an error: title and words."""
    if isinstance(error, MhError):
        return error.message, error.hint or ""
    return f"{type(error).__name__}: {error}", "this is a fault of mh"
