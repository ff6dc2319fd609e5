"""Unpacks zstd files as a stream, with Python's own module (3.14 and later) or the package `zstandard`."""

import io
from collections.abc import Callable
from importlib import import_module
from typing import Any, BinaryIO, cast

MOST = 4 << 30
HINT = "compressed; Python 3.14 reads it, or an older one with the package `zstandard` beside mh"


def reader() -> Callable[[BinaryIO], BinaryIO] | None:
    """What turns an open zstd file into an open file of its content; None where this Python has nothing to do so.

    Reading raises ValueError for what is damaged, and for what unpacks to more than `MOST` bytes.
    """
    for name, unpack in (("compression.zstd", _own), ("zstandard", _package)):
        try:
            module = import_module(name)
        except ImportError:
            continue
        return lambda file, module=module, unpack=unpack: cast(  # type: ignore[misc]
            BinaryIO, io.BufferedReader(_Unpacked(unpack(module, file)), 1 << 18)
        )
    return None


class _Unpacked(io.RawIOBase):
    """The unpacked bytes, counted; errors of the unpacker become ValueError."""

    def __init__(self, source: Any) -> None:
        self._source = source
        self._count = 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        try:
            data = self._source.read(len(buffer))
        except Exception as error:  # each module has an error of its own, which derives from Exception only
            raise ValueError("damaged: it cannot be unpacked") from error
        self._count += len(data)
        if self._count > MOST:
            raise ValueError(f"unpacks to more than {MOST >> 30} GiB")
        buffer[: len(data)] = data
        return len(data)


def _own(module: Any, file: BinaryIO) -> Any:
    return module.ZstdFile(file)


def _package(module: Any, file: BinaryIO) -> Any:
    return module.ZstdDecompressor().stream_reader(file, read_across_frames=True)
