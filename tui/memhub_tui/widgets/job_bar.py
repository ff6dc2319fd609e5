"""How far a job is, in a few characters."""

from memhub.text.clean import fit
from memhub_tui.jobs import RUNNING, Job

WIDTH = 8
STEP = 20  # columns of the name of a step


def job_bar(job: Job, width: int = WIDTH) -> str:
    """A bar and a percentage while the end is known, else a count; nothing once it is over."""
    if job.state != RUNNING:
        return ""
    if not job.total:
        return f"{job.done:,}" if job.done else "…"
    return _bar(job.done, job.total, width)


def _bar(done: int, total: int, width: int) -> str:
    full = min(done, total) * width // max(total, 1)
    return f"{'━' * full}{'─' * (width - full)} {100 * min(done, total) // max(total, 1)}%"


def job_state(job: Job) -> str:
    """The word for its state; one that was told to stop and has not yet is stopping."""
    return "stopping" if job.is_cancelled and job.state == RUNNING else job.state


def job_head(job: Job) -> str:
    """Everything that is counted of a job, in a line, over a bar, or one for each step, while it runs."""
    of = f" of {job.total:,}" if job.total and job.state == RUNNING else ""
    parts = [job_state(job), f"{job.done:,}{of}" if (job.done or of) and not job.steps else "", _took(job.seconds)]
    parts.append(f"{job.rate:,.0f} a second" if job.state == RUNNING and job.done and not job.steps else "")
    head = " · ".join(part for part in parts if part)
    if job.state == RUNNING and job.steps:
        bars = [f"{fit(name, STEP):{STEP}}  {_bar(*reached, 24)}" for name, reached in list(job.steps.items())]
        return "\n".join([head, *bars])
    return f"{head}\n{job_bar(job, 40)}" if job.state == RUNNING and job.total else head


def _took(seconds: float) -> str:
    minutes, rest = divmod(int(seconds), 60)
    return f"{minutes} min {rest} s" if minutes else f"{rest} s"
