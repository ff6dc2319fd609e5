"""The registry through which the workspace reaches the layer above it: importers, by name, loaded when used."""

from importlib import import_module
from pathlib import Path
from typing import Any

IMPORTERS = "memhub_importers.registry"


def choose_importer(path: Path, name: str | None) -> tuple[str, Any]:
    """Name and module of the importer for a path; its `origin(path)` and `read(path, scope=…)` do the work."""
    row, importer = import_module(IMPORTERS).choose(path, name)
    return str(row.name), importer
