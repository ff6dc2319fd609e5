"""Finds the files of a chat service's export: in the zip as it was downloaded, in the unpacked folder, or by itself."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any, cast

from memhub.model.record import Skipped
from memhub_importers.archives import ERRORS, ArchiveMember, is_zip, members
from memhub_importers.files import relative_name
from memhub_importers.json_array import objects
from memhub_importers.jsonl import open_regular

_NAME = re.compile(r"conversations(?:-\d+)?\.json", re.I)
_HEAD = 1 << 16


def is_export(path: Path, marks: tuple[str, ...]) -> bool:
    """Whether the first such file begins with a conversation that has the keys `marks`."""
    try:
        if path.is_file() and not is_zip(path):
            if path.suffix.lower() != ".json":
                return False
            with open_regular(path) as file:
                return _has(file.read(_HEAD), marks)
        for one in _files(path):
            if not isinstance(one, Skipped):
                return _has(one.stream.read(_HEAD), marks)
    except ERRORS:
        return False
    return False


def conversations(path: Path, marks: tuple[str, ...]) -> Iterator[tuple[str, dict[str, Any]] | Skipped]:
    """(file name, conversation) for each conversation of an export, all shards of it, and what is damaged."""
    is_there = False
    for one in _files(path):
        if isinstance(one, Skipped):
            is_there = True
            yield one
            continue
        is_there = True
        try:
            for found in objects(one.stream, one.name, marks):
                yield found if isinstance(found, Skipped) else (one.name, found)
        except ERRORS as error:
            yield Skipped(one.name, f"cannot be read: {error}", failed=True)
    if not is_there:
        yield Skipped(relative_name(path.name) or str(path), "no `conversations.json` in it", failed=True)


def count(path: Path, key: str) -> int:
    """How often a key that each conversation has once stands in the files; they are not parsed."""
    found, mark = 0, f'"{key}"'.encode()
    for one in _files(path):
        if isinstance(one, Skipped):
            continue
        try:
            rest = b""
            while data := one.stream.read(1 << 20):
                data = rest + data
                found += data.count(mark)
                rest = data[-len(mark) + 1 :]
        except ERRORS:
            continue
    return found


def _files(path: Path) -> Iterator[ArchiveMember | Skipped]:
    if path.is_file():
        if is_zip(path):
            yield from members(path, lambda name: bool(_NAME.fullmatch(name)))
            return
        files = [path]
    else:
        files = [file for pattern in ("*.json", "*/*.json") for file in sorted(path.glob(pattern))]
        files = [file for file in files if _NAME.fullmatch(file.name) and file.is_file() and not file.is_symlink()]
        files = [file for file in files if not file.parent.is_symlink() or file.parent == path]
    for file in files:
        name = relative_name(file.name if file.parent in (path, path.parent) else f"{file.parent.name}/{file.name}")
        try:
            with open_regular(file) as stream:
                yield ArchiveMember(name, cast(IO[bytes], stream))
        except (OSError, ValueError) as error:
            yield Skipped(name, f"cannot be read: {getattr(error, 'strerror', None) or error}", failed=True)


def _has(head: bytes, marks: tuple[str, ...]) -> bool:
    return all(f'"{mark}"'.encode() in head for mark in marks)
