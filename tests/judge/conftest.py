"""What the tests of judging share: a server that plays the language model."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from server import ModelServer
from told import Told


@pytest.fixture(autouse=True)
def tidy(foreign_sockets: None) -> None:
    """These tests call a model through LiteLLM."""


@pytest.fixture
def told(mh: Callable[..., Any]) -> Iterator[Told]:
    """A language model on loopback that says what it is told, configured in the home of this test."""
    script = Told()
    with ModelServer(script) as server:
        script.server = server
        for name, value in {
            "llm.model": "openai/small", "llm.base_url": server.url, "llm.retries": "0", "llm.timeout": "60",
        }.items():  # fmt: skip
            assert mh("config", "set", name, value).code == 0
        yield script
