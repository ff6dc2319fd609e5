"""PDF: one item for each file, its text page after page, with what the document says of itself."""

import hashlib
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from memhub.model import EMPTY
from memhub.model.record import Cursor, Link, Origin, Record, Skipped
from memhub.text.clean import clean, one_line
from memhub.text.labels import is_label, normalise, unique_labels
from memhub_importers.dates import source_time
from memhub_importers.documents import library, read_kind, sniff_kind
from memhub_importers.files import Found, read_bytes, why
from memhub_importers.pdf_pages import pages_text

MAX_PAGES = 2000
MAX_CHARACTERS = 5_000_000
_HEAD = 1024
_SCAN = 10  # a page with fewer characters is a picture
_DATE = re.compile(r"(?:D:)?(\d{4})(\d\d)?(\d\d)?(\d\d)?(\d\d)?(\d\d)?(?:(Z)|([+-])(\d\d)'?(\d\d)?'?)?")
_URL = re.compile(r"https?://[^\s<>\"\[\]{}|\\^`]{1,2000}")
_NO_TITLE = re.compile(
    r"(?:microsoft (?:word|powerpoint|excel) - .*|untitled|.*\.(?:docx?|tex|indd|qxd|pdf|rtf|odt))", re.I
)
_TITLE_CHARS = 300


def sniff(path: Path) -> bool:
    """Whether a file has the mark of PDF in its first bytes, or a folder no other notes than PDF files."""
    if path.is_dir():
        return sniff_kind(path, "pdf")
    if not path.is_file():
        return sniff_kind(path, "pdf")
    with open(path, "rb") as file:
        return b"%PDF-" in file.read(_HEAD)


def origin(path: Path) -> Origin:
    """`pdf`, named after the folder or the file."""
    path = path.resolve()
    return Origin("pdf", path.stem if path.is_file() else path.name)


def read(path: Path, *, scope: str = "", cursors: Mapping[str, str] = EMPTY) -> Iterator[Record | Skipped | Cursor]:
    """Each PDF below `path` as a record. Raises `NotFoundError`, and `UnavailableError` without the extra."""
    yield from read_kind(path, "pdf")


def read_file(found: Found, options: Mapping[str, str] = EMPTY) -> Iterator[Record | Skipped]:
    """The record of one PDF. Raises `UnavailableError` without the extra."""
    pdfium = library("pypdfium2", "PDF")
    try:
        data = read_bytes(found)
    except (OSError, ValueError) as error:
        yield Skipped(found.name, why(error), failed=True)
        return
    if b"%PDF-" not in data[:_HEAD]:
        yield Skipped(found.name, "not a readable PDF" if data else "empty", failed=bool(data))
        return
    try:
        document = pdfium.PdfDocument(data)
    except pdfium.PdfiumError as error:
        is_locked = "password" in str(error).lower()
        yield Skipped(found.name, "needs a password" if is_locked else "not a readable PDF", failed=not is_locked)
        return
    try:
        yield _record(found, document, data)
    except pdfium.PdfiumError:
        yield Skipped(found.name, "not a readable PDF", failed=True)
    finally:
        document.close()


def _record(found: Found, document: Any, data: bytes) -> Record:
    count = len(document)
    pages = pages_text(document, min(count, MAX_PAGES), MAX_CHARACTERS)
    info = {str(key): clean(str(value)).strip() for key, value in document.get_metadata_dict().items()}
    content, starts = _joined(pages.texts)
    without = [number for number, text in enumerate(pages.texts, 1) if len("".join(text.split())) < _SCAN]
    attrs: dict[str, Any] = {"pages": count, "page_starts": starts, "sha256": hashlib.sha256(data).hexdigest()}
    if without:
        attrs["pages_without_text"] = without
    for key in ("Author", "Subject"):
        if info.get(key):
            attrs[key.lower()] = one_line(info[key], _TITLE_CHARS)
    warnings = []
    if len(pages.texts) < count:
        warnings.append(f"cut after page {len(pages.texts)} of {count}")
    if pages.unread:
        warnings.append(f"pages that cannot be read: {_some(pages.unread)}")
    labels = [normalise(label) for label in re.split(r"[,;]", info.get("Keywords", ""))]
    return Record(
        external_id=f"path:{found.name}",
        content=content,
        title=_title(info.get("Title", "")) or _title(pages.heading) or found.stem,
        labels=unique_labels([label for label in labels if is_label(label)]),
        created_at=_date(info.get("CreationDate", "")),
        updated_at=_date(info.get("ModDate", "")) or found.changed_at,
        attrs=attrs,
        path=found.name,
        links=tuple(Link("url", url) for url in _urls(content)),
        warnings=tuple(warnings),
    )


def _joined(texts: list[str]) -> tuple[str, list[int]]:
    """The pages with an empty line between them, and at which character each begins."""
    starts: list[int] = []
    parts: list[str] = []
    length = 0
    for text in texts:
        if text:
            gap = 2 if length else 0
            starts.append(length + gap)
            parts.append(text)
            length += gap + len(text)
        else:
            starts.append(length)
    return "\n\n".join(parts), starts


def _title(raw: str) -> str:
    title = one_line(raw, _TITLE_CHARS)
    return "" if _NO_TITLE.fullmatch(title) or not any(letter.isalnum() for letter in title) else title


def _date(raw: str) -> str | None:
    """`D:20240301101500+01'00'`, cut anywhere, with the precision that is left; a bare year is none."""
    found = _DATE.match(raw.strip())
    if not found or not found[2]:
        return None
    date = "-".join(part for part in found.group(1, 2, 3) if part)
    if found[3] and found[4] and found[5]:
        date += f"T{found[4]}:{found[5]}:{found[6] or '00'}"
        date += "Z" if found[7] else f"{found[8]}{found[9]}:{found[10] or '00'}" if found[8] else ""
    return source_time(date)


def _urls(content: str) -> list[str]:
    urls = (found.rstrip(".,;:!?)'*_") for found in _URL.findall(content)) if "://" in content else ()
    return list(dict.fromkeys(urls))


def _some(numbers: list[int]) -> str:
    shown = ", ".join(map(str, numbers[:10]))
    return f"{shown} and {len(numbers) - 10} more" if len(numbers) > 10 else shown
