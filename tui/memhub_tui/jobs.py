"""Long work inside the app: each job in a thread with a `Memory` of its own, with progress, and a way to stop it."""

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import count

from memhub.errors import ConflictError
from memhub.workspace import Memory
from memhub_tui.errors import words_of

RUNNING, DONE, FAILED, CANCELLED = "running", "done", "failed", "cancelled"
MOST_LINES = 1000
PATIENCE = 5.0  # seconds that the app waits at its end for jobs to stop


class _Cancelled(BaseException):
    """Raised in the job's thread; not an Exception, so that nothing on the way takes it for a failure."""


@dataclass
class Job:
    """One piece of work. `total` is 0 while it is not known; `lines` are what it told on the way.

    Of work in steps, `steps` are how far each came, and `done` and `total` are those of `step`.
    """

    id: str
    title: str
    state: str = RUNNING
    done: int = 0
    total: int = 0
    message: str = ""
    lines: list[str] = field(default_factory=list)
    step: str = ""
    steps: dict[str, tuple[int, int]] = field(default_factory=dict)
    started: float = field(default_factory=time.monotonic)
    ended: float | None = None
    is_cancelled: bool = False
    is_told: bool = False  # its end was told, or whoever began it looks on

    @property
    def seconds(self) -> float:
        """How long it has run."""
        return max((self.ended or time.monotonic()) - self.started, 0.001)

    @property
    def rate(self) -> float:
        """What it does in a second."""
        return self.done / self.seconds


class Tell:
    """What a job's work calls to say how far it is."""

    def __init__(self, job: Job, changed: Callable[[], None]) -> None:
        self._job = job
        self._changed = changed

    def __call__(self, done: int, total: int = 0) -> None:
        """So many of so many. A job that was cancelled ends here."""
        self._job.done, self._job.total = done, total
        if self._job.is_cancelled:
            raise _Cancelled
        self._changed()

    def step(self, name: str, done: int, total: int) -> None:
        """So many of so many of a step of the work."""
        self._job.step = name
        self._job.steps[name] = done, total
        self(done, total)

    def say(self, line: str) -> None:
        """Add a line to what it told; the last ones are kept."""
        self._job.lines.append(line)
        del self._job.lines[:-MOST_LINES]
        self._changed()


Work = Callable[[Memory, Tell], str]


class Jobs:
    """All jobs of this run of the app, the newest first. `changed` is called in the job's thread."""

    def __init__(self, make: Callable[[], Memory], changed: Callable[[], None]) -> None:
        self._make = make
        self._changed = changed
        self._numbers = count(1)
        self._threads: list[threading.Thread] = []
        self.all: list[Job] = []

    @property
    def running(self) -> list[Job]:
        """Those that are not over."""
        return [job for job in self.all if job.state == RUNNING]

    def start(self, title: str, work: Work, *, is_single: bool = False) -> Job:
        """Begin; `work` gets a memory and a `Tell`, and answers with a line for people.

        Of what `is_single` only one of its title runs at a time: a second is refused with `ConflictError`.
        """
        if is_single and any(job.title == title for job in self.running):
            raise ConflictError(f"{title} is running already", "5 shows how far it is")
        job = Job(f"job-{next(self._numbers)}", title)
        self.all.insert(0, job)
        thread = threading.Thread(target=self._run, args=(job, work), name=f"mh-{job.id}", daemon=True)
        self._threads = [one for one in self._threads if one.is_alive()] + [thread]
        thread.start()
        self._changed()
        return job

    def cancel(self, job: Job) -> None:
        """Stop it the next time it tells how far it is; what was written stays."""
        job.is_cancelled = True
        self._changed()

    def forget(self, job: Job) -> None:
        """Take one that is over off the list."""
        if job.state != RUNNING:
            self.all.remove(job)
            self._changed()

    def stop(self, seconds: float = PATIENCE) -> None:
        """Cancel everything, and wait for it: a commit that was begun is finished."""
        for job in self.running:
            self.cancel(job)
        end = time.monotonic() + seconds
        for thread in self._threads:
            thread.join(max(end - time.monotonic(), 0))

    def _run(self, job: Job, work: Work) -> None:
        tell = Tell(job, self._changed)
        try:
            with self._make() as memory:
                message, state = work(memory, tell), DONE
        except _Cancelled:
            message, state = f"stopped after {job.done:,}; what is done stays", CANCELLED
        except Exception as error:  # whatever it was, the screen goes on and says so
            message, state = ": ".join(part for part in words_of(error) if part), FAILED
        job.message, job.ended = message, time.monotonic()
        job.state = state  # last: whoever sees that it is over sees the rest, too
        self._changed()
