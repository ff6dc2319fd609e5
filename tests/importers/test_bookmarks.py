"""Bookmarks: folders in any order, descriptions before separators, dates of every browser, damage."""

import json
from pathlib import Path

import pytest
from importer_fixtures import DATA, copy_fixture, run
from memhub_importers.markup import normal_url

from memhub import Memory
from memhub.model.record import Record

HEAD = "<!DOCTYPE NETSCAPE-Bookmark-file-1>\n<H1>Bookmarks</H1>\n"


def read(folder: Path, body: str) -> list[Record]:
    """The records of a bookmark file with this body."""
    (folder / "b.html").write_text(HEAD + body, encoding="utf-8")
    return run(folder / "b.html")[0]


def test_a_folder_before_the_links_of_its_parent() -> None:
    records, skipped, _ = run(DATA / "bookmark-folder-first" / "bookmarks.html")
    assert skipped == []
    assert {record.title: (record.attrs["folders"], record.labels) for record in records} == {
        "Smoothing planes": ([["Workshop", "Hand tools", "Planes"]], ("Workshop", "Hand tools", "Planes")),
        "Jack planes": ([["Workshop", "Hand tools", "Planes"]], ("Workshop", "Hand tools", "Planes")),
        "Saws": ([["Workshop", "Hand tools"]], ("Workshop", "Hand tools")),
        "Bench height": ([["Workshop"]], ("Workshop",)),
        "Hide glue": ([["Workshop"]], ("Workshop",)),
        "Weather": ([[]], ()),
    }
    assert [record.content for record in records] == ["Angle, mouth,\nsole.", "", "", "", "", ""]


def test_the_same_file_again_changes_nothing(tmp_path: Path) -> None:
    path = DATA / "bookmark-folder-first" / "bookmarks.html"
    with Memory(tmp_path / "b.db") as memory:
        assert memory.import_(path, dry_run=True).created == 6
        assert memory.import_(path).created == 6
        again = memory.import_(path)
        assert (again.created, again.updated, again.unchanged, again.skipped) == (0, 0, 6, ())
        planes = next(item for item in memory.list(limit=0) if item.title == "Smoothing planes")
        assert planes.content == "Angle, mouth,\nsole."
        assert planes.attrs["folders"] == [["Workshop", "Hand tools", "Planes"]]
        assert planes.created_at == "2025-09-01T04:15:00Z"


@pytest.mark.parametrize(
    ("raw", "moment"),
    [
        ("1700000000", "2023-11-14T22:13:20Z"),
        ("1700000000123", "2023-11-14T22:13:20.123Z"),
        ("1260914469588170", "2009-12-15T22:01:09.588170Z"),
        ("0", None),
        ("", None),
        ("-5", None),
        ("yesterday", None),
        ("9" * 40, None),
        ("１７０００００００００", None),
    ],
)
def test_dates_by_their_size(tmp_path: Path, raw: str, moment: str | None) -> None:
    (record,) = read(tmp_path, f'<DL><DT><A HREF="https://example.org" ADD_DATE="{raw}">x</A></DL>')
    assert record.created_at == moment


@pytest.mark.parametrize(
    ("url", "key"),
    [
        ("HTTP://Example.ORG:80", "http://example.org/"),
        ("https://example.org:443/A?b=C#d", "https://example.org/A?b=C#d"),
        ("https://example.org:8443/", "https://example.org:8443/"),
        ("https://User@Example.org/x/", "https://User@example.org/x/"),
        ("https://xn--bcher-kva.example/", "https://xn--bcher-kva.example/"),
        ("http://[broken", "http://[broken"),
        ("mailto:a@b.c", "mailto:a@b.c"),
    ],
)
def test_addresses_as_ids(url: str, key: str) -> None:
    assert normal_url(url) == key


def test_browsers_that_close_nothing_and_write_in_their_own_case(tmp_path: Path) -> None:
    records = read(
        tmp_path,
        "<dl><p><dt><h3 folded>Favorites Bar<dl><p><dt><a href=https://example.org/a>One &amp; two\n"
        "<dd>first<br>second<hr><dt><a href='https://example.org/b' tags='x, y' toread=1>B</a>",
    )
    assert [(record.title, record.content, record.labels) for record in records] == [
        ("One & two", "first\nsecond", ()),
        ("B", "", ("x", "y", "unread")),
    ]


def test_a_folder_called_like_a_root_inside_another_is_a_folder(tmp_path: Path) -> None:
    (record,) = read(
        tmp_path,
        "<DL><DT><H3>Work</H3><DL><DT><H3>Deep</H3><DL><DT><H3>Menu</H3><DL>"
        "<DT><A HREF='https://example.org'>x</A></DL></DL></DL></DL>",
    )
    assert record.attrs["folders"] == [["Work", "Deep", "Menu"]]


def test_what_is_no_address_is_named(tmp_path: Path) -> None:
    (tmp_path / "b.html").write_text(
        HEAD + "<DL><DT><A HREF=''>nothing</A><DT><A>none</A><DT><A HREF='file:///etc/passwd'>f</A>"
        "<DT><A HREF=' JavaScript:alert(1)'>j</A><DT><A HREF='data:text/html,x'>d</A></DL>"
    )
    records, skipped, _ = run(tmp_path / "b.html")
    assert records == []
    assert [(place.where, place.why, place.failed) for place in skipped] == [
        ("nothing", "no address", False),
        ("none", "no address", False),
        ("file:///etc/passwd", "scheme `file:`", False),
        ("JavaScript:alert(1)", "scheme `javascript:`", False),
        ("data:text/html,x", "scheme `data:`", False),
    ]


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16"])
def test_a_byte_order_mark_hides_no_bookmark_file(tmp_path: Path, encoding: str) -> None:
    path = tmp_path / "favoriten.htm"
    path.write_text(HEAD + "<DL><DT><A HREF='https://example.org/ü'>Grüße</A></DL>", encoding=encoding)
    (record,) = run(path)[0]
    assert (record.title, record.external_id) == ("Grüße", "url:https://example.org/ü")


def test_among_pages_a_bookmark_file_gives_its_bookmarks(tmp_path: Path) -> None:
    copy_fixture("html", tmp_path)
    copy_fixture("bookmarks", tmp_path)
    (tmp_path / "bookmarks" / "bookmarks.html").rename(tmp_path / "html" / "saved" / "b.html")
    records, _, origin = run(tmp_path / "html" / "saved")
    assert origin == ("html", "saved")
    assert {record.title for record in records} >= {"Rope care", "Planes & chisels"}


def test_ten_thousand_folders_deep(tmp_path: Path) -> None:
    body = "".join(f"<DL><DT><H3>f{n}</H3>" for n in range(10_000)) + "<DL><DT><A HREF='https://example.org'>x</A>"
    (record,) = read(tmp_path, body)
    assert len(record.attrs["folders"][0]) == 100


@pytest.mark.parametrize(
    "piece", ["<", "<a ", '<a href="', "<!--", "</", "&", "<script>", "<DT><H3>x", "<DL>", '"', "=", " "]
)
def test_a_megabyte_of_one_piece(tmp_path: Path, piece: str) -> None:
    records = read(tmp_path, "<DL><DT><A HREF='https://example.org'>x</A></DL>" + piece * (1_000_000 // len(piece)))
    assert records[0].title == "x"
    json.dumps(records[0].attrs)
