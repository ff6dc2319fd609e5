"""What the tests of the digest share: a year of notes, a model on loopback."""

import json
import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from history import as_lines
from server import ModelServer
from told_words import Told

from memhub import stamp


@pytest.fixture(autouse=True)
def tidy(foreign_sockets: None) -> None:
    """These tests call a model through LiteLLM."""


@pytest.fixture(scope="session")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the files that many tests begin with are kept, once a test has made them."""
    return tmp_path_factory.mktemp("files")


@pytest.fixture
def year(mh: Callable[..., Any], clock: Any, files: Path) -> Callable[..., Any]:
    """`mh` over a file that holds a year of notes and their vectors."""

    def make() -> None:
        assert mh("add", "--split", "jsonl", "-q", "-", stdin=as_lines()).code == 0
        assert mh("index", "-q").code == 0

    _begin_with(files / "year.db", make)
    clock.advance(60)
    return mh


@pytest.fixture
def digested(year: Callable[..., Any], clock: Any, files: Path) -> Callable[..., Any]:
    """`mh` over the same file after a digest."""

    def make() -> None:
        assert year("digest").code == 0

    _begin_with(files / "digested.db", make)
    clock.advance(60)
    return year


def _begin_with(kept: Path, make: Callable[[], None]) -> None:
    own = Path(os.environ["MH_HOME"]) / "mh.db"
    if kept.exists():
        shutil.copy(kept, own)
    else:
        make()
        shutil.copy(own, kept)
    for _ in range(1000):
        stamp.random_bytes(1)  # the numbers that made the file come again in each test, and its ids must not


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
        settings = {"model": "openai/small", "base_url": server.url, "retries": "0", "timeout": "60"}
        for name, value in settings.items():
            assert mh("config", "set", f"llm.{name}", value).code == 0
        yield script
