"""What the tests of judging share: the embedding model prepared once, a server that plays the language model."""

import gc
import os
import sys
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

TESTS = Path(__file__).resolve().parents[1]
for folder in ("llm", "pipeline", "store"):
    if str(TESTS / folder) not in sys.path:
        sys.path.append(str(TESTS / folder))

from server import ModelServer  # noqa: E402
from told import Told  # noqa: E402

QUIET = ("ignore::ResourceWarning", "ignore::DeprecationWarning", "ignore::pytest.PytestUnraisableExceptionWarning")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """LiteLLM keeps its connections open until the process ends; that is not for these tests to judge."""
    for item in items:
        if Path(__file__).parent in item.path.parents:
            for warning in QUIET:
                item.add_marker(pytest.mark.filterwarnings(warning))


def _close_sockets() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ResourceWarning)
        module = sys.modules.get("litellm")
        if module is not None:
            module.in_memory_llm_clients_cache.flush_cache()
        gc.collect()
        gc.collect()


def pytest_sessionfinish() -> None:
    """Nothing is left for the end of the session to complain about."""
    _close_sockets()


@pytest.fixture(autouse=True, scope="module")
def foreign_sockets() -> Iterator[None]:
    """Closes what LiteLLM left open, once a module is done."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ResourceWarning)
        yield
    _close_sockets()


@pytest.fixture(scope="session")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The embedding model, made ready once."""
    return tmp_path_factory.mktemp("model")


@pytest.fixture(autouse=True)
def shared_model(clock: object, prepared: Path) -> None:
    """Every home of a test uses the prepared embedding model."""
    home = Path(os.environ["MH_HOME"])
    home.mkdir(parents=True, mode=0o700)
    (home / "cache").symlink_to(prepared)


@pytest.fixture
def told(mh: Callable[..., Any]) -> Iterator[Told]:
    """A language model on loopback that says what it is told, configured in the home of this test."""
    script = Told()
    with ModelServer(script) as server:
        script.server = server
        for name, value in {
            "llm.model": "openai/small", "llm.base_url": server.url, "llm.retries": "0", "llm.timeout": "5",
        }.items():  # fmt: skip
            assert mh("config", "set", name, value).code == 0
        yield script
