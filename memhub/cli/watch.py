"""`mh import --watch`: bring in once what is there, then what is new as it is written, until someone ends it."""

import signal
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from memhub.cli.output import as_record
from memhub.errors import ExitCode, MhError, StoreError, UnavailableError

if TYPE_CHECKING:
    from memhub.cli.session import Session
    from memhub.model.report import ImportReport

_SLICE = 100  # vectors made at one go, about 0.1 s, so that what is written meanwhile waits no longer
Bring = Callable[[str, str | None], "ImportReport"]


class _Terminated(KeyboardInterrupt):
    """The system asked the program to end."""


def watch(
    session: "Session",
    roots: Mapping[Path, Sequence[str | None]],
    bring: Bring,
    to_text: "Callable[[ImportReport], str]",
    *,
    with_vectors: bool,
) -> None:
    """Import each root, by the importers named for it, whenever it changes. Ctrl-C ends it with 130, SIGTERM with 0."""
    session.memory.follow("watch")
    terminated = False

    def terminate(*_: object) -> None:
        nonlocal terminated
        terminated = True
        raise _Terminated

    with _on_terminate(terminate):
        try:
            _follow(session, roots, bring, to_text, with_vectors)
        except KeyboardInterrupt:
            if sys.stderr.isatty() and not terminated:
                session.diagnostics.write("\n")  # after the `^C` that the terminal shows
            session.diagnostics.notice("no longer watching")
            session.exit_code = ExitCode.DONE if terminated else ExitCode.INTERRUPTED


def _follow(
    session: "Session",
    roots: Mapping[Path, Sequence[str | None]],
    bring: Bring,
    to_text: "Callable[[ImportReport], str]",
    with_vectors: bool,
) -> None:
    from memhub.tasks.watching import changes

    is_first, failed = True, ""
    again: list[Path] = []
    for touched in changes(list(roots), session.memory.path):
        for root in dict.fromkeys((*touched, *again)):
            try:
                reports = [bring(str(root), name) for name in roots[root]]
            except MhError as error:
                if is_first:
                    raise
                if error.message != failed:  # the store is tried again and again, and the trouble told once
                    session.diagnostics.error(error)
                again, failed = [*again, root], error.message
                continue
            again = [other for other in again if other != root]
            for report in reports:
                if is_first or report.created or report.updated or report.moved:
                    session.output.thing(report, as_record, to_text)
                    sys.stdout.flush()
        if is_first:
            with_vectors = with_vectors and _opened_engine(session)
            several = "" if len(roots) == 1 else "s"
            session.diagnostics.notice(f"watching {len(roots)} source{several}; Ctrl-C ends it")
            is_first = False
        elif with_vectors and not touched:
            _complete(session)


def _opened_engine(session: "Session") -> bool:
    """Whether vectors can be made. To find out takes a second, which nothing new should have to wait for."""
    try:
        session.memory.engine()
    except UnavailableError as error:
        session.diagnostics.notice(f"{error.message}; words find what comes in")
        return False
    return True


def _complete(session: "Session") -> None:
    """Make some of the vectors that wait."""
    from memhub.tasks.index import drain, waiting

    store = session.memory.store
    with suppress(StoreError):  # in use by another program; later, then
        if waiting(store):
            drain(store, session.memory.engine(), limit=_SLICE)


@contextmanager
def _on_terminate(handle: Callable[..., None]) -> Iterator[None]:
    before = signal.signal(signal.SIGTERM, handle)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)
