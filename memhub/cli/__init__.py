"""The command line: `main` runs one command and is the only place where errors become messages and exit codes.

Nothing is imported before it is needed; a command's module loads when that command runs.
"""

import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, NoReturn

from memhub.errors import ExitCode, MhError

if TYPE_CHECKING:
    from memhub.cli.session import Session

__all__ = ["main"]


def main(argv: Sequence[str] | None = None) -> int:
    """Run `mh` with `argv` and return the exit code; without `argv` this is the process `mh`, which ends here."""
    if argv is None:
        import gc

        gc.set_threshold(50_000, 20, 50)  # a start makes some 100,000 objects and hardly any garbage
        _open_closed_streams()
        _end(main(sys.argv[1:]))
    from memhub.cli.session import Session

    session = Session(argv)
    code: int = ExitCode.DONE
    try:
        code = _run(session)
        sys.stdout.flush()
    except BrokenPipeError:
        _forget_output()
    except KeyboardInterrupt:
        code = ExitCode.INTERRUPTED
        session.diagnostics.talk("")
    except OSError as error:
        from memhub.cli.output import unwritable

        if code != ExitCode.FAILED:  # else it was said when the command met it
            code = _report(session, unwritable(error), error)
        _forget_output()
    return int(code)


def _open_closed_streams() -> None:
    """A standard stream that the caller closed (`mh list >&-`) leads nowhere, and no file of ours gets its number."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115 (open to the end)


def _end(code: int) -> NoReturn:
    """End the process without taking the interpreter apart, which costs as much as bare Python costs to start.

    Everything is closed and flushed by now. Whoever asked to be called at exit (a pool of workers, a coverage run)
    still gets the long way.
    """
    import atexit

    if sys.gettrace() is None and getattr(atexit, "_ncallbacks", lambda: 1)() == 0:
        with suppress(OSError, ValueError):
            sys.stderr.flush()
        os._exit(code)
    sys.exit(code)


def _run(session: "Session") -> int:
    try:
        from memhub.cli.app import run

        return run(session)
    except (BrokenPipeError, KeyboardInterrupt):
        raise
    except MhError as error:
        return _report(session, error, error)
    except Exception as error:  # the last line of defence: a fault of ours is one line, never a page
        return _report(session, _as_mh_error(session, error), error)
    finally:
        session.close()


def _report(session: "Session", error: MhError, cause: BaseException) -> int:
    if session.debug:
        import traceback

        session.diagnostics.write("".join(traceback.format_exception(cause)))
    if session.wants_json:
        with suppress(OSError, MhError):  # when stdout itself is what failed
            session.output.error_object(error)
            sys.stdout.flush()
    session.diagnostics.error(error)
    return error.exit_code


def _as_mh_error(session: "Session", error: Exception) -> MhError:
    from memhub.cli.app import usage_error

    known = usage_error(error) or session.database_error(error)
    if known:
        return known
    if isinstance(error, OSError) and error.strerror:
        from memhub.cli.output import unwritable

        # Files have names; without one it was the help text, which Typer writes by itself.
        return MhError(f"{error.filename}: {error.strerror}") if error.filename else unwritable(error)
    if isinstance(error, MemoryError):
        return MhError("out of memory")
    words = " ".join(str(error).split())
    return MhError(f"{type(error).__name__}: {words}" if words else type(error).__name__, "`--debug` shows where")


def _forget_output() -> None:
    """The reader has seen enough (`mh list | head -1`): not an error, and nothing is left to be flushed at exit."""
    sink = os.open(os.devnull, os.O_WRONLY)
    os.dup2(sink, sys.stdout.fileno())
    os.close(sink)
