"""Reads damaged stores and checks what an importer makes of them, whatever kind it is.

A run fails on an exception, on an outcome of the wrong shape, when it takes too long, when something is lost that the
damage did not touch, and when a line that is no JSON is passed over without a word.
"""

import json
import os
import re
import shutil
import sqlite3
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from damage import GARBAGE, KINDS, bad_values, enormous, flipped, rewritten, some, truncated
from memhub_importers.registry import Importer
from session_fixtures import check_shape

from memhub.model.record import Conversation, Record, Skipped

SECONDS = 20.0  # of the processor, for one run
_TIME = re.compile(r"\d{4}-\d\d(?:-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?Z?)?)?")
_TYPES = {"link", "embed", "url", "property", "relation", "parent", "reply", "block", "cite", "attachment"}


def run(importer: Importer, root: Path, what: str, *, must_have: dict[Any, Any] | None = None) -> list[Any]:
    """The outcomes of one run over a damaged store. `must_have`: what `kept` must still show."""
    start = time.process_time()
    try:
        outcomes = list(importer.read(root, scope="x"))
        check_shapes(outcomes)
    except BaseException as error:
        error.add_note(f"damage: {what}")
        raise
    assert time.process_time() - start < SECONDS, what
    have = kept(outcomes)
    for key, value in (must_have or {}).items():
        assert have.get(key) == value, f"{what}: {key} is lost"
    return outcomes


def kept(outcomes: Iterable[Any]) -> dict[Any, Any]:
    """Role and text of each turn by the key of the conversation; the text of each record by its id."""
    found: dict[Any, Any] = {}
    for outcome in outcomes:
        if isinstance(outcome, Conversation):
            found[outcome.info.key] = [(message.role, message.content) for message in outcome.messages]
        elif isinstance(outcome, Record):
            found[outcome.external_id] = outcome.content
    return found


def fuzz_files(importer: Importer, root: Path, files: list[Path], most: int) -> None:
    """Damages each of `files` of the store at `root` and reads the store, `most` times for each kind of damage."""
    for path in files:
        data = path.read_bytes()
        whole = kept(run(importer, root, "none"))
        untouched = _untouched(importer, root, path, whole)
        for number, kind in enumerate(KINDS):
            for what, changed in some(list(kind(data, 7)), most, number):
                path.write_bytes(changed())
                run(importer, root, f"{path.name}: {what}", must_have=untouched)
        path.write_bytes(data)


def fuzz_sizes(importer: Importer, root: Path, path: Path, most: int, seed: int) -> None:
    """Enormous lines and absurd nesting in one file."""
    data = path.read_bytes()
    untouched = _untouched(importer, root, path, kept(run(importer, root, "none")))
    changes = list(enormous(data, seed))
    for what, changed in [*some(changes[:3], max(1, most // 4), seed), *some(changes[3:], most, seed)]:
        path.write_bytes(changed())
        run(importer, root, f"{path.name}: {what}", must_have=untouched)
    path.write_bytes(data)


def fuzz_lines(importer: Importer, root: Path, files: list[Path], most: int) -> None:
    """Puts a bad line between any two: every record still arrives, and what is no JSON is named with its place."""
    whole = kept(run(importer, root, "none"))
    for path in files:
        data = path.read_bytes()
        ends = [0, *(place + 1 for place, byte in enumerate(data) if byte == 10)]
        for number, end in some(list(enumerate(ends)), most):
            bad = GARBAGE[number % len(GARBAGE)]
            what = f"{path.name}: {bad[:40]!r} after line {number}"
            path.write_bytes(data[:end] + bad + b"\n" + data[end:])
            outcomes = run(importer, root, what)
            assert kept(outcomes) == whole, what
            if not _is_json(bad):
                assert named(outcomes, f"{path.name}:{number + 1}"), what
        path.write_bytes(data)


def fuzz_database(importer: Importer, root: Path, database: Path, most: int) -> None:
    """Damages each value of each table, then the bytes of the file. A bad value may cost its own conversation only."""
    data = database.read_bytes()
    whole = kept(run(importer, root, "none"))
    for what, change in some(list(bad_values(database)), most * 4):
        with sqlite3.connect(database) as connection:
            connection.text_factory = bytes
            change(connection)
        connection.close()
        found = kept(run(importer, root, what))
        assert sum(found.get(key) == value for key, value in whole.items()) >= len(whole) - 2, what
        database.write_bytes(data)
    for number, kind in enumerate((truncated, flipped, rewritten)):
        for what, changed in some(list(kind(data, 7)), most, number):
            database.write_bytes(changed())
            outcomes = run(importer, root, f"{database.name}: {what}")
            if not changed().startswith(b"SQLite format 3\0") and len(changed()) > 1:
                assert [x for x in outcomes if isinstance(x, Skipped)], what
    database.write_bytes(data)


def check_links(importer: Importer, root: Path, scratch: Path) -> None:
    """Links in a circle, to nowhere and to a device, a pipe, and a folder called like a file: no hang, nothing more."""
    whole = kept(run(importer, root, "none"))
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
    assert kept(run(importer, root, "links and pipes")) == whole
    for path in made[::-1]:
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path)
        else:
            path.unlink()


def check_places(importer: Importer, root: Path, path: Path) -> None:
    """A folder, a link to itself, a pipe and an empty file, each where a file of the store is expected."""
    data = path.read_bytes()
    untouched = _untouched(importer, root, path, kept(run(importer, root, "none")))
    for what, make, unmake in (
        ("folder", path.mkdir, path.rmdir),
        ("link to itself", lambda: path.symlink_to(path), path.unlink),
        ("pipe", lambda: os.mkfifo(path), path.unlink),
        ("nothing in it", path.touch, path.unlink),
    ):
        path.unlink()
        make()
        if path != root or what in ("folder", "nothing in it"):
            run(importer, root, f"{path.name}: a {what}", must_have=untouched)
        unmake()
        path.write_bytes(data)


def records(importer: Importer, root: Path) -> list[Record]:
    """The records of one run, each of the right shape; ids are unique."""
    return [outcome for outcome in run(importer, root, "none") if isinstance(outcome, Record)]


def named(outcomes: Iterable[Any], where: str) -> bool:
    """Whether a place is among those that gave nothing, or in the warning of something that came."""
    number = where.rpartition(":")[2]
    for outcome in outcomes:
        if isinstance(outcome, Skipped) and where in f"{outcome.where}: {outcome.why}":
            return True
        warnings = getattr(outcome, "warnings", ())
        if any(where in warning or f"line {number}:" in warning for warning in warnings):
            return True
    return False


def check_shapes(outcomes: Iterable[Any]) -> None:
    """Fails unless each outcome can be stored as it is, or is a place that is named; ids are unique."""
    ids: set[str] = set()
    for outcome in outcomes:
        check_shape(outcome)
        if isinstance(outcome, Record):
            assert outcome.external_id not in ids, outcome.external_id
            ids.add(outcome.external_id)
            _check_record(outcome)


def _check_record(record: Record) -> None:
    assert _is_text(record.external_id)
    assert record.external_id.partition(":")[2].strip("#")
    assert record.content == record.content.strip()
    assert "\0" not in record.content
    assert _is_text(record.title)
    assert all(_is_text(label) for label in record.labels)
    for moment in (record.created_at, record.updated_at):
        assert moment is None or _TIME.fullmatch(moment), moment
    for link in record.links:
        assert link.type in _TYPES
        assert _is_text(link.target)
        json.dumps(dict(link.attrs)).encode()
    json.dumps(dict(record.attrs)).encode()
    repr(record).encode()


def _untouched(importer: Importer, root: Path, path: Path, whole: dict[Any, Any]) -> dict[Any, Any]:
    """What stays the same whatever the file holds: what neither needs nor comes from it."""
    data = path.read_bytes()
    for other in (b"", b"\0" * 10):
        path.write_bytes(other)
        left = kept(run(importer, root, "none"))
        whole = {key: value for key, value in whole.items() if left.get(key) == value}
    path.write_bytes(data)
    return whole


def _is_json(line: bytes) -> bool:
    try:
        json.loads(line.decode("utf-8", "replace"))
    except ValueError:
        return not line.strip(b"\0 ")
    return True


def _is_text(value: Any) -> bool:
    return isinstance(value, str) and bool(value.strip()) and bool(value.encode("utf-8"))
