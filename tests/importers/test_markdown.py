"""Notes as people have them: front matter that is not quite YAML, links of every kind, awkward titles."""

import json
from pathlib import Path

import pytest
from importer_fixtures import one, run, write

from memhub.model.record import Record


def note(folder: Path, text: str) -> Record:
    """The record of a single note `note.md` with this text."""
    return one(write(folder, note=text) / "note.md")


@pytest.mark.parametrize(
    ("block", "key", "value"),
    [
        ("flag: no", "flag", "no"),
        ("time: 12:30", "time", "12:30"),
        ("number: 1_000", "number", "1_000"),
        ("empty:", "empty", ""),
        ("tilde: ~", "tilde", "~"),
        ('x: "[[A\\|B]]"', "x", "[[A|B]]"),
        ("up: [[Depot]]", "up", "[[Depot]]"),
        ("ups:\n  - [[A]]\n  - [[B]]", "ups", ["[[A]]", "[[B]]"]),
        ("t: #tag", "t", ""),
        ("deep: {a: {b: c}}", "deep", {"a": {"b": "c"}}),
        ("k: 1\nk: 2", "k", "2"),
    ],
)
def test_front_matter_values_stay_as_they_are(tmp_path: Path, block: str, key: str, value: object) -> None:
    record = note(tmp_path, f"---\n{block}\n---\nbody")
    assert record.content == "body"
    assert record.attrs["metadata"] == {key: value}


@pytest.mark.parametrize(
    "block",
    [
        "title: Trip: the long way",
        "date: {{date}}",
        "p: [[A]], [[B]]",
        "\ttab: here",
        "name: @name",
        "tags: [a, b",
        "a: &x [1, 2]\nb: *x",
        "? [a]\n: b",
        "x: " + "[" * 5000,
        "- " * 5000,
        "k: " + "v" * 70_000,
    ],
)
def test_broken_front_matter_stays_in_the_text(tmp_path: Path, block: str) -> None:
    record = note(tmp_path, f"---\n{block}\n---\n# A title\nbody #kept")
    assert record.content == f"---\n{block}\n---\n# A title\nbody #kept"
    assert record.title == "A title"
    assert record.labels == ("kept",)
    assert len(record.warnings) == 1
    assert "front matter" in record.warnings[0]


@pytest.mark.parametrize(
    "text", ["---\nno end of it", "---\njust prose\n---\nmore", "--- \n# only a comment\n---\nx", "----\na"]
)
def test_a_rule_at_the_top_is_no_front_matter(tmp_path: Path, text: str) -> None:
    record = note(tmp_path, text)
    assert record.content == text
    assert record.warnings == ()


def test_a_key_twice_is_said(tmp_path: Path) -> None:
    assert note(tmp_path, "---\nk: 1\nk: 2\n---\nx").warnings == ("front matter has `k` twice; the last one counts",)


@pytest.mark.parametrize(
    ("text", "title", "content"),
    [
        ("---\ntitle: Given\n---\n# Heading\n\ntext", "Given", "# Heading\n\ntext"),
        ("---\nTitle: Same\n---\n# Same\n\ntext", "Same", "text"),
        ("text first\n\n# Heading #\n", "Heading", "text first\n\n# Heading #"),
        ("Set\n===\ntext", "Set", "Set\n===\ntext"),
        ("```\n# code\n```\n## Two", "note", "```\n# code\n```\n## Two"),
        ("#label first", "note", "#label first"),
        ("# `code` in *it*\n", "`code` in *it*", "# `code` in *it*"),
    ],
)
def test_titles(tmp_path: Path, text: str, title: str, content: str) -> None:
    record = note(tmp_path, text)
    assert (record.title, record.content) == (title, content)


@pytest.mark.parametrize(
    ("line", "created", "warns"),
    [
        ("created: 2024-03-05", "2024-03-05", False),
        ("date: 2020-03", "2020-03", False),
        ("created: 2024-05-02T18:30:00+02:00", "2024-05-02T16:30:00Z", False),
        ("date: 2024-05-02 18:30", "2024-05-02T18:30", False),
        ("created: 1709640000123", "2024-03-05T12:00:00.123Z", False),
        ("date: 202403051430", "2024-03-05T14:30", False),
        ("created: 2024-05-02T18:30:00.250Z", "2024-05-02T18:30:00.25Z", False),
        ("date: Tue, 05 Mar 2024 10:00:00 +0100", "2024-03-05T09:00:00Z", False),
        ("created: last spring", None, True),
        ("created: 2024-02-31", None, True),
        ("created: ''", None, False),
    ],
)
def test_dates(tmp_path: Path, line: str, created: str | None, warns: bool) -> None:
    record = note(tmp_path, f"---\n{line}\n---\nx")
    assert record.created_at == created
    assert bool(record.warnings) is warns
    assert record.updated_at is not None
    assert record.updated_at.endswith("Z")
    if warns:
        assert record.attrs["metadata"] == {"created": line.partition(": ")[2]}


def test_links_of_every_kind(tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    write(tmp_path / "sub", Deep="---\naliases: [Tief, 深]\n---\ndeep", Twin="far")
    (tmp_path / "sub" / "data.csv").write_text("a,b")
    (tmp_path / "plan.txt").write_text("a plan")
    text = (
        "[[Deep]] [[深|shown]] [[#Here]] [[Deep#A#B]] [[sub/deep]] | [[Twin\\|bar]]\n"
        "[a](sub/Deep.md) [b](<sub/Deep.md>) "
        "[c](./sub/../Twin) [d](sub/data.csv 'title') [e](plan.txt) [f](mailto:a@b.org) ![g](https://a.org/i.png)\n"
        "<https://b.org/x> http://c.org/a_(b). `[[no]]` [[../../etc/passwd]] [h](../../etc/passwd) [[tief]]\n"
        "```\n[[no]]\n```\n$[[no]]$ <!-- [[no]] --> https://d.org/路径，然后\n"
    )
    write(tmp_path, note=text, Twin="near")
    record = next(record for record in run(tmp_path)[0] if record.path == "note.md")
    deep, twin = "path:sub/Deep.md", "path:Twin.md"
    assert [(link.type, link.target, link.to) for link in record.links] == [
        ("link", "Deep", deep),
        ("link", "深", deep),
        ("link", "#Here", "path:note.md"),
        ("link", "Deep#A#B", deep),
        ("link", "sub/deep", deep),
        ("link", "Twin", twin),
        ("link", "sub/Deep.md", deep),
        ("link", "sub/Deep.md", deep),
        ("link", "./sub/../Twin", twin),
        ("attachment", "sub/data.csv", None),
        ("link", "plan.txt", "path:plan.txt"),
        ("url", "mailto:a@b.org", None),
        ("url", "https://a.org/i.png", None),
        ("url", "https://b.org/x", None),
        ("url", "http://c.org/a_(b)", None),
        ("link", "../../etc/passwd", None),
        ("link", "../../etc/passwd", None),
        ("link", "tief", deep),
        ("url", "https://d.org/路径", None),
    ]
    assert record.links[9].attrs["size"] == 3
    assert len(record.links[9].attrs["sha256"]) == 64


def test_a_copied_id_names_no_note(tmp_path: Path) -> None:
    write(tmp_path, a="---\nid: tpl\n---\na", b="---\nuid: tpl\n---\nb", c="---\nid: own\n---\nc")
    records = run(tmp_path)[0]
    assert [record.external_id for record in records] == ["path:a.md", "path:b.md", "id:own"]
    assert [bool(record.warnings) for record in records] == [True, True, False]


def test_names_of_both_systems_are_one(tmp_path: Path) -> None:
    (tmp_path / "Cafe\u0301.md").write_text("decomposed name")
    write(tmp_path, other="see [[Caf\u00e9]] and [[CAFE\u0301]]")
    records = {record.external_id: record for record in run(tmp_path)[0]}
    assert records.keys() == {"path:Caf\u00e9.md", "path:other.md"}
    assert {link.to for link in records["path:other.md"].links} == {"path:Caf\u00e9.md"}
    (tmp_path / "Caf\u00e9.md").write_text("composed name")
    if len(list(tmp_path.iterdir())) == 3:  # a file system that keeps both
        ids = [record.external_id for record in run(tmp_path)[0]]
        assert sorted(ids) == ["path:Caf\u00e9.md", "path:Caf\u00e9.md~2", "path:other.md"]


def test_our_own_export_is_known_again(tmp_path: Path) -> None:
    record = note(tmp_path, "---\nmh_id: 01h\nkind: fact\nurl: https://a.org/\ntags: [One, one, '7']\n---\nx")
    assert (record.external_id, record.kind, record.url, record.labels) == (
        "id:01h",
        "fact",
        "https://a.org/",
        ("One",),
    )


def test_a_board(tmp_path: Path) -> None:
    write(tmp_path, Note="x")
    nodes = [
        {"id": "a", "type": "text", "text": "see [[Note]] #idea"},
        {"id": "b", "type": "text", "text": "second"},
        {"id": "c", "type": "file", "file": "Note.md"},
        {"id": "e", "type": "text", "text": " "},
        "odd",
    ]
    edges = [{"fromNode": "a", "toNode": "b"}, {"fromNode": "c", "toNode": "b", "label": "shows"}, 7]
    (tmp_path / "B.canvas").write_text(json.dumps({"nodes": nodes, "edges": edges}))
    (tmp_path / "C.canvas").write_text('{"nodes": [')
    (tmp_path / "D.canvas").write_text("[" * 100_000)
    records, skipped, _ = run(tmp_path)
    a, b = records[0], records[1]
    assert (a.external_id, a.labels) == ("path:B.canvas#a", ("idea",))
    assert [(x.type, x.target, x.to) for x in a.links] == [
        ("link", "Note", "path:Note.md"),
        ("relation", "related", "path:B.canvas#b"),
    ]
    assert [(x.target, x.to, x.attrs) for x in b.links] == [("shows", "path:Note.md", {"direction": "in"})]
    assert [(place.where, place.failed) for place in skipped] == [
        ("B.canvas#e", False),
        ("C.canvas", True),
        ("D.canvas", True),
    ]


def test_an_ordinary_folder_of_documentation(tmp_path: Path) -> None:
    docs = tmp_path / "project"
    (docs / "docs").mkdir(parents=True)
    (docs / "README.md").write_text('<p><img src="logo.png#x"></p>\n\n# Tool\n\nSee [guide](docs/guide.md).\n')
    (docs / "docs" / "guide.md").write_text("# Guide\n\nBack to [start](../README.md#tool).\n")
    (docs / "LICENSE").write_text("Some licence\n\nwith text\n")
    (docs / "tool.py").write_text("print(1)")
    (docs / "more.py").write_text("print(2)")
    (docs / "node_modules").mkdir()
    (docs / "node_modules" / "README.md").write_text("# not ours")
    records, skipped, origin = run(docs)
    assert origin == ("markdown", "project")
    assert [(record.path, record.title) for record in records] == [
        ("LICENSE", "Some licence"),
        ("README.md", "Tool"),
        ("docs/guide.md", "Guide"),
    ]
    assert records[1].links[-1].to == "path:docs/guide.md"
    assert records[2].links[-1].to == "path:README.md"
    assert [(place.where, place.why) for place in skipped] == [
        ("node_modules/", "installed packages"),
        ("*.py", "2 files of a kind that is not read here"),
    ]
    assert not any(record.labels for record in records)


def test_empty_notes(tmp_path: Path) -> None:
    write(tmp_path, empty="", stub="---\naliases: [S]\n---\n", other="[[S]]")
    records, skipped, _ = run(tmp_path)
    assert [(place.where, place.why) for place in skipped] == [("empty.md", "empty")]
    assert {record.path: record.content for record in records} == {"other.md": "[[S]]", "stub.md": ""}


def test_controls_spelt_out_are_no_controls(tmp_path: Path) -> None:
    record = note(tmp_path, '---\ntitle: "a\\x1b[31mb\\0"\nk: "\\x07"\n---\n[x](a%1b[2Jb%00.md)\n\x1b]0;t\x07end')
    assert record.title == "ab"
    assert record.attrs["metadata"] == {"k": ""}
    assert record.links[0].target == "ab.md"
    assert record.content.endswith("\nend")
