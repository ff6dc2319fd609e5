"""Notebooks of zk: labels as the settings allow, links by parts of names, settings that cannot be read, damage."""

import time
from pathlib import Path

import pytest
from fuzz import records
from importer_fixtures import run, write
from memhub_importers import zk


def notebook(folder: Path, config: str = "", **texts: str) -> Path:
    """A notebook with this configuration and these notes."""
    (folder / ".zk").mkdir()
    (folder / ".zk" / "config.toml").write_text(config)
    return write(folder, **texts)


ON = "[format.markdown]\ncolon-tags = true\nmultiword-tags = true\n"
OFF = "[format.markdown]\nhashtags = false\n"
TEXT = "#one :two:three: #red clay# #4 `#code` :fff: 12:30:45 #open end\n- #with-dash, (#inside) a:b: :c"


@pytest.mark.parametrize(
    ("config", "labels"),
    [
        (ON, {"one", "two", "three", "red clay", "open", "with-dash", "inside"}),
        ("", {"one", "red", "open", "with-dash", "inside"}),
        (OFF, set()),
        ("not toml [", {"one", "red", "open", "with-dash", "inside"}),
        ("format = 7\nnote = []", {"one", "red", "open", "with-dash", "inside"}),
    ],
)
def test_labels(tmp_path: Path, config: str, labels: set[str]) -> None:
    (record,) = records(zk, notebook(tmp_path, config, a=TEXT))
    assert set(record.labels) == labels


def test_keys_of_labels_and_of_dates_in_any_case(tmp_path: Path) -> None:
    (record,) = records(zk, notebook(tmp_path, a="---\nTAGS: [a b]\nKeywords: c, d\nDate: 2023-11-20\nX: y\n---\ntext"))
    assert (set(record.labels), record.created_at) == ({"a b", "c", "d"}, "2023-11-20")
    assert record.attrs["metadata"] == {"X": "y"}


@pytest.mark.parametrize(
    ("link", "to"),
    [
        ("[[k3d9]]", "path:sub/k3d9 slow kiln.md"),
        ("[[slow]]", "path:sub/k3d9 slow kiln.md"),
        ("[[sub/k3]]", "path:sub/k3d9 slow kiln.md"),
        ("[[SLOW KILN#part|shown]]", "path:sub/k3d9 slow kiln.md"),
        ("[x](sub/k3d9)", "path:sub/k3d9 slow kiln.md"),
        ("[x](k3d9)", None),
        ("[x](note.md)", "path:note.md"),
        ("[x](<sub/k3d9 slow kiln.md>)", "path:sub/k3d9 slow kiln.md"),
        ("[[note]]", "path:note.md"),
        ("[[nothing]]", None),
        ("[[#part]]", "path:a.md"),
    ],
)
def test_links_by_parts_of_names(tmp_path: Path, link: str, to: str | None) -> None:
    root = notebook(tmp_path, a=link, note="x", **{"another note with a name": "x"})
    (root / "sub").mkdir()
    (root / "sub" / "k3d9 slow kiln.md").write_text("x")
    record = next(record for record in records(zk, root) if record.path == "a.md")
    assert [found.to for found in record.links] == [to]


def test_a_link_is_first_looked_for_beside_its_note(tmp_path: Path) -> None:
    root = notebook(tmp_path, b="x")
    (root / "sub").mkdir()
    (root / "sub" / "a.md").write_text("[[b]] [x](b) [y](../b)")
    (root / "sub" / "b.md").write_text("x")
    record = next(record for record in records(zk, root) if record.path == "sub/a.md")
    assert [link.to for link in record.links] == ["path:sub/b.md", "path:sub/b.md", "path:b.md"]


def test_what_the_settings_exclude_is_named(tmp_path: Path) -> None:
    root = notebook(tmp_path, "[note]\nexclude = ['drafts/*', 7]\n", a="x")
    (root / "drafts").mkdir()
    (root / "drafts" / "b.md").write_text("x")
    found, skipped, origin = run(root)
    assert origin == ("zk", root.name)
    assert [record.path for record in found] == ["a.md"]
    assert {place.where: place.why for place in skipped}["drafts/b.md"] == "excluded by the configuration of zk"


def test_many_links_to_parts_of_many_names(tmp_path: Path) -> None:
    root = notebook(tmp_path, **{f"n{number:04} note": f"[[n{number // 2:04}]] " * 20 for number in range(1000)})
    start = time.process_time()
    assert all(link.to for record in records(zk, root) for link in record.links)
    assert time.process_time() - start < 20
