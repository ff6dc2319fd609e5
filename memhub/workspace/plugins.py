"""The registry through which the workspace reaches the layer above it: importers, by name, loaded when used."""

from importlib import import_module
from pathlib import Path
from typing import Any

from memhub.model.report import Discovered

IMPORTERS = "memhub_importers.registry"


def discover() -> list[Discovered]:
    """What the importers find in their usual places below the home folder."""
    import os

    found = import_module(IMPORTERS).discover(Path.home(), os.environ)
    return [Discovered(*one) for one in found]


def choose_importer(path: Path, name: str | None) -> tuple[str, Any]:
    """Name and module of the importer for a path; its `origin(path)` and `read(path, scope=…)` do the work."""
    row, importer = import_module(IMPORTERS).choose(path, name)
    return str(row.name), importer
