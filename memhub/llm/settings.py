"""What the settings say about the model."""

from typing import NamedTuple
from urllib.parse import urlsplit

from memhub.config import Config
from memhub.errors import UnavailableError, UsageError

LOOPBACK = ("localhost", "127.0.0.1", "::1")
LOCAL_PROVIDERS = ("ollama", "ollama_chat", "lm_studio", "llamafile", "hosted_vllm", "docker_model_runner", "oobabooga")


class Settings(NamedTuple):
    """`timeout` in seconds for one attempt, `max_tokens` of one answer, `retries` after the first attempt."""

    model: str
    base_url: str = ""
    timeout: int = 120
    max_tokens: int = 4096
    retries: int = 2

    @property
    def is_local(self) -> bool:
        """Whether the model runs on this machine or is of a kind that does: such a model costs nothing."""
        if self.base_url:
            return urlsplit(self.base_url).hostname in LOOPBACK
        return self.model.partition("/")[0] in LOCAL_PROVIDERS


def is_configured(config: Config) -> bool:
    """Whether a model was chosen; asks nobody."""
    return bool(config.text("llm.model"))


def settings_of(config: Config) -> Settings:
    """The settings `llm.*`. Raises `UnavailableError` without a model, `UsageError` for an address that is none."""
    model, base = config.text("llm.model"), config.text("llm.base_url").rstrip("/")
    if not model:
        raise UnavailableError(
            "no language model is configured", "`mh config set llm.model ollama/qwen2.5` sets one; the rules need none"
        )
    if base and (urlsplit(base).scheme not in ("http", "https") or not urlsplit(base).hostname):
        raise UsageError(f"`llm.base_url` must be an address such as http://127.0.0.1:8080/v1, not `{base}`")
    return Settings(
        model, base, max(1, config.number("llm.timeout")), config.number("llm.max_tokens"), config.number("llm.retries")
    )
