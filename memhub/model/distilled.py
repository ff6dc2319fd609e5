"""What distilling answers: which conversations were looked into and why, and what came of them."""

from dataclasses import dataclass

from memhub.model.judged import JudgeReport

LEVELS = ("swift", "guided", "full")


@dataclass(frozen=True)
class Triaged:
    """One conversation: how many turns were new, how many words of them the user's own, whether it is worth it, why."""

    thread: str
    title: str
    turns: int
    words: int
    is_worth: bool
    reason: str


@dataclass(frozen=True)
class DistillReport:
    """`judged` is what came of the conversations that are worth it (what would, unless `saved`); None without any."""

    level: str
    saved: bool
    threads: tuple[Triaged, ...]
    judged: JudgeReport | None = None
