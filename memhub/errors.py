"""The one family of errors, and the exit code of each kind."""

from enum import IntEnum


class ExitCode(IntEnum):
    """What `mh` tells the calling program; `mh help exit-codes` prints this table."""

    DONE = 0
    FAILED = 1
    USAGE = 2
    NOT_FOUND = 3
    CONFLICT = 4
    UNAVAILABLE = 5
    PARTIAL = 6
    INTERRUPTED = 130


EXIT_CODE_WORDS = {
    ExitCode.DONE: "done (also a search that found nothing)",
    ExitCode.FAILED: "failed",
    ExitCode.USAGE: "the command line or the configuration is wrong",
    ExitCode.NOT_FOUND: "no such item, thread, space or operation",
    ExitCode.CONFLICT: "something changed meanwhile, or the request contradicts what is there",
    ExitCode.UNAVAILABLE: "a model, key or service is not available",
    ExitCode.PARTIAL: "done in part: some records were skipped, each was named",
    ExitCode.INTERRUPTED: "interrupted",
}


class MhError(Exception):
    """Something the user can act on: what happened to which thing, and what to do next."""

    code = "failed"
    exit_code = ExitCode.FAILED

    def __init__(self, message: str, hint: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint


class UsageError(MhError):
    """A value that cannot be meant: absurd flags, unreadable dates, unknown settings."""

    code = "usage"
    exit_code = ExitCode.USAGE


class AmbiguousError(UsageError):
    """A short id that fits several things."""

    code = "ambiguous"


class NotFoundError(MhError):
    """The named item, thread, space, label or operation does not exist."""

    code = "not_found"
    exit_code = ExitCode.NOT_FOUND


class ConflictError(MhError):
    """The ground moved under the request, or the request cannot be undone."""

    code = "conflict"
    exit_code = ExitCode.CONFLICT


class UnavailableError(MhError):
    """A model, a key or a service that is needed cannot be had."""

    code = "unavailable"
    exit_code = ExitCode.UNAVAILABLE


class StoreError(MhError):
    """The file cannot be opened, read or written."""

    code = "store"


class NewerStoreError(StoreError):
    """The file was written by a later mh than this one."""

    code = "newer_store"
