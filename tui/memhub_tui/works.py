"""The long works that the screens start as jobs, and what each says at its end."""

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from memhub.model.digested import DigestReport, StepReport
from memhub.model.judged import JudgedSource
from memhub.model.report import ImportReport
from memhub.text.clean import one_line, terminal_safe
from memhub.workspace import Memory
from memhub_tui.jobs import Tell, Work


class Target(NamedTuple):
    """A path to bring in, and the importer that is to read it, if that was said."""

    path: str
    importer: str | None = None


class Wish(NamedTuple):
    """What an import was asked for: where from, with which labels, into which space (None: the one of the screen)."""

    targets: tuple[Target, ...]
    labels: tuple[str, ...] = ()
    space: str | None = None

    @property
    def title(self) -> str:
        """The name of the job."""
        first = self.targets[0]
        return f"import {first.importer or first.path}" if len(self.targets) == 1 else f"import {len(self.targets)}"


def targets_of(path: str) -> list[Target]:
    """A path, once for each importer: the folder of an editor holds what several of its extensions keep."""
    from memhub.paths import without_tilde
    from memhub.workspace.plugins import readers_of

    root = without_tilde(path)
    names = readers_of(Path(root)) if root.is_dir() else []
    return [Target(path, name) for name in names] if len(names) > 1 else [Target(path)]


def look(memory: Memory, wish: Wish, tell: Tell) -> list[ImportReport]:
    """What an import would bring; writes nothing."""
    return _each(memory, wish, tell, 0, dry_run=True)


def importing(wish: Wish, total: int) -> Work:
    """Bring it in; `total` is what `look` counted, so that there is a bar."""

    def work(memory: Memory, tell: Tell) -> str:
        reports = _each(memory, wish, tell, total, dry_run=False)
        waiting = memory.stats()["pending_vectors"]
        words = counts(reports)
        return f"{words}; `x` makes {waiting:,} vectors" if waiting else words

    return work


def _each(memory: Memory, wish: Wish, tell: Tell, total: int, *, dry_run: bool) -> list[ImportReport]:
    reports: list[ImportReport] = []
    before = 0
    for target in wish.targets:

        def progress(done: int, _: str, before: int = before) -> None:
            tell(before + done, max(total, before + done) if total else 0)

        report = memory.import_(
            target.path, importer=target.importer, labels=wish.labels, space=wish.space, dry_run=dry_run,
            progress=progress,
        )  # fmt: skip
        for line in faults(report):
            tell.say(line)
        before += records(report)
        tell(before, total)
        reports.append(report)
    return reports


def records(report: ImportReport) -> int:
    """How many records and conversations a report counts."""
    return report.created + report.updated + report.unchanged + report.moved


def counts(reports: Sequence[ImportReport]) -> str:
    """What came in, or would, in words."""
    numbers = {
        "new": sum(one.created for one in reports),
        "changed": sum(one.updated for one in reports),
        "unchanged": sum(one.unchanged for one in reports),
        "moved": sum(one.moved for one in reports),
        "new turns": sum(one.turns for one in reports),
        "in conflict": sum(len(one.conflicts) for one in reports),
        "gone": sum(len(one.vanished) for one in reports),
        "skipped": sum(len(one.skipped) for one in reports),
    }
    return ", ".join(f"{number:,} {name}" for name, number in numbers.items() if number) or "nothing new"


def faults(report: ImportReport) -> list[str]:
    """What could not be taken, a line each."""
    lines = [f"{one.where}: {one.why}" for one in report.skipped]
    lines += [words if words.startswith(place) else f"{place}: {words}" for place, words in report.warnings]
    lines += [f"{place}: changed here and in the file; 3 settles it" for place in report.conflicts]
    return [one_line(terminal_safe(text)) for text in lines]


def index(memory: Memory, tell: Tell) -> str:
    """Compute the vectors that are pending."""
    found = memory.index(progress=tell)
    return f"{found.done:,} vectors" + (f", {found.pending:,} pending" if found.pending else "")


def judge(memory: Memory, tell: Tell) -> str:
    """Work off the queue."""
    report = memory.judge(progress=lambda done, total, _: tell(done, total))
    _say(report.judged, tell)
    stopped = f"; stopped by {report.stopped}" if report.stopped else ""
    cost = f" for {report.cost:.4f} $" if report.cost else ""
    return f"{len(report.judged):,} judged, {report.waiting:,} waiting{cost}{stopped}"


def digesting(*, every_space: bool) -> Work:
    """Find what many items have in common, in every space or in the memory's own."""

    def work(memory: Memory, tell: Tell) -> str:
        names = {space.id: space.name for space in memory.spaces()}
        several = every_space and len(names) > 1

        def named(space: str, step: str) -> str:
            return one_line(terminal_safe(f"{names[space]}: {step}" if several else step))

        def progress(space: str, step: str, done: int, total: int) -> None:
            tell.step(named(space, step), done, total)

        report = memory.digest(every_space=every_space, progress=progress)
        for step in report.steps:
            if not step.is_idle:
                tell.say(f"{named(step.space, step.step)}: {one_line(terminal_safe(_came_of(step)))}")
        return _of_digest(report)

    return work


def _came_of(step: StepReport) -> str:
    found = ((len(step.new), "new"), (len(step.renewed), "renewed"), (len(step.dropped), "dropped"))
    parts = [f"{count:,} {word}" for count, word in found if count]
    return "; ".join([*([", ".join(parts)] if parts else []), *([f"{step.error}; it waits"] if step.error else [])])


def _of_digest(report: DigestReport) -> str:
    """What came of it, all steps together."""
    sums = {
        "new": sum(len(step.new) for step in report.steps),
        "renewed": sum(len(step.renewed) for step in report.steps),
        "dropped": sum(len(step.dropped) for step in report.steps),
        "steps pending": report.pending,
    }
    words = ", ".join(f"{count:,} {name}" for name, count in sums.items() if count) or "nothing new to digest"
    return words + (f" for {report.cost:.4f} $" if report.cost else "")


def distilling(threads: Sequence[str], level: str) -> Work:
    """Draw what is worth keeping from conversations."""

    def work(memory: Memory, tell: Tell) -> str:
        report = memory.distill(threads, level=level, progress=lambda done, total, _: tell(done, total))
        for one in report.threads:
            verdict = "worth it" if one.is_worth else "not worth it"
            tell.say(one_line(terminal_safe(f"{one.title}: {verdict} ({one.reason})")))
        judged = report.judged.judged if report.judged else ()
        _say(judged, tell)
        drawn = sum(len(source.results) for source in judged)
        left = sum(not one.is_worth for one in report.threads)
        return f"{drawn:,} statements" + (f"; {left:,} conversations not worth it" if left else "")

    return work


def _say(judged: Sequence[JudgedSource], tell: Tell) -> None:
    for source in judged:
        if source.error:
            tell.say(one_line(terminal_safe(f"{source.title or source.source}: {source.error}; it waits")))
        for result in source.results:
            tell.say(one_line(terminal_safe(f"{result.action}: {result.text} ({result.difference or result.reason})")))
