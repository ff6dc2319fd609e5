"""What an exception of the provider means: told by its shape, so that nothing here imports the provider's code."""

from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

from memhub.llm.call import ModelError
from memhub.llm.settings import Settings
from memhub.stamp import now_ms

PASSING = ("busy", "server", "unreachable")
"""Kinds of failure that may be over a moment later."""

_UNREACHABLE = (
    "connection error",
    "connection refused",
    "cannot connect",
    "name or service not known",
    "all connection",
)
_BY_STATUS = {401: "key", 402: "key", 403: "key", 404: "model", 408: "timeout", 413: "length", 429: "busy"}


def failure(error: Exception, settings: Settings) -> ModelError:
    """The error for the user, with what to do about it."""
    kind = kind_of(error)
    words = _words(error)
    where = settings.base_url or "its provider"
    message, hint = {
        "busy": (f"{settings.model} has too much to do: {words}", "try later; what is asked for keeps waiting"),
        "timeout": (
            f"{settings.model} gave no answer within {settings.timeout} seconds",
            "`mh config set llm.timeout 300` waits longer",
        ),
        "unreachable": (f"{settings.model} cannot be reached at {where}: {words}", "is the server running?"),
        "key": (f"{where} refused the key for {settings.model}: {words}", "`mh key set NAME` stores another key"),
        "model": (f"{where} has no model {settings.model}: {words}", "`mh config set llm.model NAME` chooses another"),
        "length": (
            f"the text is longer than {settings.model} reads: {words}",
            "`mh config set extract.window 4000` sends shorter pieces, `mh config set judge.batch 2` fewer questions",
        ),
        "server": (f"{settings.model} failed: {words}", "try later; what is asked for keeps waiting"),
        "request": (f"{settings.model} refused the request: {words}", None),
    }[kind]
    return ModelError(message, hint, kind=kind, retry_after=retry_after(error))


def kind_of(error: Exception) -> str:
    """One of the kinds of `ModelError`. A refused connection comes as an internal error of the server."""
    if type(error).__name__ == "ContextWindowExceededError":
        return "length"
    words = str(error).lower()
    status = getattr(error, "status_code", None)
    if isinstance(error, TimeoutError) or type(error).__name__ == "Timeout":
        return "timeout"
    if isinstance(error, ConnectionError) or any(sign in words for sign in _UNREACHABLE):
        return "unreachable"
    if status in _BY_STATUS:
        return _BY_STATUS[status]
    if isinstance(status, int) and 400 <= status < 500:
        return "request"
    return "server"


def retry_after(error: Exception) -> float | None:
    """The seconds that the header `Retry-After` asks for, given as seconds or as a date."""
    for headers in (getattr(error, "litellm_response_headers", None), _headers(getattr(error, "response", None))):
        value = headers.get("retry-after") if isinstance(headers, Mapping) else None
        if value:
            return _seconds(str(value))
    return None


def _headers(response: object) -> object:
    return getattr(response, "headers", None)


def _seconds(value: str) -> float | None:
    try:
        return max(0.0, float(value))
    except ValueError:
        pass
    try:
        moment = parsedate_to_datetime(value)
    except ValueError:
        return None
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    return max(0.0, (moment - datetime.fromtimestamp(now_ms() / 1000, UTC)).total_seconds())


def _words(error: Exception) -> str:
    """The provider's own words without the names of the layers they came through, on one line."""
    text = " ".join(str(error).split())
    while ": " in text and (text.split(": ")[0].startswith("litellm.") or text.split(": ")[0].endswith("Error")):
        text = text.partition(": ")[2]
    provider, dash, rest = text.partition(" - ")
    text = rest if dash and provider.endswith("Exception") else text
    if "Received response - <" in text or "provider returned a response with no" in text:
        return "it does not answer as a model server does; is `llm.base_url` right?"
    return text if len(text) <= 300 else text[:299] + "…"
