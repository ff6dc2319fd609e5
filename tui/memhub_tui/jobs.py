"""Long work inside the app: each job in a thread with a `Memory` of its own, with progress, and a way to stop it."""

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import count

from memhub.workspace import Memory
from memhub_tui.errors import words_of

Tell = Callable[[int, int], None]
Work = Callable[[Memory, Tell], str]
RUNNING, DONE, FAILED, CANCELLED = "running", "done", "failed", "cancelled"


class _Cancelled(BaseException):
    """Raised in the job's thread; not an Exception, so that nothing on the way takes it for a failure."""


@dataclass
class Job:
    """One piece of work. `total` is 0 while it is not known."""

    id: str
    title: str
    state: str = RUNNING
    done: int = 0
    total: int = 0
    message: str = ""
    started: float = field(default_factory=time.monotonic)
    is_cancelled: bool = False


class Jobs:
    """All jobs of this run of the app, the newest first. `changed` is called in the job's thread."""

    def __init__(self, make: Callable[[], Memory], changed: Callable[[], None]) -> None:
        self._make = make
        self._changed = changed
        self._numbers = count(1)
        self.all: list[Job] = []

    @property
    def running(self) -> list[Job]:
        """Those that are not over."""
        return [job for job in self.all if job.state == RUNNING]

    def start(self, title: str, work: Work) -> Job:
        """Begin; `work` gets a memory and a function to tell `(done, total)`, and answers with a line for people."""
        job = Job(f"job-{next(self._numbers)}", title)
        self.all.insert(0, job)
        threading.Thread(target=self._run, args=(job, work), name=f"mh-{job.id}", daemon=True).start()
        self._changed()
        return job

    def cancel(self, job: Job) -> None:
        """Stop it the next time it tells how far it is; what was written stays."""
        job.is_cancelled = True
        self._changed()

    def _run(self, job: Job, work: Work) -> None:
        def tell(done: int, total: int = 0) -> None:
            job.done, job.total = done, total
            if job.is_cancelled:
                raise _Cancelled
            self._changed()

        try:
            with self._make() as memory:
                job.message = work(memory, tell)
            job.state = DONE
        except _Cancelled:
            job.state, job.message = CANCELLED, f"stopped after {job.done:,}; what is done stays"
        except Exception as error:  # whatever it was, the screen goes on and says so
            job.state, job.message = FAILED, ": ".join(part for part in words_of(error) if part)
        self._changed()
