"""Vectors in a real file, scored by sqlite-vec."""

import random
import subprocess
import sys
from pathlib import Path

import apsw
import pytest

from memhub.errors import UnavailableError
from memhub.store import vectors
from memhub.store.connection import connect
from memhub.store.schema import open_schema

DIMS = 64


def unit(seed: int) -> bytes:
    """An int8 vector of length about 120."""
    source = random.Random(seed)
    parts = [source.gauss(0, 1) for _ in range(DIMS)]
    length = sum(part * part for part in parts) ** 0.5
    return bytes(round(part / length * 120) & 0xFF for part in parts)


def add_item(connection: apsw.Connection, n: int, space: int = 1, kind: str = "note", chunks: int = 1) -> list[int]:
    connection.execute(
        """INSERT INTO item(n, id, suffix, layer, kind, state, is_present, space, updated_at, updated_ms, added_ms)
           VALUES (?1, ?1, ?1, 'L1', ?2, 'live', 1, ?3, '', 0, 0)""",
        (n, kind, space),
    )
    made = []
    for ordinal in range(chunks):
        connection.execute(
            "INSERT INTO chunk(item, ordinal, start, stop, heading, hash) VALUES (?,?,?,?,'',x'00')",
            (n, ordinal, ordinal * 100, ordinal * 100 + 100),
        )
        made.append(connection.last_insert_rowid())
        connection.execute("INSERT INTO pending VALUES (?)", (made[-1],))
    return made


@pytest.fixture
def connection(tmp_path: Path) -> apsw.Connection:
    opened = connect(tmp_path / "mh.db")
    open_schema(opened, tmp_path / "mh.db", tmp_path / "snapshots")
    return opened


@pytest.fixture
def model(connection: apsw.Connection) -> int:
    return vectors.register_model(connection, "test/1", DIMS, 0.0, 0.5)


def fill(connection: apsw.Connection, model: int, count: int) -> dict[int, bytes]:
    stored = {}
    for n in range(1, count + 1):
        (chunk,) = add_item(connection, n, space=1 + n % 2, kind="rare" if n == count else "note")
        stored[n] = unit(n)
        vectors.put(connection, model, {chunk: stored[n]})
    return stored


def test_nearest_is_the_true_nearest(connection: apsw.Connection, model: int) -> None:
    stored = fill(connection, model, 300)
    query = unit(7_000)
    hits = vectors.ExactScan(connection, model).nearest(query, (1, 2), "1", (), 10)
    exact = sorted(stored, key=lambda n: -vectors.cosine(query, stored[n]))[:10]
    assert [hit.n for hit in hits] == exact
    for hit in hits:
        assert hit.cosine == pytest.approx(vectors.cosine(query, stored[hit.n]), abs=0.03)


def test_the_same_vector_has_cosine_one(connection: apsw.Connection, model: int) -> None:
    fill(connection, model, 20)
    hit = vectors.ExactScan(connection, model).nearest(unit(5), (1, 2), "1", (), 1)[0]
    assert (hit.n, hit.cosine) == (5, 1.0)


def test_space_and_condition_are_kept(connection: apsw.Connection, model: int) -> None:
    fill(connection, model, 60)
    index = vectors.ExactScan(connection, model)
    assert {hit.n % 2 for hit in index.nearest(unit(9), (1,), "item.space IN (1)", (), 50)} == {0}
    assert [hit.n for hit in index.nearest(unit(9), (1, 2), "item.kind = ?", ("rare",), 5)] == [60]
    assert index.nearest(unit(9), (1, 2), "item.kind = ?", ("none",), 5) == []


def test_an_item_shows_its_best_chunk(connection: apsw.Connection, model: int) -> None:
    first, second, third = add_item(connection, 1, chunks=3)
    vectors.put(connection, model, {first: unit(1), second: unit(2), third: unit(3)})
    index = vectors.ExactScan(connection, model)
    hits = index.nearest(unit(2), (1,), "1", (), 10)
    assert [(hit.n, hit.chunk) for hit in hits] == [(1, second)]
    assert index.cosines(unit(3), [1, 999])[1].chunk == third
    assert vectors.spans(connection, [second, 999]) == {second: (100, 200)}


def test_pending_goes_when_the_vector_comes(connection: apsw.Connection, model: int) -> None:
    chunks = add_item(connection, 1, chunks=3)
    assert vectors.pending(connection) == chunks
    assert vectors.pending(connection, 2) == chunks[:2]
    assert vectors.put(connection, model, {chunks[0]: unit(1), 12345: unit(2)}) == 1
    assert vectors.pending(connection) == chunks[1:]
    assert vectors.pending_count(connection) == 2
    vectors.put(connection, model, {chunks[0]: unit(5)})
    assert vectors.ExactScan(connection, model).cosines(unit(5), [1])[1].cosine == 1.0


def test_dropped_chunk_is_not_found(connection: apsw.Connection, model: int) -> None:
    (chunk,) = add_item(connection, 1)
    vectors.put(connection, model, {chunk: unit(1)})
    vectors.drop(connection, chunk)
    assert vectors.ExactScan(connection, model).nearest(unit(1), (1,), "1", (), 5) == []


def test_vectors_of_two_models_are_never_mixed(connection: apsw.Connection, model: int) -> None:
    (chunk,) = add_item(connection, 1)
    vectors.put(connection, model, {chunk: unit(1)})
    other = vectors.register_model(connection, "other/1", DIMS, 0.0, 0.5)
    assert other != model
    assert vectors.register_model(connection, "other/1", DIMS, 0.0, 0.5) == other
    assert vectors.pending(connection) == [chunk]
    assert vectors.ExactScan(connection, other).nearest(unit(1), (1,), "1", (), 5) == []
    vectors.put(connection, other, {chunk: unit(2)})
    assert vectors.ExactScan(connection, model).nearest(unit(1), (1,), "1", (), 5) == []
    assert vectors.ExactScan(connection, other).nearest(unit(2), (1,), "1", (), 5)[0].cosine == 1.0


def test_extension_loads_without_numpy(tmp_path: Path) -> None:
    program = (
        "import sys, apsw\n"
        "from memhub.store.vectors import load_extension\n"
        "con = apsw.Connection(':memory:')\n"
        "load_extension(con); load_extension(con)\n"
        "print('numpy' in sys.modules, 'sqlite_vec' in sys.modules)\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "False False\n"


def test_missing_extension_is_said(connection: apsw.Connection, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(UnavailableError, match="sqlite-vec") as raised:
        vectors.load_extension(connection)
    assert raised.value.hint == "pip install sqlite-vec"
