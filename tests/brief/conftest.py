"""What these tests share with those of judging: a prepared embedding model, a server that plays a language model."""

import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

TESTS = Path(__file__).resolve().parents[1]
for folder in ("llm", "judge"):
    if str(TESTS / folder) not in sys.path:
        sys.path.append(str(TESTS / folder))

from loopback import Script  # noqa: E402
from server import ModelServer  # noqa: E402

QUIET = ("ignore::ResourceWarning", "ignore::DeprecationWarning", "ignore::pytest.PytestUnraisableExceptionWarning")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """LiteLLM keeps its connections open until the process ends; that is not for these tests to judge."""
    for item in items:
        if Path(__file__).parent in item.path.parents:
            for warning in QUIET:
                item.add_marker(pytest.mark.filterwarnings(warning))


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
def script(mh: Callable[..., Any]) -> Iterator[Script]:
    """A model that answers what the test lays down, configured in the home of the test."""
    told = Script()
    with ModelServer(told) as server:
        told.server = server
        for name, value in {
            "llm.model": "openai/small", "llm.base_url": server.url, "llm.retries": "0", "llm.timeout": "5",
        }.items():  # fmt: skip
            assert mh("config", "set", name, value).code == 0
        yield told
