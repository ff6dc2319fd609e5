"""What passes between a step that needs a model and whatever asks it: `Llm`, answers, spend, budgets, failures."""

import threading
from collections.abc import Mapping
from typing import Any, NamedTuple, Protocol

from memhub.errors import UnavailableError
from memhub.llm.prompts import Prompt


class Use(NamedTuple):
    """What one answer took, its repair included. `prompt` is the prompt's hash, `cost` in US dollars."""

    model: str
    prompt: str
    tokens_in: int
    tokens_out: int
    cost: float
    seconds: float
    calls: int = 1

    def plus(self, other: "Use") -> "Use":
        """Both together."""
        return self._replace(
            tokens_in=self.tokens_in + other.tokens_in,
            tokens_out=self.tokens_out + other.tokens_out,
            cost=self.cost + other.cost,
            seconds=self.seconds + other.seconds,
            calls=self.calls + other.calls,
        )


class Answer(NamedTuple):
    """A value that fits the schema that was asked for."""

    value: Any
    use: Use


class Llm(Protocol):
    """A model that answers prompts with JSON."""

    @property
    def model(self) -> str:
        """The model's name, as rulings and candidates carry it."""
        ...

    def complete(self, prompt: Prompt, values: Mapping[str, Any], schema: Mapping[str, Any]) -> Answer:
        """The model's answer to `prompt` about the data `values`; may be called from several threads.

        Raises `ModelError` when no answer that fits `schema` can be had, `BudgetSpentError` when none may be asked for.
        """
        ...


class ModelError(UnavailableError):
    """The model gave no usable answer. Nothing was changed; what was asked about can wait or go by the rules.

    `kind`: `answer` (it answered, twice, with something else than what was asked for), `timeout`, `busy` (429),
    `server` (5xx), `unreachable`, `key` (401, 403), `model` (404), `length` (the text is longer than it reads),
    `request` (any other refusal). `retry_after` are the seconds after which the service wants to be asked again.
    """

    code = "model"

    def __init__(self, message: str, hint: str | None = None, *, kind: str, retry_after: float | None = None) -> None:
        super().__init__(message, hint)
        self.kind = kind
        self.retry_after = retry_after

    @property
    def is_setup(self) -> bool:
        """Whether every other question would fail the same way until somebody changes something."""
        return self.kind in ("unreachable", "key", "model")


class BudgetSpentError(UnavailableError):
    """The tokens that the user allowed are used up; what is left keeps waiting."""

    code = "budget"


class Budget:
    """Tokens that may be spent, in and out together, shared by threads; 0 is no limit.

    A call is refused when the tokens it will surely take (its prompt) no longer fit. Calls in flight may go over by
    the length of their answers, since nobody knows that beforehand.
    """

    def __init__(self, tokens: int = 0) -> None:
        self.tokens = tokens
        self.spent = 0
        self._reserved = 0
        self._lock = threading.Lock()

    def reserve(self, tokens: int) -> None:
        """Sets `tokens` aside for a call. Raises `BudgetSpentError` when they are not there."""
        with self._lock:
            if self.tokens and self.spent + self._reserved + tokens > self.tokens:
                raise BudgetSpentError(
                    f"the budget of {self.tokens} tokens does not allow another call: {self.spent} are spent, "
                    f"the next one takes at least {tokens}",
                    "what is left keeps waiting; `--budget` sets the limit, 0 is none",
                )
            self._reserved += tokens

    def settle(self, reserved: int, used: int) -> None:
        """Ends a call for which `reserved` was set aside and that took `used`."""
        with self._lock:
            self._reserved -= reserved
            self.spent += used
