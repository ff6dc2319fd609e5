"""How long to wait for a call and how often to try again."""

import threading
from collections.abc import Callable
from typing import TypeVar

from memhub.llm.call import ModelError
from memhub.llm.failures import PASSING

_T = TypeVar("_T")

FIRST_PAUSE = 1.0
LONGEST_PAUSE = 30.0
"""Seconds. A service that asks for a longer pause is not waited for: the failure says when to come back."""


def within(seconds: float, call: Callable[[], _T]) -> _T:
    """What `call` returns. Raises TimeoutError after `seconds`, even when the other side keeps the line busy.

    The time limits of HTTP clients count from the last byte, so that a server that sends a space now and then would
    never be given up. The thread of an abandoned call dies with the process, or when the other side hangs up.
    """
    done = threading.Event()
    result: list[_T] = []
    failed: list[BaseException] = []

    def run() -> None:
        try:
            result.append(call())
        except BaseException as error:
            failed.append(error)
        done.set()

    threading.Thread(target=run, name="model call", daemon=True).start()
    if not done.wait(seconds):
        raise TimeoutError(f"no answer within {seconds:g} seconds")
    if failed:
        raise failed[0]
    return result[0]


def persist(attempt: Callable[[], _T], retries: int, sleep: Callable[[float], object]) -> _T:
    """What `attempt` returns, tried again up to `retries` times after failures that may pass: after 1, 2, 4 … seconds,
    or when the service said."""
    pause = FIRST_PAUSE
    for left in range(retries, -1, -1):
        try:
            return attempt()
        except ModelError as error:
            wait = pause if error.retry_after is None else error.retry_after
            if error.kind not in PASSING or not left or wait > LONGEST_PAUSE:
                raise
            sleep(wait)
            pause = min(pause * 2, LONGEST_PAUSE)
    raise AssertionError("unreachable")
