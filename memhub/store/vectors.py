"""Vectors of chunks: plain rows in the file, and the index that finds the nearest among them."""

from collections.abc import Iterable, Mapping, Sequence
from operator import mul
from typing import Any, NamedTuple, Protocol

import apsw

from memhub.errors import UnavailableError

_BATCH = 500


class Near(NamedTuple):
    """An item's best chunk for a query: item row, chunk row, cosine."""

    n: int
    chunk: int
    cosine: float


class VectorIndex(Protocol):
    """Finds vectors of one model; the rows in `vec` are the truth, an index over them may be dropped at any time."""

    def nearest(self, query: bytes, spaces: Sequence[int], where: str, params: Sequence[Any], limit: int) -> list[Near]:
        """The `limit` nearest items of these spaces that the condition over `item` admits, best chunk each."""
        ...

    def cosines(self, query: bytes, ns: Iterable[int]) -> dict[int, Near]:
        """Best chunk and cosine of these items; one without a vector is left out."""
        ...


def model_number(connection: apsw.Connection, name: str) -> int | None:
    """The row of a model whose vectors the file may hold."""
    found: int | None = connection.execute("SELECT n FROM vector_model WHERE name = ?", (name,)).get
    return found


def register_model(connection: apsw.Connection, name: str, dims: int, floor: float, threshold: float) -> int:
    """The row of a model, written when it is new; inside a transaction. A new model makes every chunk pending."""
    known = model_number(connection, name)
    if known is not None:
        return known
    connection.execute(
        "INSERT INTO vector_model(name, dims, floor, threshold) VALUES (?,?,?,?)", (name, dims, floor, threshold)
    )
    number = int(connection.last_insert_rowid())
    connection.execute("INSERT OR IGNORE INTO pending(chunk) SELECT n FROM chunk")
    return number


def put(connection: apsw.Connection, model: int, rows: Mapping[int, bytes]) -> int:
    """Store int8 vectors by chunk and take the chunks off the pending list; chunks that are gone are left out.

    Returns how many were stored. Inside a transaction.
    """
    stored = 0
    for chunk, vector in rows.items():
        drop(connection, chunk)  # also a vector of another model: the file holds one a chunk
        connection.execute(
            """INSERT INTO vec(space, cell, chunk, model, q)
               SELECT item.space, 0, chunk.n, ?, ? FROM chunk JOIN item ON item.n = chunk.item WHERE chunk.n = ?""",
            (model, vector, chunk),
        )
        stored += connection.changes()
        connection.execute("DELETE FROM pending WHERE chunk = ?", (chunk,))
    return stored


def drop(connection: apsw.Connection, chunk: int) -> None:
    """Remove a chunk's vectors of every model."""
    connection.execute("DELETE FROM vec WHERE chunk = ?", (chunk,))


def pending(connection: apsw.Connection, limit: int = -1) -> list[int]:
    """Chunks that still need a vector, oldest first; -1 means all."""
    return [n for (n,) in connection.execute("SELECT chunk FROM pending ORDER BY chunk LIMIT ?", (limit,))]


def pending_count(connection: apsw.Connection, limit: int = -1) -> int:
    """How many chunks need a vector; counting stops at `limit`."""
    return int(connection.execute("SELECT count(*) FROM (SELECT 1 FROM pending LIMIT ?)", (limit,)).get)


def spans(connection: apsw.Connection, chunks: Iterable[int]) -> dict[int, tuple[int, int]]:
    """Where these chunks lie in their item's content, in characters: start and stop."""
    found = {}
    for chunk in chunks:
        row = connection.execute("SELECT start, stop FROM chunk WHERE n = ?", (chunk,)).fetchone()
        if row:
            found[chunk] = (row[0], row[1])
    return found


def load_extension(connection: apsw.Connection) -> None:
    """Give the connection sqlite-vec's scalar functions, once. The package is never imported: that would load numpy.

    Raises `UnavailableError` when the package is missing or its library cannot be loaded.
    """
    try:
        connection.execute("SELECT vec_int8(x'00')")
        return
    except apsw.SQLError:
        pass
    import os
    from importlib.util import find_spec

    spec = find_spec("sqlite_vec")
    try:
        if spec is None or not spec.submodule_search_locations:
            raise apsw.ExtensionLoadingError("the package is not installed")
        connection.enable_load_extension(True)
        try:
            connection.load_extension(os.path.join(next(iter(spec.submodule_search_locations)), "vec0"))
        finally:
            connection.enable_load_extension(False)
    except apsw.Error as error:
        raise UnavailableError(f"search by meaning is off: sqlite-vec: {error}", "pip install sqlite-vec") from error


def cosine(a: bytes, b: bytes) -> float:
    """The cosine of two int8 vectors, for the few that are not in the file."""
    left, right = memoryview(a).cast("b"), memoryview(b).cast("b")
    lengths = sum(map(mul, left, left)) * sum(map(mul, right, right))
    return float(sum(map(mul, left, right)) / lengths**0.5) if lengths else 0.0


class ExactScan:
    """Scores every row: about 0.9 µs each at 512 dimensions, so 100k rows take less than a tenth of a second.

    All vectors of a model have about the same length L, so `cos = 1 − d² / 2L²` with the Euclidean distance d, which is
    a third cheaper to compute than the cosine itself.
    """

    def __init__(self, connection: apsw.Connection, model: int) -> None:
        load_extension(connection)
        self._connection, self._model = connection, model

    def nearest(self, query: bytes, spaces: Sequence[int], where: str, params: Sequence[Any], limit: int) -> list[Near]:
        """The `limit` nearest items of these spaces that the condition over `item` admits, best chunk each."""
        wide = limit * 4
        rows = self._connection.execute(
            f"""WITH top AS MATERIALIZED (
                    SELECT chunk, vec_distance_l2(vec_int8(q), vec_int8(?)) AS d FROM vec
                    WHERE space IN ({",".join("?" * len(spaces))}) AND model = ? ORDER BY d LIMIT ?)
                SELECT item.n, top.chunk, top.d, item.n IS NOT NULL AND ({where})
                FROM top LEFT JOIN chunk ON chunk.n = top.chunk LEFT JOIN item ON item.n = chunk.item
                ORDER BY top.d, top.chunk""",
            (query, *spaces, self._model, wide, *params),
        ).fetchall()
        found = self._best((row[:3] for row in rows if row[3]), query)
        if len(found) < limit and len(rows) == wide:
            found = self._nearest_admitted(query, where, params)
        return list(found.values())[:limit]

    def _nearest_admitted(self, query: bytes, where: str, params: Sequence[Any]) -> dict[int, Near]:
        """Scores only what a narrow condition admits."""
        rows = self._connection.execute(
            f"""SELECT item.n, vec.chunk, vec_distance_l2(vec_int8(vec.q), vec_int8(?)) AS d
                FROM item JOIN chunk ON chunk.item = item.n JOIN vec ON vec.chunk = chunk.n AND vec.model = ?
                WHERE {where} ORDER BY d, vec.chunk""",
            (query, self._model, *params),
        )
        return self._best(rows, query)

    def cosines(self, query: bytes, ns: Iterable[int]) -> dict[int, Near]:
        """Best chunk and cosine of these items; one without a vector is left out."""
        found: dict[int, Near] = {}
        wanted = list(ns)
        for first in range(0, len(wanted), _BATCH):
            batch = wanted[first : first + _BATCH]
            rows = self._connection.execute(
                f"""SELECT chunk.item, vec.chunk, vec_distance_l2(vec_int8(vec.q), vec_int8(?)) AS d
                    FROM chunk JOIN vec ON vec.chunk = chunk.n AND vec.model = ?
                    WHERE chunk.item IN ({",".join("?" * len(batch))}) ORDER BY d, vec.chunk""",
                (query, self._model, *batch),
            )
            found |= self._best(rows, query)
        return found

    @staticmethod
    def _best(rows: Iterable[tuple[Any, ...]], query: bytes) -> dict[int, Near]:
        """The first row of each item, distances turned into cosines. Rows: item, chunk, distance."""
        own = memoryview(query).cast("b")
        twice = 2.0 * sum(map(mul, own, own)) or 1.0
        found: dict[int, Near] = {}
        for n, chunk, distance in rows:
            if n not in found:
                found[n] = Near(n, chunk, 1.0 - distance * distance / twice)
        return found
