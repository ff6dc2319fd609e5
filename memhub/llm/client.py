"""Asks a language model through LiteLLM, which is imported nowhere else and only when something is asked.

The import takes seconds. Before it, LiteLLM is told to use the price list that it ships with instead of fetching one,
and to leave `.env` files of the current folder alone; after it, to send no statistics and to print nothing.
"""

import logging
import os
import threading
import time
import warnings
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, NamedTuple

from memhub import secrets
from memhub.config import Config
from memhub.errors import UnavailableError
from memhub.llm import prompts
from memhub.llm.call import Answer, Budget, ModelError, Use
from memhub.llm.failures import failure
from memhub.llm.patience import persist, within
from memhub.llm.prompts import Prompt
from memhub.llm.schema import SchemaError, read_answer
from memhub.llm.settings import Settings, settings_of

_GRACE = 2.0  # seconds for LiteLLM's own work around an attempt
_WINDOW = 8192  # tokens
_loading = threading.Lock()


class _Said(NamedTuple):
    """One answer as it came. Tokens are 0 where the server did not count them."""

    text: str
    tokens_in: int
    tokens_out: int
    is_cut: bool


class Client:
    """A configured model. `on_use` hears what each call took, also of those whose answer was of no use.

    `key` finds a stored key by the provider's name. Safe to share between threads.
    """

    def __init__(
        self,
        settings: Settings,
        *,
        key: Callable[[str], str | None] = secrets.read_key,
        budget: Budget | None = None,
        on_use: Callable[[Use], object] | None = None,
        sleep: Callable[[float], object] = time.sleep,
    ) -> None:
        self.settings = settings
        self.budget = budget or Budget()
        self._key = key
        self._on_use = on_use
        self._sleep = sleep
        self._telling = threading.Lock()
        self._target: tuple[str, str | None] | None = None
        self._refused: set[str] = set()  # options that this server does not take
        self._streams = False

    @property
    def model(self) -> str:
        """The model's name as configured."""
        return self.settings.model

    def complete(self, prompt: Prompt, values: Mapping[str, Any], schema: Mapping[str, Any]) -> Answer:
        """The answer to `prompt` about `values`; an answer that does not fit `schema` is asked for once more.

        Raises `ModelError`, `BudgetSpentError`, and `UnavailableError` when no key is stored.
        """
        use = Use(self.model, prompt.hash, 0, 0, 0.0, 0.0, 0)
        chat = prompts.messages(prompt, values)
        problem = ""
        for _ in range(2):
            said, took = self._ask(prompt, chat, schema)
            use = use.plus(took)
            try:
                return Answer(read_answer(said.text, schema), use)
            except SchemaError as error:
                problem = str(error)
                if said.is_cut:
                    problem = f"it was cut off after {self.settings.max_tokens} tokens (`llm.max_tokens`)"
            chat = prompts.repair(prompt, values, said.text[: self.settings.max_tokens * 4], problem)
        raise ModelError(
            f"{self.model} gave no usable answer to the prompt `{prompt.name}`, twice: {problem}",
            "another model may do better; what is asked for keeps waiting",
            kind="answer",
        )

    def _ask(self, prompt: Prompt, chat: list[dict[str, str]], schema: Mapping[str, Any]) -> tuple[_Said, Use]:
        """One answered call with its retries, accounted for."""
        expected = prompts.estimate(chat)
        self.budget.reserve(expected)
        used = 0
        try:
            _litellm()
            started = time.monotonic()
            said = persist(lambda: self._attempt(prompt, chat, schema, expected), self.settings.retries, self._sleep)
            if not said.tokens_in and not said.tokens_out:
                answered = prompts.estimate([{"content": said.text}]) - 4
                said = said._replace(tokens_in=expected, tokens_out=max(1, answered))
            used = said.tokens_in + said.tokens_out
        finally:
            self.budget.settle(expected, used)
        seconds = time.monotonic() - started
        use = Use(self.model, prompt.hash, said.tokens_in, said.tokens_out, self._cost(said), seconds)
        if self._on_use is not None:
            with self._telling:
                self._on_use(use)
        return said, use

    def _attempt(self, prompt: Prompt, chat: list[dict[str, str]], schema: Mapping[str, Any], expected: int) -> _Said:
        """One attempt; again at once, without counting, when the server turns out not to know an option."""
        litellm = _litellm()
        model, key = self._resolve(litellm)
        while True:
            options = self._options(model, prompt.name, schema, expected)
            call = partial(_call, litellm, model=model, api_key=key, messages=chat, **options)
            try:
                return within(self.settings.timeout + _GRACE, call)
            except Exception as error:  # whatever a provider's code raises
                if not self._gives_way(error, options):
                    raise failure(error, self.settings) from error

    def _options(self, model: str, name: str, schema: Mapping[str, Any], expected: int) -> dict[str, Any]:
        limit = "max_completion_tokens" if "max_tokens" in self._refused else "max_tokens"
        options: dict[str, Any] = {
            "base_url": self.settings.base_url or None,
            "timeout": float(self.settings.timeout),
            "num_retries": 0,
            "max_retries": 0,
            "drop_params": True,
            "stream": self._streams,
            "temperature": 0,
            limit: self.settings.max_tokens,
            "response_format": {"type": "json_schema", "json_schema": {"name": name, "schema": schema, "strict": True}},
        }
        if self._streams:
            options["stream_options"] = {"include_usage": True}
        if model.startswith(("ollama/", "ollama_chat/")):
            # Ollama cuts what is longer than its window, 4,096 tokens unless told otherwise, and says nothing. Each
            # other size makes it load the model again, so there are few.
            options["num_ctx"] = max(_WINDOW, 1 << (expected + self.settings.max_tokens).bit_length())
        return {option: value for option, value in options.items() if option not in self._refused}

    def _gives_way(self, error: Exception, options: Mapping[str, Any]) -> bool:
        """Whether asking differently may help: without an option that was refused, or as a stream."""
        words = str(error).lower()
        if not self._streams and ("'data: {" in words or "text/event-stream" in words):
            self._streams = True
            return True
        if getattr(error, "status_code", None) not in (400, 422):
            return False
        for option, signs in _SIGNS.items():
            if option in options and any(sign in words for sign in signs):
                self._refused.add(option)
                return True
        return False

    def _resolve(self, litellm: Any) -> tuple[str, str | None]:
        """The model's name as LiteLLM wants it, and the key to send; worked out once."""
        if self._target is None:
            model = self.settings.model
            try:
                provider = litellm.get_llm_provider(model)[1]
            except Exception as error:  # LiteLLM's refusal of a name has no type of its own
                if not self.settings.base_url:
                    raise UnavailableError(
                        f"`{model}` does not say which service offers it",
                        f"`mh config set llm.model ollama/{model}` does, or set `llm.base_url` to a server's address",
                    ) from error
                model, provider = f"openai/{model}", "openai"
            self._target = (model, self._key_for(litellm, model, provider))
        return self._target

    def _key_for(self, litellm: Any, model: str, provider: str) -> str | None:
        """`MH_KEY_…`, then the provider's own variable, then the keyring.

        A server that the user named himself gets only keys that were stored for mh: the variable of a provider was
        meant for that provider. Some client libraries insist on a key, so that server gets a word in its place.
        """
        name = provider.lower().replace("_", "-")
        if os.environ.get(secrets.environment_name(name)):
            return self._key(name)
        if self.settings.base_url:
            return self._key(name) or "none"
        if self.settings.is_local:
            return None
        missing = litellm.validate_environment(model)["missing_keys"]
        if not missing:
            return None
        stored = self._key(name)
        if stored is None:
            raise UnavailableError(
                f"there is no key for {self.settings.model}",
                f"`mh key set {name}` stores one; {' or '.join(missing)} in the environment does too",
            )
        return stored

    def _cost(self, said: _Said) -> float:
        """US dollars by the price list that LiteLLM ships; 0 for a local model and where no price is known."""
        if self.settings.is_local or self._target is None:
            return 0.0
        try:
            prices = _litellm().cost_per_token(
                model=self._target[0], prompt_tokens=said.tokens_in, completion_tokens=said.tokens_out
            )
        except Exception:  # no price is no failure
            return 0.0
        return float(sum(prices))


_SIGNS = {
    "response_format": ("response_format", "json_schema", "json schema", "grammar", "structured"),
    "temperature": ("temperature",),
    "max_tokens": ("max_tokens",),
    "stream_options": ("stream_options",),
}


def open_client(
    config: Config, *, budget: Budget | None = None, on_use: Callable[[Use], object] | None = None
) -> Client:
    """The configured model; nothing is imported or asked yet. Raises `UnavailableError` when there is none."""
    return Client(settings_of(config), budget=budget, on_use=on_use)


def _litellm() -> Any:
    """The module, prepared."""
    with _loading:
        os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"
        os.environ["LITELLM_MODE"] = "PRODUCTION"  # in its other mode the import reads a `.env` file
        import litellm

        litellm.telemetry = False
        litellm.suppress_debug_info = True
        litellm.disable_hf_tokenizer_download = True
        for name in ("LiteLLM", "httpx", "openai"):
            logging.getLogger(name).setLevel(logging.CRITICAL)
        warnings.filterwarnings("ignore", module=r"(?:litellm|pydantic|openai|httpx|aiohttp)\b")
        return litellm


def _call(litellm: Any, **options: Any) -> _Said:
    answer = litellm.completion(**options)
    if options["stream"]:
        return _collect(litellm, answer)
    choice = answer.choices[0]
    return _Said(
        choice.message.content or "", *_tokens(getattr(answer, "usage", None)), choice.finish_reason == "length"
    )


def _collect(litellm: Any, stream: Any) -> _Said:
    """The text of a stream. Some local servers end without a reason for it: what came counts, the schema decides."""
    pieces: list[str] = []
    usage, is_cut = None, False
    try:
        for chunk in stream:
            usage = getattr(chunk, "usage", None) or usage
            for choice in chunk.choices[:1]:
                pieces.append(choice.delta.content or "")
                is_cut = is_cut or choice.finish_reason == "length"
    except litellm.exceptions.MidStreamFallbackError:
        if not pieces:
            raise
    return _Said("".join(pieces), *_tokens(usage), is_cut)


def _tokens(usage: Any) -> tuple[int, int]:
    return int(getattr(usage, "prompt_tokens", 0) or 0), int(getattr(usage, "completion_tokens", 0) or 0)
