"""Pages as browsers and savers leave them: addresses, encodings, tags nobody closed, what is not text, damage."""

import time
from pathlib import Path

import pytest
from fuzz import check_shapes
from importer_fixtures import one, run
from memhub_importers import documents, html
from memhub_importers.html_text import MAX_TAGS

from memhub.errors import ExitCode, UnavailableError
from memhub.model.record import Record


def page(folder: Path, text: str, name: str = "page.html") -> Record:
    """The record of one page."""
    (folder / name).write_text(text, encoding="utf-8")
    return one(folder / name)


@pytest.mark.parametrize(
    ("head", "external_id", "link"),
    [
        ('<link rel="canonical" href="https://e.org/a">', "url:https://e.org/a", "https://e.org/x/y"),
        ('<meta property="og:url" content="https://e.org/a/b">', "url:https://e.org/a/b", "https://e.org/x/y"),
        ("<!-- saved from url=(0018)https://e.org/a/?q=1 -->", "url:https://e.org/a/?q=1", "https://e.org/x/y"),
        ("<!--\n Page saved with SingleFile \n url: https://e.org/a \n-->", "url:https://e.org/a", "https://e.org/x/y"),
        ('<base href="https://e.org/b/"><link rel="canonical" href="https://e.org/a">', "url:https://e.org/a",
         "https://e.org/x/y"),
        ('<link rel="canonical" href="/a"><meta property="og:url" content="https://e.org/z">', "url:https://e.org/a",
         "https://e.org/x/y"),
        ('<link rel="canonical" href="javascript:alert(1)">', "path:page.html", "/x/y"),
        ("", "path:page.html", "/x/y"),
    ],
)  # fmt: skip
def test_what_a_page_goes_by(tmp_path: Path, head: str, external_id: str, link: str) -> None:
    record = page(tmp_path, f'{head}<body><p>Words <a href="/x/y">there</a></p></body>')
    assert record.external_id == external_id
    assert record.url == (external_id[4:] if external_id.startswith("url:") else None)
    assert record.links[-1].target == link
    assert record.content == f"Words [there]({link})"


def test_the_title_is_the_shared_one_then_the_heading_then_that_of_the_window(tmp_path: Path) -> None:
    shared = '<meta property="og:title" content="Shared">'
    assert page(tmp_path, f"{shared}<title>W</title><article><h1>H</h1>x</article>").title == "Shared"
    heading = page(tmp_path, "<title>W | Site</title><article><h1>The <i>H</i></h1><p>x</p></article>")
    assert (heading.title, heading.content) == ("The H", "# The *H*\n\nx")
    assert page(tmp_path, "<title>\n W &amp; V </title><p>x</p>").title == "W & V"
    assert page(tmp_path, "<p>x</p>", "Some name.htm").title == "Some name"


def test_a_heading_that_is_the_title_is_taken_off(tmp_path: Path) -> None:
    record = page(tmp_path, "<article><h1>Rope &amp; wood</h1><p>x</p></article>")
    assert (record.title, record.content) == ("Rope & wood", "x")


def test_what_is_not_the_text_of_a_page_is_left_out(tmp_path: Path) -> None:
    record = page(
        tmp_path,
        "<body><header>top</header><nav>menu</nav><main><p>kept</p><aside>beside</aside><form>send</form>"
        "<p hidden>hidden</p><p aria-hidden='true'>unseen</p><svg><text>drawn</text></svg>"
        "<script>code()</script><style>p{}</style><template>later</template></main><footer>end</footer></body>",
    )
    assert record.content == "kept"


def test_markdown_of_lists_code_and_tables(tmp_path: Path) -> None:
    record = page(
        tmp_path,
        "<ol><li>one<ul><li>in</li></ul></li><li>two</li></ol><pre class='language-py'>a = 1\n  b</pre>"
        "<table><tr><th>A<th>B<tr><td>1<td>2</table><p>snake_case * star</p>",
    )
    assert record.content == (
        "1. one\n   - in\n2. two\n\n```py\na = 1\n  b\n```\n\n| A | B |\n| --- | --- |\n| 1 | 2 |\n\nsnake_case * star"
    )


def test_paragraphs_that_nobody_closed(tmp_path: Path) -> None:
    record = page(tmp_path, "".join(f"<p>line {n}" for n in range(500)))
    assert record.content.split("\n\n") == [f"line {n}" for n in range(500)]


def test_no_address_of_a_script_or_of_data_is_kept(tmp_path: Path) -> None:
    record = page(
        tmp_path,
        '<p><a href=" java\nscript:alert(1)">a</a> <a href="JAVASCRIPT:alert(1)">b</a> <img src="data:image/png,AA">'
        '<a href="#part">c</a> <a href="https://e.org/">d</a> <a href="http://[x">e</a></p>',
    )
    assert [link.target for link in record.links] == ["https://e.org/"]
    assert "alert(1)" not in record.content
    assert "data:" not in record.content


@pytest.mark.parametrize(
    ("data", "text"),
    [
        ('<meta charset="iso-8859-1"><p>it’s</p>'.encode("cp1252"), "it’s"),
        ('<meta charset="shift_jis"><p>日本</p>'.encode("shift_jis"), "日本"),
        ('<?xml version="1.0" encoding="koi8-r"?><p>Привет</p>'.encode("koi8-r"), "Привет"),
        ('<meta charset="utf-16"><p>ü</p>'.encode(), "ü"),
        ('<meta charset="no-such"><p>ü</p>'.encode(), "ü"),
        ('<meta charset="zlib_codec"><p>ü</p>'.encode(), "ü"),
        ('<meta charset="unicode_escape"><p>\\u0041ü</p>'.encode(), "\\u0041ü"),
        ('<meta charset="utf-8"><p>naïve</p>'.encode("cp1252"), "naïve"),
        ('<meta charset="windows-1251"><p>ü</p>'.encode("utf-8-sig"), "ü"),
        ("<p>weit</p>".encode("utf-16"), "weit"),
    ],
)
def test_encodings(tmp_path: Path, data: bytes, text: str) -> None:
    (tmp_path / "p.html").write_bytes(data)
    assert one(tmp_path / "p.html").content == text


def test_spaces_that_pages_are_laid_out_with(tmp_path: Path) -> None:
    assert page(tmp_path, "<p>a&nbsp;b\u200bc\ufeff</p>").content == "a bc"


def test_dates_and_labels_that_a_page_gives(tmp_path: Path) -> None:
    record = page(
        tmp_path,
        '<meta name="keywords" content="rope, Slow tools, 2024, rope"><meta name="author" content="Ines">'
        '<script type="application/ld+json">{"@graph":[{"datePublished":"2024-03-01"},7]}</script><p>x</p>',
    )
    assert record.labels == ("rope", "Slow tools")
    assert record.created_at == "2024-03-01"
    assert record.attrs["metadata"] == {"author": "Ines"}
    assert page(tmp_path, '<article>x <time datetime="2023-05-01T10:00:00+02:00">May</time></article>').created_at == (
        "2023-05-01T08:00:00Z"
    )


def test_parts_of_a_saved_page_are_none_themselves(tmp_path: Path) -> None:
    (tmp_path / "Rope_files").mkdir()
    (tmp_path / "Rope_files" / "ad.html").write_text("<p>buy</p>")
    (tmp_path / "Rope.html").write_text("<p>kept</p>")
    records, skipped, _ = run(tmp_path)
    assert [record.content for record in records] == ["kept"]
    assert [(place.where, place.why) for place in skipped] == [("Rope_files/ad.html", "part of a saved page")]


def test_an_empty_page_is_named(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text("<html><body><script>x()</script></body></html>")
    (tmp_path / "b.html").write_bytes(b"\0\1\2")
    records, skipped, _ = run(tmp_path)
    assert records == []
    assert [(place.where, place.why) for place in skipped] == [("a.html", "empty"), ("b.html", "binary, no text")]


def test_a_page_with_too_many_tags_is_kept_as_plain_text(tmp_path: Path) -> None:
    record = page(tmp_path, "<title>Big</title>" + "<p>a <b>b</b></p>" * MAX_TAGS)
    assert record.title == "Big"
    assert record.content.split("\n") == ["a b"] * MAX_TAGS
    assert record.warnings == ("more than 50,000 tags; kept as plain text, without its links",)


def test_without_the_extra_the_command_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> None:
        raise ModuleNotFoundError(f"No module named '{name}'")

    monkeypatch.setattr(documents, "import_module", lambda name: html if name.endswith("html") else missing(name))
    (tmp_path / "a.html").write_text("<p>x</p>")
    with pytest.raises(UnavailableError, match="reading HTML needs `bs4`") as caught:
        list(html.read(tmp_path / "a.html"))
    assert caught.value.exit_code == ExitCode.UNAVAILABLE
    assert caught.value.hint == "pip install 'memhub[docs]'"


DEEP = ("<div>", "<b>", "<ul><li>", "<blockquote>", "<table><tr><td>", "<p><i>", "<article>", "<pre>")
PIECES = ("<", "<a ", '<a href="', "<!--", "</", "</a>", "&", "<script>", "<p>x", '"', "=", " ", "\n", "&nbsp;", "<hr>")


@pytest.mark.parametrize("piece", [*DEEP, *PIECES])
def test_a_lot_of_one_piece(tmp_path: Path, piece: str) -> None:
    path = tmp_path / "p.html"
    path.write_text("<title>T</title><p>good</p>" + piece * (200_000 // len(piece)) + "deep")
    start = time.process_time()
    outcomes = list(html.read(path))
    assert time.process_time() - start < 20
    check_shapes(outcomes)
    assert outcomes[0].title == "T"
    assert "good" in outcomes[0].content or outcomes[0].content == "deep"
