"""Reads members of zip archives as streams, or unpacks them into a private folder; no bomb goes off.

Refused by name: members whose name leads out of the archive, links, and what is over the limits. An archive with more
entries than `MAX_ENTRIES` is refused as a whole, before its directory is read.
"""

import os
import stat
import tempfile
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import IO, NamedTuple, cast

from memhub.model.record import Skipped
from memhub.text.clean import clean
from memhub_importers.encoding import nfc

MAX_ENTRIES = 10_000
MAX_UNPACKED = 2 << 30
MAX_RATIO = 200
MAX_DEPTH = 2
_SMALL = 1 << 20  # a member that unpacks to less than this is no bomb, whatever its ratio
_MAX_DIRECTORY = 64 << 20
_TAIL = 22 + 65_535 + 76
ERRORS = (OSError, ValueError, RuntimeError, NotImplementedError, EOFError, zipfile.BadZipFile, zlib.error)


class ArchiveMember(NamedTuple):
    """A member to be read: its name (`inner.zip/name` in an archive within), and the bytes, which end with an error
    (ValueError) at a limit. `changed`: its time, seconds since 1970, as its clock showed it."""

    name: str
    stream: IO[bytes]
    changed: float = 0.0


class _Budget:
    """What may still be unpacked in this run."""

    def __init__(self) -> None:
        self.left = MAX_UNPACKED


def members(path: Path, wanted: Callable[[str], bool], *, depth: int = MAX_DEPTH) -> Iterator[ArchiveMember | Skipped]:
    """The members whose base name `wanted` accepts, by name, each open until the next is asked for.

    Archives within the archive are looked into, `depth` levels in all; with one level they are members as any other.
    """
    try:
        with open(path, "rb") as file:
            yield from _members(file, "", wanted, _Budget(), depth, depth == 1)
    except OSError as error:
        yield Skipped(path.name, f"cannot be read: {error.strerror or error}", failed=True)


def is_zip(path: Path) -> bool:
    """Whether a file starts as zip archives do."""
    try:
        with open(path, "rb") as file:
            return file.read(4) in (b"PK\3\4", b"PK\5\6")
    except OSError:
        return False


def unpack(path: Path, folder: Path) -> Iterator[Skipped]:
    """Put the members below `folder`, which is empty and private; what cannot be is yielded.

    An archive of nothing but archives, as some programs export in parts, is unpacked with those.
    """
    depth = MAX_DEPTH if _has_only_archives(path) else 1
    for member in members(path, lambda name: True, depth=depth):
        if isinstance(member, Skipped):
            yield member
            continue
        target = folder.joinpath(*(part for part in member.name.split("/") if part not in ("", ".")))
        try:
            target.parent.mkdir(parents=True, exist_ok=True)
            with open(target, "xb") as file:
                while data := member.stream.read(1 << 20):
                    file.write(data)
            os.utime(target, (member.changed, member.changed))
        except FileExistsError:
            yield Skipped(member.name, "a second file of this name", failed=True)
        except ERRORS as error:
            with suppress(OSError):
                target.unlink()
            reason = error.strerror if isinstance(error, OSError) else error
            yield Skipped(member.name, f"cannot be unpacked: {reason}", failed=True)


def refusal(entry: zipfile.ZipInfo) -> str | None:
    """Why a member is not read, if so."""
    name = entry.filename.replace("\\", "/")
    kind = stat.S_IFMT(entry.external_attr >> 16)
    if name.startswith("/") or name[1:2] == ":" or ".." in name.split("/"):
        return "its name leads out of the archive"
    if kind and not stat.S_ISREG(kind) and not stat.S_ISDIR(kind):
        return "a link or device"
    if entry.flag_bits & 1:
        return "encrypted"
    if entry.file_size > MAX_UNPACKED or entry.file_size > max(_SMALL, MAX_RATIO * entry.compress_size):
        return "unpacks to far more than it should"
    return None


def _members(
    file: IO[bytes], prefix: str, wanted: Callable[[str], bool], budget: _Budget, depth: int, is_flat: bool
) -> Iterator[ArchiveMember | Skipped]:
    where = prefix.rstrip("/") or "the archive"
    try:
        if reason := _too_many(file):
            yield Skipped(where, reason, failed=True)
            return
        archive = zipfile.ZipFile(file)
    except ERRORS as error:
        yield Skipped(where, f"no zip archive that can be read: {error}", failed=True)
        return
    with archive:
        for entry in sorted(archive.infolist(), key=lambda entry: entry.filename):
            name = nfc(clean(entry.filename.replace("\\", "/").replace("\n", " "))).strip() or "?"
            base = name.rpartition("/")[2]
            is_archive = not is_flat and base.lower().endswith(".zip")
            if entry.is_dir() or "__MACOSX" in name or not (is_archive or wanted(base)):
                continue
            if reason := refusal(entry):
                yield Skipped(prefix + name, reason, failed=True)
            elif is_archive and depth == 1:
                yield Skipped(prefix + name, f"an archive more than {MAX_DEPTH} levels deep")
            else:
                yield from _member(archive, entry, prefix + name, is_archive, wanted, budget, depth, is_flat)


def _member(
    archive: zipfile.ZipFile, entry: zipfile.ZipInfo, name: str, is_archive: bool, wanted: Callable[[str], bool],
    budget: _Budget, depth: int, is_flat: bool,
) -> Iterator[ArchiveMember | Skipped]:  # fmt: skip
    try:
        with archive.open(entry) as packed:
            stream = cast(IO[bytes], _Limited(packed, entry, budget))
            if not is_archive:
                yield ArchiveMember(name, stream, _time(entry))
                return
            with tempfile.SpooledTemporaryFile(max_size=16 << 20) as inner:  # an archive is read back and forth
                while data := stream.read(1 << 20):
                    inner.write(data)
                inner.seek(0)
                yield from _members(cast(IO[bytes], inner), name + "/", wanted, budget, depth - 1, is_flat)
    except ERRORS as error:
        yield Skipped(name, f"cannot be unpacked: {error}", failed=True)


def _has_only_archives(path: Path) -> bool:
    try:
        with open(path, "rb") as file:
            if _too_many(file):
                return False
            with zipfile.ZipFile(file) as archive:
                names = [entry.filename.lower() for entry in archive.infolist() if not entry.is_dir()]
    except ERRORS:
        return False
    return bool(names) and all(name.endswith(".zip") for name in names)


def _time(entry: zipfile.ZipInfo) -> float:
    """The time in an archive has no zone; it is taken for that of the clock here, as every program does."""
    try:
        return max(0.0, datetime(*entry.date_time).timestamp())
    except (ValueError, OverflowError, OSError):
        return 0.0


class _Limited:
    """The bytes of a member, counted as they come: what the directory says of its size may be a lie."""

    def __init__(self, stream: IO[bytes], entry: zipfile.ZipInfo, budget: _Budget) -> None:
        self._stream = stream
        self._left = max(_SMALL, MAX_RATIO * entry.compress_size)
        self._budget = budget

    def read(self, size: int = -1) -> bytes:
        """Up to `size` bytes. Raises ValueError at a limit."""
        data = self._stream.read(size if 0 <= size <= _SMALL else _SMALL)
        self._left -= len(data)
        self._budget.left -= len(data)
        if self._left < 0 or self._budget.left < 0:
            raise ValueError("unpacks to far more than it should")
        return data


def _too_many(file: IO[bytes]) -> str | None:
    """Why an archive's directory is not read, if so: it says how long it is at the end of the file."""
    size = file.seek(0, 2)
    file.seek(max(0, size - _TAIL))
    tail = file.read(_TAIL)
    file.seek(0)
    at = tail.rfind(b"PK\5\6")
    entries, length = (
        int.from_bytes(tail[at + 10 : at + 12], "little"),
        int.from_bytes(tail[at + 12 : at + 16], "little"),
    )
    wide = tail.rfind(b"PK\6\6", 0, max(at, 0))
    if at >= 0 and wide >= 0 and (entries == 0xFFFF or length == 0xFFFFFFFF):
        entries = int.from_bytes(tail[wide + 32 : wide + 40], "little")
        length = int.from_bytes(tail[wide + 40 : wide + 48], "little")
    if at >= 0 and (entries > MAX_ENTRIES or length > _MAX_DIRECTORY):
        return f"an archive of more than {MAX_ENTRIES} entries; unpack it and import the folder"
    return None
