"""What the tests of the digest share: the embedding model prepared once, a year of notes, a model on loopback."""

import gc
import json
import os
import shutil
import sys
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from memhub import stamp

TESTS = Path(__file__).resolve().parents[1]
for folder in ("llm", "store", "digest", "bench", "judge"):
    if str(TESTS / folder) not in sys.path:
        sys.path.append(str(TESTS / folder))

from history import as_lines  # noqa: E402
from server import ModelServer  # noqa: E402
from told_words import Told  # noqa: E402

QUIET = ("ignore::ResourceWarning", "ignore::DeprecationWarning", "ignore::pytest.PytestUnraisableExceptionWarning")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """LiteLLM keeps its connections open until the process ends; that is not for these tests to judge."""
    for item in items:
        if Path(__file__).parent in item.path.parents:
            for warning in QUIET:
                item.add_marker(pytest.mark.filterwarnings(warning))


@pytest.fixture(autouse=True, scope="module")
def foreign_sockets() -> Iterator[None]:
    """Closes what LiteLLM left open, once a module is done."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ResourceWarning)
        yield
        module = sys.modules.get("litellm")
        if module is not None:
            module.in_memory_llm_clients_cache.flush_cache()
        gc.collect()
        gc.collect()


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


@pytest.fixture(scope="session")
def year_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the file with a year of notes is kept, once a test has made it."""
    return tmp_path_factory.mktemp("year") / "mh.db"


@pytest.fixture
def year(mh: Callable[..., Any], clock: Any, year_file: Path) -> Callable[..., Any]:
    """`mh` over a file that holds a year of notes and their vectors."""
    own = Path(os.environ["MH_HOME"]) / "mh.db"
    if year_file.exists():
        shutil.copy(year_file, own)
    else:
        assert mh("add", "--split", "jsonl", "-q", "-", stdin=as_lines()).code == 0
        assert mh("index", "-q").code == 0
        shutil.copy(own, year_file)
    clock.advance(60)
    for _ in range(1000):
        stamp.random_bytes(1)  # the numbers that made the file come again in each test, and its ids must not
    return mh


@pytest.fixture
def listed(mh: Callable[..., Any]) -> Callable[..., list[dict[str, Any]]]:
    """The items of a kind, in any state that is shown."""

    def items(kind: str, *more: str) -> list[dict[str, Any]]:
        return list(json.loads(mh("list", "-k", kind, "-n", "0", "--json", *more).out))

    return items


@pytest.fixture
def found(mh: Callable[..., Any]) -> Callable[[str], dict[str, Any]]:
    """The one item that holds some words."""

    def item(words: str) -> dict[str, Any]:
        every = json.loads(mh("list", "-n", "0", "--layer", "L1", "--json").out)
        (one,) = [entry for entry in every if words in entry["content"]]
        return dict(one)

    return item


@pytest.fixture
def told(mh: Callable[..., Any]) -> Iterator[Told]:
    """A language model on loopback that words derived items, configured in the home of this test."""
    script = Told()
    with ModelServer(script) as server:
        script.server = server
        settings = {"model": "openai/small", "base_url": server.url, "retries": "0", "timeout": "5"}
        for name, value in settings.items():
            assert mh("config", "set", f"llm.{name}", value).code == 0
        yield script
