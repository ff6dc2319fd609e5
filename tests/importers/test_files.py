"""The file system as it is: loops, links, pipes, names that are no text, files that cannot be read, and noise."""

import os
import time
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from importer_fixtures import DATA, one, run, write
from memhub_importers.encoding import decode


def test_links_and_loops_are_named_and_not_followed(tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "secret.md").write_text("not yours")
    root = tmp_path / "notes"
    (root / "sub").mkdir(parents=True)
    write(root, a="in")
    (root / "loop").symlink_to(root)
    (root / "sub" / "up").symlink_to("..")
    (root / "out").symlink_to(outside)
    (root / "passwd.md").symlink_to("/etc/passwd")
    (root / "same.md").symlink_to("a.md")
    (root / "gone.md").symlink_to("nowhere.md")
    records, skipped, _ = run(root)
    assert [record.path for record in records] == ["a.md"]
    why = {place.where: place.why for place in skipped}
    assert why.keys() == {"loop", "sub/up", "out", "passwd.md", "same.md", "gone.md"}
    assert why["passwd.md"] == why["out"] == "symbolic link out of the folder; not followed"
    assert why["gone.md"] == "symbolic link that leads nowhere"
    assert "own place" in why["loop"]


def test_a_root_that_is_a_link_is_read(tmp_path: Path) -> None:
    real = tmp_path / "real"
    real.mkdir()
    write(real, a="in")
    (tmp_path / "alias").symlink_to(real)
    records, _, origin = run(tmp_path / "alias")
    assert [record.path for record in records] == ["a.md"]
    assert origin[1] == "real"


def test_a_pipe_is_no_file(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.md")
    write(tmp_path, a="in")
    records, skipped, _ = run(tmp_path)
    assert len(records) == 1
    assert [(place.where, place.why) for place in skipped] == [("pipe.md", "no regular file")]


@pytest.mark.skipif(os.geteuid() == 0, reason="root reads everything")
def test_what_may_not_be_read_is_named(tmp_path: Path) -> None:
    write(tmp_path, a="in", locked="x")
    (tmp_path / "room").mkdir()
    (tmp_path / "locked.md").chmod(0)
    (tmp_path / "room").chmod(0)
    try:
        records, skipped, _ = run(tmp_path)
    finally:
        (tmp_path / "room").chmod(0o700)
    assert [record.path for record in records] == ["a.md"]
    assert {(place.where, place.why, place.failed) for place in skipped} == {
        ("locked.md", "cannot be read: Permission denied", True),
        ("room/", "cannot be read: Permission denied", True),
    }


def test_a_file_that_fails_while_it_is_read_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path, a="in", bad="x", c="in too")
    real = os.open

    def failing(path: str, *rest: int) -> int:
        if str(path).endswith("bad.md"):
            raise OSError(5, "Input/output error")
        return real(path, *rest)

    monkeypatch.setattr("memhub_importers.files.os.open", failing)
    records, skipped, _ = run(tmp_path)
    assert [record.path for record in records] == ["a.md", "c.md"]
    assert [(place.where, place.why, place.failed) for place in skipped] == [
        ("bad.md", "cannot be read: Input/output error", True)
    ]


def test_a_name_that_is_no_text(tmp_path: Path) -> None:
    try:
        Path(os.fsdecode(os.fsencode(tmp_path) + b"/caf\xe9.md")).write_text("latin name")
    except OSError:
        pytest.skip("this file system takes text names only")
    assert [record.external_id for record in run(tmp_path)[0]] == ["path:caf\ufffd.md"]


def test_what_programs_leave_behind_is_not_imported(tmp_path: Path) -> None:
    for name in (".DS_Store", "._a.md", "Thumbs.db", "~$a.md", "a.sync-conflict-1.md", "b.md.icloud"):
        (tmp_path / name).write_text("x")
    for name in (".git", "logseq/bak", "__MACOSX", ".zk"):
        (tmp_path / name).mkdir(parents=True)
        (tmp_path / name / "x.md").write_text("x")
    write(tmp_path, a="in")
    records, skipped, _ = run(tmp_path)
    assert [record.path for record in records] == ["a.md"]
    assert {place.where for place in skipped} == {
        "~$a.md",
        "a.sync-conflict-1.md",
        "b.md.icloud",
        ".git/",
        "logseq/bak/",
        "__MACOSX/",
        ".zk/",
    }
    assert not any(place.failed for place in skipped)


@pytest.mark.parametrize(
    ("data", "text", "encoding"),
    [
        (b"\xef\xbb\xbfmark", "mark", "utf-8"),
        ("weit".encode("utf-16"), "weit", "utf-16"),
        (b"\xfe\xff" + "big".encode("utf-16-be"), "big", "utf-16"),
        ("four".encode("utf-32"), "four", "utf-32"),
        ("naïve €".encode("cp1252"), "naïve €", "cp1252"),
        (b"\x81 latin", " latin", "latin-1"),
        ("读书笔记，一共十二个字符。".encode()[:-1], "读书笔记，一共十二个字符\ufffd", "utf-8"),
        (b"a\xff\xfeb", "aÿþb", "cp1252"),
    ],
)
def test_encodings(data: bytes, text: str, encoding: str) -> None:
    decoded = decode(data)
    assert decoded is not None
    assert (decoded.text, decoded.encoding) == (text, encoding)


def test_a_megabyte_on_one_line(tmp_path: Path) -> None:
    path = tmp_path / "long.md"
    for piece in ("word ", "[[", "[a](", "#a ", "> ", "`", "- ", "^", "[", "![", "http://", "<", "a|"):
        path.write_text(piece * (1_000_000 // len(piece)))
        start = time.process_time()
        assert one(path).path == "long.md"
        assert time.process_time() - start < 10, piece


def test_a_file_over_the_limit_is_named(tmp_path: Path) -> None:
    with open(tmp_path / "big.md", "wb") as file:
        file.truncate(65 * 1024 * 1024)
    write(tmp_path, a="in")
    records, skipped, _ = run(tmp_path)
    assert len(records) == 1
    assert [(place.where, place.why, place.failed) for place in skipped] == [("big.md", "larger than 64 MiB", True)]


_SEEDS = [path.read_bytes() for path in sorted(DATA.rglob("*")) if path.suffix in (".md", ".canvas", ".txt")]


_BITS = [b"---\n", b"[[", b"\xff", b"```", b"{", b'"', b"\n", b"#", b"\r"]


@st.composite
def damaged(draw: st.DrawFn) -> bytes:
    """A fixture that was cut, had bytes put in, or was glued to another; or noise."""
    data = draw(st.sampled_from(_SEEDS) | st.binary(max_size=200))
    cut = draw(st.integers(0, len(data)))
    middle = draw(
        st.binary(max_size=12) | st.sampled_from([b"---\n", b"[[", b"\xff", b"```", b"{", b'"', b"\n", b"#", b"\r"])
    )
    return data[:cut] + middle + draw(st.sampled_from([b"", data[cut:], draw(st.sampled_from(_SEEDS))]))


@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=damaged(), ending=st.sampled_from([".md", ".canvas", ".txt", ""]))
def test_damage_in_one_file_stops_nothing(tmp_path: Path, data: bytes, ending: str) -> None:
    for old in tmp_path.iterdir():
        old.unlink()
    write(tmp_path, good="# Good\n\nlinks to [[odd]]")
    (tmp_path / f"odd{ending}").write_bytes(data)
    records, skipped, _ = run(tmp_path)
    assert "path:good.md" in {record.external_id for record in records}
    assert len(records) + len(skipped) >= 2
    for record in records:
        text = repr(record)
        text.encode("utf-8")
        assert "\0" not in record.content
        assert record.content == record.content.strip()
