"""Runs every check, each by itself: what one finds or cannot read keeps no other from being made."""

from collections.abc import Callable, Iterable
from pathlib import Path

import apsw

from memhub.doctor import checks
from memhub.errors import MhError
from memhub.model.report import DoctorReport, Finding
from memhub.store import projection
from memhub.store.store import Store

_BACKUP = "keep a copy of the file, then bring back a snapshot or import an export into a new one"


def examine(path: Path, snapshots: Path, *, deep: bool = False, rebuild: bool = False) -> DoctorReport:
    """All findings about the file. `rebuild` writes the projections anew first, `deep` looks at every row."""
    findings: list[Finding] = []
    if not path.exists():
        return DoctorReport((Finding("file", True, f"`{path}` is not there yet; the first `mh add` makes it"),))
    try:
        store = Store(path, snapshots)
    except MhError as error:
        return DoctorReport((Finding("file", False, error.message, error.hint),))
    except apsw.Error as error:
        return DoctorReport((Finding("file", False, f"`{path}` cannot be read: {error}", _BACKUP),))
    try:
        form = _run("file", lambda: checks.integrity(store, deep=deep))
        findings += form
        if rebuild and all(finding.ok for finding in form):
            findings += _run("rebuild", lambda: _rebuild(store))
        for name, check in checks.CHECKS.items():
            findings += _run(name, lambda check=check: check(store))  # type: ignore[misc]
        for name, check in checks.DEEP.items() if deep else ():
            findings += _run(name, lambda check=check: check(store))  # type: ignore[misc]
    finally:
        _close(store)
    return DoctorReport(tuple(findings))


def _run(name: str, check: Callable[[], Iterable[Finding]]) -> list[Finding]:
    try:
        return list(check())
    except MhError as error:
        return [Finding(name, False, error.message, error.hint)]
    except (apsw.Error, ValueError, KeyError, TypeError, AssertionError) as error:  # damaged rows may hold anything
        return [Finding(name, False, f"could not be checked: {type(error).__name__}: {error}", _BACKUP)]


def _rebuild(store: Store) -> list[Finding]:
    with store.writing():
        projection.rebuild(store.connection)
    count = store.connection.execute("SELECT count(*) FROM item").get
    return [Finding("rebuild", True, f"derived {count} items from the log again", "`mh index` computes their vectors")]


def _close(store: Store) -> None:
    try:
        store.close()
    except apsw.Error:
        return  # nothing was written that could be lost
