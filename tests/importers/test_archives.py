"""Zip archives and long JSON lists: what is refused, what is streamed, and what damage costs."""

import contextlib
import io
import json
import stat
import zipfile
from pathlib import Path
from typing import Any

import pytest
from memhub_importers import archives
from memhub_importers.archives import ArchiveMember, members
from memhub_importers.json_array import objects

from memhub.model.record import Skipped


def _zip(path: Path, entries: dict[str, bytes], compression: int = zipfile.ZIP_DEFLATED) -> Path:
    with zipfile.ZipFile(path, "w", compression) as archive:
        for name, data in entries.items():
            archive.writestr(name, data)
    return path


def _read(path: Path) -> tuple[dict[str, bytes], list[Skipped]]:
    found, skipped = {}, []
    for one in members(path, lambda name: name.endswith(".json")):
        if isinstance(one, ArchiveMember):
            data = b""
            try:
                while piece := one.stream.read(1000):
                    data += piece
            except archives.ERRORS as error:
                skipped.append(Skipped(one.name, str(error), True))
                continue
            found[one.name] = data
        else:
            skipped.append(one)
    return found, skipped


def test_members_are_read_by_name_also_of_an_archive_within(tmp_path: Path) -> None:
    inner = _zip(tmp_path / "inner.zip", {"c.json": b"3"}).read_bytes()
    path = _zip(tmp_path / "a.zip", {"b.json": b"2", "sub/a.json": b"1", "x.png": b"0", "inner.zip": inner})
    assert _read(path) == ({"b.json": b"2", "inner.zip/c.json": b"3", "sub/a.json": b"1"}, [])


def test_the_third_level_is_refused(tmp_path: Path) -> None:
    path = _zip(tmp_path / "0.zip", {"a.json": b"{}"})
    for level in (1, 2):
        path = _zip(tmp_path / f"{level}.zip", {f"{level}.zip": path.read_bytes()})
    assert _read(path) == ({}, [("2.zip/1.zip", "an archive more than 2 levels deep", False)])


@pytest.mark.parametrize("name", ["../a.json", "x/../../a.json", "/etc/a.json", "C:\\a.json", "..\\a.json"])
def test_names_that_lead_out_are_refused(name: str, tmp_path: Path) -> None:
    found, (skipped,) = _read(_zip(tmp_path / "a.zip", {name: b"{}", "good.json": b"{}"}))
    assert found == {"good.json": b"{}"}
    assert (skipped.why, skipped.failed) == ("its name leads out of the archive", True)
    assert sorted(file.name for file in tmp_path.rglob("*")) == ["a.zip"]


def test_links_are_refused(tmp_path: Path) -> None:
    link = zipfile.ZipInfo("link.json")
    link.external_attr = (stat.S_IFLNK | 0o777) << 16
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        archive.writestr(link, "/etc/passwd")
    assert _read(tmp_path / "a.zip") == ({}, [("link.json", "a link or device", True)])


def test_a_bomb_is_refused_by_what_it_says_and_by_what_it_does(tmp_path: Path) -> None:
    path = _zip(tmp_path / "a.zip", {"bomb.json": b"0" * 50_000_000, "good.json": b"{}"})
    found, (skipped,) = _read(path)
    assert found == {"good.json": b"{}"}
    assert skipped == ("bomb.json", "unpacks to far more than it should", True)
    data = bytearray(path.read_bytes())
    size = (50_000_000).to_bytes(4, "little")
    for _ in range(2):  # the size in the header of the member and in the directory
        at = data.index(size)
        data[at : at + 4] = (1000).to_bytes(4, "little")
    path.write_bytes(data)
    found, (skipped,) = _read(path)
    assert found == {"good.json": b"{}"}
    assert (skipped.where, skipped.failed) == ("bomb.json", True)


def test_a_bomb_within_an_archive_within_is_refused(tmp_path: Path) -> None:
    bomb = _zip(tmp_path / "bomb.zip", {"a.json": b"0" * 50_000_000}).read_bytes()
    found, (skipped,) = _read(_zip(tmp_path / "a.zip", {"bomb.zip": bomb}))
    assert found == {}
    assert skipped == ("bomb.zip/a.json", "unpacks to far more than it should", True)


def test_what_is_unpacked_in_all_is_limited(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archives, "MAX_UNPACKED", 2500)
    path = _zip(tmp_path / "a.zip", {f"{n}.json": bytes(range(250)) * 4 for n in range(4)})
    found, skipped = [], []
    for one in members(path, lambda name: True):
        if isinstance(one, Skipped):
            skipped.append(one.where)
            continue
        try:
            one.stream.read(2000)
            found.append(one.name)
        except ValueError:
            skipped.append(one.name)
    assert (found, skipped) == (["0.json", "1.json"], ["2.json", "3.json"])


def test_an_archive_of_too_many_entries_is_refused_unread(tmp_path: Path) -> None:
    path = _zip(tmp_path / "a.zip", {f"{n}.json": b"" for n in range(10_001)}, zipfile.ZIP_STORED)
    found, (skipped,) = _read(path)
    assert found == {}
    assert skipped.why == "an archive of more than 10000 entries; unpack it and import the folder"


def test_cut_changed_and_false_archives_cost_what_they_touch(tmp_path: Path) -> None:
    path = _zip(tmp_path / "a.zip", {"a.json": b'{"a":1}' * 50, "b.json": b'{"b":1}' * 50})
    data = path.read_bytes()
    for cut in range(0, len(data), 7):
        path.write_bytes(data[:cut])
        for one in members(path, lambda name: True):
            assert isinstance(one, Skipped)
            assert one.failed
    for place in range(len(data)):
        path.write_bytes(data[:place] + bytes([data[place] ^ 255]) + data[place + 1 :])
        for one in members(path, lambda name: True):
            if isinstance(one, ArchiveMember):
                with contextlib.suppress(*archives.ERRORS):
                    one.stream.read(10_000)


def _objects(text: str, **more: Any) -> list[Any]:
    return list(objects(io.BytesIO(text.encode()), "x.json", ("id",)))


def test_objects_come_one_by_one_across_the_edges_of_pieces() -> None:
    values = [{"id": n, "text": 'ä💡\\"' * n, "list": [[n, 1e5, None, True]]} for n in range(0, 4000, 13)]
    assert _objects(json.dumps(values)) == values
    assert _objects("\ufeff" + json.dumps(values, indent=1, ensure_ascii=False)) == values
    assert _objects('{"id": 1}') == [{"id": 1}]
    assert _objects("[]") == []
    assert _objects('[{"id": 1}, {"id": 2},') == [{"id": 1}, {"id": 2}]


@pytest.mark.parametrize(
    ("bad", "why"),
    [
        ('{"id": 2, "x": }', "no JSON: Expecting value"),
        ('{"id": 2, "x": "\x01"}', "no JSON: Invalid control character at"),
        ('{"id": 2 "x": [{"y": 1}, {"y": 2}]}', "no JSON: Expecting ',' delimiter"),
        ("[" * 100_000, "JSON nested too deep"),
        ("7", "no JSON object"),
        ('{"n": ' + "1" * 5000 + "}", "no JSON: Exceeds the limit (4300 digits) for integer string conversion"),
    ],
)
def test_a_damaged_object_costs_itself(bad: str, why: str) -> None:
    first, skipped, third = _objects(f'[{{"id": 1}}, {bad}, {{"id": 3}}]')
    assert (first, third) == ({"id": 1}, {"id": 3})
    assert skipped[:1] == ("x.json#2",)
    assert skipped.why.startswith(why)
    assert skipped.failed


def test_an_object_cut_off_by_the_end_of_the_file_is_named() -> None:
    first, skipped = _objects('[{"id": 1}, {"id": 2, "text": "cut of')
    assert first == {"id": 1}
    assert skipped == ("x.json#2", "the file ends within a record", True)


def test_absurd_text_ends_in_time() -> None:
    for piece in ('{"a":', ',{"a":"', '[{"id":', ',{"x":1', '"', "{}", ", {"):
        list(objects(io.BytesIO((piece * 300_000).encode()), "x.json", ("id",)))


def test_memory_is_that_of_one_object() -> None:
    import tracemalloc

    class Endless(io.RawIOBase):
        """5,000 objects of 10 kB, made as they are read."""

        def __init__(self) -> None:
            self.left = 5000

        def read(self, size: int = -1) -> bytes:
            if self.left < 0:
                return b""
            self.left -= 20
            return b"[" * (self.left == 4980) + b",".join([b'{"id":1,"t":"' + b"x" * 10_000 + b'"}'] * 20) + b","

    tracemalloc.start()
    assert sum(1 for _ in objects(Endless(), "x.json", ("id",))) == 5020  # type: ignore[arg-type]
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 8_000_000
