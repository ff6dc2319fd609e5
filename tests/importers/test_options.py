"""What importers can be told: checked, done, remembered by the source, forgotten with an undo."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from importer_fixtures import DATA, write
from memhub_importers import registry
from memhub_importers.registry import IMPORTERS, Row, checked, choose, load, options_of

from memhub import Memory
from memhub.errors import UsageError
from memhub.model.record import Option, Record, Skipped

ORG = "#+title: All\n\nBefore.\n* One\ntext\n* COMMENT Two\nhidden\n* Three :ARCHIVE:\nold\n"
PAGE = "<title>T</title><nav>Menu</nav><main><p>Words.</p></main><form>Ask</form><script>no()</script>"
BOOKMARKS = '<!DOCTYPE NETSCAPE-Bookmark-file-1>\n<DL><p><DT><A HREF="file:///home/a.html">Mine</A></DL>'


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Memory]:
    with Memory(tmp_path / "memory.db") as opened:
        yield opened


def read(path: Path, **options: str) -> tuple[list[Record], list[Skipped]]:
    row, importer = choose(path)
    outcomes: list[Any] = list(importer.read(path, options=checked(row.name, importer, options)))  # type: ignore[call-arg]
    return [x for x in outcomes if isinstance(x, Record)], [x for x in outcomes if isinstance(x, Skipped)]


def put(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize("row", IMPORTERS, ids=lambda row: row.name)
def test_every_option_says_what_it_does(row: Row) -> None:
    options = options_of(load(row))
    assert len({option.name for option in options}) == len(options)
    for option in options:
        assert option.name.isidentifier()
        assert len(option.values) > 1
        assert option.help
        assert "\n" not in option.help


@pytest.mark.parametrize(
    ("given", "message", "hint"),
    [
        (
            {"facts": "yes"},
            "importer `org` has no option `facts`",
            "it has: archived=no|yes .*; split=auto|headline|file",
        ),
        ({"split": "page"}, "`split` of importer `org` cannot be `page`", "it is: split=auto|headline|file"),
        ({"split": ""}, "`split` of importer `org` cannot be `yes`", "it is: "),
        ({"": "x"}, "importer `org` has no option ``", "it has: "),
    ],
)
def test_an_option_that_is_none_names_those_that_are(
    given: dict[str, str], message: str, hint: str, memory: Memory, tmp_path: Path
) -> None:
    with pytest.raises(UsageError) as raised:
        memory.import_(put(tmp_path / "a.org", ORG), options=given)
    assert raised.value.message == message
    assert str(raised.value.hint).startswith(hint.split(".*")[0].partition("|")[0])
    assert memory.list() == []


def test_an_importer_without_options_says_so(memory: Memory, tmp_path: Path) -> None:
    with pytest.raises(UsageError) as raised:
        memory.import_(put(tmp_path / "a.txt", "x"), options={"split": "file"})
    assert (raised.value.message, raised.value.hint) == ("importer `text` has no option `split`", "it has none")


@pytest.mark.parametrize(
    ("options", "titles", "skipped"),
    [
        ({}, ["All", "One"], 2),
        ({"archived": "yes"}, ["All", "One", "Two", "Three"], 0),
        ({"split": "headline"}, ["All", "One"], 2),
        ({"split": "file"}, ["All"], 0),
    ],
)
def test_org(options: dict[str, str], titles: list[str], skipped: int, tmp_path: Path) -> None:
    records, left = read(put(tmp_path / "a.org", ORG), **options)
    assert ([record.title for record in records], len(left)) == (titles, skipped)


def test_org_archive_files_and_notes_with_an_id(tmp_path: Path) -> None:
    put(tmp_path / "b.org_archive", "* Old\n")
    put(tmp_path / "roam.org", ":PROPERTIES:\n:ID: r\n:END:\n* A\n* B\n")
    assert [record.external_id for record in read(tmp_path)[0]] == ["id:r"]
    assert [record.external_id for record in read(tmp_path, archived="yes", split="headline")[0]] == [
        "path:b.org_archive#Old", "id:r#A", "id:r#B",
    ]  # fmt: skip


def test_html_full(tmp_path: Path) -> None:
    pytest.importorskip("bs4")
    page = put(tmp_path / "a.html", PAGE)
    assert read(page)[0][0].content == "Words."
    assert read(page, full="yes")[0][0].content.split() == ["Menu", "Words.", "Ask"]


def test_bookmarks_of_files(tmp_path: Path) -> None:
    path = put(tmp_path / "b.html", BOOKMARKS)
    assert read(path)[0] == []
    assert [(record.url, record.title) for record in read(path, files="yes")[0]] == [("file:///home/a.html", "Mine")]


def test_a_folder_of_notes_tells_the_documents_in_it(tmp_path: Path) -> None:
    pytest.importorskip("bs4")
    write(tmp_path, note="A note.")
    put(tmp_path / "a.org", ORG)
    put(tmp_path / "b.html", BOOKMARKS)
    put(tmp_path / "c.html", PAGE)
    found = {record.title: record.content for record in read(tmp_path, split="file", files="yes", full="yes")[0]}
    assert set(found) == {"All", "Mine", "T", "note"}
    assert found["T"].split() == ["Menu", "Words.", "Ask"]


def test_facts_of_mcp_memory(tmp_path: Path) -> None:
    entity = {"type": "entity", "name": "Mira", "entityType": "person", "observations": ["Sails.", "Reads."]}
    records, _ = read(put(tmp_path / "memory.jsonl", json.dumps(entity) + "\n"), facts="yes")
    assert [(x.external_id, x.title, x.content, x.kind) for x in records] == [
        ("entity:Mira", "Mira", "Sails.\nReads.", "document"),
        ("entity:Mira#89bf8bd0826a72ae", "Mira", "Sails.", "fact"),
        ("entity:Mira#56392b8c02d3ca1e", "Mira", "Reads.", "fact"),
    ]
    assert {(link.type, link.target, link.to) for x in records[1:] for link in x.links} == {
        ("relation", "about", "entity:Mira")
    }


def test_facts_of_basic_memory(memory: Memory, tmp_path: Path) -> None:
    folder = tmp_path / "notes"
    folder.mkdir()
    text = "---\ntitle: Boat\npermalink: boat\n---\n- [skill] Sails well #sea (2024)\n- [skill] #only\n"
    write(folder, boat=text)
    report = memory.import_(folder, options={"facts": True})
    assert (report.created, report.options) == (2, {"facts": "yes"})
    fact = next(item for item in memory.list() if item.kind == "fact")
    assert (fact.title, fact.content, fact.labels) == ("Boat", "Sails well", ("sea",))
    assert (fact.attrs["category"], fact.attrs["context"]) == ("skill", "2024")
    assert [(edge.relation, edge.dst_title) for edge in memory.links(fact.id)] == [("about", "Boat")]


class TestRemembered:
    def test_the_next_import_does_as_the_last(self, memory: Memory, tmp_path: Path) -> None:
        path = put(tmp_path / "a.org", ORG)
        assert memory.import_(path, options={"split": "file"}).created == 1
        again = memory.import_(path)
        assert (again.unchanged, again.vanished, again.operation) == (1, (), None)
        assert again.options == {"split": "file"}

    def test_one_option_may_change_and_the_other_stay(self, memory: Memory, tmp_path: Path) -> None:
        path = put(tmp_path / "a.org", ORG)
        memory.import_(path, options={"split": "headline", "archived": True})
        assert memory.import_(path, options={"archived": False}).options == {"split": "headline"}
        assert memory.import_(path, options={"split": "auto"}).options == {}

    def test_an_undo_forgets_what_its_import_was_told(self, memory: Memory, tmp_path: Path) -> None:
        path = put(tmp_path / "a.org", ORG)
        memory.import_(path, options={"split": "file"})
        memory.import_(path, options={"split": "headline"})
        memory.undo()
        assert memory.import_(path).options == {"split": "file"}
        assert [item.title for item in memory.list()] == ["All"]

    def test_a_dry_run_remembers_nothing(self, memory: Memory, tmp_path: Path) -> None:
        path = put(tmp_path / "a.org", ORG)
        assert memory.import_(path, options={"archived": True}, dry_run=True).created == 4
        assert memory.import_(path).options == {}

    def test_by_source_and_space(self, memory: Memory, tmp_path: Path) -> None:
        path = put(tmp_path / "a.org", ORG)
        memory.space_new("work")
        memory.import_(path, options={"split": "file"})
        assert memory.import_(path, as_="other").options == {}
        assert memory.import_(path, space="work").options == {}

    def test_places_that_did_not_change_are_read_again(
        self, memory: Memory, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """An importer that passes over what it read before."""
        code = """
from memhub.model import EMPTY
from memhub.model.record import Cursor, Option, Origin, Record

OPTIONS = (Option("loud", ("no", "yes"), "in capitals"),)


def sniff(path):
    return path.suffix == ".shelf"


def origin(path):
    return Origin("shelf", path.stem)


def read(path, *, scope="", cursors=EMPTY, options=EMPTY):
    text = path.read_text()
    if cursors.get("all") != text:
        yield Record("one", text.upper() if OPTIONS[0].of(options) == "yes" else text)
    yield Cursor("all", text)
"""
        put(tmp_path / "memhub_test_loud.py", code)
        monkeypatch.syspath_prepend(tmp_path)
        monkeypatch.setattr(registry, "rows", lambda: (Row("shelf", "memhub_test_loud", "a shelf"),))
        path = put(tmp_path / "a.shelf", "quiet")
        memory.import_(path)
        memory.import_(path, options={"loud": True})
        assert [item.content for item in memory.list()] == ["QUIET"]
        assert memory.import_(path).unchanged == 0
        assert options_of(load(registry.rows()[0])) == (Option("loud", ("no", "yes"), "in capitals"),)


def test_the_fixtures_are_read_alike_with_every_default() -> None:
    for name in ("obsidian/vault", "org", "basic-memory"):
        folder = DATA / name
        row, importer = choose(folder)
        defaults = {option.name: option.values[0] for option in options_of(importer)}
        assert read(folder) == read(folder, **defaults), row.name
