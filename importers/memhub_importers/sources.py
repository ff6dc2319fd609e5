"""Opens what an import was given: a path as it is, the folder in a zip, or a stream kept as a file meanwhile."""

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, NamedTuple

from memhub.errors import UsageError
from memhub.model.record import Skipped
from memhub_importers.archives import is_zip, unpack
from memhub_importers.registry import IMPORTERS, Importer, Row, choose, load, named, reader_of


class Source(NamedTuple):
    """Which importer reads which path. `is_copy`: the path goes with the import; `skipped`: what did not get there."""

    row: Row
    importer: Importer
    path: Path
    is_copy: bool = False
    skipped: tuple[Skipped, ...] = ()


@contextmanager
def opened(path: Path, name: str | None) -> Iterator[Source]:
    """The source at a path, for as long as the context lasts. A zip that no importer reads is one of its files.

    Raises what `choose` raises.
    """
    if path.suffix.lower() != ".zip" or not path.is_file() or not is_zip(path) or reader_of(path, name):
        yield Source(*choose(path, name), path)
        return
    with tempfile.TemporaryDirectory(prefix="mh-") as folder:
        top = Path(folder) / path.stem
        top.mkdir()
        skipped = tuple(unpack(path, top))
        inside = _inside(top)
        found = named(name) if name is not None else reader_of(inside)
        if found is None:
            hint = f"{skipped[0].where}: {skipped[0].why}" if skipped else "`--importer NAME` forces one"
            raise UsageError(f"no importer reads what is in `{path}`", hint)
        yield Source(*found, inside, True, skipped)


@contextmanager
def streamed(stream: IO[bytes], name: str | None) -> Iterator[Source]:
    """A stream as the source of the importer `name`, one that gives its records ids of their own."""
    row, importer = named(name) if name is not None else (None, None)
    ending = getattr(importer, "STDIN_ENDING", None)
    if row is None or importer is None or ending is None:
        able = ", ".join(row.name for row in IMPORTERS if hasattr(load(row), "STDIN_ENDING"))
        what = f"importer `{name}` reads no stream" if name else "a stream does not say which importer reads it"
        raise UsageError(what, f"name one that does: {able}")
    with tempfile.TemporaryDirectory(prefix="mh-") as folder:
        path = Path(folder) / f"stdin{ending}"
        with open(path, "xb") as file:
            shutil.copyfileobj(stream, file)
        yield Source(row, importer, path, True)


def _inside(top: Path) -> Path:
    """The folder that holds all, or the one file: the only thing at the top."""
    found = [path for path in top.iterdir() if path.name != ".DS_Store"]
    return found[0] if len(found) == 1 else top
