"""Org files as Emacs users have them: states, tags, drawers, blocks that look like headlines, ids, damage."""

import time
from pathlib import Path

import pytest
from fuzz import records
from importer_fixtures import run
from memhub_importers import org

from memhub.model.record import Record, Skipped


def outline(folder: Path, text: str) -> list[Record]:
    """The records of a file `a.org`."""
    (folder / "a.org").write_text(text, encoding="utf-8")
    return records(org, folder / "a.org")


@pytest.mark.parametrize(
    ("line", "title", "labels", "metadata"),
    [
        ("* Plain", "Plain", (), {}),
        ("* TODO Call", "Call", ("todo",), {"todo": "TODO"}),
        ("* DONE [#B] Call [2/5]", "Call", ("done",), {"todo": "DONE", "priority": "B"}),
        ("* [50%] Half   :a_1:@b:c#d:e%:", "Half", ("a_1", "@b", "c#d", "e%"), {}),
        ("* TODO", "a", ("todo",), {"todo": "TODO"}),
        ("* TODOLIST of things", "TODOLIST of things", (), {}),
        ("* Ratio 3:4:5", "Ratio 3:4:5", (), {}),
        ("* Über :grün:", "Über", ("grün",), {}),
        ("*\tTab\t:x:", "Tab", ("x",), {}),
        ("* See [[https://e.org][the shop]]", "See the shop", (), {}),
    ],
)
def test_headlines(tmp_path: Path, line: str, title: str, labels: tuple[str, ...], metadata: dict[str, str]) -> None:
    (record,) = outline(tmp_path, line + "\ntext")
    assert (record.title, record.labels, record.content) == (title, labels, "text")
    assert record.attrs.get("metadata", {}) == metadata


def test_states_of_the_file_count_instead(tmp_path: Path) -> None:
    found = outline(tmp_path, "#+TODO: WAIT(w@/!) NEXT | CANCELED(c)\n* WAIT a\n* CANCELED b\n* TODO c")
    assert [(record.title, record.labels) for record in found[-3:]] == [
        ("a", ("todo",)),
        ("b", ("done",)),
        ("TODO c", ()),
    ]


def test_tags_come_down_the_outline(tmp_path: Path) -> None:
    found = outline(tmp_path, "#+filetags: :f:\n#+FILETAGS: g\n* A :a:\n** B :b:\n*** C\n** D\n* E")
    assert [record.labels for record in found] == [
        ("f", "g", "a"),
        ("f", "g", "a", "b"),
        ("f", "g", "a", "b"),
        ("f", "g", "a"),
        ("f", "g"),
    ]


@pytest.mark.parametrize("kind", ["src", "SRC", "example", "quote", "export", "comment"])
def test_a_headline_inside_a_block_is_none(tmp_path: Path, kind: str) -> None:
    block = f"#+begin_{kind}\n* no headline\n#+END_{kind.upper()}"
    found = outline(tmp_path, f"* One\n{block}\n* Two")
    assert [(record.title, record.content) for record in found] == [("One", block), ("Two", "")]


def test_a_block_that_never_ends_hides_no_headline(tmp_path: Path) -> None:
    found = outline(tmp_path, "* One\n#+begin_src sh\necho\n* Two")
    assert [record.title for record in found] == ["One", "Two"]


def test_drawers_and_planning_are_no_text(tmp_path: Path) -> None:
    (record,) = outline(
        tmp_path,
        "* Task\nSCHEDULED: <2024-05-20 ons. 9:00-10:00 ++2d/3d> CLOSED: [2024-05-21 火 11:30]\n:PROPERTIES:\n"
        ":Effort: about two hours\n:CREATED: <2024-04-02>\n:header-args+: :a b\n:END:\n:LOGBOOK:\nCLOCK: x\n:END:\n"
        "  Text\n    indented\n:NOTES:\nkept\n:END:",
    )
    assert record.content == "Text\n    indented\n:NOTES:\nkept\n:END:".replace("Text", "  Text").strip()
    assert record.created_at == "2024-04-02"
    assert record.updated_at == "2024-05-21T11:30:00"
    assert record.attrs["metadata"] == {
        "effort": "about two hours",
        "header-args": ":a b",
        "scheduled": "2024-05-20T09:00:00",
        "repeat": "++2d/3d",
        "closed": "2024-05-21T11:30:00",
    }


def test_a_drawer_that_never_ends_is_text(tmp_path: Path) -> None:
    (record,) = outline(tmp_path, "* A\n:PROPERTIES:\n:ID: x\nstill here")
    assert record.external_id == "path:a.org#A"
    assert "still here" in record.content


def test_ids(tmp_path: Path) -> None:
    found = outline(tmp_path, "* A\n** B\n* A\n** B\n* C\n:PROPERTIES:\n:ID: 42\n:END:\n** B/D")
    assert [record.external_id for record in found] == [
        "path:a.org#A",
        "path:a.org#A/B",
        "path:a.org#A~2",
        "path:a.org#A/B~2",
        "id:42",
        "path:a.org#C/B/D",
    ]


def test_links(tmp_path: Path) -> None:
    found = outline(
        tmp_path,
        "* A\n:PROPERTIES:\n:CUSTOM_ID: here\n:END:\n[[*B][to b]] [[id:42]] [[file:x.org::*B]] [[attachment:a.png]]\n"
        "[cite:@lind2020; see @ode p. 3] [[cite:key]] https://e.org/x. =[[no]]= ~[[no]]~ [[mailto:a@b.c]]\n"
        "#+begin_src sh\n[[no]]\n#+end_src\n* B\n[[#here]]",
    )
    assert [(link.type, link.target, link.to) for link in found[0].links] == [
        ("link", "*B", "path:a.org#B"),
        ("link", "id:42", "id:42"),
        ("link", "x.org::*B", None),
        ("attachment", "a.png", None),
        ("cite", "@lind2020", None),
        ("cite", "@ode", None),
        ("cite", "@key", None),
        ("url", "https://e.org/x", None),
        ("url", "mailto:a@b.c", None),
        ("parent", "a.org", None),
    ]
    assert found[1].links[0].to == "path:a.org#A"


def test_a_file_that_is_one_note_stays_whole(tmp_path: Path) -> None:
    top = ":PROPERTIES:\n:ID: 7\n:END:\n#+title: One\n"
    (record,) = outline(tmp_path, f"{top}Text\n* Part\nmore\n#+begin_src sh\n* x\n#+end_src")
    assert (record.external_id, record.title) == ("id:7", "One")
    assert record.content == "Text\n* Part\nmore\n#+begin_src sh\n* x\n#+end_src"
    assert len(outline(tmp_path, f"{top}Text\n* Part\n:PROPERTIES:\n:ID: 8\n:END:")) == 2


def test_what_is_hidden_is_named_with_all_below(tmp_path: Path) -> None:
    (tmp_path / "a.org").write_text("* COMMENT Draft\n** below\n* Kept\n** Old :ARCHIVE:\n*** below\n** New")
    (tmp_path / "a.org_archive").write_text("* gone")
    found, skipped, _ = run(tmp_path)
    assert [record.title for record in found] == ["Kept", "New"]
    assert [(place.where, place.failed) for place in skipped] == [
        ("a.org#COMMENT Draft".replace("COMMENT ", ""), False),
        ("a.org#Kept/Old", False),
        ("a.org_archive", False),
    ]


def test_bytes_of_an_old_editor(tmp_path: Path) -> None:
    (tmp_path / "a.org").write_bytes("* Küche\ntext".encode("cp1252"))
    (record,) = records(org, tmp_path / "a.org")
    assert (record.title, record.attrs["encoding"]) == ("Küche", "cp1252")


def test_an_empty_file_is_named(tmp_path: Path) -> None:
    (tmp_path / "a.org").write_text("\n")
    assert list(org.read(tmp_path)) == [Skipped("a.org", "empty")]


PIECES = ("*", "* ", ":a", "[[", "[[a][", "[cite:@", "=", "=a ", ":PROPERTIES:\n", ":LOGBOOK:\n", "#+begin_src\n", " ",
          "[1/2] ", "CLOSED: [", "CLOSED: [2024-01-01] ", "http://", "#+title: a\n", ":a: b\n")  # fmt: skip


@pytest.mark.parametrize("piece", PIECES)
def test_a_megabyte_of_one_piece(tmp_path: Path, piece: str) -> None:
    (tmp_path / "a.org").write_text("* Good\n* " + piece * (1_000_000 // len(piece)) + "\n:END:\n* Last")
    start = time.process_time()
    found = records(org, tmp_path / "a.org")
    assert time.process_time() - start < 10
    assert found[0].title == "Good"
    assert found[-1].title == "Last"


def test_a_thousand_levels(tmp_path: Path) -> None:
    found = outline(tmp_path, "\n".join("*" * level + f" h{level}" for level in range(1, 999)))
    assert len(found) == 998
    assert found[-1].links[-1].target == "h997"
