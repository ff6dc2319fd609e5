"""basic-memory: what is an observation and what a relation, names of notes, what is no such folder, damage."""

from pathlib import Path
from typing import Any

import pytest
from fuzz import records
from importer_fixtures import run, write
from memhub_importers import basic_memory
from memhub_importers.registry import choose

from memhub.model.record import Record


def note(folder: Path, body: str) -> Record:
    """The record of a note with this body, beside a note `Boat`."""
    write(
        folder,
        a=f"---\ntitle: A\npermalink: notes/a\n---\n{body}",
        b="---\ntitle: Boat\npermalink: boats/boat\n---\nx",
    )
    return next(record for record in records(basic_memory, folder) if record.path == "a.md")


@pytest.mark.parametrize(
    ("line", "observation"),
    [
        ("- [skill] Sails #craft (in May)", ("skill", "Sails", ["craft"], "in May")),
        ("  * [two words] x", ("two words", "x", [], None)),
        ("- [a] C# is (not) a tag #b", ("a", "C# is (not) a tag", ["b"], None)),
        ("- [ ] open", None),
        ("- [x] closed", None),
        ("- [X] closed", None),
        ("- [-] dropped", None),
        ("- [text](url)", None),
        ("- [[Boat]]", None),
        ("- [a]", None),
        ("[a] no list", None),
        ("`- [a] code`", None),
        ("```\n- [a] code\n```", None),
    ],
)
def test_observations(tmp_path: Path, line: str, observation: tuple[Any, ...] | None) -> None:
    found = note(tmp_path, line).attrs.get("observations", [])
    assert [tuple(x.values()) for x in found] == ([observation] if observation else [])


@pytest.mark.parametrize(
    ("line", "relations"),
    [
        ("- owns [[Boat]]", [("owns", "boats/boat", None)]),
        ("- owns [[boats/boat]] (since 2019)", [("owns", "boats/boat", "since 2019")]),
        ('- "grew up with" [[Nobody]]', [("grew up with", None, None)]),
        ("- met at [[Boat]]", [("links_to", "boats/boat", None)]),
        ("- [[Boat]]", [("links_to", "boats/boat", None)]),
        ("- owns [[Boat]] and [[Nobody]]", [("owns", "boats/boat", None), ("links_to", None, None)]),
        ("Prose [[Boat|the boat]] twice [[Boat]]", [("links_to", "boats/boat", None)]),
        ("- [skill] sails [[Boat]]", [("links_to", "boats/boat", None)]),
        ("`- owns [[Boat]]`", []),
    ],
)
def test_relations(tmp_path: Path, line: str, relations: list[tuple[Any, ...]]) -> None:
    found = [link for link in note(tmp_path, line).links if link.type == "relation"]
    assert [(x.target, x.to and x.to.removeprefix("permalink:"), x.attrs.get("context")) for x in found] == relations


def test_other_links_stay_what_they_are(tmp_path: Path) -> None:
    record = note(tmp_path, "[site](https://e.org) [note](b.md) https://e.org/x [[Boat]]")
    assert [(link.type, link.target) for link in record.links] == [
        ("relation", "links_to"),
        ("url", "https://e.org"),
        ("link", "b.md"),
        ("url", "https://e.org/x"),
    ]


def test_a_permalink_in_two_notes_names_neither(tmp_path: Path) -> None:
    write(tmp_path, a="---\npermalink: x\n---\na", b="---\npermalink: x\n---\nb", c="---\npermalink: y\n---\nc")
    found = records(basic_memory, tmp_path)
    assert [record.external_id for record in found] == ["path:a.md", "path:b.md", "permalink:y"]
    assert [len(record.warnings) for record in found] == [1, 1, 0]


def test_a_moved_note_is_the_same(tmp_path: Path) -> None:
    before = note(tmp_path, "text")
    (tmp_path / "sub").mkdir()
    (tmp_path / "a.md").rename(tmp_path / "sub" / "other.md")
    after = next(record for record in run(tmp_path)[0] if record.title == "A")
    assert (after.external_id, after.content) == (before.external_id, before.content)


@pytest.mark.parametrize(
    ("texts", "importer"),
    [
        ({"a": "---\npermalink: a/b\n---\nx", "b": "x"}, "markdown"),
        ({"a": "---\npermalink: a/b\n---\nx", "b": "---\npermalink: c\n---\nx", "c": "x"}, "basic-memory"),
        ({"a": "---\npermalink: /about/\n---\nx"}, "markdown"),
        ({"a": "text\n---\npermalink: a\n---\n"}, "markdown"),
        ({"a": "---\ntitle: x\n---\npermalink: a\n"}, "markdown"),
    ],
)
def test_most_notes_must_have_a_permalink(tmp_path: Path, texts: dict[str, str], importer: str) -> None:
    assert choose(write(tmp_path, **texts))[0].name == importer
