"""Ways in which disks, programs and versions damage a file. Each is (what it is, a function that gives the bytes)."""

import json
import random
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

Change = tuple[str, Callable[[], bytes]]
DEEP = 100_000
WRONG: tuple[Any, ...] = (
    None, True, 0, -1, 7.5, 1e308, 2**70, float("nan"), "", " \n ", "x", "\ud800", "\u0000\u001b[2J\u2028", "9" * 5000,
    [], [None], [[[]]], [1, "x", {}], {}, {"": None}, {"type": []}, {"text": {"text": []}},
)  # fmt: skip
GARBAGE = (
    b"{", b"}", b"[]", b"null", b"3", b'"text"', b"{}", b'{"type":', b'{"type":"user","message":{"role":"user","con',
    b"\xff\xfe\x00\xd8", b"\0\0\0\0", b"plain text", b'{"type":7}', b'{"type":"brand-new","payload":{"type":"x"}}',
    b"1" * 6000, b'{"n":' + b"1" * 6000 + b"}",
)  # fmt: skip
_GONE = object()


def truncated(data: bytes, seed: int) -> Iterator[Change]:
    """Cut at each record boundary and one byte around it, at the start, and at some places in between."""
    cuts = {0, 1, 2, 3, len(data) - 1, len(data) - 2}
    for place, byte in enumerate(data):
        if byte == 10:
            cuts |= {place - 1, place, place + 1, place + 2}
    cuts |= {random.Random(seed).randrange(len(data) + 1) for _ in range(40)}
    for cut in sorted(cut for cut in cuts if 0 <= cut <= len(data)):
        yield f"cut at byte {cut}", lambda cut=cut: data[:cut]


def flipped(data: bytes, seed: int) -> Iterator[Change]:
    """One bit turned, then many; a block of zeros, a block repeated, a block gone."""
    chance = random.Random(seed)
    if not data:
        return
    for _ in range(120):
        place, bit = chance.randrange(len(data)), 1 << chance.randrange(8)
        yield f"bit {bit} of byte {place}", lambda p=place, b=bit: data[:p] + bytes([data[p] ^ b]) + data[p + 1 :]
    for number in range(20):
        yield f"20 bytes changed ({number})", lambda n=number: _noisy(data, n)
    for _ in range(20):
        a, b = sorted(chance.randrange(len(data) + 1) for _ in "ab")
        yield f"zeros from {a} to {b}", lambda a=a, b=b: data[:a] + bytes(b - a) + data[b:]
        yield f"twice from {a} to {b}", lambda a=a, b=b: data[:b] + data[a:b] + data[b:]
        yield f"gone from {a} to {b}", lambda a=a, b=b: data[:a] + data[b:]


def rewritten(data: bytes, seed: int) -> Iterator[Change]:
    """The file as something else: empty, binary, other encodings and line ends, garbage before and after."""
    text = data.decode("utf-8", "replace")
    yield "nothing", lambda: b""
    yield "one line end", lambda: b"\n"
    yield "NULs", lambda: bytes(5000)
    yield "random bytes", lambda: random.Random(seed).randbytes(5000)
    yield "UTF-16", lambda: text.encode("utf-16")
    yield "UTF-32", lambda: text.encode("utf-32")
    yield "Latin-1", lambda: text.encode("latin-1", "replace")
    yield "surrogates in UTF-8", lambda: data.replace(b"e", b"\xed\xa0\x80", 20)
    yield "a byte order mark", lambda: b"\xef\xbb\xbf" + data
    yield "CRLF", lambda: data.replace(b"\n", b"\r\n")
    yield "CR", lambda: data.replace(b"\n", b"\r")
    yield "no line ends", lambda: data.replace(b"\n", b"")
    yield "U+2028 for line ends", lambda: data.replace(b"\n", "\u2028".encode())
    for bad in GARBAGE:
        yield f"{bad[:30]!r} first", lambda bad=bad: bad + b"\n" + data
        yield f"{bad[:30]!r} last", lambda bad=bad: data + b"\n" + bad


def enormous(data: bytes, seed: int) -> Iterator[Change]:
    """Lines and values of 10 MB, and absurd nesting of what JSON, Markdown and HTML nest."""
    yield "a value of 10 MB", lambda: data + b'\n{"type":"user","text":"' + b"x" * 10_000_000 + b'"}\n' + data
    yield "10 MB that never end", lambda: data + b"\n" + b'{"a":"' * 1_700_000
    yield "10 MB of open braces", lambda: b'{"type":"user","message":{"content":[' * 300_000 + b"\n" + data
    for opening in (b"> ", b"<div>", b"[[", b"*", b"- "):
        yield f"{DEEP} times {opening!r}", lambda opening=opening: data + b"\n" + opening * DEEP
    for opening, closing in ((b"[", b"]"), (b'{"a":', b"}"), (b'[{"type":"text","content":', b"}]")):
        yield f"{opening!r} that never ends", lambda opening=opening: opening * DEEP + b"\n" + data
        for depth in (500, 2000, DEEP):  # within the reach of the parser, around it, beyond
            whole = (opening, depth, closing)
            yield f"{depth} nested {opening!r}", lambda w=whole: w[0] * w[1] + b"1" + w[2] * w[1] + b"\n" + data


def mistyped(data: bytes, seed: int) -> Iterator[Change]:
    """Each field of each JSON record taken out, and given each wrong type; the other records stay."""
    records, join = json_records(data)
    rest = [x if isinstance(x, bytes) else json.dumps(x).encode() for x in records]

    def changed(number: int, path: tuple[Any, ...], wrong: Any) -> bytes:
        record = json.dumps(_with(records[number], path, wrong)).encode()
        return join.join([*rest[:number], record, *rest[number + 1 :]])

    for number, record in enumerate(records):
        for path in () if isinstance(record, bytes) else _paths(record):
            for wrong in (_GONE, *WRONG):
                what = f"record {number + 1}: {'.'.join(map(str, path))} = {repr(wrong)[:30]}"
                yield what, lambda n=number, p=path, w=wrong: changed(n, p, w)


KINDS = (truncated, flipped, rewritten, mistyped)


def json_records(data: bytes) -> tuple[list[Any], bytes]:
    """The JSON values of a file, one or one for each line, and what stands between; a line that is none stays bytes."""
    try:
        return [json.loads(data)], b""
    except ValueError:
        pass
    records: list[Any] = []
    for line in data.split(b"\n"):
        try:
            records.append(json.loads(line.decode("utf-8", "replace")))
        except ValueError:
            records.append(line)
    return records, b"\n"


def bad_values(database: Path) -> Iterator[tuple[str, Callable[[sqlite3.Connection], Any]]]:
    """(what, change) for each column of each row: no value, another type, no JSON, JSON of another shape."""
    bad: tuple[Any, ...] = (None, 7, -1.5, b"\xff\x00\xfe", "", "x", "{", "[]", "null", "{}", '{"type":[]}')
    bad = (*bad, "[" * DEEP, '{"text":{"text":[]}}', "\x00\x1b[2J")
    with sqlite3.connect(database) as connection:
        tables = [row[0] for row in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        for table in tables:
            columns = [row[1] for row in connection.execute(f'PRAGMA table_info("{table}")')]
            for row in [row[0] for row in connection.execute(f'SELECT _rowid_ FROM "{table}"')]:
                for column in columns:
                    for value in bad:
                        statement = f'UPDATE OR IGNORE "{table}" SET "{column}" = ? WHERE _rowid_ = ?'
                        yield f"{table}.{column} of {row} = {value!r:.30}", _change(statement, value, row)
                yield f"{table}: row {row} gone", _change(f'DELETE FROM "{table}" WHERE _rowid_ = ?', row)
            for column in columns:
                yield f"{table} without {column}", _change(f'ALTER TABLE "{table}" RENAME "{column}" TO "gone"')
            yield f"no table {table}", _change(f'DROP TABLE "{table}"')
    connection.close()


def some(changes: list[Any], most: int, seed: int = 7) -> list[Any]:
    """All of `changes`, or a seeded choice of `most` in their order."""
    if len(changes) <= most:
        return changes
    return [changes[place] for place in sorted(random.Random(seed).sample(range(len(changes)), most))]


def _noisy(data: bytes, seed: int) -> bytes:
    chance, noisy = random.Random(seed), bytearray(data)
    for _ in range(20):
        noisy[chance.randrange(len(noisy))] = chance.randrange(256)
    return bytes(noisy)


def _paths(value: Any, before: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The way to each value inside a JSON value, the value itself included."""
    yield before
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, below in inner:
        yield from _paths(below, (*before, key))


def _with(value: Any, path: tuple[Any, ...], new: Any) -> Any:
    """A copy of `value` with `new` at `path`, or with nothing there."""
    if not path:
        return None if new is _GONE else new
    copied = dict(value) if isinstance(value, dict) else list(value)
    if len(path) == 1 and new is _GONE:
        del copied[path[0]]
    else:
        copied[path[0]] = _with(copied[path[0]], path[1:], new)
    return copied


def _change(statement: str, *values: Any) -> Callable[[sqlite3.Connection], Any]:
    def apply(connection: sqlite3.Connection) -> None:
        try:
            connection.execute(statement, values)
        except sqlite3.Error:  # a constraint of the table forbids it: such a value cannot occur
            connection.rollback()

    return apply
