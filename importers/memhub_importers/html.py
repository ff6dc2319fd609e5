"""Web pages: the main text as Markdown, with the address, dates and labels that the page gives itself."""

from collections.abc import Iterator, Mapping
from pathlib import Path

from memhub.model import EMPTY
from memhub.model.record import Cursor, Link, Origin, Record, Skipped
from memhub.text.clean import one_line
from memhub_importers import bookmarks_html
from memhub_importers.bookmark import records
from memhub_importers.documents import read_kind, sniff_kind
from memhub_importers.encoding import nfc
from memhub_importers.files import Found, read_bytes, why
from memhub_importers.html_head import Head, read_head
from memhub_importers.html_text import Page, read_page
from memhub_importers.markup import decode_markup, tokens
from memhub_importers.options import FILES, FULL, YES

OPTIONS = (FILES, FULL)
_TITLE_CHARS = 300


def sniff(path: Path) -> bool:
    """Whether `path` is a page by its name, or a folder with no other notes than pages."""
    return sniff_kind(path, "html")


def origin(path: Path) -> Origin:
    """`html`, named after the folder or the file."""
    path = path.resolve()
    return Origin("html", path.stem if path.is_file() else path.name)


def read(
    path: Path, *, scope: str = "", cursors: Mapping[str, str] = EMPTY, options: Mapping[str, str] = EMPTY
) -> Iterator[Record | Skipped | Cursor]:
    """Each page below `path` as a record. Raises `NotFoundError`, and `UnavailableError` without the extra."""
    yield from read_kind(path, "html", options)


def read_file(found: Found, options: Mapping[str, str] = EMPTY) -> Iterator[Record | Skipped]:
    """The record of one page; a bookmark file among pages gives its bookmarks."""
    try:
        decoded = decode_markup(read_bytes(found))
    except (OSError, ValueError) as error:
        yield Skipped(found.name, why(error), failed=True)
        return
    if decoded is None:
        yield Skipped(found.name, "binary, no text")
        return
    if bookmarks_html.is_bookmarks(decoded.text):
        yield from records(bookmarks_html.entries(decoded.text), found, options)
        return
    stream = list(tokens(decoded.text))
    head = read_head(stream)
    page = read_page(stream, head.base, is_full=FULL.of(options) == YES)
    if not page.text and not head.title:
        yield Skipped(found.name, "empty")
        return
    record = _record(found, head, page)
    attrs = record.attrs if decoded.encoding == "utf-8" else {**record.attrs, "encoding": decoded.encoding}
    yield record._replace(attrs=attrs, warnings=(*decoded.warnings, *record.warnings))


def _record(found: Found, head: Head, page: Page) -> Record:
    url = head.url
    title = head.title or page.heading or head.page_title or found.stem
    title = one_line(title, _TITLE_CHARS)
    first, _, rest = page.text.partition("\n")
    text = rest.strip() if first.startswith("# ") and first[2:].strip() == title else page.text
    links = [Link("url", url, None, {"primary": True})] if url else []
    metadata = {key: value for key, value in head.metadata.items() if value}
    return Record(
        external_id=nfc(f"url:{url}") if url else f"path:{found.name}",
        content=text,
        title=title,
        labels=head.labels,
        created_at=head.published or page.time,
        updated_at=head.modified or found.changed_at,
        attrs={"metadata": metadata} if metadata else {},
        path=found.name,
        url=url,
        links=(*links, *(link for link in page.links if not (link.type == "url" and link.target == url))),
        warnings=page.warnings,
    )
