"""PDF: what typesetting puts into a text, titles and dates as programs write them, the same file twice, damage."""

from pathlib import Path

import pytest
from importer_fixtures import one, run
from memhub_importers import documents, pdf

from memhub.errors import ExitCode, UnavailableError
from memhub.model.record import Record

HEAD = "%PDF-1.4\n"
ANCHOR = "anchor.pdf"


def make(path: Path, pages: list[list[str]], **info: str) -> Path:
    """A PDF with these lines on its pages; a line `24:Words` is written in 24 points."""
    objects = ["<< /Type /Catalog /Pages 2 0 R >>", ""]
    objects.append("<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>")
    kids = []
    for lines in pages:
        drawn = ["BT 72 740 Td"]
        for line in lines:
            size, colon, words = line.partition(":")
            size, words = (size, words) if colon and size.isdigit() else ("11", line)
            drawn.append(f"/F1 {size} Tf ({words}) Tj 0 -30 Td")
        stream = " ".join([*drawn, "ET"])
        kids.append(f"{len(objects) + 1} 0 R")
        objects.append(
            "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Resources << /Font << /F1 3 0 R >> >> "
            f"/Contents {len(objects) + 2} 0 R >>"
        )
        objects.append(f"<< /Length {len(stream)} >>\nstream\n{stream}\nendstream")
    objects[1] = f"<< /Type /Pages /Kids [{' '.join(kids)}] /Count {len(kids)} >>"
    objects.append("<< " + " ".join(f"/{key} ({value})" for key, value in info.items()) + " >>")
    text, places = HEAD, []
    for number, body in enumerate(objects, 1):
        places.append(len(text))
        text += f"{number} 0 obj\n{body}\nendobj\n"
    table = "".join(f"{place:010} 00000 n \n" for place in places)
    trailer = f"trailer\n<< /Size {len(objects) + 1} /Root 1 0 R /Info {len(objects)} 0 R >>"
    text += f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n{table}{trailer}\nstartxref\n{len(text)}\n%%EOF\n"
    path.write_bytes(text.encode("latin-1"))
    return path


def read(path: Path, pages: list[list[str]], **info: str) -> Record:
    """The record of a PDF made so."""
    return one(make(path / "a.pdf", pages, **info))


def test_pages_are_kept_apart_and_can_be_found_again(tmp_path: Path) -> None:
    record = read(tmp_path, [["First page of words"], [], ["Third page of words"]])
    assert record.content == "First page of words\n\nThird page of words"
    starts = record.attrs["page_starts"]
    assert [record.content[a:b].strip() for a, b in zip(starts, [*starts[1:], None], strict=True)] == [
        "First page of words",
        "",
        "Third page of words",
    ]
    assert (record.attrs["pages"], record.attrs["pages_without_text"]) == (3, [2])


@pytest.mark.parametrize(
    ("title", "lines", "wanted"),
    [
        ("Given", ["24:Large", "small words"], "Given"),
        ("", ["small", "24:Large Words", "small words"], "Large Words"),
        ("Microsoft Word - thesis.doc", ["24:Large", "small words"], "Large"),
        ("thesis.tex", ["24:Large", "small words"], "Large"),
        ("untitled", ["same size", "all over"], "a"),
        ("   ", [], "a"),
    ],
)
def test_titles(tmp_path: Path, title: str, lines: list[str], wanted: str) -> None:
    assert read(tmp_path, [lines], Title=title).title == wanted


@pytest.mark.parametrize(
    ("raw", "moment"),
    [
        ("D:20240301101500+01'00'", "2024-03-01T09:15:00Z"),
        ("D:20240301101500+01'00", "2024-03-01T09:15:00Z"),
        ("D:20240301101500-0330", "2024-03-01T13:45:00Z"),
        ("D:20240301101500Z", "2024-03-01T10:15:00Z"),
        ("D:20240301101500", "2024-03-01T10:15:00"),
        ("D:202403011015", "2024-03-01T10:15:00"),
        ("D:2024030110", "2024-03-01"),
        ("D:20240301", "2024-03-01"),
        ("20240301", "2024-03-01"),
        ("D:202403", "2024-03"),
        ("D:2024", None),
        ("D:20241399", None),
        ("yesterday", None),
    ],
)
def test_dates_cut_anywhere(tmp_path: Path, raw: str, moment: str | None) -> None:
    assert read(tmp_path, [["words enough"]], CreationDate=raw).created_at == moment


def test_what_typesetting_puts_in_goes(tmp_path: Path) -> None:
    record = read(tmp_path, [["The infor-", "mation of the Well-", "Known yard"]])
    assert record.content == "The information of the Well-Known yard"


def test_lines_that_run_over_every_page_go_from_five_pages_on(tmp_path: Path) -> None:
    pages = [["Harbour Manual", f"Words of page {'abcdef'[n]}", f"page {n} of 6"] for n in range(6)]
    assert read(tmp_path, pages).content == "\n\n".join(f"Words of page {letter}" for letter in "abcdef")
    assert "Harbour Manual" in read(tmp_path, pages[:4]).content


def test_labels_author_and_addresses(tmp_path: Path) -> None:
    record = read(
        tmp_path, [["See https://e.org/a_b, and (https://e.org/c)."]], Keywords="anchor; chain, 2024", Author="Ines"
    )
    assert record.labels == ("anchor", "chain")
    assert record.attrs["author"] == "Ines"
    assert [link.target for link in record.links] == ["https://e.org/a_b", "https://e.org/c"]


def test_the_same_paper_in_two_folders_is_told(tmp_path: Path) -> None:
    make(tmp_path / "a.pdf", [["words enough"]])
    (tmp_path / "b").mkdir()
    (tmp_path / "b" / "copy.pdf").write_bytes((tmp_path / "a.pdf").read_bytes())
    records, _, _ = run(tmp_path)
    assert [(record.external_id, record.warnings) for record in records] == [
        ("path:a.pdf", ()),
        ("path:b/copy.pdf", ("the same file as `a.pdf`",)),
    ]


def test_a_pdf_is_known_by_its_bytes_and_one_that_is_none_is_named(tmp_path: Path) -> None:
    made = make(tmp_path / "a.pdf", [["words enough"]])
    made.rename(tmp_path / "download")
    assert pdf.sniff(tmp_path / "download") is True
    assert one(tmp_path / "download").title == "download"
    (tmp_path / "text.pdf").write_text("no PDF at all")
    (tmp_path / "none.pdf").write_bytes(b"")
    (tmp_path / "download").unlink()
    records, skipped, _ = run(tmp_path)
    assert records == []
    assert [(place.where, place.why, place.failed) for place in skipped] == [
        ("none.pdf", "empty", False),
        ("text.pdf", "not a readable PDF", True),
    ]


def test_a_long_document_is_cut_and_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pdf, "MAX_PAGES", 2)
    record = read(tmp_path, [["words enough"]] * 4)
    assert record.warnings == ("cut after page 2 of 4",)
    assert record.attrs["pages"] == 4


def test_without_the_extra_the_command_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> object:
        if name == "memhub_importers.pdf":
            return pdf
        raise ModuleNotFoundError(f"No module named '{name}'")

    monkeypatch.setattr(documents, "import_module", missing)
    with pytest.raises(UnavailableError, match="reading PDF needs `pypdfium2`") as caught:
        list(pdf.read(make(tmp_path / "a.pdf", [["x"]])))
    assert caught.value.exit_code == ExitCode.UNAVAILABLE
    assert caught.value.hint == "pip install 'memhub[docs]'"
