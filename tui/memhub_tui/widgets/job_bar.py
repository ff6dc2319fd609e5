"""How far a job is, in a few characters."""

from memhub_tui.jobs import RUNNING, Job

WIDTH = 8


def job_bar(job: Job) -> str:
    """A bar and a percentage while the end is known, else a count; nothing once it is over."""
    if job.state != RUNNING:
        return ""
    if not job.total:
        return f"{job.done:,}" if job.done else "…"
    done = min(job.done, job.total)
    full = done * WIDTH // job.total
    return f"{'━' * full}{'─' * (WIDTH - full)} {100 * done // job.total}%"
