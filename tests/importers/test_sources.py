"""What an import may be given beside folders and files: a zip of notes, and a stream."""

import io
import json
import os
import shutil
import subprocess
import sys
import time
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from importer_fixtures import DATA, copy_fixture, run
from memhub_importers import archives
from memhub_importers.sources import opened, streamed

from memhub import Memory
from memhub.errors import UsageError
from memhub.model.record import Record, Skipped


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Memory]:
    with Memory(tmp_path / "memory.db") as opened:
        yield opened


def zipped(folder: Path, to: Path, *, top: str = "") -> Path:
    """All files below `folder`, in `to`, below the folder `top`."""
    with zipfile.ZipFile(to, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in sorted(folder.rglob("*")):
            if path.is_file():
                archive.write(path, f"{top}/{path.relative_to(folder).as_posix()}".lstrip("/"))
    return to


def read(path: Path, name: str | None = None) -> tuple[list[Record], list[Skipped], tuple[str, str, str]]:
    with opened(path, name) as source:
        origin = source.importer.origin(source.path)
        outcomes: list[Any] = [*source.skipped, *source.importer.read(source.path, scope=origin.scope)]
        records = [x for x in outcomes if isinstance(x, Record)]
        return records, [x for x in outcomes if isinstance(x, Skipped)], (source.row.name, *origin)


class TestZip:
    @pytest.mark.parametrize("name", ["obsidian/vault", "org", "basic-memory", "zk/notebook", "text", "nb/home"])
    def test_is_read_as_its_folder(self, name: str, tmp_path: Path) -> None:
        folder = copy_fixture(name.partition("/")[0], tmp_path) / name.partition("/")[2]
        folder_reads = run(folder)
        path = zipped(folder, tmp_path / "any.zip", top=folder.name)
        records, skipped, origin = read(path)
        assert (origin[1], origin[2]) == folder_reads[2]
        assert {x.external_id: x._replace(updated_at=None) for x in records} == {
            x.external_id: x._replace(updated_at=None) for x in folder_reads[0]
        }
        assert {x.where for x in skipped} == {x.where for x in folder_reads[1]}

    def test_times_are_those_in_the_archive(self, tmp_path: Path) -> None:
        (tmp_path / "notes").mkdir()
        note = tmp_path / "notes" / "a.md"
        note.write_text("x")
        os.utime(note, (1_700_000_000, 1_700_000_000))
        folder = run(tmp_path / "notes")[0]
        assert read(zipped(tmp_path / "notes", tmp_path / "a.zip", top="notes"))[0] == folder

    def test_files_at_the_top_go_by_the_name_of_the_archive(self, tmp_path: Path) -> None:
        records, _, origin = read(zipped(DATA / "obsidian" / "vault", tmp_path / "mine.zip"))
        assert (origin[2], len(records)) == ("mine", len(run(DATA / "obsidian" / "vault")[0]))

    def test_an_archive_of_archives_is_one_tree(self, tmp_path: Path) -> None:
        inner = tmp_path / "inner"
        inner.mkdir()
        for number in (1, 2):
            notes = tmp_path / f"notes{number}"
            notes.mkdir()
            (notes / f"n{number}.md").write_text(f"Note {number}")
            (notes / "attached.zip").write_bytes(b"PK\5\6" + bytes(18))
            zipped(notes, inner / f"Part-{number}.zip")
        records, skipped, _ = read(zipped(inner, tmp_path / "export.zip"))
        assert [x.external_id for x in records] == ["path:Part-1.zip/n1.md", "path:Part-2.zip/n2.md"]
        assert [x.why for x in skipped if x.failed] == []

    def test_an_archive_among_notes_stays_a_file(self, tmp_path: Path) -> None:
        notes = tmp_path / "notes"
        notes.mkdir()
        (notes / "a.md").write_text("A")
        other = tmp_path / "other"
        other.mkdir()
        (other / "b.md").write_text("B")
        zipped(other, notes / "b.zip")
        records, skipped, _ = read(zipped(notes, tmp_path / "n.zip"))
        assert [x.external_id for x in records] == ["path:a.md"]
        assert [(x.where, x.failed) for x in skipped] == [("*.zip", False)]

    @pytest.mark.parametrize("name", ["../out.md", "/out.md", "a/../../out.md", "C:/out.md", "..\\out.md"])
    def test_nothing_is_written_outside(self, name: str, tmp_path: Path) -> None:
        path = tmp_path / "x.zip"
        with zipfile.ZipFile(path, "w") as archive:
            archive.writestr(name, "evil")
            archive.writestr("in/good.md", "good")
        before = set(tmp_path.rglob("*"))
        records, skipped, _ = read(path)
        assert [x.content for x in records] == ["good"]
        assert [x.why for x in skipped if x.failed] == ["its name leads out of the archive"]
        assert set(tmp_path.rglob("*")) == before

    def test_links_bombs_and_doubles_are_named_and_the_rest_arrives(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(archives, "_SMALL", 1000)
        path = tmp_path / "x.zip"
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
            link = zipfile.ZipInfo("link.md")
            link.external_attr = 0o120777 << 16
            archive.writestr(link, "/etc/passwd")
            archive.writestr("bomb.md", b"0" * 10_000_000)
            archive.writestr("good.md", "good")
            with pytest.warns(UserWarning, match="Duplicate name"):
                archive.writestr("good.md", "twin")
            archive.writestr("good.md/below.md", "a file as a folder")
            archive.writestr("n" * 300 + ".md", "a long name")
        records, skipped, _ = read(path)
        assert [x.content for x in records] == ["good"]
        assert {x.where[:20]: x.why.partition(":")[0] for x in skipped if x.failed} == {
            "link.md": "a link or device",
            "bomb.md": "unpacks to far more than it should",
            "good.md": "a second file of this name",
            "good.md/below.md": "a second file of this name",
            "n" * 20: "cannot be unpacked",
        }

    def test_nothing_is_left_lying_about(self, memory: Memory, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        scratch = tmp_path / "scratch"
        scratch.mkdir()
        monkeypatch.setattr("tempfile.tempdir", str(scratch))
        path = zipped(DATA / "obsidian" / "vault", tmp_path / "vault.zip", top="vault")
        assert memory.import_(path).created > 3
        (tmp_path / "bad.zip").write_bytes(b"PK\3\4 nothing")
        with pytest.raises(UsageError, match="no importer reads what is in"):
            memory.import_(tmp_path / "bad.zip")
        assert list(scratch.iterdir()) == []

    def test_the_folder_and_a_later_archive_are_one_source(self, memory: Memory, tmp_path: Path) -> None:
        vault = shutil.copytree(DATA / "obsidian" / "vault", tmp_path / "vault")
        for path in vault.rglob("*.md"):
            os.utime(path, (1_700_000_000, 1_700_000_000))
        first = memory.import_(vault)
        again = memory.import_(zipped(vault, tmp_path / "a.zip", top="vault"))
        assert (again.created, again.updated, again.unchanged, again.vanished) == (0, 0, first.created, ())
        (vault / "Depot.md").write_text("---\nid: 7c1e5d3a\n---\nMoved.")
        assert memory.import_(zipped(vault, tmp_path / "b.zip", top="vault")).updated == 1

    def test_an_importer_that_was_named_reads_the_folder_in_it(self, tmp_path: Path) -> None:
        path = zipped(DATA / "obsidian" / "vault", tmp_path / "v.zip", top="vault")
        assert read(path, "text")[2] == ("text", "text", "vault")
        with pytest.raises(UsageError, match="no importer `kindle`"):
            read(path, "kindle")


ZK = [
    {
        "filename": "k3d9.md", "filenameStem": "k3d9", "path": "log/k3d9.md", "absPath": "/home/me/Notes/log/k3d9.md",
        "title": "Tides", "link": "[Tides](log/k3d9)", "lead": "See.", "body": "See [[p0]].", "snippets": ["See."],
        "rawContent": "---\ndate: 2024-03-05\nkeywords: [sea]\n---\n# Tides\n\nSee [[p0]] and #[[p0]]. #not-a-tag",
        "wordCount": 4, "tags": ["sea", "two words"], "metadata": {"keywords": ["sea"]},
        "created": "2024-03-05T00:00:00Z", "modified": "2024-03-06T10:00:00.5+01:00", "checksum": "x",
    },
    {
        "filename": "p0qw.md", "path": "p0qw.md", "absPath": "/home/me/Notes/p0qw.md", "title": "Moon",
        "rawContent": "# Moon\n\nPulls.", "tags": [], "created": "2024-01-01T08:00:00Z",
    },
]  # fmt: skip


class TestZkList:
    @pytest.mark.parametrize("form", ["json", "jsonl"])
    def test_gives_the_notes(self, form: str, tmp_path: Path) -> None:
        path = tmp_path / f"list.{form}"
        path.write_text(json.dumps(ZK) if form == "json" else "".join(json.dumps(note) + "\n" for note in ZK))
        records, skipped, origin = read(path)
        assert (origin, skipped) == (("zk", "zk", "Notes"), [])
        tides, moon = records
        assert (tides.external_id, tides.title, tides.labels) == ("path:log/k3d9.md", "Tides", ("sea", "two words"))
        assert tides.content == "# Tides\n\nSee [[p0]] and #[[p0]]. #not-a-tag"
        assert (tides.created_at, tides.updated_at) == ("2024-03-05", "2024-03-06T09:00:00.5Z")
        assert [(x.target, x.to, x.attrs.get("relation")) for x in tides.links] == [
            ("p0", "path:p0qw.md", None),
            ("p0", "path:p0qw.md", "up"),
        ]
        assert (moon.title, moon.content, moon.created_at) == ("Moon", "# Moon\n\nPulls.", "2024-01-01T08:00:00Z")

    def test_is_the_same_source_as_the_notebook(self, memory: Memory, tmp_path: Path) -> None:
        folder = tmp_path / "Notes"
        for name in (".zk/config.toml", "log/k3d9.md", "p0qw.md"):
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_text(next((str(x["rawContent"]) for x in ZK if x["path"] == name), ""))
        memory.import_(folder)
        report = memory.import_(io.BytesIO(json.dumps(ZK).encode()), importer="zk")
        assert (report.scope, report.created, len(memory.list())) == ("Notes", 0, 2)

    def test_damage_is_named(self, tmp_path: Path) -> None:
        path = tmp_path / "a.json"
        path.write_text(json.dumps([ZK[0], 7, {"path": ""}, {"path": "../../x.md", "rawContent": "x"}, ZK[1], ZK[1]]))
        records, skipped, _ = read(path, "zk")
        assert [x.external_id for x in records] == ["path:log/k3d9.md", "path:p0qw.md", "path:p0qw.md~2"]
        assert [(x.where, x.failed) for x in skipped] == [
            ("a.json: note 2", True), ("a.json: note 3", True), ("a.json: note 4", True),
        ]  # fmt: skip


class TestStream:
    def test_of_an_importer_whose_records_have_ids(self, memory: Memory) -> None:
        line = json.dumps({"type": "entity", "name": "Mira", "entityType": "p", "observations": ["Sails."]})
        assert memory.import_(io.BytesIO(line.encode()), importer="mcp-memory").created == 1
        assert memory.import_(io.BytesIO(line.encode()), importer="mcp-memory").unchanged == 1
        assert [item.title for item in memory.list()] == ["Mira"]

    @pytest.mark.parametrize(
        ("name", "message"),
        [
            (None, "a stream does not say which importer reads it"),
            ("markdown", "importer `markdown` reads no stream"),
            ("kindle", "no importer `kindle`"),
        ],
    )
    def test_others_are_named(self, name: str | None, message: str) -> None:
        with pytest.raises(UsageError) as raised, streamed(io.BytesIO(b"x"), name):
            pass
        assert raised.value.message == message
        assert "zk" in str(raised.value.hint)

    def test_standard_input(self, tmp_path: Path) -> None:
        environ = {**os.environ, "MH_HOME": str(tmp_path)}
        command = [sys.executable, "-m", "memhub", "import", "-", "--importer", "zk", "--no-index"]
        done = subprocess.run(command, input=json.dumps(ZK), env=environ, capture_output=True, text=True, check=True)
        assert done.stdout == "imported Notes: 2 new\n"
        watch = subprocess.run([*command, "--watch"], input="", env=environ, capture_output=True, text=True)
        assert (watch.returncode, "standard input" in watch.stderr) == (2, True)


def test_a_zip_costs_no_more_than_its_bytes(tmp_path: Path) -> None:
    """Ten thousand files and no more; the directory of a larger archive is not even read."""
    path = tmp_path / "many.zip"
    with zipfile.ZipFile(path, "w") as archive:
        for number in range(archives.MAX_ENTRIES + 1):
            archive.writestr(f"{number}.md", "x")
    start = time.process_time()
    with pytest.raises(UsageError) as raised:
        read(path)
    assert "more than 10000 entries" in str(raised.value.hint)
    assert time.process_time() - start < 10
