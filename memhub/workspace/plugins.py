"""The registry through which the workspace reaches the layer above it: importers, by name, loaded when used."""

from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import IO, Any

from memhub.model.record import Option
from memhub.model.report import Discovered, ImporterInfo

IMPORTERS = "memhub_importers.registry"
SOURCES = "memhub_importers.sources"


def discover() -> list[Discovered]:
    """What the importers find in their usual places below the home folder."""
    import os

    found = import_module(IMPORTERS).discover(Path.home(), os.environ)
    return [Discovered(*one) for one in found]


def importers() -> list[ImporterInfo]:
    """All importers, in the order in which a path is offered to them."""
    return [ImporterInfo(*one) for one in import_module(IMPORTERS).listing()]


def readers_of(path: Path) -> list[str]:
    """The importers for a path: several where it is the folder of a program in which others keep their chats too."""
    return list(import_module(IMPORTERS).readers_of(path))


def others_in(folder: Path, names: Collection[str]) -> list[str]:
    """What lies directly in a folder and is for another importer than these."""
    return list(import_module(IMPORTERS).others_in(folder, names))


def is_store(importer: Any) -> bool:
    """Whether an importer reads the store of a program, and not folders that are known by their names."""
    return bool(import_module(IMPORTERS).is_store(importer))


def options_of(importer: Any) -> tuple[Option, ...]:
    """What an importer can be told."""
    return tuple(import_module(IMPORTERS).options_of(importer))


def checked_options(name: str, importer: Any, given: Mapping[str, str | bool]) -> dict[str, str]:
    """Options for an importer, `True` as `yes`. Raises `UsageError` for one that it does not have."""
    words = {key: value if isinstance(value, str) else "yes" if value else "no" for key, value in given.items()}
    return dict(import_module(IMPORTERS).checked(name, importer, words))


@contextmanager
def opened(source: "Path | IO[bytes]", name: str | None) -> Iterator[Any]:
    """A path or a stream with its importer (`row`, `importer`, `path`, `is_copy`, `skipped`), while the context lasts.

    `name`: the importer to read it; without, the first that says it can. Raises `NotFoundError` and `UsageError`.
    """
    sources = import_module(SOURCES)
    with (sources.opened if isinstance(source, Path) else sources.streamed)(source, name) as found:
        yield found
