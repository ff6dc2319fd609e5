"""Damages what importers read, in every way that disks, programs and versions do, and checks what they make of it.

`fuzz_files` and `fuzz_database` do it all for the fixture of one tool; each importer's test module calls one of them:

    def test_damage(tmp_path):
        fuzz_files(claude_code, copy("claude-code", tmp_path) / ".claude", tmp_path)

They fail on an exception, on an outcome of the wrong shape, on a run that takes too long, and when a conversation is
lost that the damage did not touch.
"""

import json
import os
import random
import shutil
import sqlite3
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from memhub_importers.registry import Importer
from session_fixtures import read

from memhub.model.record import Conversation, Skipped

SECONDS = 20.0  # for one run, on a loaded machine
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
Change = tuple[str, bytes]


def fuzz_files(
    importer: Importer, root: Path, scratch: Path, *, pattern: str = "*", seed: int = 7, most: int = 400
) -> None:
    """Damages each file below `root` that matches `pattern`, one after the other, and reads the whole store each time.

    `most` limits the runs per kind of damage and file (a seeded choice of all that there are).
    """
    files = [root] if root.is_file() else sorted(path for path in root.rglob(pattern) if path.is_file())
    assert files, "nothing to damage"
    for path in files:
        data = path.read_bytes()
        untouched = _untouched(importer, root, path)
        for kind in (truncated, flipped, rewritten, mistyped):
            for what, changed in _some(list(kind(data, seed)), most, seed):
                if len(changed) > 1_000_000 and path != files[0]:
                    continue  # what is enormous need not be read for each file
                path.write_bytes(changed)
                run(importer, root, f"{path.name}: {what}", must_have=untouched)
        path.write_bytes(data)
    check_links(importer, root, scratch)


def fuzz_lines(importer: Importer, root: Path, *, pattern: str = "*.jsonl") -> None:
    """Puts a bad line between any two lines of each JSON Lines file: every turn still arrives, and the place is named.

    Only what a reader can tell to be bad is named (`{}` and unknown types are passed over in silence).
    """
    whole = turns(read(importer, root)[0])
    for path in sorted(path for path in root.rglob(pattern) if path.is_file()):
        data = path.read_bytes()
        ends = [place + 1 for place, byte in enumerate(data) if byte == 10]
        for number, end in enumerate([0, *ends]):
            bad = GARBAGE[number % len(GARBAGE)]
            path.write_bytes(data[:end] + bad + b"\n" + data[end:])
            found = run(importer, root, f"{path.name}: {bad[:40]!r} after line {number}")
            assert turns(found[0]) == whole, f"{path.name}: {bad[:40]!r} after line {number}"
        path.write_bytes(data)


def fuzz_database(importer: Importer, root: Path, database: Path, *, seed: int = 7, most: int = 150) -> None:
    """Damages each value of each table, then the bytes of the file, and reads the store each time.

    A bad value may cost its own conversation only.
    """
    data = database.read_bytes()
    whole = turns(read(importer, root)[0])
    for what, change in _some(list(_bad_values(database)), most * 4, seed):
        with sqlite3.connect(database) as connection:
            connection.text_factory = bytes
            change(connection)
        connection.close()
        found = turns(run(importer, root, what)[0])
        assert sum(found.get(key) == value for key, value in whole.items()) >= len(whole) - 2, what
        database.write_bytes(data)
    for kind in (truncated, flipped, rewritten):
        for what, changed in _some(list(kind(data, seed)), most, seed):
            database.write_bytes(changed)
            run(importer, root, f"{database.name}: {what}")
    database.write_bytes(data)


def run(
    importer: Importer, root: Path, what: str, *, must_have: dict[Any, Any] | None = None
) -> tuple[list[Conversation], list[Skipped], dict[str, str]]:
    """One run over a damaged store: it ends in time, raises nothing, keeps the shape and what was not damaged."""
    start = time.monotonic()
    try:
        found = read(importer, root)
    except BaseException as error:
        error.add_note(f"damage: {what}")
        raise
    assert time.monotonic() - start < SECONDS, what
    have = turns(found[0])
    for key, value in (must_have or {}).items():
        assert have.get(key) == value, what
    return found


def turns(conversations: list[Conversation]) -> dict[Any, Any]:
    """Role and text of each turn, by the key of the conversation."""
    return {x.info.key: [(message.role, message.content) for message in x.messages] for x in conversations}


def truncated(data: bytes, seed: int) -> Iterator[Change]:
    """Cut at each record boundary and one byte around it, at the start, and at some places in between."""
    cuts = {0, 1, 2, 3, len(data) - 1, len(data) - 2}
    for place, byte in enumerate(data):
        if byte == 10:
            cuts |= {place - 1, place, place + 1, place + 2}
    cuts |= {random.Random(seed).randrange(len(data) + 1) for _ in range(40)}
    for cut in sorted(cut for cut in cuts if 0 <= cut <= len(data)):
        yield f"cut at byte {cut}", data[:cut]


def flipped(data: bytes, seed: int) -> Iterator[Change]:
    """One bit turned, then many; a block of zeros, a block repeated, a block gone."""
    chance = random.Random(seed)
    if not data:
        return
    for _ in range(120):
        place, bit = chance.randrange(len(data)), 1 << chance.randrange(8)
        yield f"bit {bit} of byte {place}", data[:place] + bytes([data[place] ^ bit]) + data[place + 1 :]
    for _ in range(20):
        noisy = bytearray(data)
        for _ in range(20):
            noisy[chance.randrange(len(noisy))] = chance.randrange(256)
        yield "20 bytes changed", bytes(noisy)
    for _ in range(20):
        a, b = sorted(chance.randrange(len(data) + 1) for _ in "ab")
        yield f"zeros from {a} to {b}", data[:a] + bytes(b - a) + data[b:]
        yield f"twice from {a} to {b}", data[:b] + data[a:b] + data[b:]
        yield f"gone from {a} to {b}", data[:a] + data[b:]


def rewritten(data: bytes, seed: int) -> Iterator[Change]:
    """The file as something else: empty, binary, other encodings and line ends, enormous lines, absurd nesting."""
    text = data.decode("utf-8", "replace")
    yield "nothing", b""
    yield "one line end", b"\n"
    yield "NULs", bytes(5000)
    yield "random bytes", random.Random(seed).randbytes(5000)
    yield "UTF-16", text.encode("utf-16")
    yield "Latin-1", text.encode("latin-1", "replace")
    yield "a byte order mark", b"\xef\xbb\xbf" + data
    yield "CRLF", data.replace(b"\n", b"\r\n")
    yield "CR", data.replace(b"\n", b"\r")
    yield "no line ends", data.replace(b"\n", b"")
    yield "U+2028 for line ends", data.replace(b"\n", "\u2028".encode())
    yield "a line of 10 MB", data + b"\n" + b'{"type":"user","text":"' + b"x" * 10_000_000 + b'"}\n' + data
    yield "10 MB that never end", data + b"\n" + b'{"a":"' * 1_700_000
    yield "10 MB of open braces", b'{"type":"user","message":{"content":[' * 300_000 + b"\n" + data
    for opening in ("[", '{"a":', '[{"type":"text","content":'):
        yield f"nested {opening}", opening.encode() * DEEP + b"\n" + data
        closing = opening.translate({ord("["): "]", ord("{"): "}"})[::-1]
        closing = "".join(letter for letter in closing if letter in "]}")
        for depth in (500, 2000, DEEP):  # within the reach of the parser, around it, beyond
            yield f"{depth} nested {opening}", (opening * depth + "1" + closing * depth).encode() + b"\n" + data
    for bad in GARBAGE:
        yield f"{bad[:30]!r} first", bad + b"\n" + data
        yield f"{bad[:30]!r} last", data + b"\n" + bad


def mistyped(data: bytes, seed: int) -> Iterator[Change]:
    """Each field of each JSON record taken out, and given each wrong type; the other records stay."""
    try:
        whole = json.loads(data)
        records, join = [whole], b""
    except ValueError:
        records, join = [], b"\n"
        for line in data.split(b"\n"):
            try:
                records.append(json.loads(line.decode("utf-8", "replace")))
            except ValueError:
                records.append(line)
    for number, record in enumerate(records):
        if isinstance(record, bytes):
            continue
        rest = [x if isinstance(x, bytes) else json.dumps(x).encode() for x in records]
        for path in _paths(record):
            for wrong in (_GONE, *WRONG):
                changed = json.dumps(_with(record, path, wrong)).encode()
                yield (
                    f"record {number + 1}: {'.'.join(map(str, path))} = {repr(wrong)[:30]}",
                    join.join([*rest[:number], changed, *rest[number + 1 :]]),
                )


def check_links(importer: Importer, root: Path, scratch: Path) -> None:
    """Links in a circle, to nowhere and to a device, a pipe, and a folder called like a file: no hang, nothing more."""
    if root.is_file():
        return
    whole = turns(read(importer, root)[0])
    made: list[Path] = []
    for folder in [root, *sorted(path for path in root.rglob("*") if path.is_dir())][:40]:
        file = next((path for path in sorted(folder.iterdir()) if path.is_file() and not path.is_symlink()), None)
        suffix = file.suffix if file else ".jsonl"
        links = {"circle": folder, "up": root, "nowhere" + suffix: scratch / "gone", "device" + suffix: "/dev/zero"}
        for name, target in links.items():
            (folder / name).symlink_to(target)
            made.append(folder / name)
        os.mkfifo(folder / ("pipe" + suffix))
        (folder / ("folder" + suffix)).mkdir()
        made += [folder / ("pipe" + suffix), folder / ("folder" + suffix)]
    assert turns(run(importer, root, "links and pipes")[0]) == whole
    for path in made[::-1]:
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path)
        else:
            path.unlink()


_GONE = object()


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


def _untouched(importer: Importer, root: Path, path: Path) -> dict[Any, Any]:
    """The conversations that stay the same whatever the file holds: those that neither need nor come from it."""
    whole = turns(read(importer, root)[0])
    data = path.read_bytes()
    for other in (b"", b"\0" * 10):
        path.write_bytes(other)
        left = turns(read(importer, root)[0])
        whole = {key: value for key, value in whole.items() if left.get(key) == value}
    path.write_bytes(data)
    return whole


def _some(changes: list[Any], most: int, seed: int) -> list[Any]:
    """All of `changes`, or a seeded choice of `most` in their order."""
    if len(changes) <= most:
        return changes
    return [changes[place] for place in sorted(random.Random(seed).sample(range(len(changes)), most))]


def _bad_values(database: Path) -> Iterator[tuple[str, Callable[[sqlite3.Connection], Any]]]:
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


def _change(statement: str, *values: Any) -> Callable[[sqlite3.Connection], Any]:
    def apply(connection: sqlite3.Connection) -> None:
        try:
            connection.execute(statement, values)
        except sqlite3.Error:  # a constraint of the table forbids it: such a value cannot occur
            connection.rollback()

    return apply
