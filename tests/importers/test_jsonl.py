"""Reading JSON Lines and JSON that other programs write: damage is named, the rest arrives."""

import os
import time
from pathlib import Path
from typing import Any

import pytest
from memhub_importers import jsonl
from memhub_importers.values import entries, instant, table, text

from memhub.model.record import Skipped


def read(tmp_path: Path, data: bytes) -> list[Any]:
    """Objects, and for a bad place its line and reason."""
    path = tmp_path / "f.jsonl"
    path.write_bytes(data)
    outcomes = list(jsonl.lines(path))
    return [(x.where, x.why, x.failed) if isinstance(x, Skipped) else x for x in outcomes]


@pytest.mark.parametrize(
    ("data", "found"),
    [
        (b'{"a":1}\n\n \n{"a":2}\r\n{"a":3}', [(1, {"a": 1}), (4, {"a": 2}), (5, {"a": 3})]),
        (b'\xef\xbb\xbf{"a":1}\n', [(1, {"a": 1})]),
        ('{"a":"x\u2028y\u0085z"}\n'.encode(), [(1, {"a": "x\u2028y\u0085z"})]),
        (b'{"a":"\xff"}\n', [(1, {"a": "\ufffd"})]),
        (b'{"a":1}{"b":2} {"c":3}\n', [(1, {"a": 1}), (1, {"b": 2}), (1, {"c": 3})]),
        (b'\0\0\0{"a":1}\0\n', [(1, {"a": 1})]),
        (b'{"a":1}\n{"b":"tor', [(1, {"a": 1}), ("f.jsonl:2", "unfinished line at the end", False)]),
        (
            b'{"a":{"b":"tor{"c":{"d":1}}\n',
            [
                (1, {"c": {"d": 1}}),
                ("f.jsonl:1", "the start of a record, torn off; what follows was read", True),
            ],
        ),
        (b'{"a":{"b":1},"c":"tor\n', [("f.jsonl:1", "no JSON: unterminated string starting at character 18", True)]),
        (b"[1]\n3\n", [("f.jsonl:1", "no JSON object", True), ("f.jsonl:2", "no JSON object", True)]),
        (b"[" * 100_000 + b"\n", [("f.jsonl:1", "JSON nested too deep", True)]),
        (b'{"a":' + b"1" * 5000 + b"}\n", [("f.jsonl:1", "no JSON: a number with too many digits", True)]),
        (b"", []),
    ],
)
def test_lines(tmp_path: Path, data: bytes, found: list[Any]) -> None:
    assert read(tmp_path, data) == found


def test_lines_that_are_too_long_are_passed_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jsonl, "MAX_LINE", 1000)
    long = b'{"a":"' + b"x" * 5_000_000 + b'"}\n'
    assert read(tmp_path, b'{"a":1}\n' + long + b'{"a":2}\n') == [
        (1, {"a": 1}),
        ("f.jsonl:2", "a line over 0 MiB", True),
        (3, {"a": 2}),
    ]


@pytest.mark.parametrize("data", [b'{"a":"' * 1_700_000, b'{"a":' * 2_000_000, b'{"a":[{"b":' * 1_000_000])
def test_damage_of_ten_megabytes_takes_no_age(tmp_path: Path, data: bytes) -> None:
    start = time.process_time()
    assert read(tmp_path, data + b"\n" + b'{"a":1}\n')[-1] == (2, {"a": 1})
    assert time.process_time() - start < 20


def test_files_that_are_none(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "link").symlink_to("/dev/zero")
    (tmp_path / "bad.json").write_text("{")
    (tmp_path / "deep.json").write_text("[" * 100_000)
    for name, why in (
        ("pipe", "no regular file"),
        ("link", "cannot be read"),
        ("gone", "cannot be read: No such file"),
        ("bad.json", "no JSON: expecting property name"),
        ("deep.json", "JSON nested too deep"),
    ):
        outcome = jsonl.document(tmp_path / name)
        assert isinstance(outcome, Skipped)
        assert outcome.failed
        assert outcome.where == name
        assert why in outcome.why
        if not name.endswith(".json"):
            assert [x.why for x in jsonl.lines(tmp_path / name)] == [outcome.why]
    (tmp_path / "good.json").write_bytes(b'\xef\xbb\xbf{"a":["\xff"]}')
    assert jsonl.document(tmp_path / "good.json") == {"a": ["\ufffd"]}


@pytest.mark.parametrize(
    ("value", "moment"),
    [
        ("2026-03-02T09:15:00.999Z", "2026-03-02T09:15:00Z"),
        ("2026-03-02T09:15:00.123456789+01:30", "2026-03-02T07:45:00Z"),
        ("2026-03-02 09:15:00", "2026-03-02T09:15:00Z"),
        ("2026-03-02T09:15", "2026-03-02T09:15:00Z"),
        (1772442900, "2026-03-02T09:15:00Z"),
        (1772442900999, "2026-03-02T09:15:00Z"),
        (1772442900999.5, "2026-03-02T09:15:00Z"),
        ("1772442900250", "2026-03-02T09:15:00Z"),
        (1772442900250_000, "2026-03-02T09:15:00Z"),
        ("2026-02-30T09:15:00Z", None),
        ("2026-03-02", None),
        ("yesterday", None),
        (True, None),
        (float("nan"), None),
        (float("inf"), None),
        (-5, None),
        (2**70, None),
        ("9" * 5000, None),
        ([], None),
        (None, None),
    ],
)
def test_instants(value: Any, moment: str | None) -> None:
    assert instant(value) == moment


def test_fields_of_another_type_are_missing() -> None:
    record = {"a": "x\x1b[2Jy\ud800", "b": 7, "c": {"d": 1}, "e": [1]}
    assert text(record, "a") == "xy\ufffd"
    assert [text(record, "b"), text(record, "gone"), text([], "a"), text(None, "a")] == [""] * 4
    assert table(record, "c") == {"d": 1}
    assert [dict(table(record, "b")), dict(table("x", "b"))] == [{}, {}]
    assert entries(record, "e") == [1]
    assert entries(record, "c") == []
