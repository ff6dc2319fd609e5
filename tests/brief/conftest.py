"""What these tests share: a server that plays a language model."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from loopback import Script
from server import ModelServer


@pytest.fixture(autouse=True)
def tidy(foreign_sockets: None) -> None:
    """These tests call a model through LiteLLM."""


@pytest.fixture
def script(mh: Callable[..., Any]) -> Iterator[Script]:
    """A model that answers what the test lays down, configured in the home of the test."""
    told = Script()
    with ModelServer(told) as server:
        told.server = server
        for name, value in {
            "llm.model": "openai/small", "llm.base_url": server.url, "llm.retries": "0", "llm.timeout": "60",
        }.items():  # fmt: skip
            assert mh("config", "set", name, value).code == 0
        yield told
